#!/usr/bin/env python3
"""Checks that names in comments and documents exist. Fails, with file and line, on
  - a missing project path: `analysis/solve/lcp.h`, `solve/lcp`, `lcp.h`
  - a missing heading: `docs/design.md "Layers"`
  - a section or equation that docs/sources.md does not list: thesis 3.46, notes 0.10, and (0.10) alone in
    folders whose comments cite one
  - a section or source of a document that is not part of the project: design section 4, source 001
  - a broken link of a document, or a <word> that a forge would parse as a tag
  - a page under docs/ of more than three sections without a table of contents, or a section missing from it
  - a folder of tests/checks/layers.txt that docs/design.md does not mention

Reads the comments of C, JavaScript, shell, Python, awk and make, and whole documents.
usage: tests/checks/check_comments.py [TOP]      default: the project of this script"""
import pathlib
import re
import sys

FOLDERS = ("analysis", "formats", "pipeline", "library", "tests", "scripts", "research", "data", "docs", "examples", "python", "debian",
           "web")
SOURCES = {".c", ".h", ".js", ".mjs", ".css", ".sh", ".py", ".awk", ".mk", ".txt", ".md"}
# Names that look like project files but are not: other programs' files, library headers.
FOREIGN = {"three.js", "score.py", "sqlite3ext.h"}

C_COMMENT = re.compile(r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(/\*.*?\*/|//[^\n]*)""", re.S)
HASH_COMMENT = re.compile(r"(?:^|\s)#([^\n]*)|(\"\"\".*?\"\"\")", re.S | re.M)
# A path, or a name with a source suffix. The look-arounds exclude longer tokens.
NAME = re.compile(r"(?<![\w/.$<*}-])((?:[A-Za-z_][\w.-]*/)+[\w.*-]*\w|[A-Za-z_]\w*\.(?:c|h|sh|py|awk|mk|js|mjs|md))(?![\w/*>-])")
HEADING_OF = re.compile(r'docs/([\w/]+)\.md,?\s+"([^"]+)"')
LINKED_HEADING_OF = re.compile(r'\[(\w+)\.md\]\(\1\.md\),\s+"([^"]+)"')
FENCE = re.compile(r"^```.*?^```", re.S | re.M)
SECTIONS = 3  # of a page without table of contents, at most
# Placeholders: NAME, CLIP.h5, a/b.h.
PLACEHOLDER = re.compile(r"(?<![A-Z])(?!README|CHANGELOG|CONTRIBUTING|LICENSE)[A-Z]{2,}|(?:^|/)[a-z](?:/|\.|$)|\.db$")
TAG = re.compile(r"<(?!https?:)[A-Za-z/][^>\n]*>")
LINK = re.compile(r"\]\(([^)\s]+)\)")
NUMBER = r"\d\.\d{1,2}(?:\.\d)?"
CITATION = re.compile(rf"\b([Tt]hesis|[Nn]otes)(?:'s)?,? (?:section |equation |table |figure |\()?({NUMBER}(?:(?:,| and| to) {NUMBER})*)")
# References to documents outside the project.
UNSEEN = re.compile(r"\bdesign(?:\.md)?,? section \d+|\bsource 00\d\b")
EQUATION = re.compile(rf"(?<!\w)\(({NUMBER}(?:(?:,| and| to) {NUMBER})*)\)")


def comments(path, text):
    """Yields (line, text) of each comment; for a document, its whole text."""
    if path.suffix == ".md":
        yield 1, text
        return
    pattern = C_COMMENT if path.suffix in {".c", ".h", ".js", ".mjs", ".css"} else HASH_COMMENT
    for match in pattern.finditer(text):
        comment = next((g for g in match.groups() if g is not None), None)
        if comment is not None:
            yield text.count("\n", 0, match.start()) + 1, comment


def anchor(heading):
    """The anchor that a forge generates for a heading."""
    return re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-")


class Project:
    def __init__(self, top):
        self.top = top
        self.files = {p.relative_to(top).as_posix() for folder in FOLDERS for p in (top / folder).rglob("*") if p.is_file()}
        self.files |= {p.name for p in top.iterdir() if p.is_file()} | {".ci/run"}
        self.folders = {p.as_posix() for f in self.files for p in pathlib.PurePath(f).parents} - {"."}
        self.names = self.files | self.folders
        # Each suffix of a path, such as "solve/lcp.h" and "lcp.h", with and without .c or .h.
        self.ends = set()
        for name in self.names:
            parts = name.split("/")
            for i in range(len(parts)):
                end = "/".join(parts[i:])
                self.ends |= {end, re.sub(r"\.[ch]$", "", end)}
        self.headings = {p.relative_to(top / "docs").with_suffix("").as_posix(): re.findall(
            r"^#+ (.*?)\s*$", FENCE.sub("", p.read_text()), re.M) for p in (top / "docs").rglob("*.md")}
        self.sources = self.read_sources()

    def read_sources(self):
        """The sections and equations in docs/sources.md, by source."""
        path = self.top / "docs/sources.md"
        known = {"thesis": set(), "notes": set()}
        for part in re.split(r"^## ", path.read_text() if path.exists() else "", flags=re.M):
            for source in known:
                if part.startswith(f"The {source}\n"):
                    for row in re.findall(rf"^\| *(\(?{NUMBER}.*?) *\|", part, re.M):
                        known[source] |= self.numbers(row)
                    for shown in re.findall(rf"(?:figure|table)\s+({NUMBER}(?: to (?:figure )?{NUMBER})?)", part):
                        known[source] |= self.numbers(shown)
        return known

    @staticmethod
    def numbers(text):
        """{"3.2", "3.3", "3.4"} of "(3.2) to (3.4)"."""
        found = set()
        for first, last in re.findall(rf"({NUMBER})\)?(?: to (?:figure )?\(?({NUMBER}))?", text):
            found.add(first)
            if last:
                chapter, begin = first.rsplit(".", 1)
                found |= {f"{chapter}.{n}" for n in range(int(begin), int(last.rsplit(".", 1)[1]) + 1)}
        return found

    def has_name(self, name, path):
        if name in self.names or name in FOREIGN or name.startswith("build/"):
            return True
        if "*" in name:
            return name.split("/")[0] not in FOLDERS or any(pathlib.PurePath(f).match(name) for f in self.files)
        first, ending = name.split("/")[0], pathlib.PurePath(name).suffix
        if path.suffix == ".md" and ("/" not in name or (path.parent / name).exists()):
            return True  # an output, or a file beside the document; links are checked separately
        if first in FOLDERS and "/" in name:
            return any(name + e in self.names for e in (".c", ".h"))
        return name in self.ends or ending not in SOURCES

    def check_names(self, path, text):
        for match in NAME.finditer(text):
            name = match.group(1)
            if not PLACEHOLDER.search(name) and not self.has_name(name, path):
                yield match.start(), f"{name} does not exist"
        # "/* sim/projection: ...": a test's header comment begins with the module under test
        of_module = re.match(r"/\* ((?:[a-z_]+/)+[a-z_]{2,})[:,]", text)
        if of_module and "tests" in path.parts and of_module.group(1) not in self.ends:
            yield 0, f"{of_module.group(1)} does not exist"

    def check_headings(self, text):
        plain = re.sub(r"\s*\n\s*(?:\*|#|//)?\s*", lambda m: " " * len(m.group()), text)
        for match in [*HEADING_OF.finditer(plain), *LINKED_HEADING_OF.finditer(plain)]:
            document, heading = match.group(1), re.sub(r"\s+", " ", match.group(2))
            if heading not in self.headings.get(document, []):
                yield match.start(), f'docs/{document}.md has no heading "{heading}"'

    def check_citations(self, text, cited):
        plain = re.sub(r"\s*\n\s*(?:\*|#|//)?\s*", lambda m: " " * len(m.group()), text)
        plain = re.sub(r" {2,}", lambda m: " " + "\0" * (len(m.group()) - 1), plain)
        where = [i for i, c in enumerate(plain) if c != "\0"]
        plain = plain.replace("\0", "")
        for match in UNSEEN.finditer(plain):
            yield where[match.start()], f"{match.group()}: cite docs/ by its headings, and what docs/sources.md has"
        for match in CITATION.finditer(plain):
            source = match.group(1).lower()
            for number in sorted(self.numbers(match.group(2)) - self.sources[source]):
                yield where[match.start()], f"docs/sources.md: the {source} has no {number}"
        known = set().union(*(self.sources[s] for s in cited)) if cited else None
        for match in EQUATION.finditer(plain) if cited else ():
            for number in sorted(self.numbers(match.group(1)) - known):
                yield where[match.start()], f"docs/sources.md: the {' and the '.join(sorted(cited))}: no {number}"

    def check_links(self, path, text):
        prose = FENCE.sub(lambda m: re.sub(".", " ", m.group()), text)
        prose = re.sub(r"^ {4}.*$|`[^`\n]*`", lambda m: " " * len(m.group()), prose, flags=re.M)
        for match in TAG.finditer(prose):
            yield match.start(), f"{match.group()} is taken for a tag and not shown: put it into backticks"
        for match in LINK.finditer(prose):
            target, _, fragment = match.group(1).partition("#")
            if re.match(r"\w+://|mailto:", target):
                continue
            file = (path.parent / target) if target else path
            if not file.exists():
                yield match.start(), f"link to {target}, which does not exist"
            elif fragment and file.suffix == ".md" and fragment not in map(
                    anchor, re.findall(r"^#+ (.*?)\s*$", file.read_text(), re.M)):
                yield match.start(), f"link to {match.group(1)}: no such heading"


def check_contents(text):
    """Sections missing from the table of contents, which is the list of links before the first section."""
    text = FENCE.sub(lambda m: re.sub(".", " ", m.group()), text)
    sections = list(re.finditer(r"^## (.*?)\s*$", text, re.M))
    if not sections:
        return
    listed = re.findall(r"^ *- \[[^\]]*\]\(#([^)\s]+)\)", text[:sections[0].start()], re.M)
    if not listed and len(sections) > SECTIONS:
        yield 0, f"{len(sections)} sections and no table of contents"
    for section in sections if listed else ():
        if anchor(section.group(1)) not in listed:
            yield section.start(), f'the table of contents has no "{section.group(1)}"'


def check_folders(top):
    """Code folders that docs/design.md does not mention."""
    layers, design = top / "tests/checks/layers.txt", top / "docs/design.md"
    if layers.exists() and design.exists():
        for number, folder in enumerate(layers.read_text().splitlines(), 1):
            if folder and not folder.startswith("#") and not re.search(rf"\b{folder}\b", design.read_text()):
                yield layers, number, f"docs/design.md does not tell of {folder}"


def read_files(top):
    paths = [p for folder in FOLDERS for p in sorted((top / folder).rglob("*")) if p.suffix in SOURCES and p.is_file()]
    paths += [p for p in (top / "Makefile", top / ".ci/run", *sorted(top.glob("*.md"))) if p.exists()]
    skipped = {"node_modules", "__pycache__"}
    return {p: p.read_text(errors="replace") for p in paths
            if not skipped & set(p.parts) and "corpus_" not in p.as_posix() and p.name not in {"check_comments.py", "test_check_comments.sh"}}


def cited_in_folders(files):
    """The sources that comments cite, by folder."""
    cited = {}
    for path, text in files.items():
        if path.suffix in {".c", ".h"}:
            for _, comment in comments(path, text):
                cited.setdefault(path.parent, set()).update(m.group(1).lower() for m in CITATION.finditer(comment))
    return cited


def main():
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]).resolve()
    project, files, findings = Project(top), read_files(top), set(check_folders(top))
    cited = cited_in_folders(files)
    for path, text in files.items():
        of_folder = cited.get(path.parent, set()) if path.suffix in {".c", ".h"} else set()
        for line, comment in comments(path, text):
            found = [*project.check_names(path, comment), *project.check_headings(comment)]
            if path.name != "sources.md":
                found += project.check_citations(comment, of_folder)
            if path.suffix == ".md":
                found += project.check_links(path, comment)
            if path.suffix == ".md" and "docs" in path.relative_to(top).parts:
                found += check_contents(comment)
            findings |= {(path, line + comment.count("\n", 0, at), what) for at, what in found}
    for path, line, what in sorted(findings):
        print(f"{path.relative_to(top)}:{line}: {what}")
    if findings:
        sys.exit(f"comments: {len(findings)} findings")
    print("comments: every name and every citation exists")


if __name__ == "__main__":
    main()
