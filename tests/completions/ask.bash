# Prints what bash offers after a line: ask.bash SCRIPT LINE. Calls the function that the script registers, as bash does at a Tab;
# words end at each : and =, as they do there.

source "$1"
line=$2
COMP_LINE=$line COMP_POINT=${#line}
mapfile -t COMP_WORDS < <(sed 's/[:=]/\n&\n/g; s/ /\n/g' <<<"$line" | sed '/^$/d')
case $line in *' ') COMP_WORDS+=('') ;; esac
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
word=${COMP_WORDS[COMP_CWORD]}
case $word in [:=]) word= ;; esac
function=$(complete -p utfhdl | sed 's/.*-F \([^ ]*\) .*/\1/')
"$function" utfhdl "$word" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
