#!/bin/sh
# kane batch on a Slurm cluster: an array of tasks, and a job behind it that merges their indexes.
# usage: slurm_array.sh DIR|FILE.bvh... -o OUT [OPTION of kane batch...]
#
# Run it where the paths mean the same on every node. Tasks take 30 s or more unless --chunks N says how many there are;
# -j N is the number of processors of each. A task that is killed or requeued goes on where it was. KANE names the
# program, SBATCH_ARRAY and SBATCH_MERGE hold more options for sbatch (-p, -A, --mem). Prints the number of the last job.
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

logs=$(printf %s "$OUT" | sed 's/%/%%/g') # sbatch replaces % and a letter in names of logs
# shellcheck disable=SC2086 # options are meant to fall into words
job=$(sbatch --parsable --job-name=kane --array="1-$TASKS" --cpus-per-task="$cpus" --requeue --open-mode=append \
    --output="$logs/task-%a.log" ${SBATCH_ARRAY:-} "$here/task.sh" "$LIST" array)
[ -z "$MERGE" ] ||
    # shellcheck disable=SC2086
    job=$(sbatch --parsable --job-name=kane-merge --dependency="afterok:$job" --kill-on-invalid-dep=yes --requeue \
        --output="$logs/merge.log" ${SBATCH_MERGE:-} "$here/task.sh" "$LIST" "$MERGE")
echo "$job"
