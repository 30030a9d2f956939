#!/usr/bin/python3
"""kane verdict on recordings, sped up and spoiled, and on motions no one can do: tests/groundtruth/test_verdict.py KANE

Ten recordings at 1 to 3 times their speed: originals are possible or hard, at least nine are impossible at 3 times, and
no factor falls by more than its band. Eighteen made motions (synthetic_motions.py) are impossible, in the joint that
fails first, and so are the 12 that were made after the limits. Recordings of people are not, but for DEFECTIVE. At most
3 % of recordings at 30 frames/s with noise of 1 degree are impossible, of those at their own rate with 5 degrees, and of
plate trials with noise, jitter, lag, skating or 30 frames/s; spoiled copies of every fifth trial (all: KANE_ALL=1). Exit code 1 if one does not hold."""
import json
import os
import random
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
# Recordings of people that are impossible by their own fault.
DEFECTIVE = {
    "mass__mass_backflip.bvh": "its flights fall with 5.8 g: it is 2.5 times too fast",
    "rokoko__jesse_dance.bvh": "the whole body, 15 cm above the floor, drops by 9 cm within 0.04 s",
}
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


def is_found(kane, folder, name, at, seconds, joints):
    """Whether a made motion is impossible in one of these joints."""
    path = folder + "/" + name + ".bvh"
    synthetic_motions.write(path, at, seconds)
    v = verdict(kane, path, "--import-unit", "cm", "--import-up", "Y", "--body-mass", "70")
    print("%s: %s, %s, %s" % (name, v["verdict"], v["role"], v["why"]))
    return v["verdict"] == "impossible" and v["role"] in joints


def test_made(kane, folder):
    for name, made in synthetic_motions.IMPOSSIBLE.items():
        holds(is_found(kane, folder, name, *made), name + " is not found")
    found = sum(is_found(kane, folder, name, *made) for name, made in synthetic_motions.HELD_OUT.items())
    holds(found == len(synthetic_motions.HELD_OUT), "found of those made later: %d of %d" % (found, len(synthetic_motions.HELD_OUT)))
    found = sum(is_found(kane, folder, name, *made) for name, made in synthetic_motions.HELD_OUT_LATER.items())
    holds(found >= 4, "found of those made then: %d of %d" % (found, len(synthetic_motions.HELD_OUT_LATER)))
    found = sum(is_found(kane, folder, name, *made) for name, made in synthetic_motions.HELD_OUT_LAST.items())
    holds(found >= 7, "found of those made last: %d of %d" % (found, len(synthetic_motions.HELD_OUT_LAST)))


def test_originals(kane):
    """Recordings of people that are impossible, and why."""
    found = {}
    for name in sorted(os.listdir(SHARED + "/mocap")):
        if name.endswith(".bvh"):
            v = verdict(kane, SHARED + "/mocap/" + name)
            found.setdefault(v["verdict"], []).append(name)
            if v["verdict"] in ("impossible", "unknown"):
                print("%s: %s, %s" % (name, v["verdict"], v["why"]))
    print("originals: " + ", ".join("%d %s" % (len(names), kind) for kind, names in sorted(found.items())))
    holds(set(found.get("impossible", ())) <= set(DEFECTIVE), "originals are impossible: %s" % found.get("impossible"))


def write_noisy(path, out, seed, rate=30, degrees=1):
    """The recording at about 30 frames/s, with noise of 1 degree on every angle."""
    with open(path, errors="replace") as f:
        head, rows = f.read().split("Frame Time:")
    time, *rows = [line for line in rows.split("\n") if line.strip()]
    turns = [word.endswith("rotation") for line in re.findall(r"CHANNELS\s+\d+\s+([^\n]+)", head)
             for word in line.split()]
    chance, step = random.Random(seed), max(1, round(1 / rate / float(time)))
    rows = [" ".join("%.6f" % (float(x) + (chance.gauss(0, degrees) if is_turn else 0))
                     for x, is_turn in zip(row.split(), turns)) for row in rows[::step]]
    head = re.sub(r"Frames:\s*\d+", "Frames: %d" % len(rows), head)
    with open(out, "w") as f:
        f.write("%sFrame Time: %.9f\n%s\n" % (head, step * float(time), "\n".join(rows)))


def test_noisy(kane, folder, draws, *noise):
    """Noise is no finding about the body."""
    found, count = [], 0
    for name in sorted(os.listdir(SHARED + "/mocap")):
        for seed in range(draws if name.endswith(".bvh") and name not in DEFECTIVE else 0):
            write_noisy(SHARED + "/mocap/" + name, folder + "/noisy.bvh", seed, *noise)
            v = verdict(kane, folder + "/noisy.bvh")
            count += 1
            if v["verdict"] == "impossible":
                found.append(name)
                print("%s with noise: %.2f +- %.2f, %s" % (name, v["factor"], v["band"], v["why"]))
    print("at most %g frames/s, %g degrees: %d recordings, impossible %d" % (*noise, count, len(found)))
    holds(len(found) <= 0.03 * count, "noise: %d impossible" % len(found))


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
        test_originals(sys.argv[1])
        test_noisy(sys.argv[1], folder, 3, 30, 1)
        test_noisy(sys.argv[1], folder, 1, 1000, 5)
        test_speeds(sys.argv[1])
        test_spoiled(sys.argv[1], folder)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
