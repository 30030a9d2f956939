# The n-th write, sync, rename or mkdir fails in stages that write files, for each n with --long. What was reported as done is
# complete, nothing partial or temporary remains, and the same command then completes the work.
. "$FAULTS/fault.sh"
make_clips in 4
"$KANE" batch in -o whole -j 1 2>/dev/null || fail "batch without a fault"
"$KANE" run in/clip1.bvh -o whole.h5 2>/dev/null || fail "run without a fault"
"$KANE" index whole.db whole/*.h5 || fail "index without a fault"
dump_index whole.db > index.dump

# with_fault N ERRNO COMMAND...: runs it with the shim; returns its exit code.
with_fault() {
    head -c 8 /dev/zero > state
    fault="FAIL_IO_AT=$1 FAIL_IO_ERRNO=$2"
    shift 2
    timeout 60 env $fault FAIL_IO_STATE="$PWD/state" LD_PRELOAD="$SHIMS/fail_io.so" "$@" 2>messages >/dev/null
}
calls() { od -An -t d8 state | tr -d ' '; }

check_run() {
    rm -f out.h5*
    with_fault "$1" "$2" "$KANE" run in/clip1.bvh -o out.h5
    code=$?
    grep -v -e ': detected ' -e ': wrote ' messages > messages.error
    if [ $code -eq 0 ]; then
        cmp -s whole.h5 out.h5 || fail "run, call $1: reported as done, but is not"
    else
        expect_code $code 1 "run, call $1"
        one_line messages.error 'out.h5'
        [ -z "$(ls out.h5* 2>/dev/null)" ] || fail "run, call $1: left $(ls out.h5*)"
    fi
}

check_batch() {
    rm -rf out
    with_fault "$1" "$2" "$KANE" batch in -o out -j 2
    code=$?
    whole_files whole out
    if [ $code -eq 0 ]; then
        same_folder whole out || fail "batch, call $1: reported as done, but is not"
    else
        expect_code $code 1 "batch, call $1"
        last_line messages '^kane batch: .*:'
        [ ! -e out/.kane-batch.1-of-1 ] || fail "batch, call $1: its temporary folder stays"
    fi
    "$KANE" batch in -o out -j 2 2>again || fail "batch, call $1: does not finish afterwards: $(cat again)"
    same_folder whole out || fail "batch, call $1 ($(cat messages)): the second run differs"
}

check_index() {
    rm -f out.db*
    with_fault "$1" "$2" "$KANE" index out.db whole/*.h5
    code=$?
    if [ $code -ne 0 ]; then
        expect_code $code 1 "index, call $1"
        grep -v 'kane index: out.db: . clips* indexed, . failed$' messages > reasons
        one_line reasons 'kane index: '
        "$KANE" index out.db whole/*.h5 2>again || fail "index, call $1: does not finish afterwards: $(cat again)"
    fi
    dump_index out.db > out.dump
    cmp -s index.dump out.dump || fail "index, call $1: other content"
}

# export_as FORM N ERRNO
export_as() {
    [ -f "whole.$1" ] || "$KANE" export whole.h5 --format "$1" -o "whole.$1" || fail "export without a fault"
    rm -f "out.$1"*
    with_fault "$2" "$3" "$KANE" export whole.h5 --format "$1" -o "out.$1"
    code=$?
    if [ $code -eq 0 ]; then
        cmp -s "whole.$1" "out.$1" || fail "export to $1, call $2: reported as done, but is not"
    else
        expect_code $code 1 "export to $1, call $2"
        one_line messages "out.$1\|the clip file is damaged" # the pipe to the child that reads it counts too
        [ -z "$(ls "out.$1"* 2>/dev/null)" ] || fail "export to $1, call $2: left $(ls "out.$1"*)"
    fi
}
check_tsv() { export_as tsv "$@"; }
check_npz() { export_as npz "$@"; }
check_bvh() { export_as bvh "$@"; }
check_glb() { export_as glb "$@"; }

check_repair() {
    sed 's/ 92 / nan /' in/clip1.bvh > broken.bvh
    [ -f repaired.bvh ] || "$KANE" check --repair --unit cm --up Y broken.bvh -o repaired.bvh >/dev/null
    rm -f out.bvh*
    with_fault "$1" "$2" "$KANE" check --repair --unit cm --up Y broken.bvh -o out.bvh
    [ ! -e out.bvh ] || cmp -s repaired.bvh out.bvh || fail "repair, call $1: half a file"
    [ ! -e out.bvh.log ] || [ -e out.bvh ] || fail "repair, call $1: a log without its file"
    [ -z "$(ls out.bvh?* 2>/dev/null | grep -vx out.bvh.log)" ] || fail "repair, call $1: left $(ls out.bvh?*)"
}

# The script of a picture is written to an unnamed temporary file, then to its own.
check_plot() {
    [ -f whole.gp ] || "$KANE" plot whole.h5 -o whole.gp || fail "plot without a fault"
    rm -f out.gp*
    with_fault "$1" "$2" "$KANE" plot whole.h5 -o out.gp
    code=$?
    if [ $code -eq 0 ]; then
        cmp -s whole.gp out.gp || fail "plot, call $1: reported as done, but is not"
    else
        expect_code $code 1 "plot, call $1"
        one_line messages 'kane plot: '
    fi
    [ -z "$(ls -A | grep "out\.gp." )" ] || fail "plot, call $1: left $(ls -A | grep "out\.gp.")"
    [ $code -eq 0 ] || [ ! -e out.gp ] || fail "plot, call $1: left out.gp"
}

total=0
for command in run tsv npz bvh glb plot repair index batch; do
    check_$command 0 28
    count=$(calls)
    [ "$count" -gt 2 ] || fail "$command: the shim counts $count calls"
    case $command in
    batch) step=$(long_or_short 1 29) ;;
    *) step=$(long_or_short 1 7) ;;
    esac
    for errno in 28 5; do # ENOSPC, EIO
        draw "$step"
        for n in $(seq $((1 + moment)) "$step" "$count"); do
            check_$command "$n" $errno
            total=$((total + 1))
        done
    done
    echo "$command: $count calls"
done
finish "failed writes: $total faults"
