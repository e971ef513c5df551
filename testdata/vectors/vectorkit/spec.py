"""The rule, read from SPEC.md and written for clarity. Numbers in brackets are its sections.

Nothing here knows any other implementation: where two disagree, SPEC.md decides."""

import re

MAX_SIZE = 1024
MAX_NAME = 64
COMMAND_PATTERN = b"wrk.*.command.*"


def fnv1a32(data, state=2166136261):  # [3.2]
    for byte in data:
        state = ((state ^ byte) * 16777619) % 2**32
    return state


def fmix32(h):  # [3.3]
    h ^= h >> 16
    h = h * 0x85EBCA6B % 2**32
    h ^= h >> 13
    h = h * 0xC2B2AE35 % 2**32
    return h ^ h >> 16


def hash32(key):
    return fmix32(fnv1a32(key))


def is_name(name):  # [4.1]
    return re.fullmatch(rb"[A-Za-z0-9._-]{1,64}", name) is not None


def matches(pattern, topic):  # [5.3]
    def fits(want, have):
        if want[:1] == [b">"] and len(want) == 1:
            return len(have) >= 1 and all(have)
        if not want or not have:
            return want == have
        one = have[0] != b"" if want[0] == b"*" else want[0] == have[0]
        return one and fits(want[1:], have[1:])

    return fits(pattern.split(b"."), topic.split(b"."))


def default_key(subject, id_):  # [2.1] [2.2]; None is absent
    return subject or id_ or None


def is_command(topic):  # [5.2]
    tokens = topic.split(b".")
    return len(tokens) == 4 and all(tokens) and tokens[0] == b"wrk" and tokens[2] == b"command"


def route(topic, subject, id_):
    """("command" | "key" | "none", key or None) under the default rule."""
    key = default_key(subject, id_)
    if is_command(topic or b""):  # [5.4]
        return "command", key
    return ("key" if key else "none"), key


def verdict(kind, key, size, held):  # [7.1]; size None is dedicated
    """(verdict, slot or None, hash or None): hash is that of the key, of the empty key where there is none."""
    if kind == "command":
        return "bypass", None, None
    h = hash32(key if kind == "key" else b"")
    if size is None:
        return "own", None, h
    slot = h % size
    if kind == "none":
        return ("malformed" if slot in held else "foreign"), slot, h
    return ("own" if slot in held else "foreign"), slot, h
