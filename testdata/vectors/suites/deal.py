"""deal.v1: slots dealt to members."""

import hashlib

from vectorkit.resize import deal
from vectorkit.tests import Tests, document, prove

NOTES = {
    "few": "Every holder is written out: begin with these.",
    "lowest-member": "Catches taking from the lowest-numbered member among those that have most.",
    "lowest-slot": "Catches taking the lowest slot of the member that has most.",
    "ranges": "Catches slots given out in consecutive ranges: they balance, and most of them move at every change.",
    "modulo": "Catches slot mod members: it balances, and most slots move at every change.",
}

# Append only: ids count on from the last. Slots up to LISTED have their holders written out.
FIRST_SLOTS = [1, 2, 3, 7, 8, 10, 12, 60, 64, 100, 360, 1000, 1024]
FIRST_MEMBERS = {1, 2, 3, 4, 5, 7, 8, 12, 13, 15, 16, 24, 60, 64, 100, 128}
LISTED = 64

MORE = [
    (160, [40, 120, 160]),  # a jump that moves too much if the choice among equals is wrong
    (360, [2, 6, 9, 10, 11, 14, 18, 20, 30, 36, 40, 45, 72, 90, 120, 180, 359, 360]),
    (1000, [333, 999, 1000]),
    (1024, [6, 9, 255, 256, 257, 511, 512, 513, 1000, 1023, 1024]),
    (97, [6, 48, 49, 96, 97]),
    (37, list(range(1, 38))),
]


def rows():
    for slots in FIRST_SLOTS:
        for members in sorted(FIRST_MEMBERS | {min(slots, 128)}):
            if members <= slots:
                yield slots, members
    for slots, numbers in MORE:
        for members in numbers:
            yield slots, members


def digest(holders):
    return hashlib.sha256(",".join(map(str, holders)).encode()).hexdigest()


def lowest(items):
    return items[0]


MUTANTS = {
    "lowest-member": lambda s, p: deal(s, p, among_equals=lowest),
    "lowest-slot": lambda s, p: deal(s, p, of_slots=lowest),
    "ranges": lambda s, p: [slot * p // s for slot in range(s)],
    "modulo": lambda s, p: [slot % p for slot in range(s)],
}


def deal_v1():
    t = Tests()
    for slots, members in rows():
        holders = deal(slots, members)
        flags = ["few"] if slots <= LISTED else []
        if slots <= 360:
            flags += [flag for flag, wrong in MUTANTS.items() if wrong(slots, members) != holders]
        t.add(f"{slots} slots, {members} member{'s' * (members > 1)}", "10.3", flags, slots=slots, holders=members,
              sha256=digest(holders), holder_of_slot=holders if slots <= LISTED else None)
    prove(t, lambda row: row["sha256"], {flag: lambda row, wrong=wrong: digest(wrong(row["slots"], row["holders"])) for flag, wrong in MUTANTS.items()})
    return document("deal.v1", t, NOTES, algorithm="deal")


FILES = {"deal.v1": deal_v1}
