"""Mutation sites of the C sources with their mutations, and how a seed draws them by folder."""
import os
import random
import re

# Source parts with their number of draws; the folders of a part alternate.
PARTS = (("analysis", 24), ("formats", 20), ("pipeline", 10), ("library", 6))
SWAPS = (
    ("operator", r"(?<= )\+(?= )", "-"), ("operator", r"(?<= )-(?= )", "+"), ("operator", r"(?<= )\*(?= )", "/"),
    ("operator", r"(?<= )/(?= )", "*"), ("operator", r"(?<= )\+=(?= )", "-="), ("operator", r"(?<= )-=(?= )", "+="),
    ("operator", r"(?<= )<(?= WHOLE)", "<="), ("operator", r"(?<= )<=(?= WHOLE)", "<"),
    ("operator", r"(?<= )>(?= WHOLE)", ">="), ("operator", r"(?<= )>=(?= WHOLE)", ">"),
    ("operator", r"(?<= )<=?(?= )(?! WHOLE)", ">"), ("operator", r"(?<= )>=?(?= )(?! WHOLE)", "<"),
    ("operator", r"(?<= )==(?= )", "!="), ("operator", r"(?<= )!=(?= )", "=="),
    ("operator", r"(?<= )&&(?= )", "||"), ("operator", r"(?<= )\|\|(?= )", "&&"),
    ("sign", r"(?<=[(,=?:] )-(?=[A-Za-z_(0-9])", ""), ("sign", r"(?<=[(\[])-(?=[A-Za-z_(0-9])", ""),
    ("sign", r"(?<=return )-(?=[A-Za-z_(0-9])", ""),
    ("min for max", r"\bfmin(?=\()", "fmax"), ("min for max", r"\bfmax(?=\()", "fmin"),
    ("index", r"(?<=\[)0(?=\])", "1"), ("index", r"(?<=\[)1(?=\])", "0"), ("index", r"(?<=\[)2(?=\])", "1"),
    ("index", r"(?<=\[)(\w+) [+-] 1(?=\])", r"\1"), ("index", r"(?<=\[)([a-z])(?=\])", r"\1 - 1"),
    ("condition", r"\bif \((.*)\)$", r"if (!(\1))"), ("condition", r"\bwhile \((.*)\)( \{)?$", r"while (!(\1))\2"),
    ("condition", r"\bif \((.*)\) \{$", r"if (!(\1)) {"), ("condition", r"(?<=return )!(?=\w)", ""),
)
# `<` becomes `<=` for integers only: tests do not hit the exact bound of a real number.
WHOLE = r"(?:\(\w+\) ?)?(?:\d+\b(?!\.)|[A-Z_]+\b|[\w.>-]*(?:count|frames?|joints?|rows?|size|length|end|last|stop)\b)"
SWAPS = tuple((operator, pattern.replace("WHOLE", WHOLE), becomes) for operator, pattern, becomes in SWAPS)
NUMBER = re.compile(r"(?<![\w.%\"])(\d+\.\d+(?:e-?\d+)?|\d+e-?\d+|\d+)(?![\w.\"])")
STATEMENT = re.compile(r"^ +(?:[a-z_]\w*\(.*\)|[^=;]*[\w\])] [-+*/|&]?= .*|[\w>.\[\]-]+(?:\+\+|--));$")
DECLARATION = re.compile(r"^ +(?:static |const |unsigned |struct |[A-Z]\w+ [\w*]|\w+ \*?\w+(?:\[.*\])? = |return )")
RELEASE = re.compile(r"^ +(?:\w+_)?(?:free|f?close|destroy|finalize)(?:_\w+)?\(.*\);$")  # `make asan` finds leaks
# Larger buffers have no visible effect: allocation and array sizes, growth of a capacity, page rounding.
ROOM = re.compile(r"\b(?:\w*alloc|array_new|array_try|arena_array)\(|\bcapacity \? |& ~\("
                  r"|^ +(?:char|double|int|Vec3) (?:\w+(?:\[\w+\])?, )*\w+\[\d+\]")
# Failing allocations are tested by `make faults`, not by these tests.
NO_MEMORY = re.compile(r"\berror_no_memory\(")
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)+\'')


class Place:
    """A mutation: a source line (from 1) and its replacement."""

    def __init__(self, path, line, operator, old, new):
        self.path, self.line, self.operator, self.old, self.new = path, line, operator, old, new

    def changed_text(self, text):
        lines = text.split("\n")
        assert lines[self.line - 1] == self.old
        lines[self.line - 1] = self.new
        return "\n".join(lines)

    def __str__(self):
        return "%s:%d\t%s\t%s -> %s" % (self.path, self.line, self.operator, self.old.strip(), self.new.strip() or ";")


def code_lines(text):
    """(number, line) of the lines inside functions and tables, without comments and preprocessor lines."""
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        was_inside, start = inside, line.rfind("/*")
        if start >= 0 and "*/" not in line[start:]:
            inside = True
        elif inside and "*/" in line:
            inside = False
        if not was_inside and not inside and line.startswith("    ") and "/*" not in line:
            yield number, line


def blank_texts(line):
    """The line with its literals blanked, at the same length."""
    return TEXT.sub(lambda found: '"' + "_" * (len(found.group()) - 2) + '"', line)


def next_number(text):
    if re.fullmatch(r"\d+", text):
        return "0" if text == "1" else str(int(text) + 1)  # 2 is as true as 1
    return repr(2 * float(text)) if float(text) else "1.0"


def changes_of_line(line):
    """(operator, changed line) of each possible mutation."""
    plain, found = blank_texts(line), []
    for operator, pattern, becomes in SWAPS:
        if becomes in ("&&", "||") and NO_MEMORY.search(plain):
            continue
        for match in re.finditer(pattern, plain):
            new = match.expand(becomes) if operator != "condition" else None
            if new is None:  # restores blanked literals
                new = re.sub(pattern, becomes, line[match.start():])
                found.append((operator, line[:match.start()] + new))
            else:
                found.append((operator, line[:match.start()] + new + line[match.end():]))
    for match in [] if ROOM.search(plain) else NUMBER.finditer(plain):
        found.append(("constant", line[:match.start()] + next_number(match.group()) + line[match.end():]))
    if STATEMENT.match(plain) and not DECLARATION.match(plain) and not RELEASE.match(plain):
        found.append(("removed", line[:len(line) - len(line.lstrip())] + ";"))
    return [(operator, new) for operator, new in found if new != line]


def places_of(top, path):
    with open(os.path.join(top, path), encoding="utf-8", newline="") as stream:
        text = stream.read()
    return [[Place(path, number, operator, line, new) for operator, new in changes]
            for number, line in code_lines(text) for changes in [changes_of_line(line)] if changes]


def folders_of(names, part):
    """The folders of a part with their sources: {"analysis/stats": [paths]}."""
    folders = {}
    for name in names:
        if name.startswith(part + "/") and name.endswith(".c"):
            folders.setdefault(os.path.dirname(name), []).append(name)
    return folders


def draw_places(top, paths, chance, taken):
    """Draws a line, then one of its mutations, without repetition, until none is left."""
    lines = [line for path in paths for line in places_of(top, path)]
    limit = len({(place.path, place.line, place.new) for line in lines for place in line})
    while len(taken) < limit:
        place = chance.choice(chance.choice(lines))
        key = (place.path, place.line, place.new)
        if key not in taken:
            taken.add(key)
            yield place


def part_counts(count):
    """The number of draws per part; they sum to count."""
    whole = sum(share for _, share in PARTS)
    at = [round(count * sum(share for _, share in PARTS[:i]) / whole) for i in range(len(PARTS) + 1)]
    return [(part, at[i + 1] - at[i]) for i, (part, _) in enumerate(PARTS)]


def draws(top, names, seed, count):
    """One generator of sites per draw, in order."""
    out = []
    for part, number in part_counts(count):
        folders = folders_of(names, part)
        order = sorted(folders)
        random.Random("%d %s" % (seed, part)).shuffle(order)
        for i in range(number):
            folder = order[i % len(order)]
            chance = random.Random("%d %s %d" % (seed, folder, i))
            out.append(draw_places(top, folders[folder], chance, set()))
    return out
