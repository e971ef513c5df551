"""verdict.v1: what members say to events."""

from vectorkit import member, rule
from vectorkit.spec import verdict
from vectorkit.tests import Tests, document, octets, prove

NOTES = {
    "own": "The member holds the slot.",
    "foreign": "Another member holds the slot.",
    "bypass": "A command. Catches a command that is filtered by its key, or dropped for lack of one.",
    "dedicated": "A member without a group. Catches a slot computed where there is none, and events without a key that are refused.",
    "malformed": "No key. Catches every member answering for the event, and none.",
    "none": "A member that holds no slot.",
    "set": "A member that holds several slots. Catches a single index kept of them.",
    "signed-modulo": "The hash is above 0x7fffffff.",
    "rule": "Another rule than the default.",
}

FULL = [  # members that hold every slot of a group exactly once
    ["solo:0/1"],
    ["pairs:0/3", "pairs:1/3", "pairs:2/3"],
    ["mixed:0-1,4/5", "mixed:2/5", "mixed:3/5", "mixed:none/5"],
    ["big:0-511/1024", "big:512-1023/1024"],
]

# comment, flags, rule (None: the default), topic, subject, id
EVENTS = [
    ("a subject", [], None, "orders", "order-7", "e1"),
    ("the same subject, another id and topic", [], None, "trades", "order-7", "e2"),
    ("an id", [], None, "orders", None, "e1"),
    ("hash 0", [], None, "orders", "order-14r8u4", "e1"),
    ("hash 0x7fffffff", [], None, "orders", "order-5RzW9o", "e1"),
    ("hash 0x80000000", [], None, "orders", "order-2qsTG5", "e1"),
    ("hash 0xffffffff", [], None, "orders", "order-0FLZ61", "e1"),
    ("a composed letter", [], None, "orders", "\xe9", "e1"),
    ("the same letter, decomposed", [], None, "orders", "e\u0301", "e1"),
    ("a key that is no UTF-8", [], None, "orders", b"\xff", "e1"),
    ("no key", ["malformed"], None, "orders", None, None),
    ("an empty subject and id", ["malformed"], None, "", "", ""),
    ("a command", ["bypass"], None, "wrk.demo.command.7", "order-7", "e1"),
    ("a command without key", ["bypass"], None, "wrk.demo.command.7", None, None),
    ("nearly a command", [], None, "wrk.demo.command.", "order-7", "e1"),
    ("a command of another rule", ["bypass", "rule"], "subject,id bypass=ctl.>", "ctl.stop.now", "order-7", "e1"),
    ("no command under another rule", ["rule"], "subject,id bypass=ctl.>", "wrk.demo.command.7", "order-7", "e1"),
    ("the id alone is the key", ["rule"], "id", "orders", "order-7", "e1"),
    ("a joined key", ["rule"], "subject+id", "orders", "order-7", "e1"),
    ("a token of the topic is the key", ["rule"], "topic[1]", "eu.orders.7", "order-7", "e1"),
    ("a token that is not there", ["malformed", "rule"], "topic[3]", "eu.orders.7", "order-7", "e1"),
    ("an attribute that nobody fetched", ["malformed", "rule"], "partitionkey,subject", "orders", "order-7", "e1"),
]


def section(kind, has_key):
    return "5.4" if kind == "bypass" else "7.1" if has_key else "7.3"


def raw(value):
    return value.encode() if isinstance(value, str) else value


def judge(text, rule_text, topic, subject, id_):
    group, size, held = member.parse(text.encode())
    r = rule.parse((rule_text or "subject,id").encode())
    kind, key = r.route({"topic": raw(topic), "subject": raw(subject), "id": raw(id_)})
    return group, size, held, key, verdict(kind, key, size, held)


def add(t, text, comment, flags, rule_text, topic, subject, id_):
    group, size, held, key, (kind, slot, h) = judge(text, rule_text, topic, subject, id_)
    flags = list(flags)
    if group is None:
        flags.append("dedicated")
    else:
        flags += [kind] if kind in ("own", "foreign") else []
        flags += ["set"] if len(held) > 1 else ["none"] if not held else []
        flags += ["signed-modulo"] if h is not None and signed_slot(h, size) != slot else []
    canonical = rule.parse(rule_text.encode()).text() if rule_text else None
    t.add(comment, section(kind, key), flags, **octets(member=text, group=group), size=size, slots=held,
          **octets(rule=canonical), event=octets(topic=topic, subject=subject, id=id_),
          verdict=kind, slot=slot, hash=None if h is None else f"{h:08x}", admit=kind != "foreign")
    return kind


def signed_slot(h, size):
    value = h - 2**32 if h >= 2**31 else h
    return -(-value % size) if value < 0 else value % size


def result(row):
    return row["verdict"], row.get("slot")


def by_the_first_slot(row):
    kept = row["slots"][:1]
    mine = row.get("slot") in kept
    other = {"own": "foreign", "malformed": "foreign"}
    return (row["verdict"] if mine or row["verdict"] not in other else other[row["verdict"]]), row.get("slot")


def every_member_answers(row):
    return "malformed", row.get("slot")


def no_member_answers(row):
    return "foreign", row.get("slot")


def filtered_commands(row):
    return "foreign", 0


def verdict_v1():
    t = Tests()
    for texts in FULL:
        for event in EVENTS:
            kinds = [add(t, text, *event) for text in texts]
            admitting = sum(kind != "foreign" for kind in kinds)
            assert admitting == (len(texts) if "bypass" in event[1] else 1), (texts, event)  # [7.4]
    for event in EVENTS:
        add(t, "dedicated", *event)
    for slot in (0, 1, 359):
        add(t, f"g:{slot}/360", *EVENTS[0])
    prove(t, result, {"bypass": filtered_commands})
    answering = Tests()
    answering.rows = [row for row in t.rows if "malformed" in row["flags"] and row["verdict"] == "foreign"]
    prove(answering, result, {"malformed": every_member_answers})
    answering.rows = [row for row in t.rows if "malformed" in row["flags"] and row["verdict"] == "malformed"]
    prove(answering, result, {"malformed": no_member_answers})
    assert any(result(row) != by_the_first_slot(row) for row in t.rows if "set" in row["flags"])
    return document("verdict.v1", t, NOTES)


FILES = {"verdict.v1": verdict_v1}
