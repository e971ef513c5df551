"""Speaks the protocol of docs/conformance.md for slotkey.py."""

import platform
import sys


import peek
import slotkey


def key(field):
    """A str where the bytes are UTF-8, as in a service; else the bytes; None where the field is absent."""
    if field == "-":
        return None
    data = bytes.fromhex(field)
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def show(key):
    return "-" if key is None else slotkey.encode(key).hex()


def hashes(key):
    state = slotkey.fnv1a32(slotkey.encode(key))
    return f"{state:08x}\t{slotkey.fmix32(state):08x}"


def answer(operation, fields):
    match operation, fields:
        case "hash", [k]:
            return hashes(key(k))
        case "slot", [k, size]:
            k = key(k)
            return f"{hashes(k)}\t{slotkey.slot(k, int(size))}"
        case "owns", [k, size, index]:
            return "true" if slotkey.owns(key(k), int(size), int(index)) else "false"
        case "key", [subject, id]:
            return show(slotkey.routing_key(key(subject), key(id)))
        case "deal", [slots, members]:
            return ",".join(map(str, slotkey.deal(int(slots), int(members))))
        case "json", [body]:
            return show(peek.routing_key(bytes.fromhex(body)))
    raise ValueError("unknown request")


print(f"slotkey-port/1\tPython\t{platform.python_version()}\tnul bytes deal json", flush=True)
for line in sys.stdin:
    number, operation, *fields = line.rstrip("\n").split("\t")
    try:
        print(number, answer(operation, fields), sep="\t")
    except ValueError as error:
        print(number, "error", error, sep="\t")
