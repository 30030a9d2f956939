#!/usr/bin/python3
"""Cross-validates the limits of sustained artifacts on families of files and studies of trials that were left out of
their choice: the columns of docs/validation/quality_flags.md "Held-out families".

usage: research/artifact_limits.py [--kinds flicker,drift,sliding] [--settings N] [--cap 0.001] [--rows FOLDER]

Draws limits of a kind about the committed ones and counts true and false positives in each file of $KANE_SHARED
(default ../shared) with seeds 1 to 4 and 5 to 8. For each family, selects the setting that finds most planted
artifacts in all other families with seeds 1 to 4, while it flags at most the cap of their clean time (flicker also
with limits 8 % looser). The selected setting is scored on the family left out, with all eight seeds. Limits of
flicker that characterise noise (size, whiteness, reversal rate) are fixed; those that compare a joint with its quiet
time and with other joints are scaled together. The definition of a flat foot (drift) is fixed. --rows stores the
counts in FOLDER, or reads those that exist. All settings take half an hour; --settings 20 is a quick trial. Run after
`make build/libkane.a`."""
import argparse
import collections
import glob
import os
import random
import re
import shlex
import subprocess
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("KANE_SHARED", TOP.parent / "shared"))
KINDS = ("flicker", "drift", "sliding")
STUDIES = ((r"_ou_", "uhlrich"), (r"_h0\d", "hamner"), (r"_m1\d", "schreiber"), (r"_a0\d", "arnold"),
           (r"_addb", "addb"), (r"_s4", "s4"), (r"rajagopal", "rajagopal"))
LOOSER = 0.92
# Limit, minimum, maximum; "log": sampled uniformly in the logarithm.
RANGES = {
    "drift": (("min_rise", .045, .18, "log"), ("bend", .1, .8, "log"), ("on_line", .03, .24, "log"),
              ("standing", .12, .5, "log"), ("long_enough", .05, .5, "log"), ("min_part", .3, .85),
              ("max_part", 1.25, 5, "log"), ("agreeing", .1, .7)),
    "sliding": (("min_speed", .12, .5, "log"), ("min_slide", .09, .36, "log"), ("flight", .15, .6, "log"),
                ("straight", .5, .98)),
}
COMPARISONS = ("over_usual", "over_others", "over_others_short")
STRICTNESS = (.6, 1.6)  # range of the factor on the committed comparisons
SETTINGS = {"flicker": 26, "drift": 260, "sliding": 400}
# Seed, and how many of its random numbers are skipped.
DRAWS = {"drift": (29, 8400), "sliding": (29, 14800)}


def draw(kind, count):
    """Settings as text, the committed one first; for flicker, each is followed by a looser one."""
    if kind == "flicker":
        low, high = STRICTNESS
        times = [1] + [low + (high - low) * i / max(count - 1, 1) for i in range(count)]
        return [text_of({name: value * t * part for name, value in comparisons().items()})
                for t in times for part in (1, LOOSER)]
    seed, passed = DRAWS[kind]
    dice = random.Random(seed)
    for _ in range(passed):
        dice.random()
    return [""] + [text_of({name: low * (high / low) ** dice.random() if scale else dice.uniform(low, high)
                            for name, low, high, *scale in RANGES[kind]}) for _ in range(count)]


def text_of(setting):
    return " ".join(f"{name}={value:.4g}" for name, value in setting.items())


def detectors():
    return "\n".join((TOP / f"analysis/quality/{name}.c").read_text()
                     for name in ("artifact_flicker", "foot_tracks", "artifact_ground"))


def comparisons():
    text = detectors()
    return {name: float(re.search(rf"double {name} = ([^;]+)", text).group(1)) for name in COMPARISONS}


def build(folder):
    """Compiles the driver with a copy of the detectors in which limits can be set."""
    text = detectors()
    limits = re.findall(r"^static const double (\w+ = [^;]+);", text, re.M)
    names = [name for line in limits for name in re.findall(r"(\w+) =", line)]
    text = re.sub(r"^static const double (\w+ =)", r"static double \1", text, flags=re.M)
    rows = " ".join(f'{{"{name}", &{name}}},' for name in names)
    text += f"""
double *artifact_limit(const char *name);
double *artifact_limit(const char *name)
{{
    static const struct {{ const char *name; double *limit; }} limits[] = {{{rows}}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (!strcmp(limits[i].name, name))
            return limits[i].limit;
    return NULL;
}}
"""
    (folder / "limits.c").write_text(text)
    flags = [flag for flag in (TOP / "compile_flags.txt").read_text().split() if not flag.startswith("-DLANES_BUILT")]
    made = subprocess.run(["make", "-n", "V=1", "-W", "analysis/motion/smooth.c", "build/analysis/motion/smooth.o"],
                          capture_output=True, text=True, cwd=TOP).stdout
    flags += [word for word in shlex.split(made) if word.startswith("-DLANES_BUILT")]
    hdf5 = subprocess.run(["pkg-config", "--cflags", "--libs", "hdf5"], capture_output=True, text=True).stdout.split()
    subprocess.run(["cc", *flags, "-O2", "-w", "-o", folder / "driver", TOP / "research/artifact_limits.c",
                    folder / "limits.c", TOP / "build/libkane.a", *hdf5, *"-lcmocka -lhdf5 -lsqlite3 -lsleef -lcrypto "
                    "-lexpat -lz -lxxhash -lm".split()], check=True, cwd=TOP)
    return folder / "driver"


def count(driver, kind, seed, settings, path):
    files = sorted(glob.glob(f"{SHARED}/mocap/*.bvh") + glob.glob(f"{SHARED}/groundtruth/trials/*/*_std.bvh"))
    table = path.with_suffix(".set")
    table.write_text("\n".join(settings) + "\n")
    with open(path, "w") as rows:
        subprocess.run([driver, str(KINDS.index(kind)), str(seed), "4", table, *files], check=True, stdout=rows,
                       cwd=TOP)


def family(title):
    if title.endswith("_std"):
        return "trials", next(name for part, name in STUDIES if re.search(part, title))
    return "clips", title.split("_")[0]


def load(path):
    """rows[family][setting]: planted, found, falsely flagged time (s), clean time (s)."""
    rows = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0, 0.0, 0.0]))
    for line in open(path):
        title, setting, *values = line.split()
        sums = rows[family(title)][int(setting)]
        for i, value in enumerate(values):
            sums[i] += float(value)
    return rows


def total(rows, families, setting):
    return [sum(rows[f][setting][i] for f in families) for i in range(4)]


def choose(rows, families, settings, step, cap):
    """The setting with the largest mean detection rate over clips and trials that flags at most the cap in either."""
    def is_within(setting):
        return all(t[2] <= cap * max(t[3], 1e-9) for t in of_groups(setting))

    def of_groups(setting):
        return [total(rows, [f for f in families if f[0] == group], setting) for group in ("clips", "trials")]

    allowed = [s for s in range(step, settings, step) if all(is_within(s + k) for k in range(step))]
    return max(allowed, key=lambda s: sum(t[1] / max(t[0], 1) for t in of_groups(s)), default=0)


def leave_out(kind, rows, others, settings, cap):
    step = 2 if kind == "flicker" else 1
    sums = {"clips": [0.0] * 4, "trials": [0.0] * 4}
    for out in sorted(rows):
        setting = choose(rows, [f for f in rows if f != out], len(settings), step, cap)
        first, second = rows[out][setting], others[out][setting]
        print(f"{kind}\t{' '.join(out)}\t{first[1] + second[1]:.0f} of {first[0] + second[0]:.0f}\t"
              f"marked {first[2]:.2f} of {first[3]:.0f} s\t{settings[setting] or 'committed'}")
        for i, value in enumerate((first[0] + second[0], first[1] + second[1], first[2], first[3])):
            sums[out[0]][i] += value
    for group, (planted, found, marked, seconds) in sums.items():
        print(f"{kind}, {group} left out: {found:.0f} of {planted:.0f}, {100 * found / max(planted, 1):.1f} %; "
              f"of sound time {100 * marked / max(seconds, 1e-9):.3f} %")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--settings", type=int, default=0)
    parser.add_argument("--cap", type=float, default=0.001)
    parser.add_argument("--rows", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        folder = given.rows or Path(work)
        folder.mkdir(parents=True, exist_ok=True)
        driver = None
        for kind in given.kinds.split(","):
            settings = draw(kind, given.settings or SETTINGS[kind])
            paths = [folder / f"{kind}.{seed}.rows" for seed in (1, 5)]
            for path, seed in zip(paths, (1, 5)):
                if not path.exists():
                    driver = driver or build(Path(work))
                    count(driver, kind, seed, settings, path)
            leave_out(kind, load(paths[0]), load(paths[1]), settings, given.cap)


main()
