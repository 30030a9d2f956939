#!/usr/bin/env python3
"""Checks that every link and image of a site leads to a file of it and to an anchor in that file.

usage: scripts/site/check_links.py FOLDER ADDRESS     Links to ADDRESS are links into FOLDER; others are not followed.
download/ is skipped where the folder has none."""
import functools
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.anchors = [], set()

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        self.links += [(self.getpos()[0], given[name]) for name in ("href", "src") if given.get(name)]


@functools.lru_cache(None)
def read(path):
    page = Page()
    page.feed(path.read_text(errors="replace"))
    return page


def fault(folder, address, path, link):
    if link.startswith(address + "/"):
        link, path = link[len(address) + 1:], folder / "index.html"
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or link.startswith("//"):
        return None
    target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if folder not in target.parents:
        return "leaves the site"
    if target.relative_to(folder).parts[0] == "download" and not (folder / "download").exists():
        return None
    if not target.exists():
        return "no such file"
    if parts.fragment and target.suffix == ".html" and target.name != "kane.html" and parts.fragment not in read(target).anchors:
        return "no such anchor"
    return None


def main():
    folder, address = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    count, found = 0, []
    for path in sorted(folder.rglob("*.html")):
        if path.name in ("kane.html", "404.html") or (folder / "download") in path.parents:
            continue
        for line, link in read(path).links:
            count += 1
            if why := fault(folder, address, path, link):
                found.append(f"{path.relative_to(folder)}:{line}: {link}: {why}")
    print("\n".join(found) or f"site: {count} links lead somewhere")
    sys.exit(1 if found or not count else 0)


main()
