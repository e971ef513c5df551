"""audit.v1: fleets of announcements, and what is to be found in them."""

from vectorkit.audit import audit
from vectorkit.tests import Tests, document, prove

NOTES = {
    "healthy": "Nothing is to be found. Catches audits that cry wolf.",
    "missing": "Slots without a member.",
    "doubled": "Slots with several members.",
    "joined-names": "Names with dashes and dots. Catches group and worker joined to one text: different workers would replace each other.",
    "topic-blind": "Members of one group on different topics. Catches slots compared across topics.",
    "topics-as-text": "Patterns. Catches topics compared as texts: what patterns share is not seen.",
    "commands-count": "Topics of commands alone, one for each member. Catches coverage asked of topics that are not divided.",
    "size-blind": "Members of different sizes. Catches slots compared by number alone.",
    "rule-blind": "Members with different rules. Catches audits that know only slots.",
    "rule-as-written": "One rule in two texts. Catches comparing texts that are not canonical.",
    "plan-blind": "Members with different plans. Catches audits that see no danger before the switch.",
    "plan-as-written": "One plan in two texts. Catches comparing texts that are not canonical.",
    "generation-blind": "Members on both sides of a switch. Catches slots compared across generations.",
    "restart-is-double": "A restart. Catches taking every incarnation for a running one.",
    "newest-wins": "Two incarnations that both run. Catches taking the newer for the only one.",
    "dead-count": "Announcements that are too old. Catches counting the dead.",
    "wraps": "Slots that the size does not have. Catches taking them modulo the size.",
    "short-commands": "A pattern of which only the shorter topics are commands. Catches audits that take it for commands alone.",
}

RULE = "fnv1a32-fmix32 subject,id"
PERCENT = RULE + " percent"
SHORT = " bypass=ctl.*,ctl.*.*,ctl.*.*.*"
NOW, TTL = 1000, 15


def say(worker, size, slots, group="pairs", topics=("ticks",), rule=RULE, started=100, seen=999, incarnation=None, **rest):
    """An announcement; without size that of a dedicated worker."""
    place = {} if size is None else {"group": group, "size": size, "slots": list(slots)}
    return {
        "worker": worker,
        "incarnation": incarnation or f"i{started}",
        "rule": rule,
        **place,
        "topics": list(topics),
        **rest,
        "started": started,
        "seen": seen,
    }


def one(size, *slots, prefix="w", **rest):
    """Members with a slot each: w0, w1, …"""
    return [say(f"{prefix}{i}", size, [s], **rest) for i, s in enumerate(slots)]


ROWS = [
    # comment, SPEC, flags, announcements
    ("a full group", "15.5", ["healthy"], one(3, 0, 1, 2)),
    ("nobody", "15.5", ["healthy"], []),
    ("a group of one", "15.5", ["healthy"], one(1, 0)),
    ("{0/3, 1/3}", "15.5", ["missing"], one(3, 0, 1)),
    ("{0/3, 0/3, 1/3, 2/3}", "15.5", ["doubled"], one(3, 0, 0, 1, 2)),
    ("{0/1, 0/3, 1/3, 2/3}", "15.6", ["size-blind"], [*one(1, 0, prefix="x"), *one(3, 0, 1, 2)]),
    ("{0/4, 1/5, 2/5, 3/5, 4/5}", "15.6", ["size-blind"], [*one(4, 0, prefix="x"), *one(5, 1, 2, 3, 4)]),
    ("{0, 1, 0, 1, 2, 3, 4} of 7", "15.5", ["missing", "doubled"], one(7, 0, 1, 0, 1, 2, 3, 4)),
    ("64 next to 32", "15.6", ["size-blind"], [*one(64, *range(64)), *one(32, *range(32), prefix="x")]),
    (
        "two live incarnations of one worker, after a forced deletion",
        "15.2",
        ["newest-wins", "doubled"],
        [say("web-0", 2, [0], started=100, seen=998), say("web-0", 2, [0], started=900, seen=999), say("web-1", 2, [1])],
    ),
    ("one member without percent-decoding", "15.6", ["rule-blind"], [*one(3, 0, 1, rule=PERCENT), say("old", 3, [2])]),
    ("every worker has index 0", "15.5", ["missing", "doubled"], one(3, 0, 0, 0)),
    ("indexes from 1", "15.3", ["wraps", "missing"], one(3, 1, 2, 3)),
    ("slots outside on both ends", "15.3", ["wraps"], [say("a", 2, [-1, 0, 1, 2, 7])]),
    ("slots dealt to two", "15.5", ["healthy"], [say("a", 12, range(6)), say("b", 12, range(6, 12))]),
    ("slots dealt to two, with a gap and an overlap", "15.5", ["missing", "doubled"], [say("a", 12, range(6)), say("b", 12, range(5, 11))]),
    ("a member that owns nothing", "15.5", ["healthy"], [*one(2, 0, 1), say("x", 2, [])]),
    ("a dedicated worker", "15.5", ["healthy"], [*one(1, 0), say("solo", None, ())]),
    ("3 to 6, new members first: {3/6, 4/6} have joined", "15.6", ["size-blind"], [*one(3, 0, 1, 2), *one(6, 3, 4, prefix="x")]),
    ("3 to 4, new members first, at its worst for the unowned", "15.6", ["size-blind"], [say("w2", 3, [2]), *one(4, 0, 1, 3, prefix="x")]),
    ("three sizes", "15.6", ["size-blind"], [say("a", 2, [0]), say("b", 3, [1]), say("c", 5, [2])]),
    ("sizes whose common multiple is too large to count through", "15.6", ["size-blind"], [say("a", 1021, [0]), say("b", 1019, [0]), say("c", 1013, [0])]),
    ("different sizes, and a slot twice in one of them", "15.6", ["size-blind", "doubled"], [*one(2, 0, 0, 1), say("x", 3, [2])]),
    ("halves on two topics", "15.4", ["topic-blind", "missing"], [say("a", 2, [0]), say("b", 2, [1], topics=["trades"])]),
    ("two groups of one name on disjoint topics", "15.4", ["topic-blind"], [*one(1, 0), say("x", 2, [0], topics=["trades"]), say("y", 2, [1], topics=["trades"])]),
    ("equal findings on two topics are one", "15.4", ["missing"], one(3, 0, 1, topics=["ticks", "trades"])),
    ("a pattern and a topic within it", "15.4", ["topics-as-text", "doubled"], [say("a", 1, [0], topics=["ticks.>"]), say("b", 1, [0], topics=["ticks.eu"])]),
    ("a pattern covers a topic within it", "15.4", ["topics-as-text"], [say("a", 2, [0], topics=["ticks.eu"]), say("b", 2, [1], topics=["ticks.*"]), say("c", 2, [0], topics=["ticks.us"])]),
    ("patterns that cross", "15.4", ["topics-as-text", "doubled"], [say("a", 1, [0], topics=["ticks.*"]), say("b", 1, [0], topics=["*.eu"])]),
    ("patterns that share nothing", "15.4", ["healthy"], [say("a", 1, [0], topics=["ticks.*"]), say("b", 1, [0], topics=["ticks.*.*", "ticks"])]),
    ("topics of commands", "15.4", ["commands-count"], [say("a", 2, [0], topics=["ticks", "wrk.pairs.command.a"]), say("b", 2, [1], topics=["ticks", "wrk.pairs.command.b"])]),
    ("topics of commands under a rule of their own", "15.4", ["commands-count"], [say("a", 2, [0], topics=["ticks", "ctl.a"], rule=RULE + " bypass=ctl.*"), say("b", 2, [1], topics=["ticks", "ctl.b"], rule=RULE + " bypass=ctl.*")]),
    ("one rule, written in two ways", "15.3", ["rule-as-written"], [say("a", 2, [0]), say("b", 2, [1], rule="subject,id")]),
    ("two ways to bypass", "15.6", ["rule-blind"], [say("a", 2, [0]), say("b", 2, [1], rule=RULE + " bypass=ctl.*")]),
    ("a rule of another version, the same in all", "15.3", ["healthy"], one(2, 0, 1, rule="fnv2 subject")),
    ("names with dashes", "15.2", ["joined-names"], [say("c", 2, [0], group="a-b", started=100, seen=990), say("d", 2, [1], group="a-b"), say("b-c", 1, [0], group="a", started=995)]),
    ("one process in two groups", "15.2", ["healthy"], [say("w", 1, [0]), say("w", 1, [0], group="orders")]),
    ("a restart", "15.2", ["restart-is-double"], [say("w", 1, [0], started=100, seen=990), say("w", 1, [0], started=995)]),
    ("a restart at the moment at which the old one was last seen", "15.2", ["restart-is-double"], [say("w", 1, [0], started=100, seen=995), say("w", 1, [0], started=995)]),
    ("a restart with another index", "15.2", ["restart-is-double", "missing"], [say("w", 2, [0], started=100, seen=990), say("w", 2, [1], started=995)]),
    ("a restart on a node with a slow clock, stamped by the worker", "15.2", ["doubled"], [say("w", 1, [0], started=500, seen=990), say("w", 1, [0], started=400, seen=999)]),
    ("of two incarnations that ran together the newer has died", "15.2", ["newest-wins"], [say("w", 1, [0], started=100, seen=999), say("w", 1, [0], started=900, seen=950)]),
    ("three incarnations, each replaced", "15.2", ["restart-is-double"], [say("w", 1, [0], started=100, seen=990), say("w", 1, [0], started=991, seen=993), say("w", 1, [0], started=994)]),
    ("all workers have one name", "15.2", ["newest-wins"], [say("w", 3, [0], started=100), say("w", 3, [1], started=101), say("w", 3, [2], started=102)]),
    ("an older announcement of one incarnation", "15.2", ["healthy"], [say("w", 2, [1]), say("w", 2, [0], seen=990), say("x", 2, [0])]),
    ("one is dead", "15.2", ["dead-count", "missing"], [*one(3, 0, 1), say("x", 3, [2], seen=984)]),
    ("one was seen just in time", "15.2", ["healthy"], [*one(3, 0, 1), say("x", 3, [2], seen=985)]),
    ("one was seen in the future", "15.2", ["healthy"], [*one(3, 0, 1), say("x", 3, [2], seen=2000)]),
    ("all are dead", "15.5", ["dead-count", "missing"], [say("a", 2, [0], seen=900), say("b", 2, [1], seen=910)]),
    ("a dead member and its successor", "15.2", ["dead-count"], [say("a", 1, [0], seen=900), say("b", 1, [0])]),
    ("a dedicated worker is dead", "15.2", ["dead-count"], [say("solo", None, (), seen=900)]),
    ("one plan, before its switch", "15.7", ["healthy"], [say("a", 1, [0], plan="1,2@500", delivered="400"), say("b", 1, [], plan="1,2@500", delivered="450")]),
    ("one plan, in its switch", "15.7", ["generation-blind"], [say("a", 1, [0], plan="1,2@500", delivered="499"), say("b", 2, [1], plan="1,2@500", delivered="500")]),
    ("a deal in its switch", "15.7", ["generation-blind"], [say("a", 4, range(4), plan="4/1,4/2@500", delivered="499"), say("b", 4, [2, 3], plan="4/1,4/2@500", delivered="500")]),
    ("a switch at a position of two numbers", "15.7", ["generation-blind"], [say("a", 1, [0], plan="1,2@500-7", delivered="500-6"), say("b", 2, [1], plan="1,2@500-7", delivered="501")]),
    ("one plan, after its switch", "15.7", ["healthy"], [say("a", 2, [0], plan="1,2@500", delivered="501"), say("b", 2, [1], plan="1,2@500", delivered="500")]),
    ("one member lacks the plan", "15.7", ["plan-blind"], [say("a", 2, [0], plan="2", delivered="400"), say("b", 2, [1], plan="2,3@500", delivered="450")]),
    ("one member has no plan", "15.7", ["plan-blind"], [say("a", 2, [0]), say("b", 2, [1], plan="2,3@500", delivered="450")]),
    ("one member lacked the plan at the switch", "15.7", ["plan-blind", "size-blind"], [say("a", 1, [0], plan="1", delivered="600"), say("b", 2, [1], plan="1,2@500", delivered="600")]),
    ("double on one side of a switch", "15.7", ["doubled"], [say("a", 1, [0], plan="1,2@500", delivered="499"), say("b", 2, [1], plan="1,2@500", delivered="500"), say("c", 2, [1], plan="1,2@500", delivered="500")]),
    ("one plan, written in two ways", "15.3", ["plan-as-written"], [say("a", 2, [0], plan="2,3@500-0", delivered="400"), say("b", 2, [1], plan="2,3@500", delivered="400")]),
    ("short topics of a pattern are commands, longer ones are not", "15.4", ["short-commands"], [say("a", 1, [0], topics=["ctl.>"], rule=RULE + SHORT), say("b", 1, [0], topics=["ctl.>"], rule=RULE + SHORT)]),
    ("all topics of a pattern are commands", "15.4", ["healthy"], [say("a", 1, [0], topics=["ctl.>"], rule=RULE + SHORT + ",ctl.*.*.*.>"), say("b", 1, [0], topics=["ctl.>"], rule=RULE + SHORT + ",ctl.*.*.*.>")]),
]


def right(row, bug=None):
    return audit(row["now"], row["ttl"], row["announcements"], bug)


def bug(name):
    return lambda row: right(row, name)


def kind(name, row):
    """The findings without those of one kind: what an audit says that does not know it."""
    return [f for f in right(row) if f["kind"] != name]


def audit_v1():
    t = Tests()
    for comment, spec, flags, announcements in ROWS:
        row = {"now": NOW, "ttl": TTL, "announcements": announcements}
        t.add(comment, spec, flags, **row, findings=right(row))
    mutants = {flag: bug(flag) for flag in NOTES if flag not in ("healthy", "missing", "doubled")}
    mutants |= {name: (lambda row, name=name: kind(name, row)) for name in ("missing", "doubled")}
    mutants["healthy"] = lambda row: right(row) + ["wolf"]
    prove(t, right, mutants)
    for row in t.rows:
        assert ("healthy" in row["flags"]) <= (row["findings"] == []), row["comment"]
    return document("audit.v1", t, NOTES)


FILES = {"audit.v1": audit_v1}
