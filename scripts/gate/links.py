"""Checks the links of Markdown files that point into the repository: the file exists, and so does the heading.

Reads the files' names from standard input, prints each dead link, and ends with status 1 if there is one.
"""

import pathlib
import re
import sys
import urllib.parse

FENCE = re.compile(r"^ *(```|~~~).*?^ *\1", re.M | re.S)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(\s*<?([^\s)>]+)[^)]*\)|^ *\[[^]]+\]:\s*<?([^\s>]+)", re.M)
HEADING = re.compile(r"^#{1,6} +(.*?)(?: +#+)? *$", re.M)
ANCHOR = re.compile(r"""<a\s+(?:id|name)=["']([^"']+)""")


def anchors(text):
    """The fragments of a page, as GitHub derives them from its headings."""
    seen, found = {}, set(ANCHOR.findall(text))
    for heading in HEADING.findall(FENCE.sub("", text)):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        found.add(f"{slug}-{count}" if count else slug)
    return found


def dead(page, target):
    """What is wrong with a link, or None."""
    url = urllib.parse.urlsplit(target)
    if url.scheme or url.netloc:
        return None
    file = page.parent / urllib.parse.unquote(url.path) if url.path else page
    if url.path.startswith("/") or not file.resolve().is_relative_to(pathlib.Path.cwd()):
        return "leaves the repository"
    if not file.exists():
        return "no such file"
    if url.fragment and file.suffix == ".md" and url.fragment not in anchors(file.read_text("utf-8")):
        return "no such heading"
    return None


def main():
    links = faults = 0
    pages = [pathlib.Path(name) for name in sys.stdin.read().splitlines()]
    for page in filter(pathlib.Path.exists, pages):
        text = CODE.sub("", FENCE.sub("", page.read_text("utf-8")))
        for groups in LINK.findall(text):
            target = groups[0] or groups[1]
            links += 1
            if fault := dead(page, target):
                faults += 1
                print(f"{page}: {target}: {fault}")
    print(f"note: {links} links, {faults} dead")
    return 1 if faults else 0


sys.exit(main())
