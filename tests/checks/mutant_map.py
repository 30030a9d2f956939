"""Maps each source line to the tests that execute it: one gcov build, one run of each test and transcript."""
import collections
import concurrent.futures
import glob
import hashlib
import json
import os
import shutil
import subprocess
import time

FOLDERS_OF_TESTS = ("tests/*/test_*.c", "tests/*/*/test_*.c")
LONGEST = 600  # s, time limit of a test in this run
# Makes processes that end with _exit write their counters too, such as those that read clip files.
EXIT = """#include <unistd.h>
void __gcov_dump(void);
void __real__exit(int code) __attribute__((noreturn));
void __wrap__exit(int code) __attribute__((noreturn));
void __wrap__exit(int code)
{
    __gcov_dump();
    __real__exit(code);
}
"""


def stems_of(path):
    """Object paths of a source below build/, without suffix: a kernel has one per lane width."""
    stem = path[:-2]
    widths = ("_avx512", "_avx2", "_pair", "_scalar") if stem.endswith("_kernel") else ("",)
    return [stem + width for width in widths] + ["extension/" + stem]


class Test:
    """A test of a folder's program, or a transcript."""

    def __init__(self, name, targets, command):
        self.name, self.targets, self.command = name, targets, command
        self.seconds, self.limit, self.passed = 0.0, LONGEST, True


def find_tests(tree):
    """All tests of `make unit-tests cli-tests`."""
    tests = []
    for pattern in FOLDERS_OF_TESTS:
        for source in sorted(glob.glob(os.path.join(tree, pattern))):
            folder, name = os.path.split(os.path.relpath(source, tree)[:-2])
            program = "build/%s_tests" % folder
            tests.append(Test(os.path.join(folder, name)[len("tests/"):], [program], ["./" + program, name]))
    for script in sorted(glob.glob(os.path.join(tree, "tests/cli/*.expected"))):
        name = os.path.basename(script)[:-len(".expected")]
        tests.append(Test("cli/" + name, ["all", "build/kane-walks"], ["tests/cli/run.sh", "build/kane", name]))
    return tests


def run_test(tree, test, environment, limit):
    """Runs a test: (passed, seconds). A test that exceeds the limit is killed with its children."""
    began = time.time()
    child = subprocess.Popen(test.command, cwd=tree, env=environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        passed = child.wait(limit) == 0
    except subprocess.TimeoutExpired:
        passed = False
        os.killpg(child.pid, 9)
        child.wait()
    return passed, time.time() - began


class TestMap:
    """The tests of a tree, and which of them execute a line."""

    def __init__(self, tree, environment, jobs):
        self.tree, self.jobs = tree, jobs
        self.environment = dict(environment, CCACHE_DISABLE="1")
        self.tests = find_tests(tree)
        self.counters = os.path.join(os.path.dirname(tree), "counters")
        self.lines = {}

    def content(self):
        """A hash of all files of the tree."""
        digest = hashlib.sha256()
        for root, dirs, names in os.walk(self.tree):
            dirs[:] = sorted(d for d in dirs if d not in ("build", "__pycache__"))
            for name in sorted(names):
                with open(os.path.join(root, name), "rb") as stream:
                    digest.update((os.path.join(root, name) + "\0").encode() + stream.read())
        return digest.hexdigest()

    def make(self, targets, *options):
        """Builds targets with counters that processes write however they end."""
        source, wrapper = (os.path.join(os.path.dirname(self.tree), "exit" + end) for end in (".c", ".o"))
        with open(source, "w", encoding="utf-8") as stream:
            stream.write(EXIT)
        subprocess.run(["gcc", "-O1", "-fPIC", "-c", source, "-o", wrapper], check=True)
        environment = dict(self.environment)
        environment["LDFLAGS"] = environment.get("LDFLAGS", "") + " -Wl,--wrap=_exit " + wrapper
        subprocess.run(["make", "-s", "-j%d" % self.jobs, *options, "OPT=-O1 -g0 --coverage", "HOT_OPT=-O1", *targets],
                       cwd=self.tree, check=True, env=environment, stdout=subprocess.DEVNULL)

    def targets(self):
        return ["all"] + sorted({target for test in self.tests for target in test.targets} - {"all"})

    def count(self, test):
        folder = os.path.join(self.counters, test.name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        return run_test(self.tree, test, dict(self.environment, GCOV_PREFIX=folder), LONGEST)

    def measure(self, tree):
        """Builds and runs unless done for the same content; failed tests are repeated in a tree without gcov."""
        record, content = os.path.join(self.counters, "record.json"), self.content()
        try:
            with open(record, encoding="utf-8") as stream:
                stored = json.load(stream)
        except (OSError, ValueError):
            stored = {}
        if stored.get("content") != content:
            self.make(self.targets())
            with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
                results = list(pool.map(self.count, self.tests))
            times = {test.name: result for test, result in zip(self.tests, results)}
            for test in self.tests:
                if not times[test.name][0]:
                    times[test.name] = (run_test(tree, test, self.environment, LONGEST)[0], times[test.name][1], True)
            stored = {"content": content, "times": times}
            with open(record, "w", encoding="utf-8") as stream:
                json.dump(stored, stream)
        self.take_times(stored["times"])

    def take_times(self, times):
        for test in self.tests:
            passed, seconds, *unsure = times[test.name]
            test.passed, test.seconds, test.unsure = passed, seconds, bool(unsure)
            test.limit = 20 + 5 * seconds
            if not passed:
                print("mutants: %s fails without a change and is left out" % test.name, flush=True)
        self.tests = [test for test in self.tests if test.passed]

    def counts_of(self, test, path):
        """{line: execution count} of a source in a test; empty if the test does not run it."""
        counts = collections.Counter()
        for name in stems_of(path):
            built = os.path.join(self.tree, "build", name)
            data = os.path.join(self.counters, test.name) + built + ".gcda"
            if not os.path.exists(data):
                continue
            if not os.path.exists(data[:-2] + "no"):
                os.symlink(built + ".gcno", data[:-2] + "no")
            report = subprocess.run(["gcov", "--json-format", "--stdout", data], cwd=self.tree, capture_output=True,
                                  check=False).stdout
            for file in json.loads(report)["files"] if report else []:
                if os.path.normpath(file["file"]) == path:
                    counts.update({line["line_number"]: line["count"] for line in file["lines"]})
        return counts

    def counts_of_all(self, path):
        if path not in self.lines:
            self.lines[path] = {test.name: self.counts_of(test, path) for test in self.tests}
        return self.lines[path]

    def tests_of(self, place):
        """The tests that execute the line, nearest first. If none does, as for a table, those that execute a line of
        the file; if there are none either, all tests."""
        counts = self.counts_of_all(place.path)
        run = [t for t in self.tests if counts[t.name][place.line] > 0]
        if not run:
            run = [t for t in self.tests if any(counts[t.name].values())] or self.tests
        else:
            run += [t for t in self.tests if t.unsure and any(counts[t.name].values()) and t not in run]
        run += [t for t in self.tests if distance(place.path, t.name) == 0 and t not in run]  # may include the source
        return sorted(run, key=lambda test: (distance(place.path, test.name), test.seconds))


def distance(path, test):
    """0: the test of this source, 1: a test of its folder, 2: another program or transcript."""
    stem, folder = os.path.basename(path)[:-2], os.path.basename(os.path.dirname(path))
    name = test.rsplit("/", 1)[1]
    if name in ("test_" + stem, stem):
        return 0
    return 1 if "unit/" + folder + "/" in test else 2
