# Converts the rows of scripts/completions.sh to a completion script for bash or zsh (-v shell=).
BEGIN { FS = "\t" }

# The literal values of an option: "auto" of "HZ|auto".
function words(argument,    part, count, i, text)
{
    if (argument !~ /\|/)
        return ""
    count = split(argument, part, "|")
    for (i = 1; i <= count; i++)
        if (part[i] !~ /^[A-Z][A-Z]/ && part[i] != "-")
            text = text (text ? " " : "") part[i]
    return text
}

# Escapes text for a single-quoted _arguments specification.
function quote(text)
{
    gsub(/[\[\]:]/, "\\\\&", text)
    gsub(/'/, "'\\''", text)
    return text
}

NF == 2 {
    command[++commands] = $1
    names = names $1 " "
    described = described "        '" $1 ":" quote($2) "'\n"
    next
}

{
    value = words($3)
    options[$1] = options[$1] (options[$1] ? " " : "") $2
    if (value)
        values = values "    " $1 ":" $2 ") words='" value "' ;;\n"
    action = value ? "]:value:(" value ")" : $3 ? "]:" quote($3) ":_files" : "]"
    arguments[$1] = arguments[$1] "            '" $2 ($3 ? "=" : "") "[" quote($4) action "' \\\n"
}

END {
    if (shell == "bash")
        print_bash()
    else
        print_zsh()
}

function print_bash(    i)
{
    print "# bash completion of kane"
    print "_kane() {"
    print "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words="
    print "    if [ \"$word\" = = ]; then"
    print "        word="
    print "    elif [ \"$before\" = = ]; then"
    print "        before=${COMP_WORDS[COMP_CWORD - 2]}"
    print "    fi"
    print "    if [ \"$COMP_CWORD\" -eq 1 ]; then"
    print "        COMPREPLY=($(compgen -W '" names "--help --version' -- \"$word\"))"
    print "        return"
    print "    fi"
    print "    case ${COMP_WORDS[1]}:$before in"
    printf "%s", values
    print "    esac"
    print "    if [ -z \"$words\" ] && [[ $word == -* ]]; then"
    print "        case ${COMP_WORDS[1]} in"
    for (i = 1; i <= commands; i++)
        print "        " command[i] ") words='" options[command[i]] "' ;;"
    print "        esac"
    print "    fi"
    print "    [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))"
    print "}"
    print "complete -o bashdefault -o default -F _kane kane"
}

function print_zsh(    i)
{
    print "#compdef kane"
    print "_kane() {"
    print "    local -a commands"
    print "    commands=("
    printf "%s", described
    print "    )"
    print "    if (( CURRENT == 2 )); then"
    print "        _describe command commands"
    print "        return"
    print "    fi"
    print "    local command=$words[2]"
    print "    shift words"
    print "    (( CURRENT-- ))"
    print "    case $command in"
    for (i = 1; i <= commands; i++)
        print "    " command[i] ")\n        _arguments \\\n" arguments[command[i]] "            '*:file:_files' ;;"
    print "    esac"
    print "}"
    print "_kane \"$@\""
}
