"""Texts and places of members: SPEC.md sections 4 and 8."""

import re

from .spec import MAX_SIZE, is_name

NUMBER = re.compile(rb"0|[1-9][0-9]*")


class Refused(Exception):
    """kind is the class of the error, as README.md lists them."""

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


def place(group, size, index):
    """(group, size, [index]) of a configuration, (None, None, []) for none; each value may be None, that is, missing."""
    if group is size is index is None:
        return None, None, []
    if None in (group, size, index):
        raise Refused("incomplete")  # [4.4]
    return seat(group, size, [index])


def seat(group, size, slots):
    if not is_name(group):
        raise Refused("group")  # [4.1]
    if not 1 <= size <= MAX_SIZE:
        raise Refused("size")  # [4.2]
    if not all(0 <= slot < size for slot in slots):
        raise Refused("index")
    if len(set(slots)) < len(slots):
        raise Refused("twice")  # [4.5]
    return group, size, sorted(slots)


def parse(text):  # [8.1] [8.2] [8.3]
    """(group, size, slots) of a member's text."""
    if text == b"dedicated":
        return None, None, []
    group, colon, rest = text.partition(b":")
    listed, slash, size = rest.partition(b"/")
    if not colon or not slash:
        raise Refused("text")
    size = number(size)
    ranges = []
    for item in [] if listed == b"none" else listed.split(b","):
        first, dash, last = item.partition(b"-")
        first = number(first)
        last = number(last) if dash else first
        if dash and last <= first:
            raise Refused("text")
        ranges.append((first, last))
    seat(group, size, [])
    if any(last >= size for _, last in ranges):
        raise Refused("index")  # before a range is written out
    return seat(group, size, [slot for first, last in ranges for slot in range(first, last + 1)])


def number(text):
    if not NUMBER.fullmatch(text):
        raise Refused("text")
    return int(text)


def text(group, size, slots):
    """The canonical text."""
    if group is None:
        return b"dedicated"
    runs = []
    for slot in slots:
        if runs and slot == runs[-1][1] + 1:
            runs[-1][1] = slot
        else:
            runs.append([slot, slot])
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in runs]
    return b"%s:%s/%d" % (group, (",".join(shown) or "none").encode(), size)
