"""Layouts, positions, plans and rolling changes: SPEC.md sections 10, 11 and 14, written for clarity."""

import functools
import math
import re
from fractions import Fraction

from .spec import MAX_SIZE

NUMBER = re.compile(rb"0|[1-9][0-9]*")
MAX_GENERATIONS = 256
MAX_64 = 2**64 - 1


class Refused(Exception):
    """kind is the class of the error, as README.md lists them."""

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


def number(text):
    if not NUMBER.fullmatch(text):
        raise Refused("text")
    return int(text)


def highest(equals):
    return equals[-1]


@functools.cache
def deal(slots, members, among_equals=highest, of_slots=highest):  # [10.3]
    """The holder of each slot. The choices are parameters so that tests can make them wrongly."""
    hands = [list(range(slots))]
    for p in range(2, members + 1):
        hand = []
        for _ in range(slots // p):
            most = max(map(len, hands))
            giver = among_equals([h for h in hands if len(h) == most])
            taken = of_slots(giver)
            giver.remove(taken)
            hand.append(taken)
        hands.append(sorted(hand))
    holders = [None] * slots
    for member, hand in enumerate(hands):
        for slot in hand:
            holders[slot] = member
    return holders


def layout(text):  # [10.1]
    """The holder of each slot of a layout's text."""
    slots, slash, members = text.partition(b"/")
    slots = number(slots)
    members = number(members) if slash else None
    if not 1 <= slots <= MAX_SIZE:
        raise Refused("slots")
    if members is None:
        return list(range(slots))
    if not 1 <= members <= slots:
        raise Refused("members")
    return deal(slots, members)


def position(text):  # [11.1]
    first, dash, second = text.partition(b"-")
    pair = number(first), number(second) if dash else 0
    if max(pair) > MAX_64:
        raise Refused("text")
    return pair


def position_text(pair):
    return str(pair[0]) + (f"-{pair[1]}" if pair[1] else "")


class Plan:  # [11.2]
    def __init__(self, generations):
        self.generations = generations  # (text of the layout, holders, position)

    def text(self):  # [11.3]
        first, *rest = self.generations
        return ",".join([first[0], *(f"{name}@{position_text(at)}" for name, _, at in rest)]).encode()

    def members(self):
        return 1 + max(max(holders) for _, holders, _ in self.generations)

    def generation(self, at):  # [11.4]
        return max(i for i, (_, _, begins) in enumerate(self.generations) if begins <= at)

    def owner(self, at, h):
        holders = self.generations[self.generation(at)][1]
        return holders[h % len(holders)]

    def life(self, member):  # [11.6]
        """(start, end or None) of a member."""
        has = [i for i, (_, holders, _) in enumerate(self.generations) if member in holders]
        after = has[-1] + 1
        return self.generations[has[0]][2], self.generations[after][2] if after < len(self.generations) else None

    def first(self, member):
        """(text of the layout, slots) of the first generation that has the member."""
        for name, holders, _ in self.generations:
            if member in holders:
                return name, [slot for slot, holder in enumerate(holders) if holder == member]
        raise ValueError(member)

    def extends(self, other):  # [11.5]
        return self.generations[: len(other.generations)] == other.generations

    def adopt(self, following, delivered):
        """What a member that lives by self does with another plan."""
        if not following.extends(self):
            return "extend"
        more = following.generations[len(self.generations) :]
        return "delivered" if more and more[0][2] <= delivered else "adopted"

    def drained(self, member, at, h, committed):  # [11.8]
        for i in range(self.generation(at)):
            holders = self.generations[i][1]
            before = holders[h % len(holders)]
            if before != member and (before not in committed or committed[before] < self.generations[i + 1][2]):
                return False
        return True


def plan(text):
    """The Plan of a text."""
    generations = []
    items = text.split(b",")
    for i, item in enumerate(items):
        name, mark, at = item.partition(b"@")
        if (i > 0) != bool(mark):
            raise Refused("text")
        holders = layout(name)
        at = position(at) if mark else (0, 0)
        if i > 0 and at <= generations[-1][2]:
            raise Refused("position")
        if i > 0 and name.decode() == generations[-1][0]:
            raise Refused("same")
        generations.append((name.decode(), holders, at))
    if len(items) > MAX_GENERATIONS:
        raise Refused("length")
    return Plan(generations)


class Change:
    """A rolling change between two layouts, given as the holders of their slots. [14]"""

    def __init__(self, before, after):
        self.total = math.lcm(len(before), len(after))
        self.pairs = {}  # (member before, member after): residues
        for r in range(self.total):
            pair = before[r % len(before)], after[r % len(after)]
            self.pairs[pair] = self.pairs.get(pair, 0) + 1
        self.before, self.after = set(before), set(after)

    def share(self, count):
        return Fraction(count, self.total)

    def moved(self):
        return self.share(sum(n for (a, b), n in self.pairs.items() if a != b))

    def least(self):  # [14.6]
        gains = 0
        for member in self.after:
            has = sum(n for (a, _), n in self.pairs.items() if a == member)
            gets = sum(n for (_, b), n in self.pairs.items() if b == member)
            gains += max(0, gets - has)
        return self.share(gains)

    def action(self, member):
        if member not in self.before:
            return "join"
        return "flip" if member in self.after else "leave"

    def takers(self, member):  # [14.3]
        return sorted({b for a, b in self.pairs if a == member and b != member})

    def steps(self, order):  # [14.2]
        stepped = set()
        for member in order:
            stepped.add(member)
            owners = {(a, b): (a not in stepped) + (b in stepped) for a, b in self.pairs}
            yield {
                "member": member,
                "action": self.action(member),
                "after": self.takers(member),
                "unowned": str(self.share(sum(self.pairs[pair] for pair, n in owners.items() if n == 0))),
                "doubled": str(self.share(sum(self.pairs[pair] for pair, n in owners.items() if n == 2))),
            }

    def order(self):  # [14.4]
        """The recommended order, and whether it is safe."""
        ranks = ["join", "flip", "leave"]
        waiting = sorted(self.before | self.after, key=lambda m: (ranks.index(self.action(m)), m))
        takers = {member: set(self.takers(member)) for member in waiting}
        everyone, order = list(waiting), []
        while waiting:
            free = [member for member in waiting if takers[member] <= set(order)]
            if not free:
                return everyone, False
            order.append(free[0])
            waiting.remove(free[0])
        return order, True
