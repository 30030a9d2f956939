#!/usr/bin/env python3
"""Checks the names of tests. Fails, with file and line, on
  - a TEST(name) of more than 60 characters, with an article in front, or with a word of BANNED: a name states subject
    and outcome in terms of the field (`gap_of_three_rows_is_filled`)
  - a file tests/unit/FOLDER/test_NAME.c without a source NAME.c or NAME.h in a folder of that name
usage: tests/checks/check_test_names.py"""
import pathlib
import re
import sys

MAX_LENGTH = 60
SOURCES = ["analysis", "formats", "pipeline", "library", "scene_helper"]
TEST = re.compile(r"^TEST\((\w+)\)", re.M)
ARTICLE = re.compile(r"(a|an|the)_")
# Words of a name, and what to write instead.
BANNED = {
    "what|who|whose|it|so|theirs|here|there": "the subject",
    "nobody|somebody|anything|everything|things?": "the subject",
    "persons?|people": "subject",
    "tells?|told|says?|said|speaks?": "reports, states, lists",
    "carry|carries|carried|bears?|borne": "supports, has",
    "holds?|held(?!_out)": "supports, contains, keeps, fixed",
    "knows?|known|feels?|felt": "the quantity that is given or measured",
    "asks?|asked|wants?|wanted": "requires, requested",
    "goes|go|gone": "moves, is removed",
    "stands?": "rests, stance",
    "most|least": "max, min",
    "anew": "again, rebuild",
    "sound": "valid, clean",
    "senseless|nonsense": "invalid",
    "faults?": "artifact (of a recording), error (of a file)",
    "strangers?": "foreign, untrusted",
    "places|ways?|(?<!in_)place": "position, direction",
    "stretch|stretches": "interval",
    "containers?": "clip file",
    "unsure|surely|surer|doubt|doubted": "uncertain, confidence",
}


def check_name(name):
    """What is wrong with the name of a test."""
    if len(name) > MAX_LENGTH:
        yield f"{len(name)} characters, at most {MAX_LENGTH}"
    if ARTICLE.match(name):
        yield "begins with an article"
    for words, instead in BANNED.items():
        match = re.search(rf"(?<![a-z0-9])(?:{words})(?![a-z0-9])", name)
        if match:
            yield f'"{match.group()}": write {instead}'


def check_file(path, text):
    for match in TEST.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        for wrong in check_name(match.group(1)):
            yield f"{path}:{line}: {match.group(1)}: {wrong}"


def check_sources(files):
    """Test files of tests/unit without a source."""
    sources = {(path.parent.name, path.stem) for folder in SOURCES for path in pathlib.Path(folder).rglob("*.[ch]")}
    alone = {str(path): path for path in files if path.parts[:2] == ("tests", "unit") and
             (path.parent.name, path.stem[len("test_"):]) not in sources}
    for name in sorted(alone):
        source, folder = alone[name].stem[len("test_"):], alone[name].parent.name
        yield f"{name}: no source {source}.c or {source}.h in a folder {folder}"


def main():
    found, names = [], 0
    files = sorted(pathlib.Path("tests").rglob("test_*.c"))
    if not files:
        found.append("no tests in tests")
    for path in files:
        text = path.read_text(encoding="utf-8")
        names += len(TEST.findall(text))
        found += check_file(path, text)
    found += check_sources(files)
    print(*found, sep="\n", end="\n" if found else "")
    print(f"test names: {names} in {len(files)} files; {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
