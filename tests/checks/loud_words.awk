# Finds C identifiers that print, end the process or read a command line, outside comments and strings.
# usage: awk -v excepted='FILE WORD, FILE WORD' -f tests/checks/loud_words.awk FILE...     exit code 1 if any is found
BEGIN {
    # Functions that take no stream, or use the process's standard streams.
    split("printf vprintf puts putchar putchar_unlocked perror psignal psiginfo error error_at_line " \
          "err errx verr verrx warn warnx vwarn vwarnx " \
          "exit _exit _Exit quick_exit abort assert raise kill pthread_exit " \
          "system popen " \
          "argp_parse argp_error argp_failure argp_help getopt getopt_long", calls, " ")
    for (i in calls) is_call[calls[i]] = 1
    split("write writev dprintf vdprintf", streams, " ") # to the process's own descriptors 1 and 2
    for (i in streams) is_stream[streams[i]] = 1
    split("stdout stderr STDOUT_FILENO STDERR_FILENO program_invocation_name program_invocation_short_name", names, " ")
    for (i in names) is_name[names[i]] = 1
    count = split(excepted, list, ", ")
    for (i = 1; i <= count; i++) is_excepted[list[i]] = 1
}

function complain(word) {
    if ((FILENAME " " word) in is_excepted)
        return
    print FILENAME ":" FNR ": " word " belongs in pipeline/cli: return an error, a note, or write to the stream given"
    bad = 1
}

# Removes strings and comments from a line; `inside` is 1 if a comment continues on the next line.
function code_of(line,    code, token) {
    code = ""
    while (line != "") {
        if (inside) {
            if (!index(line, "*/")) return code
            line = substr(line, index(line, "*/") + 2)
            inside = 0
        }
        if (!match(line, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/\*|\/\//)) return code line
        token = substr(line, RSTART, RLENGTH)
        code = code substr(line, 1, RSTART - 1) " "
        if (token == "//") return code
        line = substr(line, RSTART + RLENGTH)
        inside = token == "/*"
    }
    return code
}

FNR == 1 { inside = 0 }
/^#include <(argp|getopt|err|error|assert)\.h>/ { complain($2) }
{
    code = code_of($0)
    while (match(code, /[A-Za-z_][A-Za-z0-9_]*/)) {
        word = substr(code, RSTART, RLENGTH)
        before = RSTART > 1 ? substr(code, RSTART - 1, 1) : ""
        code = substr(code, RSTART + RLENGTH)
        member = before == "." || before == ">"
        if (word in is_name || (word in is_call && !member && code ~ /^[ \t]*\(/)) complain(word)
        if (word in is_stream && !member && code ~ /^[ \t]*\([ \t]*[12][ \t]*,/) complain(word)
    }
}
END { exit bad }
