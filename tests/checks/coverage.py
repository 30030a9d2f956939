#!/usr/bin/env python3
"""Line coverage from gcov: a table by folder, the files below the bound, totals. Exit code 1 if a total is below the
bound.
usage: tests/checks/coverage.py BUILD BOUND FOLDER...     BUILD: made with --coverage, after its tests have run

A line counts as covered if any object ran it: kernels are compiled once per instruction set."""
import collections
import json
import pathlib
import subprocess
import sys


def read(build, folders):
    """{source: {line: whether it ran}}"""
    lines = collections.defaultdict(dict)
    notes = [str(path.resolve()) for folder in folders for path in (build / folder).rglob("*.gcno")]
    for i in range(0, len(notes), 50):
        answer = subprocess.run(["gcov", "--json-format", "--stdout", *notes[i:i + 50]], capture_output=True, check=True)
        for document in answer.stdout.decode().splitlines():
            for source in json.loads(document)["files"] if document.startswith("{") else []:
                for line in source["lines"]:
                    ran = lines[source["file"]]
                    ran[line["line_number"]] = ran.get(line["line_number"], False) or line["count"] > 0
    return lines


def percent(part):
    return 100 * sum(part) / len(part) if part else 100.0


def main():
    build, bound, folders = pathlib.Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]
    lines = {name: ran for name, ran in read(build, folders).items() if name.split("/")[0] in folders}
    by_folder = collections.defaultdict(list)
    for name, ran in lines.items():
        by_folder[str(pathlib.Path(name).parent)] += ran.values()
    print(f"{'folder':<24}{'lines':>8}{'run':>9}")
    for folder, ran in sorted(by_folder.items()):
        print(f"{folder:<24}{len(ran):>8}{percent(ran):>8.1f}%")
    low = sorted((percent(list(ran.values())), name) for name, ran in lines.items() if ran)
    for share, name in low:
        if share < bound:
            missing = [number for number, ran in sorted(lines[name].items()) if not ran]
            print(f"below {bound:g}%: {name} {share:.1f}%, not run: {' '.join(map(str, missing[:30]))}")
    failed = False
    for top in folders:
        ran = [value for name, part in lines.items() if name.split("/")[0] == top for value in part.values()]
        print(f"total {top + '/':<18}{len(ran):>8}{percent(ran):>8.1f}%")
        failed |= not ran or percent(ran) < bound
    sys.exit(failed)


if __name__ == "__main__":
    main()
