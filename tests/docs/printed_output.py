#!/usr/bin/python3
"""Runs the commands in the documents and writes their output below them.

A fenced `console` block contains commands after "$ " (a line ending in \\ or | continues) and their output; a `pycon`
block contains Python after ">>> " and "... ". The blocks of a document run in order, in a new folder with data/ and
its sample clips, on a terminal of 110 columns. Speeds and times differ between runs and are kept if nothing else
changed.

usage: tests/docs/printed_output.py [--check] KANE DOCUMENT...

--check changes nothing and fails if the output of a document differs. A block that requires a missing program
(gnuplot, the page of kane report, a Python package) is kept, with a note."""
import difflib
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import fcntl
import termios

TOP = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(console|pycon)\n(.*?)^```$", re.S | re.M)
# Patterns of output that differs between runs.
VOLATILE = [(re.compile(p), r) for p, r in (
    (r"[\d,.]+ (frames|clips)/s", r"N \1/s"), (r"\bin [\d.]+ (ms|s|min)\b", r"in N \1"), (r"[\d.]+ (s|min) left", r"N \1 left"))]
DRIVER = """
import code, sys
console = code.InteractiveConsole()
sys.stderr = sys.stdout
for statement in sys.stdin.read().split("\\0"):
    for line in statement.split("\\n"):
        more = console.push(line)
    if more:
        console.push("")
    print("\\0", end="")
"""


def steady(text):
    for pattern, by in VOLATILE:
        text = pattern.sub(by, text)
    return text


def read_terminal(leader):
    parts = []
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # all writers have closed
            break
        if not part:
            break
        parts.append(part)
    return b"".join(parts).decode(errors="replace")


def shown(text):
    """Text as it remains on a terminal: without colours, and with the last state of lines that were overwritten."""
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r\n", "\n")
    lines = [line.rstrip("\r").rsplit("\r", 1)[-1].rstrip() for line in text.split("\n")]
    return "\n".join(lines).strip("\n")


class Folder:
    """Environment in which the commands of one document run."""

    def __init__(self, kane):
        self.kane = pathlib.Path(kane).resolve()
        self.path = pathlib.Path(tempfile.mkdtemp())
        (self.path / "bin").mkdir()
        (self.path / "bin/kane").symlink_to(self.kane)
        work = self.path / "work"
        work.mkdir()
        for name in [*sorted((TOP / "data").glob("*.bvh")), *sorted((TOP / "data/scenes").glob("*.xml"))]:
            target = work / name.relative_to(TOP)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(name, target)
        (work / "examples").symlink_to(TOP / "examples")
        self.environment = {**os.environ, "PATH": f"{self.path / 'bin'}:/usr/bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                            "TERM": "dumb", "TZ": "UTC", "COLUMNS": "110", "PYTHONPATH": str(TOP / "python")}
        libraries = sorted((self.kane.parent / "package").glob("libkane.so.*"))
        if libraries:
            self.environment["KANE_LIBRARY"] = str(libraries[-1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path)

    def run(self, command):
        """Runs a shell command line: (output, exit code)."""
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 110, 0, 0))
        with subprocess.Popen(["/bin/sh", "-c", command], cwd=self.path / "work", env=self.environment, close_fds=True,
                              stdin=subprocess.DEVNULL, stdout=follower, stderr=follower) as process:
            os.close(follower)
            text = read_terminal(leader)
        os.close(leader)
        return shown(text).replace(f"{self.path / 'work'}/", ""), process.returncode

    def run_python(self, statements):
        done = subprocess.run(["/usr/bin/python3", "-c", DRIVER], cwd=self.path / "work", env=self.environment, text=True,
                              input="\0".join(statements), capture_output=True, check=False)
        return [shown(part) for part in done.stdout.split("\0")[:-1]]

    def lacks(self, text):
        """A program that a block requires and that is not installed, or None."""
        if re.search(r"^\$ kane report", text, re.M) and not (self.kane.parent / "report.html").exists():
            return "the page of kane report (make page)"
        if re.search(r"^\$ kane plot", text, re.M) and not shutil.which("gnuplot"):
            return "gnuplot"
        if re.search(r"^\$ sqlite3", text, re.M) and not shutil.which("sqlite3"):
            return "sqlite3"
        if re.search(r"kane\.run\(", text) and "KANE_LIBRARY" not in self.environment:
            return "libkane (make package)"
        for package in re.findall(r"^>>> (?:import|from) (\w+)", text, re.M):
            wanted = "xarray, h5py" if package == "kane" else package
            if subprocess.run(["/usr/bin/python3", "-c", f"import {wanted}"], env=self.environment, capture_output=True,
                              check=False).returncode:
                return f"Python's {wanted}"
        return None


def commands(text):
    """The commands of a console block as written."""
    found, going = [], False
    for line in text.splitlines():
        if going:
            found[-1] += "\n" + line
        elif line.startswith("$ "):
            found.append(line)
        going = (going or line.startswith("$ ")) and line.endswith(("\\", "|"))
    return found


def run_console(folder, text, fail):
    parts = []
    for command in commands(text):
        line, _, allowed = command[2:].partition("  # exit code ")
        output, code = folder.run(line)
        if code != int(allowed or 0):
            fail(f"exit code {code}: {line}\n{output}")
        parts.append(command + ("\n" + output if output else ""))
    return "\n".join(parts) + "\n"


def run_pycon(folder, text, _):
    statements = []
    for line in text.splitlines():
        if line.startswith(">>> "):
            statements.append(line)
        elif line.startswith("... "):
            statements[-1] += "\n" + line
    plain = ["\n".join(part[4:] for part in statement.split("\n")) for statement in statements]
    outputs = folder.run_python(plain)
    return "".join(statement + "\n" + (output + "\n" if output else "") for statement, output in zip(statements, outputs))


def document_text(kane, path, fail):
    """The text of a document with updated output."""
    text = path.read_text()
    if not BLOCK.search(text):
        return text
    with Folder(kane) as folder:
        def fill(match):
            kind, old = match.groups()
            lacking = folder.lacks(old)
            if lacking:
                print(f"{path}: skipped: {lacking} is not installed")
                return match.group()
            new = (run_console if kind == "console" else run_pycon)(folder, old, fail)
            return f"```{kind}\n{old if steady(old) == steady(new) else new}```"
        return BLOCK.sub(fill, text)


def main():
    arguments = sys.argv[1:]
    check = "--check" in arguments
    paths = [a for a in arguments if a != "--check"]
    if len(paths) < 2:
        sys.exit("usage: tests/docs/printed_output.py [--check] KANE DOCUMENT...")
    failures, blocks = [], 0
    for name in paths[1:]:
        path = pathlib.Path(name)
        old = path.read_text()
        blocks += len(BLOCK.findall(old))
        new = document_text(paths[0], path, lambda what, name=name: failures.append(f"{name}: {what}"))
        if new != old and check:
            failures.append("".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True), name, "what it prints")))
        elif new != old:
            path.write_text(new)
            print(f"{name}: filled in")
    if failures:
        sys.exit("\n".join(failures) + ("\nprinted output: read the difference; `make printed-output` writes it" if check else ""))
    print(f"printed output: {blocks} blocks of {len(paths) - 1} documents match their commands")


if __name__ == "__main__":
    main()
