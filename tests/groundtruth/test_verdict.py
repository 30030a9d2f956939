#!/usr/bin/python3
"""kane verdict on recordings, sped up and spoiled, and on motions no one can do: tests/groundtruth/test_verdict.py KANE

Ten recordings at 1 to 3 times their speed: originals are possible or hard, at least nine are impossible at 3 times, and
no factor falls by more than its band. Sixteen made motions (synthetic_motions.py) are impossible, in the joint that fails
first. At most 3 % of plate trials with noise, jitter, lag, skating or 30 frames/s are impossible; spoiled copies of
every fifth trial (all: KANE_ALL=1). Exit code 1 if one does not hold."""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import synthetic_motions  # noqa: E402

SHARED = os.environ.get("KANE_SHARED", "../shared")
CLIPS = ("mass__mass_walk", "cmu_cgspeed__02_03", "cmu_cgspeed__09_01", "cmu_cgspeed__01_01", "cmu_cgspeed__07_01",
         "bandai__dataset-1_kick_normal_001", "bandai__dataset-1_run_normal_001", "bandai__dataset-1_walk_normal_001",
         "animdraw__jumping", "games105__walk60")
SPEEDS = (1, 1.25, 1.5, 2, 3)
SPOILINGS = ("noise", "jitter", "lag", "skate", "fps30")
failed = []


def holds(condition, text):
    if not condition:
        failed.append(text)
        print("MISSED: " + text)


def verdict(kane, path, *options):
    done = subprocess.run([kane, "verdict", "--json", path, *options], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    return json.loads(done.stdout.strip().split("\n")[-1])


def frame_time(path):
    with open(path, errors="replace") as f:
        return float(re.search(r"Frame Time:\s*(\S+)", f.read()).group(1))


def test_speeds(kane):
    fast = 0
    for name in CLIPS:
        path = SHARED + "/mocap/" + name + ".bvh"
        before = None
        for speed in SPEEDS:
            v = verdict(kane, path, *(["--import-fps", repr(speed / frame_time(path))] if speed > 1 else []))
            print("%s at %g: %s, %.2f +- %.2f, %s" % (name, speed, v["verdict"], v["factor"], v["band"], v["why"]))
            if speed == 1:
                holds(v["verdict"] in ("possible", "hard"), name + " is " + v["verdict"])
            elif v["factor"] < before["factor"]:
                band = max(v["band"], before["band"])
                holds(v["factor"] >= before["factor"] - band, "%s falls at %g" % (name, speed))
            before = v
        fast += before["verdict"] == "impossible"
    holds(fast >= 9, "impossible at 3 times: %d of 10" % fast)


def test_made(kane, folder):
    for name, (at, seconds, joints) in synthetic_motions.IMPOSSIBLE.items():
        path = folder + "/" + name + ".bvh"
        synthetic_motions.write(path, at, seconds)
        v = verdict(kane, path, "--import-unit", "cm", "--import-up", "Y", "--body-mass", "70")
        print("%s: %s, %s, %s" % (name, v["verdict"], v["role"], v["why"]))
        holds(v["verdict"] == "impossible", name + " is " + v["verdict"])
        holds(v["role"] in joints, "%s fails at %s" % (name, v["role"]))


def test_spoiled(kane, folder):
    spoil = SHARED + "/groundtruth/spoil.py"
    for kind in SPOILINGS:
        out = folder + "/" + kind
        pattern = "." if os.environ.get("KANE_ALL") else "(1_ou|_h01|_h08|_m14007|_a02|_m15032)$"
        for trials in ("trials", "trials_more"):
            subprocess.run(["/usr/bin/python3", spoil, SHARED + "/groundtruth/" + trials, out, "--kind", kind, pattern],
                           check=True, stdout=subprocess.DEVNULL)
        found = []
        for name in sorted(os.listdir(out)):
            with open(out + "/" + name + "/info.json") as f:
                info = json.load(f)
            path = [out + "/" + name + "/" + f for f in os.listdir(out + "/" + name) if f.endswith("_std.bvh")][0]
            found.append(verdict(kane, path, "--import-unit", "cm", "--import-up", "Y", "--body-mass",
                                 repr(info.get("total_mass") or info["mass_kg"]))["verdict"])
        print("%s: %d trials, impossible %d, unknown %d" % (kind, len(found), found.count("impossible"),
                                                            found.count("unknown")))
        holds(found.count("impossible") <= 0.03 * len(found), "%s: %d impossible" % (kind, found.count("impossible")))


def main():
    if not os.path.isdir(SHARED + "/mocap"):
        print("test_verdict: skipped, no " + SHARED)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        test_made(sys.argv[1], folder)
        test_speeds(sys.argv[1])
        test_spoiled(sys.argv[1], folder)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
