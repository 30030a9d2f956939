#!/bin/sh
# kane batch on a real Slurm that this test starts on the loopback interface and stops: many clips in tasks and a merge,
# one task killed at work and requeued; clip files and index equal those of one machine.
# usage: tests/cluster/slurm.sh KANE [CLIPS [TASKS]]
# Requires Debian's slurm-wlm and munge, and root; otherwise prints "skipped".
set -u
KANE=$(realpath "$1") CLIPS=${2:-20} TASKS=${3:-4}
TOP=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$PATH:/usr/sbin

skip() { echo "slurm: skipped: $1"; exit 0; }
fail() { echo "slurm: FAILED: $1" >&2; tail -n 5 "$work"/*.log "$work"/out/*.log >&2 2>/dev/null; exit 1; }
[ "$(id -u)" -eq 0 ] || skip "not root"
for program in munged mungekey slurmctld slurmd sbatch; do
    command -v $program >/dev/null || skip "no $program"
done
[ ! -e /run/slurmctld.pid ] || skip "a Slurm controller seems to run here"

work=$(mktemp -d) pids=
chmod 755 "$work"
# Newest first; slurmd ends its job processes.
finish() {
    for pid in $pids; do kill "$pid" 2>/dev/null; done
    for pid in $pids; do
        tries=0
        while kill -0 "$pid" 2>/dev/null && [ $((tries += 1)) -le 50 ]; do sleep 0.1; done
        kill -9 "$pid" 2>/dev/null
    done
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM

# The first free pair of ports above a base.
port=16817
while ss -ltn 2>/dev/null | grep -q -e ":$port " -e ":$((port + 1)) "; do port=$((port + 10)); done

mkdir "$work/munge" "$work/state" "$work/spool"
mungekey -c -k "$work/munge/key" || fail "mungekey"
munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
    --seed-file="$work/munge/seed" --log-file="$work/munge.log" >"$work/munged.log" 2>&1 &
pids=$!
node=$(hostname -s)
cpus=$(nproc)
cat >"$work/slurm.conf" <<CONF
ClusterName=kane
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0
ReturnToService=2
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
KillWait=1
NodeName=$node NodeAddr=127.0.0.1 CPUs=$cpus State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF="$work/slurm.conf"
slurmctld -D -i >"$work/ctld.out.log" 2>&1 &
pids="$! $pids"
slurmd -D -N "$node" >"$work/slurmd.out.log" 2>&1 &
pids="$! $pids"
tries=0
until sinfo -h -o %t 2>/dev/null | grep -q idle; do
    [ $((tries += 1)) -le 100 ] || fail "the node does not become idle"
    sleep 0.2
done

# Clips of one squat at different positions.
mkdir "$work/takes"
i=0
while [ $((i += 1)) -le "$CLIPS" ]; do
    awk -v i="$i" 'motion {$1 += i} /^Frame Time/ {motion = 1} {print}' "$TOP/tests/cli/squat.bvh" >"$work/takes/$i.bvh"
done
cd "$work" || exit 1
"$KANE" batch takes -o one -j 1 2>/dev/null || fail "the batch on one machine"

# The program as seen by the nodes, under its own name, since kane batch --list prints that: the first call of the first
# task is killed at work and then hangs, as on a failing node.
cat >"$work/kane" <<PROGRAM
#!/bin/bash
case "\$*" in
*"--shard 1/"*)
    if mkdir "$work/killed" 2>/dev/null; then
        "$KANE" "\$@" &
        while ! ls "$work"/out/.kane-batch*/* >/dev/null 2>&1 && kill -0 \$! 2>/dev/null; do :; done
        kill -9 \$!
        touch "$work/killed/now"
        sleep 600
    fi ;;
esac
exec -a "$work/kane" "$KANE" "\$@"
PROGRAM
chmod +x "$work/kane"
last=$(KANE=$work/kane "$TOP/scripts/cluster/slurm_array.sh" takes -o out --chunks "$TASKS" -j 1) || fail "submission"

tries=0
until [ -e "$work/killed/now" ]; do
    [ $((tries += 1)) -le 300 ] || fail "the first task does not run"
    sleep 0.2
done
array=$(squeue -h -o %F -n kane | head -n 1)
scontrol requeue "${array}_1" || fail "requeue"
tries=0
while [ -n "$(squeue -h -j "$last" 2>/dev/null)" ]; do
    # By default a requeued job waits two minutes.
    scontrol update "jobid=${array}_1" starttime=now 2>/dev/null
    [ $((tries += 1)) -le 1200 ] || fail "the jobs do not end: $(squeue -h)"
    sleep 0.2
done

state=$(scontrol show job "$last" | sed -n 's/.*JobState=\([A-Z]*\).*/\1/p')
[ "$state" = COMPLETED ] || fail "the merge is $state"
restarts=$(scontrol show job "${array}_1" | sed -n 's/.*Restarts=\([0-9]*\).*/\1/p' | head -n 1)
[ "$restarts" = 1 ] || fail "the first task was restarted ${restarts:-0} times"
(cd one && ls ./*.h5) | while read -r file; do cmp "one/$file" "out/$file" || exit 1; done || fail "containers differ"
for side in one out; do
    "$TOP/tests/faults/index_dump.py" $side/index.db >"$side.dump"
done
cmp one.dump out.dump || fail "the indexes differ"
clips=$("$KANE" query out/index.db --format tsv --sql "SELECT count(*) AS n FROM clip" | tail -n 1)
[ "$clips" = "$CLIPS" ] || fail "$clips of $CLIPS clips"
echo "slurm: $CLIPS clips in $TASKS tasks and a merge, one killed and requeued: index and containers equal one machine's"
