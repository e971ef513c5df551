"""simulate.v1: what rolling changes do to the keys, step by step."""

from vectorkit.resize import Change, layout
from vectorkit.tests import Tests, document

NOTES = {
    "safe": "No step leaves a key without an owner. Catches newcomers that do not come first, and those who leave too early.",
    "unsafe": "No order is safe. Catches shares of slots taken for shares of keys: sizes that are no multiples of each other cross.",
    "order": "The order is given. Catches a result that does not depend on it.",
    "deal": "Slots are dealt.",
    "large": "The least common multiple of the sizes is large.",
}

CHANGES = [  # comment, from, to, order (None: the recommended one)
    ("one more", "3", "4", None),
    ("two more", "3", "5", None),
    ("10 to 11", "10", "11", None),
    ("twice as many", "4", "8", None),
    ("twice as many, of three", "3", "6", None),
    ("half as many", "6", "3", None),
    ("one less", "4", "3", None),
    ("from one", "1", "5", None),
    ("to one", "5", "1", None),
    ("no change", "7", "7", None),
    ("no multiple, with a common divisor", "4", "6", None),
    ("a deal grows", "360/12", "360/15", None),
    ("a deal shrinks", "360/15", "360/12", None),
    ("a deal grows by one", "360/12", "360/13", None),
    ("a deal from 3 to 5", "360/3", "360/5", None),
    ("a small deal", "7/3", "7/5", None),
    ("a deal of another number of slots", "12/3", "18/3", None),
    ("a deal of twice the slots", "12/3", "24/3", None),
    ("from a size to a deal of it", "6", "6/3", None),
    ("from a deal to its slots", "6/3", "6", None),
    ("from a size to the deal with as many members", "3", "3/3", None),
    ("old members first", "3", "6", [0, 1, 2, 3, 4, 5]),
    ("one old member first", "3", "6", [1, 3, 4, 5, 0, 2]),
    ("each newcomer before its giver", "3", "6", [3, 0, 4, 1, 5, 2]),
    ("those who leave first", "6", "3", [5, 4, 3, 2, 1, 0]),
    ("newcomers last", "3", "4", [0, 1, 2, 3]),
    ("a newcomer in the middle", "3", "4", [2, 3, 0, 1]),
    ("a deal, old members first", "12/3", "12/5", [0, 1, 2, 3, 4]),
    ("sizes without a common divisor", "60", "59", None),
    ("the largest deal by one", "1024/31", "1024/32", None),
]


def simulate_v1():
    t = Tests()
    for comment, before, after, order in CHANGES:
        change = Change(layout(before.encode()), layout(after.encode()))
        best, safe = change.order()
        flags = ["safe" if safe else "unsafe"]
        flags += ["order"] if order else []
        flags += ["deal"] if "/" in before + after else []
        flags += ["large"] if change.total > 1000 else []
        steps = list(change.steps(order or best))
        gap = any(step["unowned"] != "0" for step in steps)
        if not order:
            assert gap != safe, (before, after)
        fields = {"from": before, "to": after, "order": order, "moved": str(change.moved()), "least": str(change.least()),
                  "safe": not gap, "steps": steps}
        t.add(comment, "14.2" if order else "14.4", flags, **fields)
    return document("simulate.v1", t, NOTES, algorithm="simulate")


FILES = {"simulate.v1": simulate_v1}
