#!/bin/sh
# Runs kane batch on a Slurm cluster: an array job, then a job that merges the indexes.
# usage: slurm_array.sh DIR|FILE.bvh... -o OUT [OPTION of kane batch...]
#
# Run it where paths are the same on all nodes. Tasks take 30 s or more unless --chunks N sets their number; -j N is the
# number of processors per task. A task that is killed or requeued resumes. KANE is the program to run; SBATCH_ARRAY and
# SBATCH_MERGE are additional options for sbatch (-p, -A, --mem). Prints the ID of the last job.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/list.sh"

cpus=1 expect=
for word in "$@"; do
    [ -z "$expect" ] || { cpus=$word; expect=; continue; }
    case $word in
    -j | --jobs) expect=1 ;;
    --jobs=*) cpus=${word#--jobs=} ;;
    -j*) cpus=${word#-j} ;;
    esac
done

logs=$(printf %s "$OUT" | sed 's/%/%%/g') # sbatch expands % and a letter in log names
# shellcheck disable=SC2086 # options are split into words
job=$(sbatch --parsable --job-name=kane --array="1-$TASKS" --cpus-per-task="$cpus" --requeue --open-mode=append \
    --output="$logs/task-%a.log" ${SBATCH_ARRAY:-} "$here/task.sh" "$LIST" array)
[ -z "$MERGE" ] ||
    # shellcheck disable=SC2086
    job=$(sbatch --parsable --job-name=kane-merge --dependency="afterok:$job" --kill-on-invalid-dep=yes --requeue \
        --output="$logs/merge.log" ${SBATCH_MERGE:-} "$here/task.sh" "$LIST" "$MERGE")
echo "$job"
