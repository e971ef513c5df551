"""The audit of a fleet: SPEC.md section 15. Written from the text; every bug that a flag of audit.v1 names can be switched on."""

import re
from fractions import Fraction
from math import lcm

from . import rule as rules
from .spec import matches

KINDS = ["invalid", "outside", "missing", "doubled", "twins", "mixed sizes", "mixed rules", "mixed plans", "switching", "stale"]
MAX_RESIDUES = 1 << 22


def audit(now, ttl, announcements, bug=None):
    """The findings, as audit.v1 has them. Announcements are dicts; those of dedicated workers have no group."""
    live, stale = alive(now, ttl, announcements, bug)
    out = []
    groups = {}
    for sort, some in (("live", live), ("stale", stale)):
        for a in some:
            if sort == "stale":
                out.append(finding("stale", a, parts=[[a]], age=now - a["seen"]))
            m = member(a, out if sort == "live" else [], bug)
            if m:
                groups.setdefault(a.get("group", ""), {"live": [], "stale": []})[sort].append(m)
    for members in groups.values():
        out += group(members["live"], members["stale"], bug)
    out.sort(key=order)
    return [public(f) for f in out]


def alive(now, ttl, announcements, bug):  # [15.2]
    latest = {}
    for a in announcements:
        name = a.get("group", "") + "-" + a["worker"] if bug == "joined-names" else (a.get("group", ""), a["worker"])
        key = (name, a["incarnation"])
        if key not in latest or latest[key]["seen"] <= a["seen"]:
            latest[key] = a
    names = {}
    for (name, _), a in latest.items():
        names.setdefault(name, []).append(a)
    live, stale = [], []
    for incarnations in names.values():
        left = [a for a in incarnations if not any(replaced(a, b, bug) for b in incarnations)]
        running = [a for a in left if ttl <= 0 or now - a["seen"] <= ttl or bug == "dead-count"]
        live += running
        if not running:
            stale.append(max(left, key=lambda a: (a["seen"], a["incarnation"])))
    return live, stale


def replaced(a, b, bug):
    if bug == "restart-is-double":
        return False
    return b["started"] > a["started"] and (a["seen"] <= b["started"] or bug == "newest-wins")


def member(a, out, bug):  # [15.3]
    """What can be compared, or None; faults go to out. The fleets here have no other faults than bad slots."""
    if "group" not in a:
        return None
    inside = sorted({s % a["size"] for s in a["slots"]} if bug == "wraps" else {s for s in a["slots"] if 0 <= s < a["size"]})
    outside = sorted({s for s in a["slots"] if not 0 <= s < a["size"]} if bug != "wraps" else ())
    if outside:
        out.append(finding("outside", a, size=a["size"], slots=outside, parts=[[a]]))
    try:
        parsed = parse(a["rule"])
    except rules.Bad:
        parsed = None
    patterns = parsed.patterns if parsed else [b"wrk.*.command.*"]
    text = parsed.text().decode() if parsed and bug != "rule-as-written" else a["rule"]
    topics = sorted({t for t in a["topics"] if bug == "commands-count" or not only_commands(t, patterns, bug)})
    if bug == "topic-blind":
        topics = ["all"]
    plan = re.sub(r"(@[0-9]+)-0(?=,|$)", r"\1", a.get("plan", ""))  # [15.3] [11.3]
    return {**a, "slots": inside, "rule": text, "topics": topics, "plan": a.get("plan", "") if bug == "plan-as-written" else plan}


def parse(text):
    return rules.parse(text.encode())


def only_commands(topic, patterns, bug):
    def command(text):
        return any(matches(p, text.encode()) for p in patterns)

    if not topic.endswith(">"):
        return command(topic)
    longest = max((p.count(b".") + 1 for p in patterns), default=0)
    lengths = 3 if bug == "short-commands" else longest + 1  # beyond it the length makes no difference
    return all(command(topic[:-1] + ".".join(["*"] * n)) for n in range(1, lengths + 1))


def meet(p, q):  # [15.4]
    """The pattern of what two patterns have in common, or None."""
    if p == q:
        return p
    tokens = []
    p, q = p.split("."), q.split(".")
    while p and q:
        a, b = p[0], q[0]
        if a == ">" and "" not in q:
            return ".".join(tokens + q)
        if b == ">" and "" not in p:
            return ".".join(tokens + p)
        if a == b or (b == "*" and a not in ("", ">")):
            tokens.append(a)
        elif a == "*" and b not in ("", ">"):
            tokens.append(b)
        else:
            return None
        p, q = p[1:], q[1:]
    return ".".join(tokens) if not p and not q else None


def receives(m, topic, bug):
    if bug == "topics-as-text":
        return topic in m["topics"]
    return any(meet(p, topic) == topic for p in m["topics"])


def group(live, stale, bug):
    listed = sorted({t for m in live for t in m["topics"]})
    met = {meet(p, q) for p in listed for q in listed} - {None} - set(listed)
    crossings = [] if bug == "topics-as-text" else sorted(met)
    found = {}
    for topic in listed + crossings:
        for f in on(topic, topic in listed, live, stale, bug):
            found.setdefault(repr(f), (f, []))[1].append(topic)
    for topic in sorted({t for m in stale for t in m["topics"]}):  # [15.5] a topic that only the dead received
        gone = [m for m in stale if receives(m, topic, bug)]
        if not any(receives(m, topic, bug) for m in live) and len({m["size"] for m in gone}) == 1:
            f = missing([], gone)
            found.setdefault(repr(f), (f, []))[1].append(topic)
    out = []
    for f, topics in found.values():
        within = {t for t in topics if t in crossings and any(p != t and meet(p, t) == t for p in topics)}
        out.append({**f, "topics": sorted(set(topics) - within)})
    together = {i[0] for f in out if f["kind"] == "doubled" for i in flat(f) if [x[0] for x in flat(f)].count(i[0]) > 1}
    for worker in sorted({m["worker"] for m in live} - together):
        same = [m for m in live if m["worker"] == worker]
        if len(same) > 1:
            out.append(finding("twins", same[0], parts=[same]))
    return out


def on(topic, listed, live, stale, bug):
    members = [m for m in live if receives(m, topic, bug)]
    plans = by(members, lambda m: m.get("plan", ""))
    generations = by(members, generation) if len(plans) == 1 and bug != "generation-blind" else {0: members}
    sizes = by(members, lambda m: 0 if bug == "size-blind" else m["size"])
    out = []
    if len(generations) > 1 and all(len({m["size"] for m in some}) == 1 for some in generations.values()):
        out.append(finding("switching", members[0], parts=list(generations.values())))
    elif len(sizes) > 1:
        out.append(finding("mixed sizes", members[0], parts=list(sizes.values()), **shares(members)))
    elif listed:
        gone = [m for m in stale if receives(m, topic, bug)]
        f = missing(members, gone)
        out += [f] if f["slots"] else []
    for some in generations.values():
        for same in by(some, lambda m: m["size"]).values():
            out += doubled(same)
    texts = by(members, lambda m: "" if bug == "rule-blind" else m["rule"])
    if len(texts) > 1:
        out.append(finding("mixed rules", members[0], parts=list(texts.values())))
    if len(plans) > 1 and bug != "plan-blind":
        out.append(finding("mixed plans", members[0], parts=list(plans.values())))
    return out


def by(members, key):
    """Members by a value, short texts first, then in order: numbers by size."""
    split = {}
    for m in members:
        split.setdefault(key(m), []).append(m)
    return dict(sorted(split.items(), key=lambda item: (len(str(item[0])), str(item[0]))))


def generation(m):  # [15.7]
    last = 0
    for i, text in enumerate(m.get("plan", "").split(",")):
        at = text.partition("@")[2]
        if i and position(at) <= position(m.get("delivered", "0")):
            last = i
    return last


def position(text):
    major, _, minor = text.partition("-")
    return int(major), int(minor or 0)


def missing(members, gone):
    size = (members + gone)[0]["size"]
    slots = [s for s in range(size) if not any(s in m["slots"] for m in members)]
    last = [m for m in gone if m["size"] == size and set(m["slots"]) & set(slots)]
    return finding("missing", (members + gone)[0], size=size, slots=slots, parts=[last] if last else [])


def doubled(members):
    size = members[0]["size"]
    found = {}
    for s in range(size):
        holders = [m for m in members if s in m["slots"]]
        if len(holders) > 1:
            found.setdefault(repr(sorted(map(instance, holders))), (holders, []))[1].append(s)
    return [finding("doubled", holders[0], size=size, slots=slots, parts=[holders]) for holders, slots in found.values()]


def shares(members):  # [15.6]
    period = lcm(*(m["size"] for m in members))
    if period > MAX_RESIDUES:
        return {}
    owners = [0] * period
    for m in members:
        for s in m["slots"]:
            for residue in range(s, period, m["size"]):
                owners[residue] += 1
    return {
        "unowned": str(Fraction(sum(n == 0 for n in owners), period)),
        "several": str(Fraction(sum(n > 1 for n in owners), period)),
    }


def finding(kind, a, parts, **fields):
    return {"kind": kind, "group": a.get("group"), "parts": [sorted(map(instance, part)) for part in parts], **fields}


def instance(m):
    return m["worker"], m["incarnation"]


def flat(f):
    return [i for part in f["parts"] for i in part]


def order(f):
    return (f["group"] or "", KINDS.index(f["kind"]), f.get("topics", []), f.get("size", 0), f.get("slots", []), sorted(flat(f)))


def public(f):
    out = {name: f[name] for name in ("kind", "group", "topics", "size", "slots") if f.get(name) is not None}
    out["workers"] = [worker for worker, _ in flat(f)]
    out["incarnations"] = [incarnation for _, incarnation in flat(f)]
    out["parts"] = [len(part) for part in f["parts"]]
    return out | {name: f[name] for name in ("unowned", "several", "age") if name in f}
