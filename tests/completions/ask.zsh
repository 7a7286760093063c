# Prints what zsh offers after a line: ask.zsh SCRIPT LINE. Zsh completes only on a terminal, so a second one runs on a pseudo-terminal;
# there, a compadd in place of its own prints each candidate, between two lines that hold a control character.

zmodload zsh/zpty
cat >${1:h}/setup.zsh <<'SETUP'
PROMPT=
autoload -Uz compinit
compinit -u -d $SCRIPTS/dump
source $SCRIPTS/_utfhdl
bindkey '^I' complete-word
marked() { print -r -- $'\1' }
compprefuncs=(marked)
comppostfuncs=(marked exit)
zstyle ':completion:*' list-grouped false
compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
        builtin compadd "$@"
        return
    fi
    local -a found
    builtin compadd -O found "$@"
    print -rl -- $found
}
print ready
SETUP
export SCRIPTS=${1:h}
zpty asked zsh -f -i
zpty -w asked "source ${1:h}/setup.zsh"
repeat 10; do
    zpty -r asked line || exit 1
    [[ $line == ready* ]] && break
done
zpty -w -n asked "$2"$'\t'
marks=0
while ((marks < 2)) && zpty -r asked line; do
    line=${line%$'\r\n'}
    if [[ $line == *$'\1'* ]]; then
        ((marks++))
    elif ((marks)); then
        print -r -- $line
    fi
done
