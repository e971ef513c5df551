"""What every document promises beyond its schema, and that published tests stay as they are."""

import json

COMMON = ["algorithm", "version", "schema", "numberOfTests", "notes"]
COMMON_TEST = ["id", "comment", "spec", "flags"]


class Fault(Exception):
    """Why nothing may be written."""


def form(document, schema_name):
    """Raises Fault where document lacks the common form."""
    names = list(document)
    if names[: len(COMMON)] != COMMON or names[-1] != "tests":
        raise Fault(f"the document must begin with {', '.join(COMMON)} and end with tests")
    if document["schema"] != schema_name:
        raise Fault(f"schema is {document['schema']!r}, not {schema_name!r}")
    tests, notes = document["tests"], document["notes"]
    if not tests or document["numberOfTests"] != len(tests):
        raise Fault(f"numberOfTests is {document['numberOfTests']}, and there are {len(tests)}")
    last, used = 0, set()
    for test in tests:
        if list(test)[: len(COMMON_TEST)] != COMMON_TEST:
            raise Fault(f"a test must begin with {', '.join(COMMON_TEST)}: {test}")
        if test["id"] <= last:
            raise Fault(f"id {test['id']} does not rise")
        last = test["id"]
        used |= set(test["flags"])
        beside(test, f"test {last}")
    if used != set(notes):
        raise Fault(f"flags and notes differ: {sorted(used ^ set(notes))}")


def beside(value, where):
    """Text beside bytes (key, key_hex) must be there exactly where the bytes are UTF-8, and say the same."""
    if isinstance(value, list):
        for item in value:
            beside(item, where)
    if not isinstance(value, dict):
        return
    for name, item in value.items():
        beside(item, where)
        if not name.endswith("_hex") or (name == "id_hex" and "comment" in value):  # a test's own id is its number
            continue
        text = value.get(name.removesuffix("_hex"))
        if isinstance(item, dict):
            want = {key: readable(raw) for key, raw in item.items()}
            want = None if None in want.values() else want
        elif isinstance(item, str):
            want = readable(item)
        else:
            continue
        if text != want:
            raise Fault(f"{where}: {name} and the text beside it differ")


def readable(digits):
    try:
        return bytes.fromhex(digits).decode()
    except UnicodeDecodeError:
        return None


def lost(name, old, new):
    """Says what of the old file the new one lacks or changes; None where it only adds."""
    if name.endswith(".tsv"):
        return lost_lines(old.splitlines(), new.splitlines())
    try:
        before, after = json.loads(old), json.loads(new)
        kept = {test["id"]: test for test in after["tests"]}
        for test in before["tests"]:
            if test["id"] not in kept:
                return f"test {test['id']} would vanish"
            if kept[test["id"]] != test:
                return f"test {test['id']} would change"
        for field, value in before.items():
            if field == "notes":
                gone = set(value) - set(after["notes"])
                if gone:
                    return f"notes would vanish: {sorted(gone)}"
            elif field not in ("tests", "numberOfTests") and after.get(field) != value:
                return f"{field} would change"
    except (ValueError, KeyError, TypeError):
        return "the file on disk is no such document"
    return None


def lost_lines(old, new):
    if old[:1] != new[:1]:
        return "the columns would change"
    gone = set(old) - set(new)
    return f"{len(gone)} lines would change or vanish" if gone else None
