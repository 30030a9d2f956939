#!/usr/bin/env python3
"""Mutation test: change one line of the sources at a time and run the tests that execute it.

usage: tests/checks/mutants.py [--seed N] [--count N] [--jobs N] [--list | --check] FOLDER

FOLDER contains copies of the working tree, in which sources are changed and built; the checkout is only read. The
seed draws the mutations, by folder. A mutation that does not compile, or yields the same object code, is drawn again.
A gcov map (mutant_map.py) lists the tests that execute a line: those of the same source run first, then the others,
fastest first. A test that fails or takes far longer than before detects the mutation. Survivors run again under the
sanitizers of `make asan`, which detect leaks and out-of-bounds reads, in the nearest 20 tests. Prints a line per
mutation, then the survivors; the last line has both counts and the rate. --check does all of this but run tests, on one
source per part of the project, and only plans the rest of the builds. Not run: bench, fuzz and tests of other
targets (interop, faults, page)."""
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

TREE_PARTS = ("analysis", "formats", "pipeline", "library", "scene_helper", "web", "data", "docs", "examples",
              "scripts", "tests", "Makefile", "needs.mk", "release.mk", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
OF_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "BUILD", "CFLAGS", "OPT")  # not copied
PLAIN, SANITIZED = "OPT=-O2 -g0", "CFLAGS=$(SANITIZE)"  # for make
LIBRARY = "build/package/libkane.a"  # files whose objects are not in the program
SLOWER = 4  # tests under the sanitizers, at most
NEAREST = 20  # tests built with the sanitizers; a line that all tests execute would otherwise run each transcript
UNDER_SANITIZERS = " under the sanitizers"


def working_files(top):
    """The files of the checkout, committed or not."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z", *TREE_PARTS], cwd=top, check=True,
                            capture_output=True, text=True).stdout
    return sorted(name for name in set(listed.split("\0")) if name and os.path.isfile(os.path.join(top, name)))


def copy_tree(top, names, folder):
    """Makes the folder contain exactly these files and build/; unchanged files keep their times."""
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


class Tree:
    """A copy of the working tree, its make flags, and the tests that fail in it without a mutation."""

    def __init__(self, folder, flags, environment):
        self.folder, self.flags, self.environment, self.broken = folder, flags, environment, set()
        self.patience, self.max_tests = (SLOWER, NEAREST) if flags == SANITIZED else (1, None)

    def make(self, targets, jobs=1):
        command = ["make", "-s", "-j%d" % jobs, self.flags, *targets]
        return subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)

    def notices(self, test):
        """Whether the test fails; None if it does not build."""
        if self.make(test.targets).returncode:
            return None
        return not mutant_map.run_test(self.folder, test, self.environment, self.patience * test.limit)[0]

    def first_to_notice(self, tests):
        """The first test that detects the mutation, or None."""
        tried = [test for test in tests if test.name not in self.broken][:self.max_tests]
        return next((test for test in tried if self.notices(test) is not False), None)


def objects_of(folder, path):
    """The object files of a source."""
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


class Session:
    """Trees, map and tests of a run."""

    def __init__(self, options, top):
        self.options, self.top = options, top
        own = {name: value for name, value in os.environ.items() if name not in OF_MAKE}
        self.environment = dict(own, KANE_SHARED=os.environ.get("KANE_SHARED", os.path.join(top, "../shared")))
        self.environment["KANE_SHARED"] = os.path.abspath(self.environment["KANE_SHARED"])
        self.names = working_files(top)
        self.environment.setdefault("ASAN_OPTIONS", "quarantine_size_mb=8:malloc_context_size=8")  # of the Makefile
        self.plain, self.sanitized = queue.SimpleQueue(), queue.SimpleQueue()  # idle trees

    def prepare(self):
        folder, jobs = os.path.abspath(self.options.folder), self.options.jobs
        trees = [Tree(os.path.join(folder, "tree%d" % i), PLAIN, self.environment) for i in range(jobs)]
        sanitized = Tree(os.path.join(folder, "sanitized"), SANITIZED, self.environment)
        for path in [tree.folder for tree in trees + [sanitized]] + [os.path.join(folder, "map")]:
            os.makedirs(path, exist_ok=True)
            copy_tree(self.top, self.names, path)
        for tree in trees + [sanitized]:  # sanitized test programs are large: only those that run are kept
            tests = mutant_map.find_tests(tree.folder) if tree.flags == PLAIN else []
            built = tree.make(["all", LIBRARY] + sorted({t for test in tests for t in test.targets} - {"all"}), jobs)
            if built.returncode:
                sys.exit("mutants: the tree does not build: %s" % built.stderr[-2000:])
            (self.plain if tree.flags == PLAIN else self.sanitized).put(tree)
        self.map = mutant_map.TestMap(os.path.join(folder, "map"), self.environment, jobs)
        self.map.measure(trees[0].folder)

    def check(self):
        """Ends the program unless make knows all targets, counters link, and a mutation of each part has another
        object."""
        folder, jobs = os.path.abspath(self.options.folder), self.options.jobs
        plain = Tree(os.path.join(folder, "tree0"), PLAIN, self.environment)
        counted = os.path.join(folder, "map")
        for path in (plain.folder, counted):
            os.makedirs(path, exist_ok=True)
            copy_tree(self.top, self.names, path)
        counts = mutant_map.TestMap(counted, self.environment, jobs)
        for flags in (PLAIN, SANITIZED):
            planned = Tree(plain.folder, flags, self.environment).make(["-n", LIBRARY, *counts.targets()])
            if planned.returncode:
                sys.exit("mutants: make does not know a target: %s" % planned.stderr[-2000:])
        counts.make(["build/hdf5.soname"])
        counts.make(counts.targets(), "-n")
        for draw in mutant_places.draws(self.top, self.names, self.options.seed, len(mutant_places.PARTS)):
            for place in draw:
                stems = mutant_map.stems_of(place.path)
                target = "build/%s.o" % stems[-2 if "_kernel" in place.path else 0]  # the narrowest, which all builds have
                counts.make([target])
                if not os.path.exists(os.path.join(counted, target[:-2] + ".gcno")):
                    sys.exit("mutants: no lines are counted in %s" % place.path)
                if plain.make([target]).returncode:
                    sys.exit("mutants: %s does not compile" % place.path)
                if self.change(plain, place, lambda place: [])[1]:
                    print("mutants: another object by %s" % place)
                    break
            else:
                sys.exit("mutants: no change of a folder has another object")
        print("mutants: %d tests, all targets are known" % len(counts.tests))

    def try_place(self, place):
        """(detecting test or None; whether the mutation counts)"""
        noticed, counts = self.try_in(self.plain, place)
        if counts and not noticed:
            noticed = self.try_in(self.sanitized, place)[0]
        return noticed, counts

    def try_in(self, trees, place):
        tree = trees.get()
        try:
            while True:
                test, counts = self.change(tree, place, self.map.tests_of)
                if not test or tree.flags == PLAIN:
                    return test and test.name, counts
                if not tree.notices(test):  # passes without the mutation
                    return test.name + UNDER_SANITIZERS, counts
                tree.broken.add(test.name)
        finally:
            trees.put(tree)

    def change(self, tree, place, tests_of):
        """(test that detects the mutation in this tree or None; whether it counts)"""
        names = objects_of(tree.folder, place.path)
        source, before = read_bytes(tree.folder, [place.path]), read_bytes(tree.folder, names)
        try:
            write_bytes(tree.folder, {place.path: place.changed_text(source[place.path].decode()).encode()})
            if tree.make(names).returncode or read_bytes(tree.folder, names) == before:
                return None, False
            return tree.first_to_notice(tests_of(place)), True
        finally:
            write_bytes(tree.folder, source)
            time.sleep(0.01)  # objects must be newer than their sources
            write_bytes(tree.folder, before)


def try_drawn(session, draw, number, shown):
    """Draws from one folder until a mutation counts: (place, detecting test)."""
    for place in draw:
        noticed, counts = session.try_place(place)
        if counts:
            shown.put((number, place, noticed))
            return place, noticed
    return None


def run(session):
    """Runs all draws, prints each result when it is known and returns all."""
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
    parser.add_argument("--check", action="store_true", help="do what precedes the tests, on a few sources")
    parser.add_argument("folder")
    options = parser.parse_args()
    session = Session(options, os.path.abspath(os.path.join(os.path.dirname(__file__), "../..")))
    if options.list:
        for draw in mutant_places.draws(session.top, session.names, options.seed, options.count):
            print(next(draw))
        return
    if options.check:
        session.check()
        return
    began = time.time()
    session.prepare()
    print("mutants: trees and map in %.0f s" % (time.time() - began), flush=True)
    results = run(session)
    print("mutants: %d changes in %.0f s" % (len(results), time.time() - began))
    survivors = [place for place, noticed in results if not noticed]
    for place in survivors:
        print("survivor\t%s" % place)
    found, by_results = len(results) - len(survivors), sum(
        bool(noticed) and not noticed.endswith(UNDER_SANITIZERS) for _, noticed in results)
    print("mutants: seed %d: %d of %d by results, %d of %d with the sanitizers: %.1f %%" % (
        options.seed, by_results, len(results), found, len(results), 100 * found / max(len(results), 1)))


if __name__ == "__main__":
    main()
