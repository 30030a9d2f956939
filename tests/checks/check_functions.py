#!/usr/bin/env python3
"""Checks the structure of the C sources. Fails, with file and line, on
  - a public function with more than 6 parameters (public: declared in a header, or not static in a .c file; function
    pointer types count as functions), and on more than 9 other functions with as many
  - more than 4 null checks in a row: !a || !b || !c || !d || !e, or a && b && c && d && e
  - a line of more than 120 characters, also in C of tests/ and examples/
  - a file that includes more than 12 project headers
  - two headers with one base name
  - a status compared with STATUS_OK: statuses are tested as truth values (tests may compare)
usage: tests/checks/check_functions.py [FOLDER...]    default: analysis formats pipeline library

Parses tokens, not lines: comments, strings and preprocessor lines are skipped, prototypes may span lines."""
import pathlib
import re
import sys

MOST_PARAMETERS, MOST_OTHERS, MOST_CHECKS, MAX_COLUMNS, MOST_INCLUDES = 6, 9, 4, 120, 12

TOKEN = re.compile(r"""
    /\*.*?\*/ | //[^\n]*                          # comments
  | ^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*            # a line of the preprocessor with its continuations
  | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'     # strings
  | [A-Za-z_]\w* | \.?[0-9](?:[eEpP][+-]|[\w.])*  # words and numbers
  | \|\| | && | -> | \.\.\. | [=!<>]= | \n | .""", re.S | re.M | re.X)
WORD = re.compile(r"[A-Za-z_]\w*$")
STATIC_MACRO = re.compile(r"^#define[ \t]+(\w+)[ \t].*\bstatic\b", re.M)  # LANE_INLINE
LINES_ALONE = ["tests", "examples"]
CLOSING = {"(": ")", "[": "]", "{": "}"}
# Keywords that precede a parenthesis without being functions.
NOT_NAMES = {"if", "for", "while", "switch", "return", "sizeof", "_Alignof", "_Alignas", "_Static_assert", "_Generic",
             "__attribute__", "typeof", "defined"}


class Group(list):
    """A bracketed group: list of Token and Group."""

    def __init__(self, opening, line):
        super().__init__()
        self.text, self.line = opening, line


class Token:
    def __init__(self, text, line):
        self.text, self.line = text, line


def parse(source):
    """Parses a file into a tree of bracketed groups."""
    top = Group("", 1)
    stack, line = [top], 1
    for match in TOKEN.finditer(source):
        text = match.group()
        first = text.lstrip()[:1] if "\n" not in text[:1] else ""
        comment = text.startswith(("/*", "//")) or first == "#"
        if not comment and not text.isspace():
            if text in CLOSING:
                group = Group(text, line)
                stack[-1].append(group)
                stack.append(group)
            elif text in CLOSING.values():
                if len(stack) < 2 or CLOSING[stack[-1].text] != text:
                    raise SyntaxError(f"line {line}: '{text}' closes nothing")
                stack.pop()
            else:
                stack[-1].append(Token(text, line))
        line += text.count("\n")
    if len(stack) > 1:
        raise SyntaxError(f"line {stack[-1].line}: '{stack[-1].text}' stays open")
    return top


def split(items, separators):
    part = []
    for item in items:
        if not isinstance(item, Group) and item.text in separators:
            yield part
            part = []
        else:
            part.append(item)
    yield part


def parameter_count(group):
    parts = [part for part in split(group, ",")]
    if len(parts) == 1 and (not parts[0] or [item.text for item in parts[0]] == ["void"]):
        return 0
    return len(parts)


def name_of(group):
    """The name in `(*name)` or `(*name[3])`, a function pointer; else None."""
    words = [item.text for item in group if not isinstance(item, Group)]
    return words[-1] if words[:1] == ["*"] and WORD.match(words[-1]) else None


def declarators(items):
    """(name, parameters) of each function and function pointer in a declaration."""
    for at in range(len(items) - 1):
        here, after = items[at], items[at + 1]
        if not (isinstance(after, Group) and after.text == "("):
            continue
        following = items[at + 2] if at + 2 < len(items) else None
        if isinstance(here, Group):
            if here.text == "(" and name_of(here):
                yield name_of(here), after
        elif WORD.match(here.text) and here.text not in NOT_NAMES and not name_of(after):
            if isinstance(following, Group) and following.text == "(":  # LANE_NAME(name)(parameters)
                yield "".join(item.text for item in after if not isinstance(item, Group)), following
                return
            yield here.text, after
            return


def declarations(top):
    """The declarations of a file, each up to its ';' or body; struct members are separate."""
    part = []
    for item in top:
        body = isinstance(item, Group) and item.text == "{"
        if body:
            words = [i.text for i in part if not isinstance(i, Group)]
            if "struct" in words[:-1] or "union" in words[:-1] or words[-1:] in (["struct"], ["union"]):
                if not any(isinstance(i, Group) and i.text == "(" for i in part):
                    yield from declarations(item)
                    continue
            if "=" in words or "enum" in words:
                continue
        if body or (not isinstance(item, Group) and item.text == ";"):
            yield part
            part = []
        else:
            part.append(item)


def functions(path, top, static_words):
    """(name, parameter count, public, line) of each declaration of a file."""
    for part in declarations(top):
        words = [item.text for item in part if not isinstance(item, Group)]
        if "=" in words:
            part = part[:next(i for i, item in enumerate(part) if item.text == "=")]
        public = path.suffix == ".h" or not static_words.intersection(words)
        for name, group in declarators(part):
            yield name, parameter_count(group), public, group.line
            for nested in split(group, ","):
                for inner, parameters in declarators(nested):
                    yield inner, parameter_count(parameters), public, parameters.line


def is_place(items):
    """Whether the tokens are an lvalue-like expression: a, *a, a->b.c, a[i].b, (a), (*a)."""
    while items and not isinstance(items[0], Group) and items[0].text == "*":
        items = items[1:]
    if len(items) == 1 and isinstance(items[0], Group) and items[0].text == "(":
        return is_place(items[0])
    if not items:
        return False
    first = items[0]
    if isinstance(first, Group) and (first.text != "(" or not is_place(first)):
        return False
    if not isinstance(first, Group) and not WORD.match(first.text):
        return False
    after_arrow = False
    for item in items[1:]:
        if isinstance(item, Group):
            if item.text != "[":
                return False
        elif item.text in ("->", "."):
            after_arrow = True
        elif after_arrow and WORD.match(item.text):
            after_arrow = False
        else:
            return False
    return True


def is_missing(items):
    """Whether the tokens are a null check: !a, or a == NULL."""
    texts = [item.text for item in items]
    return (texts[:1] == ["!"] and is_place(items[1:])) or (texts[-2:] == ["==", "NULL"] and is_place(items[:-2]))


def ladders(group):
    """(terms, line) of each chain of null checks in a group and its subgroups."""
    ends = {";", ",", "?", ":", "=", "return", "case"}
    for part in split(group, ends):
        if not part:
            continue
        yield sum(map(is_missing, split(part, "||"))) if "||" in (i.text for i in part) else 0, part[0].line
        for term in split(part, {"||"}):
            if term:
                yield sum(is_place(factor) for factor in split(term, {"&&"})), term[0].line
    for item in group:
        if isinstance(item, Group):
            yield from ladders(item)


def sources(folders):
    return sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*.[ch]"))


def check_lines(path, text, found):
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MAX_COLUMNS:
            found.append(f"{path}:{number}: a line of {len(line)} characters")


def check_statuses(path, text, found):
    for match in re.finditer(r"[=!]=\s*STATUS_OK\b|\bSTATUS_OK\s*[=!]=", text):
        line = text.count("\n", 0, match.start()) + 1
        found.append(f"{path}:{line}: a status compared with STATUS_OK: test it as a truth value")


def check_file(path, text, static_words, found, wide):
    check_statuses(path, text, found)
    includes = len(re.findall(r'^[ \t]*#[ \t]*include[ \t]+"', text, re.M))
    if includes > MOST_INCLUDES:
        found.append(f"{path}: includes {includes} headers of the project")
    try:
        top = parse(text)
    except SyntaxError as error:
        found.append(f"{path}: {error}")
        return
    for name, count, public, line in functions(path, top, static_words):
        if count > MOST_PARAMETERS:
            wide.append((public, name, f"{path}:{line}: {name} has {count} parameters"))
    for count, line in sorted(ladders(top), key=lambda found_at: found_at[1]):
        if count > MOST_CHECKS:
            found.append(f"{path}:{line}: a ladder of {count} null checks: take from an arena, ask once")


def check_functions(wide, found):
    """Merges a function's declaration and definition; the line of the header is reported."""
    public = {}
    for is_public, name, text in sorted(wide, key=lambda row: ".h:" not in row[2]):
        if is_public:
            public.setdefault(name, text)
    others = [text for is_public, _, text in wide if not is_public]
    found += public.values()
    if len(others) > MOST_OTHERS:
        found += others
        found.append(f"{len(others)} functions that are not public have more than {MOST_PARAMETERS} parameters: "
                     f"at most {MOST_OTHERS} may")
    return len(public), len(others)


def check_names(headers, found):
    seen = {}
    for path in headers:
        if path.name in seen:
            found.append(f"{path}: {seen[path.name]} has the same name")
        seen.setdefault(path.name, path)


def main():
    folders = sys.argv[1:] or ["analysis", "formats", "pipeline", "library"]
    files = sources(folders)
    found, wide = [], []
    if not files:
        found.append(f"no sources in {' '.join(folders)}")
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    static_words = {"static"}.union(*(STATIC_MACRO.findall(text) for text in texts.values()))
    for path, text in texts.items():
        check_lines(path, text, found)
        check_file(path, text, static_words, found, wide)
    for path in sources(LINES_ALONE):
        check_lines(path, path.read_text(encoding="utf-8"), found)
    public, others = check_functions(wide, found)
    check_names([path for path in files if path.suffix == ".h"], found)
    print(*found, sep="\n", end="\n" if found else "")
    print(f"functions: {len(files)} files; more than {MOST_PARAMETERS} parameters: {public} public, {others} others; "
          f"{len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
