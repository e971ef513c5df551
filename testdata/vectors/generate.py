#!/usr/bin/env python3
"""Writes the conformance vectors, or with --check compares them with the files on disk, byte for byte.

It needs Python 3.11 and nothing else, and shares nothing with the Go code: the suites compute what they pin by their
own reading of SPEC.md (vectorkit/spec.py). README.md says how to add a suite.

Published tests never change: a test whose id is on disk may neither vanish nor differ, and the generator refuses to
write when one would. Exit status: 0 all well, 1 a difference or a refusal.
"""

import importlib.util
import pathlib
import sys

sys.dont_write_bytecode = True  # no __pycache__ in the tree

from vectorkit import check, output, schema  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def suites():
    """Yields (file stem, document) of every suite, in the order of the suites' names."""
    owner = {}
    for path in sorted((HERE / "suites").glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"suites.{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for stem, make in module.FILES.items():
            if stem in owner:
                raise check.Fault(f"{stem} is written by two suites: {owner[stem]} and {path.name}")
            owner[stem] = path.name
            yield stem, make()


def render(stem, document):
    """Returns {file name: text} of one document, which keeps every promise of README.md, or raises Fault."""
    name = f"schema/{stem}.schema.json"
    rules = schema.load(HERE / name)
    check.form(document, name)
    schema.validate(rules, document)
    return {f"{stem}.json": output.to_json(document), f"{stem}.tsv": output.to_tsv(document, rules)}


def settle(path, text, write):
    """Compares or writes one file, prints one line, and returns whether all is well."""
    old = path.read_bytes().decode() if path.exists() else None
    if old == text:
        print(f"{path.name}: as generated")
        return True
    lost = check.lost(path.name, old, text) if old is not None else None
    if lost:
        print(f"{path.name}: REFUSED, {lost}")
        return False
    if not write:
        print(f"{path.name}: {'MISSING' if old is None else 'DIFFERS, by additions only'}")
        return False
    path.write_bytes(text.encode())
    print(f"{path.name}: written")
    return True


def main(arguments):
    if arguments not in ([], ["--check"]):
        print("usage: generate.py [--check]", file=sys.stderr)
        return 2
    write = not arguments
    good, known = True, set()
    try:
        for stem, document in suites():
            try:
                files = render(stem, document)
            except check.Fault as fault:
                raise check.Fault(f"{stem}: {fault}") from None
            known |= set(files) | {f"{stem}.schema.json"}
            for name, text in files.items():
                good &= settle(HERE / name, text, write)
    except check.Fault as fault:
        print(f"REFUSED, {fault}")
        return 1
    for path in sorted([*HERE.glob("*.v*.json"), *HERE.glob("*.v*.tsv"), *HERE.glob("schema/*.json")]):
        if path.name not in known:
            print(f"{path.name}: REFUSED, no suite writes it")
            good = False
    if not known:
        print("REFUSED, there is no suite")
        good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
