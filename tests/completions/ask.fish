# Prints what fish offers after a line: ask.fish SCRIPT LINE.

source $argv[1]
complete --do-complete $argv[2]
