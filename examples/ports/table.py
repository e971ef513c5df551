"""Compares the table of ports in docs/conformance.md with a run, or writes it: table.py --check|--write PAGE PORTS RECORD

The run decides which languages there are, what each can do, and that all its vectors and keys passed. Versions and rates are of the run that
wrote the table and are not compared. Vectors and keys may have become more since.
"""

import pathlib
import sys

BEGIN, END = "<!-- ports: begin -->", "<!-- ports: end -->"
CAPABILITIES = ["nul", "bytes", "deal", "json"]
HEAD = ["language", "version", "vectors", "generated keys", "keys a second", *CAPABILITIES]


def grouped(number):
    return f"{int(number):,}".replace(",", " ")


def rounded(rate):
    digits = max(len(rate) - 2, 0)
    return grouped(round(int(rate), -digits))


def rows(ports, record):
    """A row of the table for each port, in the order of the ports' file."""
    results = {fields[0]: fields for fields in map(lambda line: line.split("\t"), record)}
    for name, folder, *_ in ports:
        if name not in results:
            sys.exit(f"{name} did not run")
        _, version, capabilities, vectors, keys, rate = results.pop(name)
        can = ["yes" if c in capabilities.split() else "" for c in CAPABILITIES]
        yield [f"[{name}](../examples/ports/{folder})", version, grouped(vectors), grouped(keys), rounded(rate), *can]
    if results:
        sys.exit(f"ran, and not in the list: {', '.join(results)}")


def render(table):
    lines = ["| " + " | ".join(row) + " |" for row in table]
    rule = "|---|---|---:|---:|---:|" + "---|" * len(CAPABILITIES)
    return "\n".join([lines[0], rule, *lines[1:]]) + "\n"


def parse(text):
    lines = text.strip().splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in [lines[0], *lines[2:]]]


def faults(page, run):
    """What the page says and the run does not bear out."""
    if page[0] != run[0]:
        yield "the columns differ"
        return
    said = {row[0]: row for row in page[1:]}
    ran = {row[0]: row for row in run[1:]}
    for name in said.keys() ^ ran.keys():
        yield f"{name} is {'only in the table' if name in said else 'not in the table'}"
    for name in said.keys() & ran.keys():
        for column, a, b in zip(HEAD, said[name], ran[name]):
            if column in CAPABILITIES and a != b:
                yield f"{name}: {column} is {a!r} in the table, {b!r} in the run"
            if column in ("vectors", "generated keys") and int(a.replace(" ", "")) > int(b.replace(" ", "")):
                yield f"{name}: {a} {column} in the table, {b} in the run"


def main(mode, page, ports, record):
    page = pathlib.Path(page)
    listed = [line.split("\t") for line in pathlib.Path(ports).read_text().splitlines() if not line.startswith("#")]
    run = [HEAD, *rows(listed, pathlib.Path(record).read_text().splitlines())]
    before, rest = page.read_text().split(BEGIN)
    table, after = rest.split(END)
    if mode == "--write":
        page.write_text(f"{before}{BEGIN}\n{render(run)}{END}{after}")
        return f"note: {page} written: {len(run) - 1} languages"
    wrong = list(faults(parse(table), run))
    if wrong:
        sys.exit(f"{page} is not what the ports did (scripts/checks/ports.sh --write writes it):\n" + "\n".join(wrong))
    return f"note: the table has the {len(run) - 1} languages that ran"


if len(sys.argv) != 5 or sys.argv[1] not in ("--check", "--write"):
    sys.exit(__doc__)
print(main(*sys.argv[1:]))
