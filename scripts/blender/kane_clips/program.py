"""The program kane, run as a process of its own. Knows nothing of Blender."""
import shutil
import subprocess


class ClipError(Exception):
    """What is wrong with a file or a question, in words for a person."""


def find_program(program=""):
    """Its path; program: the one to use, "" for the one on the PATH, None where there is none. Raises ClipError."""
    found = shutil.which(program or "kane")
    if program and not found:
        raise ClipError("%s: no such program; see the preferences of this add-on" % program)
    return found


def run_program(program, words, folder=None, nothing=1):
    """What it prints. An exit code of `nothing` without a message is an empty answer. Raises ClipError."""
    done = subprocess.run([program] + [str(word) for word in words], capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, cwd=folder)
    message = done.stderr.strip()
    if done.returncode and (message or done.returncode != nothing):
        raise ClipError(message or "kane %s failed" % words[0])
    return done.stdout

