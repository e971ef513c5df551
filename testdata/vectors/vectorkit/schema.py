"""A validator for the keywords of JSON Schema 2020-12 that the schemas here use. An unknown keyword is a fault, not ignored."""

import json
import re

from .check import Fault

ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description"}
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}


def load(path):
    if not path.exists():
        raise Fault(f"there is no {path.name}")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise Fault(f"{path.name}: {error}") from None


def validate(root, value):
    """Raises Fault where value breaks the schema root."""
    check(root, root, value, "document")


def check(root, node, value, where):
    if isinstance(node, bool):
        if not node:
            raise Fault(f"{where}: nothing may stand here")
        return
    for keyword, rule in node.items():
        if keyword not in ANNOTATIONS:
            if keyword not in KEYWORDS:
                raise Fault(f"{where}: the schema uses {keyword}, which the validator does not know")
            KEYWORDS[keyword](root, node, rule, value, where)


def fail_unless(good, where, value, why):
    if not good:
        raise Fault(f"{where}: {json.dumps(value)[:80]} {why}")


def has_type(name, value):
    return isinstance(value, TYPES[name]) and not (name == "integer" and isinstance(value, bool))


def ref(root, _node, rule, value, where):
    check(root, root["$defs"][rule.removeprefix("#/$defs/")], value, where)


def type_of(_root, _node, rule, value, where):
    names = rule if isinstance(rule, list) else [rule]
    fail_unless(any(has_type(name, value) for name in names), where, value, f"is not of type {rule}")


def properties(root, _node, rule, value, where):
    if isinstance(value, dict):
        for name in rule.keys() & value.keys():
            check(root, rule[name], value[name], f"{where}.{name}")


def additional(root, node, rule, value, where):
    if isinstance(value, dict):
        for name in value.keys() - node.get("properties", {}).keys():
            check(root, rule, value[name], f"{where}.{name}")


def property_names(root, _node, rule, value, where):
    if isinstance(value, dict):
        for name in value:
            check(root, rule, name, f"{where}: the name {name}")


def items(root, _node, rule, value, where):
    if isinstance(value, list):
        for i, item in enumerate(value):
            check(root, rule, item, f"{where}[{i}]")


def any_of(root, _node, rule, value, where):
    faults = []
    for choice in rule:
        try:
            return check(root, choice, value, where)
        except Fault as fault:
            faults.append(str(fault))
    raise Fault(" or ".join(faults))


def dependent(_root, _node, rule, value, where):
    if isinstance(value, dict):
        for name, needed in rule.items():
            missing = set(needed) - value.keys()
            fail_unless(name not in value or not missing, where, value, f"has {name} and lacks {sorted(missing)}")


def simple(kinds, test, why):
    """A keyword that only concerns values of the given types."""

    def keyword(_root, _node, rule, value, where):
        if isinstance(value, kinds) and not isinstance(value, bool):
            fail_unless(test(value, rule), where, value, why.format(rule))

    return keyword


KEYWORDS = {
    "$ref": ref,
    "type": type_of,
    "properties": properties,
    "additionalProperties": additional,
    "propertyNames": property_names,
    "items": items,
    "anyOf": any_of,
    "dependentRequired": dependent,
    "required": simple(dict, lambda v, r: set(r) <= v.keys(), "lacks one of {}"),
    "const": lambda _root, _node, rule, value, where: fail_unless(value == rule, where, value, f"is not {rule!r}"),
    "enum": lambda _root, _node, rule, value, where: fail_unless(value in rule, where, value, f"is none of {rule}"),
    "pattern": simple(str, lambda v, r: re.search(r, v) is not None, "does not match {}"),
    "minLength": simple(str, lambda v, r: len(v) >= r, "is shorter than {}"),
    "maxLength": simple(str, lambda v, r: len(v) <= r, "is longer than {}"),
    "minimum": simple(int, lambda v, r: v >= r, "is below {}"),
    "maximum": simple(int, lambda v, r: v <= r, "is above {}"),
    "minItems": simple(list, lambda v, r: len(v) >= r, "has fewer items than {}"),
    "maxItems": simple(list, lambda v, r: len(v) <= r, "has more items than {}"),
    "uniqueItems": simple(list, lambda v, r: not r or len({json.dumps(i) for i in v}) == len(v), "has an item twice"),
    "minProperties": simple(dict, lambda v, r: len(v) >= r, "has fewer members than {}"),
}
