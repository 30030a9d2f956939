"""Prints the current and previous values in a summary of kane batch, and checks sizes and order."""
import glob
import json
import os
import sys

now = json.load(open(sys.argv[1]))
last = now["last"]
for name, night in (("tonight", now), ("last night", last)):
    print(name, *("%s %d" % (key, night[key]) for key in ("done", "unchanged", "failed", "stale", "lost", "pruned")))
slow = last["slowest"]
assert len(slow) == 5 and slow == sorted(slow, key=lambda clip: -clip["processor_seconds"])
print("slowest:", slow[0]["source"], slow[0]["frames"], "frames,", "of", len(slow))
assert sum(clip["processor_seconds"] for clip in slow) > 0
assert now["slowest"] == [] and now["disk"]["written"] == 0
assert now["disk"]["index"] == os.stat(sys.argv[2] + "/index.db").st_size
files = [os.stat(path).st_size for path in glob.glob(sys.argv[2] + "/*.h5")]
assert max(files) + 6 * min(files) == last["disk"]["written"], (files, last["disk"])
assert 0 < now["disk"]["free"]
