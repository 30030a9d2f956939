#!/usr/bin/env python3
"""Measures the C sources and prints a table: size, headers, functions, names, include cycles.
usage: tests/checks/measure.py [--entered BUILD] [--list | --cycles] [FOLDER...]      default: analysis formats pipeline
                                                                                 library

--entered BUILD  also counts the files that execute a line between a BVH file and its index row. BUILD: a program
                 made with --coverage that has run and indexed one clip (make measure does both).
--cycles         prints only the include cycles; exit code 1 if there is one (make layers does this).
--list           also lists what is counted: functions over the bounds, headers with one user, cycles, name clashes.

Definitions: a component is a .c file with its header and its NAME_internal.h; a cycle is a set of components that
include each other. A header has one user if at most one file besides its own .c includes it, tests excluded. Complexity is one plus the
number of if, for, while, case, ?, && and || in a function (McCabe 1976)."""
import argparse
import collections
import pathlib
import re
import statistics

import check_functions as shape
import coverage

LONG_FUNCTION, COMPLEX = 80, 15
BRANCHES = {"if", "for", "while", "case", "?", "&&", "||"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.M)
COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)

Function = collections.namedtuple("Function", "path line name static lines complexity")


def tokens(items):
    """The words of a token tree without brackets."""
    for item in items:
        if isinstance(item, shape.Group):
            yield from tokens(item)
        else:
            yield item


def last_line(group):
    """The line of the last token of a group."""
    return max([group.line] + [last_line(i) if isinstance(i, shape.Group) else i.line for i in group])


def definitions(path, top, static_words):
    """The functions that a file defines."""
    part = []
    for item in top:
        if isinstance(item, shape.Group) and item.text == "{":
            words = [i.text for i in part if not isinstance(i, shape.Group)]
            declared = [] if "=" in words else list(shape.declarators(part))
            if declared:
                name, _ = declared[0]
                branches = sum(token.text in BRANCHES for token in tokens(item))
                start = part[0].line
                yield Function(path, start, name, bool(static_words.intersection(words)),
                               last_line(item) + 2 - start, 1 + branches)
            part = []
        elif not isinstance(item, shape.Group) and item.text == ";":
            part = []
        else:
            part.append(item)


def comment_lines(text):
    """The number of lines with a comment."""
    found = set()
    for match in COMMENT.finditer(text):
        if match.group().startswith("/"):
            first = text.count("\n", 0, match.start())
            found.update(range(first, first + match.group().count("\n") + 1))
    return len(found)


def cycles(includes):
    """Strongly connected components (Tarjan 1972) of {component: set of components}."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []

    def visit(name):
        index[name] = low[name] = len(index)
        stack.append(name)
        on_stack.add(name)
        for other in sorted(includes.get(name, ())):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in on_stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            part = []
            while not part or part[-1] != name:
                part.append(stack.pop())
                on_stack.discard(part[-1])
            if len(part) > 1:
                found.append(sorted(part))

    for name in sorted(includes):
        if name not in index:
            visit(name)
    return found


def component(path):
    return str(pathlib.Path(path).with_suffix("")).removesuffix("_internal")


def component_includes(texts):
    """{component: components that it includes}"""
    found = collections.defaultdict(set)
    for path, text in texts.items():
        own = component(path)
        found[own].update(component(name) for name in INCLUDE.findall(text))
        found[own].discard(own)
    return found


def header_users(texts):
    """{header: files that include it, except its own .c}"""
    users = {path: set() for path in texts if path.suffix == ".h"}
    for path, text in texts.items():
        for name in INCLUDE.findall(text):
            header = pathlib.Path(name)
            if header in users and path != header.with_suffix(".c"):
                users[header].add(path)
    return users


def clashing(functions):
    """Static function names that two .c files define."""
    homes = collections.defaultdict(set)
    for function in functions:
        if function.static and function.path.suffix == ".c":
            homes[function.name].add(function.path)
    return {name: sorted(map(str, places)) for name, places in homes.items() if len(places) > 1}


def called_once(functions, texts):
    """Static functions with one use: their name occurs twice in their file, once in the definition."""
    statics = [f for f in functions if f.static and f.path.suffix == ".c"]
    words = {path: collections.Counter(re.findall(r"\w+", COMMENT.sub(" ", texts[path])))
             for path in {f.path for f in statics}}
    return [f for f in statics if words[f.path][f.name] == 2], statics


def entered(build, folders):
    """{folder: number of files with an executed line}"""
    found = collections.defaultdict(list)
    for name, lines in sorted(coverage.read(pathlib.Path(build), folders).items()):
        if name.split("/")[0] in folders and any(lines.values()):
            found[str(pathlib.Path(name).parent)].append(name)
    return found


def percent(part, whole):
    return f"{100 * len(part) / max(len(whole), 1):.0f} %"


class Sources:
    """Everything measured in the folders."""

    def __init__(self, folders):
        self.texts = {path: path.read_text(encoding="utf-8") for path in shape.sources(folders)}
        statics = {"static"}.union(*(shape.STATIC_MACRO.findall(text) for text in self.texts.values()))
        self.functions = [f for path, text in self.texts.items()
                          for f in definitions(path, shape.parse(text), statics)]
        self.once, self.statics = called_once(self.functions, self.texts)
        self.users = header_users(self.texts)
        self.lonely = sorted(header for header, users in self.users.items() if len(users) <= 1)
        self.cycles = cycles(component_includes(self.texts))
        self.clashes = clashing(self.functions)

    def rows(self):
        lines = {path: text.count("\n") for path, text in self.texts.items()}
        total = sum(lines.values())
        code = [n for path, n in lines.items() if path.suffix == ".c"]
        lengths = sorted(f.lines for f in self.functions)
        headers = [path for path in lines if path.suffix == ".h"]
        yield "source files", f"{len(lines)} ({len(code)} .c, {len(headers)} .h)"
        yield "lines", f"{total}"
        yield "files per 1,000 lines", f"{1000 * len(lines) / max(total, 1):.1f}"
        yield "fraction of lines with a comment", f"{sum(map(comment_lines, self.texts.values())) / max(total, 1):.3f}"
        yield "median .c, lines", f"{statistics.median(code):.0f}"
        yield "longest .c, lines", f"{max(code)}"
        yield "headers under 30 lines", f"{sum(lines[path] < 30 for path in headers)}"
        yield "headers with one user", f"{len(self.lonely)}"
        yield "functions", f"{len(self.functions)}"
        yield "function length, median / p90 / longest", \
            f"{statistics.median(lengths):.0f} / {lengths[len(lengths) * 9 // 10]} / {lengths[-1]}"
        yield f"functions over {LONG_FUNCTION} lines", f"{sum(f.lines > LONG_FUNCTION for f in self.functions)}"
        yield f"functions of complexity over {COMPLEX}", f"{sum(f.complexity > COMPLEX for f in self.functions)}"
        yield "static functions called once", percent(self.once, self.statics)
        yield "static names in two files", f"{len(self.clashes)}"
        yield "include cycles of files", f"{len(self.cycles)}"

    def details(self):
        for f in sorted(self.functions, key=lambda f: -f.complexity):
            if f.complexity > COMPLEX or f.lines > LONG_FUNCTION:
                yield f"{f.path}:{f.line}: {f.name}: {f.lines} lines, complexity {f.complexity}"
        for header in self.lonely:
            yield f"{header}: included by {', '.join(map(str, self.users[header])) or 'its own .c alone'}"
        for cycle in self.cycles:
            yield "cycle: " + " ".join(cycle)
        for name, places in sorted(self.clashes.items()):
            yield f"static {name}: {' '.join(places)}"


def report_cycles(folders):
    """Prints the include cycles and returns the exit code."""
    texts = {path: path.read_text(encoding="utf-8") for path in shape.sources(folders)}
    found = cycles(component_includes(texts))
    for cycle in found:
        print(f"{cycle[0]}: include cycle of {' '.join(cycle)}: move what one of them needs into a header of its own")
    return 1 if found else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entered", metavar="BUILD")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("folders", nargs="*", default=["analysis", "formats", "pipeline", "library"])
    parser.add_argument("--cycles", action="store_true")
    arguments = parser.parse_args()
    if arguments.cycles:
        raise SystemExit(report_cycles(arguments.folders))
    sources = Sources(arguments.folders)
    tests = sum(path.read_text(encoding="utf-8").count("\n") for path in shape.sources(["tests"]))
    for name, value in (*sources.rows(), ("lines of C tests", f"{tests}")):
        print(f"{name:<42}{value}")
    if arguments.list:
        print(*sources.details(), sep="\n")
    if arguments.entered:
        found = entered(arguments.entered, arguments.folders)
        below = [name for folder, names in found.items() for name in names
                 if name.endswith(".c") and not folder.startswith("pipeline/cli")]
        print(f"{'.c files entered from BVH to index':<42}{len(below)} (the command line aside)")
        for folder, names in sorted(found.items()):
            print(f"  {folder:<40}{len(names):<5}{' '.join(pathlib.Path(n).name for n in names)}")


if __name__ == "__main__":
    main()
