"""Runs the program kane as a separate process. Does not depend on Blender."""
import shutil
import subprocess


class ClipError(Exception):
    """An error in a file or query, as a message for the user."""


def find_program(program=""):
    """Path of kane; program: the path to use, "" to search the PATH. None if not found. Raises ClipError."""
    found = shutil.which(program or "kane")
    if program and not found:
        raise ClipError("%s: no such program; see the preferences of this add-on" % program)
    return found


def run_program(program, words, folder=None, nothing=1):
    """Runs kane and returns its output. Exit code `nothing` without a message is an empty result. Raises ClipError."""
    done = subprocess.run([program] + [str(word) for word in words], capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, cwd=folder)
    message = done.stderr.strip()
    if done.returncode and (message or done.returncode != nothing):
        raise ClipError(message or "kane %s failed" % words[0])
    return done.stdout

