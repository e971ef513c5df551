"""The two forms of a document: JSON with one test a line, and TSV for languages without a JSON parser."""

import json

from .check import Fault

ABSENT = "-"
EMPTY = '""'


def to_json(document):
    """Pure ASCII; every header field and every test has a line of its own."""
    lines = []
    for name, value in document.items():
        if name == "tests":
            rows = ",\n".join(one_line(test) for test in value)
            lines.append(f'"tests": [\n{rows}\n]')
        elif name == "notes":
            notes = ",\n".join(f"  {one_line(flag)}: {one_line(note)}" for flag, note in sorted(value.items()))
            lines.append('"notes": {\n' + notes + "\n}")
        else:
            lines.append(f"{one_line(name)}: {one_line(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def one_line(value):
    return json.dumps(value, ensure_ascii=True, separators=(", ", ": "))


def to_tsv(document, rules):
    """A header line and a line for each test; the columns are those of the schema, in its order."""
    paths = columns(rules, rules["properties"]["tests"]["items"])
    lines = ["\t".join(".".join(path) for path in paths)]
    for test in document["tests"]:
        try:
            lines.append("\t".join(cell(test, path) for path in paths))
        except Fault as fault:
            raise Fault(f"test {test['id']}: {fault}") from None
    return "\n".join(lines) + "\n"


def columns(rules, node, prefix=()):
    """The paths of all fields; text that stands beside its bytes is left out. A name that ends in [] is a list of objects."""
    paths = []
    fields = node["properties"]
    for name, field in fields.items():
        if f"{name}_hex" in fields and (prefix or name != "id"):  # a test's own id is its number
            continue
        field = resolve(rules, field)
        items = resolve(rules, field.get("items", {}))
        if "properties" in field:
            paths += columns(rules, field, (*prefix, name))
        elif "properties" in items:
            paths += columns(rules, items, (*prefix, f"{name}[]"))
        else:
            paths.append((*prefix, name))
    return paths


def resolve(rules, node):
    return rules["$defs"][node["$ref"].removeprefix("#/$defs/")] if "$ref" in node else node


def cell(value, path):
    """The field of one test; value is the test, and path leads to what stands in it."""
    for i, name in enumerate(path):
        if value is None:
            return ABSENT
        if name.endswith("[]"):
            items = value.get(name.removesuffix("[]"))
            if items is None:
                return ABSENT
            return ";".join(field_of(item, path[i + 1 :]) for item in items) or EMPTY
        value = value.get(name)
    return field(value, "")


def field_of(item, path):
    """What one object of a list contributes to a column."""
    for name in path:
        item = None if item is None else item.get(name)
    return field(item, ";")


def field(value, separators):
    """A list is joined by commas, a list of lists by semicolons, a map is name=value,…"""
    if value is None:
        return ABSENT
    if value in ("", [], {}):
        return EMPTY
    if isinstance(value, dict):
        return ",".join(f"{plain(name, ',=;')}={scalar(item, ',=;')}" for name, item in sorted(value.items()))
    if not isinstance(value, list):
        return scalar(value, separators)
    if any(isinstance(item, list) for item in value) and not separators:
        return ";".join(",".join(scalar(part, ",;") for part in item) or EMPTY for item in value)
    return ",".join(scalar(item, ",;") for item in value)


def scalar(value, separators):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return plain(value, separators) if value else EMPTY
    raise Fault(f"{value!r} has no form in a TSV field")


def plain(text, separators):
    """Text that a TSV field can hold as it is; anything else belongs into a _hex field."""
    if text in (ABSENT, EMPTY) or not text.isascii() or not text.isprintable() or any(s in text for s in separators):
        raise Fault(f"{text!r} cannot stand in a TSV field: give it as bytes in a field whose name ends in _hex")
    return text
