# Sourced by the scripts beside it: prepares a batch from its arguments. Sets OUT, LIST and TASKS; MERGE is the line
# number of the merge command, empty if there is one task.
KANE=${KANE:-kane}

OUT= expect=
for word in "$@"; do
    [ -z "$expect" ] || { OUT=$word; expect=; continue; }
    case $word in
    -o | --output) expect=1 ;;
    --output=*) OUT=${word#--output=} ;;
    -o*) OUT=${word#-o} ;;
    esac
done
[ -n "$OUT" ] || { echo "usage: $0 DIR|FILE.bvh... -o OUT [OPTION of kane batch...]" >&2; exit 2; }

mkdir -p "$OUT"
LIST=$OUT/tasks.list
"$KANE" batch --list "$@" >"$LIST"
TASKS=$(wc -l <"$LIST") MERGE=
if [ "$TASKS" -gt 1 ]; then
    MERGE=$TASKS
    TASKS=$((TASKS - 1))
fi
