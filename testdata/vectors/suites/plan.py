"""plan.v1: texts of plans, who owns what at which position, and which plan may follow which. checkpoint.v1: keys of committed positions."""

import hashlib

from vectorkit import member, rule
from vectorkit.resize import MAX_GENERATIONS, Refused, layout, plan, position, position_text
from vectorkit.tests import Tests, document, octets

NOTES = {
    "canonical": "The text is already canonical: what reads it writes it back.",
    "rewritten": "Read, and written in another form.",
    "syntax": "No text of a plan. Catches readers that skip what they do not know, and parsers of numbers that take more than digits.",
    "range": "A size, a number of members or a number of generations out of range. Catches wrapping and clamping.",
    "falling": "Positions that do not rise. Catches sorting them, and comparing them as texts or as one number.",
    "owner": "Owners around each switch. Catches a switch one position late or early.",
    "absent": "A member that a generation lacks. Catches an index that is wrapped into the size.",
    "two-numbers": "Positions with two numbers.",
    "extend": "Another plan for a member that has one. Catches a plan that changes what others may have passed already.",
    "drain": "Whether the earlier events of a key are done.",
}

BORDER = [0, 1, 2, 3, 7, 11, 13, 29, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]  # hashes

VALID = [  # comment, text
    ("one generation", "3"),
    ("one deal", "360/12"),
    ("growing", "3,5@120000"),
    ("shrinking", "5,3@120000"),
    ("deals", "360/12,360/15@120000"),
    ("from one size to a deal", "3,360/5@120000"),
    ("growing and back", "3,5@100,3@200"),
    ("the same layout again, later", "3,3/3@1,3@2"),
    ("a member that is there, away, and there again", "3,2@100,3@200,1@300"),
    ("the ID of an entry in a Redis stream", "3,6@1526919030474-55,9@1526919030474-56"),
    ("neighbours in both numbers", "1,2@7,3@7-1,4@8"),
    ("the lowest position", "1,2@0-1"),
    ("the highest position", "1,2@18446744073709551615-18446744073709551615"),
    ("beyond 2^53 and 2^63", "2,3@9007199254740993,5@9223372036854775808"),
    ("the largest size", "1024,1024/1024@5"),
    ("a second number of 0", "3,5@120000-0"),
    ("as many generations as there may be", ",".join(["1"] + [f"{1 + i % 2}@{i}" for i in range(1, MAX_GENERATIONS)])),
]

INVALID = [  # comment, spec, flags, text
    ("the empty text", "11.3", ["syntax"], ""),
    ("a comma at the end", "11.3", ["syntax"], "3,"),
    ("a comma at the beginning", "11.3", ["syntax"], ",5@7"),
    ("an empty generation", "11.3", ["syntax"], "3,,5@7"),
    ("a space", "11.3", ["syntax"], "3, 5@7"),
    ("a newline behind", "11.3", ["syntax"], "3,5@7\n"),
    ("a semicolon", "11.3", ["syntax"], "3;5@7"),
    ("a position of the first generation", "11.2", ["syntax"], "3@0"),
    ("a generation without a position", "11.2", ["syntax"], "3,5"),
    ("an empty position", "11.1", ["syntax"], "3,5@"),
    ("two positions", "11.3", ["syntax"], "3,5@7@8"),
    ("a negative position", "11.1", ["syntax"], "3,5@-1"),
    ("a plus before the position", "11.1", ["syntax"], "3,5@+7"),
    ("a leading zero of the position", "11.1", ["syntax"], "3,5@07"),
    ("a leading zero of the second number", "11.1", ["syntax"], "3,5@7-01"),
    ("an empty second number", "11.1", ["syntax"], "3,5@7-"),
    ("three numbers", "11.1", ["syntax"], "3,5@7-8-9"),
    ("a position of 2^64", "11.1", ["syntax"], "3,5@18446744073709551616"),
    ("a second number of 2^64", "11.1", ["syntax"], "3,5@1-18446744073709551616"),
    ("hexadecimal", "11.1", ["syntax"], "3,5@0x7"),
    ("an exponent", "11.1", ["syntax"], "3,5@1e6"),
    ("an Arabic digit", "11.1", ["syntax"], "3,5@\u0667"),
    ("a leading zero of the size", "10.1", ["syntax"], "03"),
    ("a plus before the size", "10.1", ["syntax"], "+3"),
    ("no members", "10.1", ["syntax"], "360/"),
    ("no slots", "10.1", ["syntax"], "/12"),
    ("three parts", "10.1", ["syntax"], "360/12/3"),
    ("size 0", "10.1", ["range"], "0"),
    ("size 1025", "10.1", ["range"], "3,1025@7"),
    ("size 2^32 + 3", "10.1", ["range"], "4294967299"),
    ("size 2^64 + 3", "10.1", ["range"], "18446744073709551619"),
    ("no member", "10.1", ["range"], "360/0"),
    ("more members than slots", "10.1", ["range"], "360/12,360/361@7"),
    ("members 2^64 + 3", "10.1", ["range"], "360/18446744073709551619"),
    ("position 0", "11.2", ["falling"], "3,5@0"),
    ("position 0-0", "11.2", ["falling"], "3,5@0-0"),
    ("a position twice", "11.2", ["falling"], "3,5@7,6@7"),
    ("a falling position", "11.2", ["falling"], "3,5@10,6@9"),
    ("a falling second number", "11.2", ["falling", "two-numbers"], "3,5@7-2,6@7-1"),
    ("a falling first number with a rising second", "11.2", ["falling", "two-numbers"], "3,5@7-1,6@6-2"),
    ("the same layout twice", "11.2", ["syntax"], "3,3@7"),
    ("the same deal twice", "11.2", ["syntax"], "360/3,360/3@7"),
    ("one generation too many", "11.2", ["range"], ",".join(["1"] + [f"{1 + i % 2}@{i}" for i in range(1, MAX_GENERATIONS + 1)])),
]

ADOPT = [  # comment, text, the other text, delivered
    ("a switch ahead", "3", "3,5@120000", "119999"),
    ("a switch just ahead", "3", "3,5@120000", "119999-18446744073709551615"),
    ("a switch at the delivered position", "3", "3,5@120000", "120000"),
    ("a switch just behind", "3", "3,5@120000", "120000-1"),
    ("the first of two switches is behind", "3", "3,5@120000,7@130000", "125000"),
    ("a second switch", "3,5@120000", "3,5@120000,360/7@130000", "125000"),
    ("the same plan", "3,5@120000", "3,5@120000", "999999"),
    ("a shorter plan", "3,5@120000", "3", "0"),
    ("a switch that moves", "3,5@120000", "3,5@120001", "0"),
    ("another size at the switch", "3,5@120000", "3,6@120000,7@120001", "0"),
    ("another first size", "3", "4,5@120000", "0"),
    ("a deal for a size", "3", "3/3,5@120000", "0"),
    ("the ID of an entry", "3", "3,5@7-3", "7-2"),
    ("the ID of the entry", "3", "3,5@7-3", "7-3"),
]

DRAIN = [  # comment, text, member, hash, position, committed
    ("nobody before", "3,5@100,7@200", 1, 13, "50", {}),
    ("the predecessor is unknown", "3,5@100,7@200", 3, 13, "100", {}),
    ("the predecessor is one behind", "3,5@100,7@200", 3, 13, "100", {1: "99"}),
    ("the predecessor has passed", "3,5@100,7@200", 3, 13, "100", {1: "100"}),
    ("the one before the predecessor is unknown", "3,5@100,7@200", 6, 13, "200", {3: "205"}),
    ("the one before the predecessor is behind its own switch", "3,5@100,7@200", 6, 13, "200", {1: "99", 3: "205"}),
    ("the predecessor is behind the last switch", "3,5@100,7@200", 6, 13, "200", {1: "150", 3: "199"}),
    ("all have passed", "3,5@100,7@200", 6, 13, "200", {1: "150", 3: "200"}),
    ("the key stays", "4,8@100", 1, 9, "100", {}),
    ("a second number", "3,5@7-3", 3, 13, "7-3", {1: "7-2"}),
]


def read(raw):
    try:
        return plan(raw), None
    except Refused as refused:
        return None, refused.kind


def near(p):
    """Positions around each switch."""
    places = {(0, 0)}
    for _, _, (major, minor) in p.generations[:4] + p.generations[-2:]:
        places |= {(major, minor), (major, min(minor + 1, 2**64 - 1))}
        if minor:
            places.add((major, minor - 1))
        elif major:
            places |= {(major - 1, 0), (major - 1, 2**64 - 1)}
    return sorted(places)


def describe(p, flags):
    lives = []
    shown = sorted({0, p.members() // 2, p.members() - 1} | {m for m in range(p.members()) if p.members() < 16})
    for number in shown:
        start, end = p.life(number)
        lives.append({"member": number, "start": position_text(start)} | ({"end": position_text(end)} if end else {}))
        if end or start > (0, 0):
            flags.append("absent")
    events = []
    for i, at in enumerate(near(p)):
        for h in {BORDER[i % len(BORDER)], BORDER[(i * 3 + 5) % len(BORDER)]}:
            events.append({"position": position_text(at), "hash": f"{h:08x}", "member": p.owner(at, h)})
    if len(p.generations) > 1:
        flags.append("owner")
    if any(at[1] for _, _, at in p.generations):
        flags.append("two-numbers")
    return {"members": p.members(), "lives": lives, "events": events}


def plan_v1():
    t = Tests()
    for comment, text in VALID:
        p, _ = read(text.encode())
        flags = ["canonical" if p.text() == text.encode() else "rewritten"]
        described = describe(p, flags)
        t.add(comment, "11.4", sorted(set(flags)), **octets(text=text), result="valid", **octets(canonical=p.text()), **described)
    for comment, spec, flags, text in INVALID:
        p, kind = read(text.encode())
        assert p is None, text
        t.add(comment, spec, flags, **octets(text=text), result="invalid", error=kind)
    for comment, text, other, delivered in ADOPT:
        p, q = plan(text.encode()), plan(other.encode())
        t.add(comment, "11.5", ["extend"], **octets(text=text), result="valid", **octets(canonical=p.text()), **octets(next=other),
              delivered=delivered, adopt=p.adopt(q, position(delivered.encode())))
    for comment, text, number, h, at, committed in DRAIN:
        p = plan(text.encode())
        known = {m: position(done.encode()) for m, done in committed.items()}
        t.add(comment, "11.8", ["drain"], **octets(text=text), result="valid", **octets(canonical=p.text()),
              drain={"member": number, "hash": f"{h:08x}", "position": at, "committed": {str(m): done for m, done in committed.items()},
                     "drained": p.drained(number, position(at.encode()), h, known)})
    return document("plan.v1", t, NOTES, algorithm="plan")


CHECKPOINT_NOTES = {
    "part": "Checkpoints that differ in one part. Catches a key that lacks it, and a member that goes on from another's position.",
    "plan": "The key of a member of a plan. Catches a key made of the last generation: it changes when the plan is extended.",
    "log": "Names of logs. Catches parts that are joined so that two checkpoints become one, and texts hashed in another encoding.",
    "refused": "Members without a checkpoint.",
}

PLACES = [  # comment, flags, member, dealt to, rule, log
    ("a member with one slot", ["part"], "pairs:1/3", None, "subject,id", "orders"),
    ("another slot", ["part"], "pairs:2/3", None, "subject,id", "orders"),
    ("another size", ["part"], "pairs:1/4", None, "subject,id", "orders"),
    ("another group", ["part"], "pair:1/3", None, "subject,id", "orders"),
    ("another rule", ["part"], "pairs:1/3", None, "id", "orders"),
    ("percent-decoding", ["part"], "pairs:1/3", None, "subject,id percent", "orders"),
    ("another log", ["part"], "pairs:1/3", None, "subject,id", "orders/1"),
    ("dealt to as many members as slots", ["part"], "pairs:1/3", 3, "subject,id", "orders"),
    ("dealt", ["part"], "pairs:30-35,90/360", 12, "subject,id", "orders"),
    ("the same slots, dealt to more", ["part"], "pairs:30-35,90/360", 13, "subject,id", "orders"),
    ("the same slots, not dealt", ["part"], "pairs:30-35,90/360", None, "subject,id", "orders"),
    ("dots in the group's name", ["part"], "eu.pairs_2:0/1", None, "subject,id", "orders"),
    ("an underscore for the dot", ["part"], "eu_pairs_2:0/1", None, "subject,id", "orders"),
    ("the longest name", ["part"], "n" * 64 + ":1000-1001/1024", None, "subject,id", "orders"),
    ("a log with the separator in its name", ["log"], "pairs:1/3", None, "id", "subject | orders"),
    ("a log of one space", ["log"], "pairs:1/3", None, "id", " "),
    ("a log beyond ASCII", ["log"], "pairs:1/3", None, "id", "bestellungen-\xfc"),
    ("a log that is no UTF-8", ["log"], "pairs:1/3", None, "id", b"\xff"),
    ("a rule with bars", ["log"], "pairs:1/3", None, "topic|[1] bypass=|", "|"),
    ("a dedicated member", ["refused"], "dedicated", None, "subject,id", "orders"),
    ("a member without slots", ["refused"], "pairs:none/3", None, "subject,id", "orders"),
    ("a log without a name", ["refused"], "pairs:1/3", None, "subject,id", ""),
    ("dealt to more members than slots", ["refused"], "pairs:1/3", 4, "subject,id", "orders"),
    ("dealt to a negative number of members", ["refused"], "pairs:1/3", -1, "subject,id", "orders"),
]

MEMBERS = [  # comment, plan, group, number
    ("one generation", "3", "pairs", 1),
    ("the plan extended", "3,5@100", "pairs", 1),
    ("and once more", "3,5@100,360/7@200", "pairs", 1),
    ("a newcomer", "3,5@100", "pairs", 4),
    ("its size alone", "5", "pairs", 4),
    ("a newcomer, later", "3,5@100,7@200", "pairs", 6),
    ("away and there again", "3,2@100,3@200", "pairs", 2),
    ("a deal", "360/12", "pairs", 4),
    ("a deal extended", "360/12,360/15@100", "pairs", 4),
    ("a newcomer to a deal", "360/12,360/15@100", "pairs", 13),
    ("two newcomers that begin with one slot: the first", "4/2,4/3@1,4@2", "pairs", 2),
    ("two newcomers that begin with one slot: the second", "4/2,4/3@1,4@2", "pairs", 3),
]


def keyed(raw_member, dealt, raw_rule, raw_log):  # [13.1] [13.2] [13.3]
    group, size, slots = member.parse(raw_member)
    if not slots or not raw_log or (dealt is not None and not 1 <= dealt <= size):
        return {"result": "invalid"}
    shape = str(size) if dealt is None else f"{size}/{dealt}"
    text = b" | ".join([member.text(group, size, slots), shape.encode(), rule.parse(raw_rule).text(), raw_log])
    name = group.decode().replace(".", "_")
    key = f"{name}-{slots[0]}of{size}-{hashlib.sha256(text).hexdigest()[:32]}"
    return {"result": "valid", **octets(text=text), "key": key}


def checkpoint_v1():
    t = Tests()
    for comment, flags, place, dealt, rule_text, log in PLACES:
        raw_log = log.encode() if isinstance(log, str) else log
        t.add(comment, "13.3" if "refused" not in flags else "13.1", flags, **octets(member=place), dealt=dealt, **octets(rule=rule_text, log=raw_log),
              **keyed(place.encode(), dealt, rule_text.encode(), raw_log))
    for comment, text, group, number in MEMBERS:
        name, slots = plan(text.encode()).first(number)
        size, slash, dealt = name.partition("/")
        place = member.text(group.encode(), int(size), slots)
        assert layout(name.encode())
        t.add(comment, "13.1", ["plan"], **octets(member=place), dealt=int(dealt) if slash else None, **octets(rule="subject,id", log="orders"),
              plan=text, group=group, number=number, **keyed(place, int(dealt) if slash else None, b"subject,id", b"orders"))
    keys = [row["key"] for row in t.rows if row["result"] == "valid" and "plan" not in row]
    assert len(set(keys)) == len(keys)
    return document("checkpoint.v1", t, CHECKPOINT_NOTES, algorithm="checkpoint")


FILES = {"plan.v1": plan_v1, "checkpoint.v1": checkpoint_v1}
