#!/bin/sh
# Compares revisions of kane: runs them alternately on the same clips and prints the least CPU time per run, and its
# ratio to that of the first revision. A folder is a batch of one worker (tests/bench/cut_library.py makes one).
# usage: tests/bench/bench_versions.sh REV... [-- CLIP.bvh|FOLDER...]
# Each revision is built in a worktree under build/versions, which is kept for the next call.
# Environment: ROUNDS, default 5; REPEATS per round, default 10; OPTIONS of `kane run` or `kane batch`, default none.
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
revisions=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    revisions="$revisions $(git rev-parse --short "$1^{commit}")"
    shift
done
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- data/walk.bvh data/squat.bvh
repeats=${REPEATS:-10}
times=$(mktemp -d)
trap 'rm -rf "$times"' EXIT
for revision in $revisions; do
    tree=build/versions/$revision
    [ -d "$tree" ] || git worktree add --detach "$tree" "$revision" >&2
    make -C "$tree" -j"$(nproc)" build/kane >&2
done
for _ in $(seq "${ROUNDS:-5}"); do
    for clip in "$@"; do
        command=run
        [ ! -d "$clip" ] || command="batch -j 1"
        for revision in $revisions; do
            # user + system time of the children, s: second line of `times`. Each run writes its own file or folder, so
            # that no removal is timed.
            mkdir "$times/out"
            sh -c 'i=0
                while [ $((i += 1)) -le "$4" ]; do
                    "$0" $5 ${OPTIONS:-} "$1" -o "$2/$i.h5" >"$3" 2>&1 || { cat "$3" >&2; exit 1; }
                done; times' "build/versions/$revision/build/kane" "$clip" "$times/out" "$times/log" "$repeats" \
                "$command" >"$times/sum"
            rm -r "$times/out"
            awk -v r="$revision" -v c="$clip" -v n="$repeats" 'NR == 2 { split($1 "m" $2, t, /[ms]+/)
                print r, c, (60 * t[1] + t[2] + 60 * t[3] + t[4]) / n }' "$times/sum" >>"$times/all"
        done
    done
done
printf 'clip\trevision\tseconds\tratio\n'
awk -v order="$revisions" '{ k = $2 SUBSEP $1; if (!(k in least) || $3 < least[k]) least[k] = $3; clips[$2] }
    END { n = split(order, r, " "); for (c in clips) for (i = 1; i <= n; i++)
        printf "%s\t%s\t%.4f\t%.2f\n", c, r[i], least[c, r[i]], least[c, r[i]] / least[c, r[1]] }' "$times/all"
