#!/usr/bin/python3
"""Estimated ground contact against force plates, with bounds for each kind of motion: test_contact_kinds.py [BUILD]

Over the trials of ../shared/groundtruth (or $KANE_SHARED), modes given and default of research/fit_contact.py, which
prints the whole table; default at a cutoff of 8 Hz and at the automatic one. Exit code 1 if a mean over the trials of a
kind exceeds its bound."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../research"))
import fit_contact

# Vertical and fore-aft force in % of the range, least fraction of frames with correct contact, mean error of landing
# and take-off in ms, centre of pressure in mm, moments of hip, knee and ankle in N m/kg: given, then default. Soles come
# from the motion, never from the rest pose (docs/validation/ground_forces.md): this improved walks by 2 to 4 %, and
# required five bounds of drop jumps and squats to be wider by 1 to 3 %. The bounds of default are those of 8 Hz. The
# automatic cutoff, 20 Hz on most of these trials, lowers the vertical error of consistent runs from 2.2 to 1.4 % and
# raises that of the other runs from 3.3 to 3.6 %.
FIGURES = ("v", "fa", "contact", "edge", "cop", "hip", "knee", "ankle")
BOUNDS = {
    "walk": ((3.4, 5.8, 0.978, 14, 20, 0.205, 0.155, 0.152), (3.4, 5.3, 0.98, 14, 20, 0.222, 0.16, 0.15)),
    "walk_fast": ((3.9, 7, 0.98, 14, 16, 0.21, 0.13, 0.11), (3.6, 5.2, 0.98, 14, 16, 0.23, 0.14, 0.107)),
    "run": ((3.2, 5.3, 0.965, 12, 25, 0.25, 0.18, 0.17), (3.4, 5.3, 0.962, 13, 25, 0.3, 0.21, 0.17)),
    "run_consistent": ((0.9, 3.2, 0.98, 8, 29, 0.29, 0.245, 0.225), (2.3, 4.1, 0.982, 8, 30, 0.43, 0.265, 0.25)),
    "drop_jump": ((7, 12.5, 0.993, 4, 24, 0.46, 0.29, 0.23), (6, 11.9, 0.993, 5.1, 27, 0.51, 0.32, 0.25)),
    "squat": ((14.8, 15, 1, None, 24, 0.18, 0.145, 0.145), (15.6, 12.4, 1, None, 22, 0.182, 0.136, 0.13)),
    "stairs": ((3, 6.6, 0.97, 28, 43, 0.14, 0.11, 0.13), (3.4, 7, 0.965, 30, 43, 0.14, 0.11, 0.125)),
}

AUTOMATIC = dict({kind: bounds[1] for kind, bounds in BOUNDS.items()},
                 run=(3.7,) + BOUNDS["run"][1][1:],
                 run_consistent=(1.6, 3.8, 0.982, 8, 27, 0.35, 0.245, 0.22))


def check(title, means, bounds_by_kind):
    ok = True
    for kind, bounds in bounds_by_kind.items():
        for name, bound in zip(FIGURES, bounds):
            value = means[kind][name]
            if bound is not None and (value < bound if name == "contact" else value > bound):
                print("MISSED: %s %s %s %.4g, bound %g" % (title, kind, name, value, bound))
                ok = False
    return ok


def main(build):
    if not os.path.exists(fit_contact.TRIALS):
        print("contact by kinds: skipped, no " + fit_contact.TRIALS)
        return 0
    with tempfile.TemporaryDirectory() as work:
        benches = fit_contact.Benches(build, fit_contact.MODES, work)
        means = benches.means(benches.run([{}])[0])
    with tempfile.TemporaryDirectory() as work:
        benches = fit_contact.Benches(build, ("default",), work, cutoff="8")
        at_8_hz = benches.means(benches.run([{}])[0])
    fit_contact.print_means(means)
    fit_contact.print_means(at_8_hz)
    results = [check("given", means["given"], {kind: bounds[0] for kind, bounds in BOUNDS.items()}),
               check("default at 8 Hz", at_8_hz["default"], {kind: bounds[1] for kind, bounds in BOUNDS.items()}),
               check("default", means["default"], AUTOMATIC)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "build"))
