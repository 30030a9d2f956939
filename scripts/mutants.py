#!/usr/bin/env python3
"""Measure what the tests notice: change one place of the sources at a time, run the tests that execute it.

usage: scripts/mutants.py [--seed N] [--count N] [--jobs N] [--list] FOLDER

FOLDER holds copies of the working tree, where everything is built and changed; the checkout is only read. The seed
draws the places, by folder. A change that does not compile, or gives the same object code, is drawn again. A map by
gcov (mutant_map.py) names the tests that execute a line: those beside the source run first, the others by their time.
A test that fails or takes far longer than before notices the change. Prints a line per change, then the survivors; the
last line has the rate. Bench, fuzz and the tests of other targets (interop, faults, page) take no part.
"""
import argparse
import concurrent.futures
import os
import queue
import shutil
import subprocess
import sys
import time

import mutant_map
import mutant_places

TREE_PARTS = ("analysis", "formats", "pipeline", "library", "data", "docs", "examples", "scripts", "tests", "Makefile",
              "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
OF_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "BUILD", "CFLAGS", "OPT")  # not for the copies


def working_files(top):
    """The files of the checkout as they are, committed or not."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z", *TREE_PARTS], cwd=top, check=True,
                            capture_output=True, text=True).stdout
    return sorted(name for name in set(listed.split("\0")) if name and os.path.isfile(os.path.join(top, name)))


def copy_tree(top, names, folder):
    """Make the folder hold these files and, beside build/, no others; what has not changed keeps its time."""
    wanted = set(names)
    for root, dirs, found in os.walk(folder):
        if root == folder and "build" in dirs:
            dirs.remove("build")
        for name in found:
            path = os.path.join(root, name)
            if os.path.relpath(path, folder) not in wanted:
                os.remove(path)
    for name in names:
        source, target = os.path.join(top, name), os.path.join(folder, name)
        with open(source, "rb") as stream:
            content = stream.read()
        if os.path.exists(target):
            with open(target, "rb") as stream:
                if stream.read() == content:
                    continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as stream:
            stream.write(content)
        shutil.copymode(source, target)


def make(folder, targets, environment, jobs=1):
    command = ["make", "-s", "-j%d" % jobs, "OPT=-O2 -g0", *targets]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def objects_of(folder, path):
    """The object files that a source becomes."""
    names = ["build/%s.o" % stem for stem in mutant_map.stems_of(path)]
    return [name for name in names if os.path.exists(os.path.join(folder, name))]


def read_bytes(folder, names):
    content = {}
    for name in names:
        with open(os.path.join(folder, name), "rb") as stream:
            content[name] = stream.read()
    return content


def write_bytes(folder, content):
    for name, data in content.items():
        with open(os.path.join(folder, name), "wb") as stream:
            stream.write(data)


def notices(folder, test, environment):
    """Whether the test fails in this tree; None where it cannot be built."""
    built = make(folder, test.targets, environment)
    if built.returncode:
        return None
    return not mutant_map.run_test(folder, test, environment, test.limit)[0]


def try_tests(folder, tests, environment):
    """The name of the first test that notices, or None."""
    for test in tests:
        noticed = notices(folder, test, environment)
        if noticed or noticed is None:
            return test.name + ("" if noticed else " (does not build)")
    return None


class Session:
    """The trees, the map and the tests of a run."""

    def __init__(self, options, top):
        self.options, self.top = options, top
        own = {name: value for name, value in os.environ.items() if name not in OF_MAKE}
        self.environment = dict(own, KANE_SHARED=os.environ.get("KANE_SHARED", os.path.join(top, "../shared")))
        self.environment["KANE_SHARED"] = os.path.abspath(self.environment["KANE_SHARED"])
        self.names = working_files(top)
        self.free = queue.SimpleQueue()

    def prepare(self):
        folder = os.path.abspath(self.options.folder)
        os.makedirs(folder, exist_ok=True)
        trees = [os.path.join(folder, "tree%d" % i) for i in range(self.options.jobs)]
        for tree in trees + [os.path.join(folder, "map")]:
            copy_tree(self.top, self.names, tree)
        for i, tree in enumerate(trees):
            tests = mutant_map.find_tests(tree)
            targets = ["all"] + sorted({t for test in tests for t in test.targets} - {"all"})
            built = make(tree, targets, self.environment, self.options.jobs)
            if built.returncode:
                sys.exit("mutants: the tree does not build: %s" % built.stderr[-2000:])
            self.free.put(tree)
        self.map = mutant_map.TestMap(os.path.join(folder, "map"), self.environment, self.options.jobs)
        self.map.measure(trees[0])

    def try_place(self, place):
        """(noticed by, or None; whether it counts)"""
        tree = self.free.get()
        try:
            return self.try_in(tree, place)
        finally:
            self.free.put(tree)

    def try_in(self, tree, place):
        names = objects_of(tree, place.path)
        source, before = read_bytes(tree, [place.path]), read_bytes(tree, names)
        try:
            with open(os.path.join(tree, place.path), "w", encoding="utf-8", newline="") as stream:
                stream.write(place.changed_text(source[place.path].decode()))
            if make(tree, names, self.environment).returncode or read_bytes(tree, names) == before:
                return None, False
            return try_tests(tree, self.map.tests_of(place), self.environment), True
        finally:
            write_bytes(tree, source)
            time.sleep(0.01)  # objects are newer than their sources
            write_bytes(tree, before)


def try_drawn(session, draw, number, shown):
    """Draw from one folder until a change counts; (place, who noticed)."""
    for place in draw:
        noticed, counts = session.try_place(place)
        if counts:
            shown.put((number, place, noticed))
            return place, noticed
    return None


def run(session):
    """Tries every draw; prints each as it comes and returns the results."""
    draws = mutant_places.draws(session.map.tree, session.names, session.options.seed, session.options.count)
    shown, results = queue.SimpleQueue(), []
    with concurrent.futures.ThreadPoolExecutor(session.options.jobs) as pool:
        tasks = [pool.submit(try_drawn, session, draw, i + 1, shown) for i, draw in enumerate(draws)]
        for task in concurrent.futures.as_completed(tasks):
            result = task.result()
            while not shown.empty():
                number, place, noticed = shown.get()
                print("%d\t%s\t%s" % (number, place, "noticed by " + noticed if noticed else "SURVIVED"), flush=True)
            if result:
                results.append(result)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true", help="print the places that are drawn first, and change nothing")
    parser.add_argument("folder")
    options = parser.parse_args()
    session = Session(options, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if options.list:
        for draw in mutant_places.draws(session.top, session.names, options.seed, options.count):
            print(next(draw))
        return
    began = time.time()
    session.prepare()
    print("mutants: trees and map in %.0f s" % (time.time() - began), flush=True)
    results = run(session)
    survivors = [place for place, noticed in results if not noticed]
    for place in survivors:
        print("survivor\t%s" % place)
    print("mutants: seed %d: %d of %d changes noticed in %.0f s: %.1f %%" % (
        options.seed, len(results) - len(survivors), len(results), time.time() - began,
        100 * (len(results) - len(survivors)) / max(len(results), 1)))


if __name__ == "__main__":
    main()
