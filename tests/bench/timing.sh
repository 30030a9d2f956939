# Common to benchmarks of the program: times of commands, and rows `name value unit`. $memory is a folder of the caller.
now() { date +%s.%N; }
# seconds COMMAND...: its wall time; its output is discarded
seconds() {
    start=$(now)
    "$@" >/dev/null 2>&1 || { echo "bench: failed: $*" >&2; exit 1; }
    echo "$start $(now)" | awk '{print $2 - $1}'
}
# best COUNT COMMAND...: the shortest of several times, in $best. Call it outside of pipes and $(...), so that a failing
# command ends the benchmark.
best() {
    count=$1
    shift
    : > "$memory/seconds"
    for _ in $(seq "$count"); do seconds "$@" >> "$memory/seconds"; done
    best=$(sort -g "$memory/seconds" | head -n 1)
}
row() { awk -v name="$1" -v value="$2" -v unit="$3" 'BEGIN { printf "%-34s %12.4g %s\n", name, value, unit }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { print a / b }'; }
