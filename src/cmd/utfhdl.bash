# Completes the arguments of utfhdl, by asking utfhdl itself.

_utfhdl() {
    # Bash ends a word at each : and =. Here those are part of a word: join what has no blank in between.
    local words=() rest=$COMP_LINE i
    for ((i = 0; i <= COMP_CWORD; i++)); do
        local piece=${COMP_WORDS[i]} blank=${rest%%[![:space:]]*}
        rest=${rest#"$blank"}
        rest=${rest#"$piece"}
        # Of the word under the cursor, only what stands in front of the cursor counts.
        if ((i == COMP_CWORD)) && [[ $piece != [:=]* ]]; then piece=$2; fi
        local last=$((${#words[@]} - 1))
        if [[ -z $blank && $last -ge 0 && ($piece == [:=]* || ${words[last]} == *[:=]) ]]; then
            words[last]+=$piece
        else
            words+=("$piece")
        fi
    done

    # Bash puts a candidate in the place of what follows the last : or =.
    local index=$((${#words[@]} - 1)) candidate
    local word=${words[index]}
    local head=${word%"${word##*[:=]}"}
    COMPREPLY=()
    while IFS= read -r candidate; do
        case $candidate in */ | *: | *=) compopt -o nospace 2>/dev/null ;; esac
        if [[ -e $candidate ]]; then candidate=$(printf %q "$candidate"); fi
        COMPREPLY+=("${candidate#"$head"}")
    done < <(
        VARIABLE=bash _CLAP_COMPLETE_INDEX=$index _CLAP_IFS=$'\n' \
            COMPLETER -- "${words[@]}" 2>/dev/null && echo
    )
}

complete -o nosort -F _utfhdl utfhdl 2>/dev/null || complete -F _utfhdl utfhdl
