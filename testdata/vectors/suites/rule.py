"""rule.v1: texts of rules, and what they make of events."""

from vectorkit import rule
from vectorkit.spec import hash32
from vectorkit.tests import Tests, document, octets

NOTES = {
    "canonical": "The text is canonical already.",
    "rewritten": "Read, and written in another form. Catches texts that are compared as they came: members with one rule would take each other for strangers.",
    "hash": "The word for the hash. Catches a hash that is ignored, or whose case is folded.",
    "syntax": "No text of a rule. Catches readers that skip what they do not know: two members would divide the work by different rules.",
    "limit": "At a limit or just beyond it.",
    "first-present": "Several joins of which the first present one makes the key. Catches taking the last, joining all, and keeping empty ones.",
    "join": "Several parts in one key. Catches joining with a separator: two different tuples could make one key. Lengths count bytes.",
    "join-partly": "A join of which a part is missing. Catches keys made of what is left.",
    "topic": "A token of the topic. Catches counting from 1, the wrong separator, and a token that is empty and kept.",
    "not-fetched": "The rule needs an attribute and nobody fetched it. Catches falling back to subject or id: the event would have two slots.",
    "bypass": "Other patterns of commands. Catches a star that matches several tokens or none, > that matches none, and empty tokens that match.",
    "percent": "Percent-decoding belongs to reading headers. Catches decoding the key itself.",
}

JOINS = ",".join(f"a{i:03}" for i in range(201))  # 201 names of 4 letters, 1004 bytes
LONG_KEY = JOINS + ",abcd"  # 1009 bytes: with the hash and a space 1024
H = "fnv1a32-fmix32 "

# comment, spec, flags, text: read, and shown in canonical form
GOOD = [
    ("the default rule, in full", "6.6", [], H + "subject,id"),
    ("the default rule without its hash", "6.1", ["hash"], "subject,id"),
    ("one attribute", "6.2", [], H + "subject"),
    ("one attribute without the hash", "6.2", ["hash"], "subject"),
    ("the id first", "6.2", [], H + "id,subject"),
    ("a partition key first", "6.2", [], H + "partitionkey,subject,id"),
    ("digits in a name", "6.2", [], H + "x5,7"),
    ("an attribute that begins with data", "6.2", [], H + "dataschema,datacontenttype"),
    ("an attribute named topic", "6.2", [], H + "topic"),
    ("an attribute named bypass", "6.2", [], H + "bypass"),
    ("percent alone is the name of an attribute", "6.1", [], H + "percent"),
    ("percent is one of several names", "6.2", [], H + "percent,id"),
    ("a join", "6.3", ["join"], H + "source+id"),
    ("a join of three, and a rest", "6.3", ["join"], H + "source+type+subject,source+id"),
    ("the same parts in another order are another join", "6.6", ["join"], H + "source+id,id+source"),
    ("a join that begins like another", "6.6", ["join"], H + "source+id,source"),
    ("a token of the topic", "6.4", ["topic"], H + "topic[2]"),
    ("the first token", "6.4", ["topic"], H + "topic[0]"),
    ("a slash between tokens", "6.4", ["topic"], H + "topic/[2]"),
    ("a colon", "6.4", ["topic"], H + "topic:[2]"),
    ("a hyphen", "6.4", ["topic"], H + "topic-[2]"),
    ("an underscore", "6.4", ["topic"], H + "topic_[2]"),
    ("a bar", "6.4", ["topic"], H + "topic|[2]"),
    ("the dot need not be written", "6.6", ["topic"], H + "topic.[2]"),
    ("one index with several separators", "6.6", ["topic"], H + "topic[1],topic/[1]"),
    ("a token joined with an attribute", "6.4", ["topic", "join"], H + "topic[1]+id,id"),
    ("index 255", "6.4", ["topic", "limit"], H + "topic[255]"),
    ("no commands", "6.5", ["bypass"], H + "subject,id bypass="),
    ("the default pattern need not be written", "6.6", ["bypass"], H + "subject,id bypass=wrk.*.command.*"),
    ("the default pattern twice", "6.6", ["bypass"], H + "subject,id bypass=wrk.*.command.*,wrk.*.command.*"),
    ("the default pattern and another", "6.6", ["bypass"], H + "subject,id bypass=ctl.>,wrk.*.command.*"),
    ("patterns are sorted", "6.6", ["bypass"], H + "subject,id bypass=b,a"),
    ("patterns are sorted by bytes", "6.6", ["bypass"], H + "subject,id bypass=a.b,a-b,a,B,*,>,\xe9"),
    ("a pattern twice", "6.6", ["bypass"], H + "subject,id bypass=b,a,b"),
    ("a pattern of one token", "5.3", ["bypass"], H + "subject,id bypass=commands"),
    ("everything is a command", "5.3", ["bypass"], H + "subject,id bypass=>"),
    ("percent", "6.5", ["percent"], H + "subject,id percent"),
    ("percent without the hash", "6.1", ["percent", "hash"], "subject,id percent"),
    ("all there is", "6.1", ["bypass", "percent", "join", "topic"], H + "partitionkey,topic/[1]+subject,id bypass=ctl.*.*,sys.> percent"),
    ("bypass and percent, the default pattern", "6.6", ["bypass", "percent"], "id bypass=wrk.*.command.* percent"),
    ("1024 bytes", "6.6", ["limit"], H + LONG_KEY),
    ("1024 bytes with the hash that is not written", "6.6", ["limit", "hash"], LONG_KEY),
]

# comment, spec, flags, text
BAD = [
    ("the empty text", "6.1", [], ""),
    ("a space", "6.1", [], " "),
    ("the hash alone", "6.1", ["hash"], "fnv1a32-fmix32"),
    ("the hash and a space", "6.1", ["hash"], H),
    ("another hash", "6.1", ["hash"], "murmur3 subject,id bypass="),
    ("the hash in upper case", "6.1", ["hash"], "FNV1A32-FMIX32 subject,id bypass="),
    ("half of the hash", "6.1", ["hash"], "fnv1a32 subject,id percent"),
    ("a space before", "6.1", [], " subject,id"),
    ("a space behind", "6.1", [], "subject,id "),
    ("two spaces", "6.1", [], H + " subject,id"),
    ("a tab", "6.1", [], "fnv1a32-fmix32\tsubject,id"),
    ("a newline behind", "6.1", [], "subject,id\n"),
    ("a NUL behind", "6.1", [], "subject,id\0"),
    ("DEL", "6.1", [], "subject,id\x7f"),
    ("an unknown word", "6.1", [], H + "subject,id trim"),
    ("an unknown word behind percent", "6.1", [], H + "subject,id percent trim"),
    ("Percent", "6.1", ["percent"], H + "subject,id Percent"),
    ("percent twice", "6.1", ["percent"], H + "subject,id percent percent"),
    ("bypass twice", "6.1", ["bypass"], H + "subject,id bypass=a bypass=b"),
    ("bypass behind percent", "6.1", ["bypass", "percent"], H + "subject,id percent bypass=a"),
    ("no key before bypass", "6.1", ["bypass"], H + "bypass=a"),
    ("upper case in a name", "6.2", [], H + "Subject,id"),
    ("a hyphen in a name", "6.2", [], H + "subject,partition-key"),
    ("an underscore in a name", "6.2", [], H + "partition_key"),
    ("a dot in a name", "6.2", [], H + "data.id"),
    ("a letter beyond ASCII", "6.2", [], H + "subject,id\xe9"),
    ("a byte that is no UTF-8", "6.2", [], b"subject,i\xff"),
    ("an Arabic digit in a name", "6.2", [], H + "x\u0661"),
    ("data", "6.2", [], H + "data"),
    ("data in a join", "6.2", ["join"], H + "source+data"),
    ("no first join", "6.1", [], H + ",id"),
    ("no last join", "6.1", [], H + "subject,"),
    ("no join between", "6.1", [], H + "subject,,id"),
    ("no first part", "6.1", ["join"], H + "+id"),
    ("no last part", "6.1", ["join"], H + "source+"),
    ("no part between", "6.1", ["join"], H + "source++id"),
    ("a part twice in a join", "6.6", ["join"], H + "id,source+source"),
    ("a token twice in a join, written otherwise", "6.6", ["join", "topic"], H + "topic[1]+topic.[1]"),
    ("a join twice", "6.6", [], H + "subject,id,subject"),
    ("a join of two twice", "6.6", ["join"], H + "source+id,subject,source+id"),
    ("a token twice, written otherwise", "6.6", ["topic"], H + "topic.[1],topic[1]"),
    ("an index of no digits", "6.4", ["topic"], H + "topic[]"),
    ("a leading zero", "6.4", ["topic"], H + "topic[01]"),
    ("two zeros", "6.4", ["topic"], H + "topic[00]"),
    ("index 256", "6.4", ["topic", "limit"], H + "topic[256]"),
    ("index 2^32", "6.4", ["topic", "limit"], H + "topic[4294967296]"),
    ("index 2^64 + 1", "6.4", ["topic", "limit"], H + "topic[18446744073709551617]"),
    ("a negative index", "6.4", ["topic"], H + "topic[-1]"),
    ("an index with a plus", "6.4", ["topic"], H + "topic[1+]"),
    ("an index with a letter", "6.4", ["topic"], H + "topic[1a]"),
    ("an Arabic digit", "6.4", ["topic"], H + "topic[\u0661]"),
    ("a star as index", "6.4", ["topic"], H + "topic[*]"),
    ("no closing bracket", "6.4", ["topic"], H + "topic[1"),
    ("no closing bracket, and a join", "6.4", ["topic"], H + "topic[1,id"),
    ("no opening bracket", "6.4", ["topic"], H + "topic1]"),
    ("something behind the bracket", "6.4", ["topic"], H + "topic[1]x"),
    ("two separators", "6.4", ["topic"], H + "topic//[1]"),
    ("an unknown separator", "6.4", ["topic"], H + "topic;[1]"),
    ("a letter as separator", "6.4", ["topic"], H + "topicx[1]"),
    ("an index of an attribute", "6.4", ["topic"], H + "id,subject[1]"),
    ("Topic", "6.4", ["topic"], H + "Topic[1]"),
    ("an empty token in a pattern", "5.3", ["bypass"], H + "id bypass=a..b"),
    ("an empty token at its end", "5.3", ["bypass"], H + "id bypass=a."),
    ("an empty token at its beginning", "5.3", ["bypass"], H + "id bypass=.a"),
    ("an empty pattern", "5.3", ["bypass"], H + "id bypass=a,,b"),
    ("an empty pattern at the end", "5.3", ["bypass"], H + "id bypass=a,"),
    ("> before the end", "5.3", ["bypass"], H + "id bypass=a.>.b"),
    ("> inside a token", "5.3", ["bypass"], H + "id bypass=a.b>"),
    ("a star inside a token", "5.3", ["bypass"], H + "id bypass=a.b*.c"),
    ("two stars in a token", "5.3", ["bypass"], H + "id bypass=**"),
    ("1025 bytes", "6.6", ["limit"], H + LONG_KEY + "e"),
    ("1010 bytes, 1025 in canonical form", "6.6", ["limit", "hash"], LONG_KEY + "e"),
    ("2000 bytes", "6.6", ["limit"], "a" * 2000),
]


def event(topic=None, subject=None, id=None, attributes=None):
    fields = {"topic": topic, "subject": subject, "id": id}
    raw = {name: value.encode() if isinstance(value, str) else value for name, value in fields.items()}
    if attributes is not None:
        raw["attributes"] = {name: value.encode() if isinstance(value, str) else value for name, value in attributes.items()}
    return raw


def shown(e):
    """The event as the file shows it."""
    out = octets(**{name: value for name, value in e.items() if name != "attributes"})
    if "attributes" in e:
        hexed = {name: value.hex() for name, value in e["attributes"].items()}
        try:
            out["attributes"] = {name: value.decode() for name, value in e["attributes"].items()}
        except UnicodeDecodeError:
            pass
        out["attributes_hex"] = hexed
    return out


X = "topic[1]+id,id"
ORDER = {"topic": "eu.orders.7", "subject": "s", "id": "i"}
ROUTES = [
    # comment, spec, flags, key rule and options, event
    ("the first join is there", "6.2", ["first-present"], "partitionkey,subject,id", event(**ORDER, attributes={"partitionkey": "p"})),
    ("the second is", "6.2", ["first-present"], "partitionkey,subject,id", event(**ORDER, attributes={})),
    ("the third is", "6.2", ["first-present"], "partitionkey,subject,id", event(topic="t", id="i", attributes={})),
    ("the first is empty", "2.2", ["first-present"], "partitionkey,subject,id", event(**ORDER, attributes={"partitionkey": ""})),
    ("none is there", "6.2", ["first-present"], "partitionkey,subject,id", event(topic="t", attributes={})),
    ("others are there", "6.2", ["first-present"], "partitionkey", event(**ORDER, attributes={"source": "/s"})),
    ("the id before the subject", "6.2", ["first-present"], "id,subject", event(**ORDER)),
    ("the subject alone", "6.2", ["first-present"], "subject", event(id="i")),
    ("the id alone", "6.2", ["first-present"], "id", event(**ORDER)),
    ("a value is not trimmed", "2.3", [], "partitionkey", event(attributes={"partitionkey": " p "})),
    ("a value of bytes that are no UTF-8", "2.3", [], "partitionkey", event(attributes={"partitionkey": b"\xff"})),
    ("an Integer counts as text", "6.7", [], "sequence", event(attributes={"sequence": "7"})),
    ("a Boolean counts as text", "6.7", [], "flag,id", event(id="i", attributes={"flag": "false"})),
    ("a URI counts as it stands", "6.7", [], "source", event(attributes={"source": "HTTP://Example.com/%7Ea/../b"})),
    ("not fetched", "6.2", ["not-fetched"], "partitionkey,subject,id", event(**ORDER)),
    ("not fetched, and the subject would come first", "6.2", ["not-fetched"], "subject,partitionkey", event(**ORDER)),
    ("not fetched, in a join", "6.2", ["not-fetched", "join"], "source+id,id", event(**ORDER)),
    ("not fetched, and a token of the topic comes first", "6.2", ["not-fetched", "topic"], "topic[1],source", event(**ORDER)),
    ("nothing needs fetching: subject and id", "6.2", [], "id,subject", event(**ORDER)),
    ("nothing needs fetching: the topic", "6.2", ["topic"], "topic[0]", event(**ORDER)),
    ("not fetched, but a command", "5.4", ["not-fetched", "bypass"], "partitionkey", event(topic="wrk.demo.command.7")),
    ("a join", "6.3", ["join"], "source+id", event(id="7", attributes={"source": "/s"})),
    ("a tuple", "6.3", ["join"], "subject+id", event(subject="a", id="bc")),
    ("another tuple with the same letters", "6.3", ["join"], "subject+id", event(subject="ab", id="c")),
    ("the order of the rule counts", "6.3", ["join"], "id+subject", event(subject="a", id="bc")),
    ("digits and colons in the values", "6.3", ["join"], "subject+id", event(subject="1:a", id="2:b")),
    ("a plus and a comma in the values", "6.3", ["join"], "subject+id", event(subject="a+b", id="c,d")),
    ("lengths count bytes, not characters", "6.3", ["join"], "subject+id", event(subject="\xe9\U0001f600", id="\u65e5")),
    ("a value of 12 bytes", "6.3", ["join"], "subject+id", event(subject="abcdefghijkl", id="i")),
    ("a value of 1000 bytes", "6.3", ["join"], "subject+id", event(subject="s" * 1000, id="i")),
    ("bytes that are no UTF-8", "6.3", ["join"], "subject+id", event(subject=b"\xff\xfe", id=b"\0")),
    ("three parts", "6.3", ["join"], "source+type+id", event(id="7", attributes={"source": "/s", "type": "t.x"})),
    ("a part is missing", "6.2", ["join-partly"], "source+id", event(id="7", attributes={})),
    ("a part is empty", "6.2", ["join-partly"], "source+id", event(id="7", attributes={"source": ""})),
    ("a part is missing, the next join is there", "6.2", ["join-partly", "first-present"], "source+subject,id", event(id="7", attributes={"source": "/s"})),
    ("the last part is missing, a single part is there", "6.2", ["join-partly", "first-present"], "subject+id,subject", event(subject="s")),
    ("the first token", "6.4", ["topic"], "topic[0]", event(**ORDER)),
    ("the last token", "6.4", ["topic"], "topic[2]", event(**ORDER)),
    ("beyond the last token", "6.4", ["topic"], "topic[3]", event(**ORDER)),
    ("beyond the last token, and a rest", "6.4", ["topic", "first-present"], "topic[3],id", event(**ORDER)),
    ("an empty token", "6.4", ["topic", "first-present"], "topic[1],id", event(topic="eu..7", id="i")),
    ("an empty token at the end", "6.4", ["topic", "first-present"], "topic[1],id", event(topic="eu.", id="i")),
    ("behind an empty token", "6.4", ["topic"], "topic[2]", event(topic="eu..7", id="i")),
    ("no dot in the topic", "6.4", ["topic"], "topic[0]", event(topic="orders", id="i")),
    ("no topic", "6.4", ["topic"], "topic[0]", event(id="i")),
    ("index 255 of a short topic", "6.4", ["topic", "limit"], "topic[255],id", event(topic="a.b", id="i")),
    ("index 255 of a long topic", "6.4", ["topic", "limit"], "topic[255]", event(topic=".".join(map(str, range(257))))),
    ("a slash separates", "6.4", ["topic"], "topic/[1]", event(topic="eu/orders.7/x", id="i")),
    ("a slash does not, under the dot", "6.4", ["topic"], "topic[0]", event(topic="eu/orders.7", id="i")),
    ("a slash at the beginning", "6.4", ["topic", "first-present"], "topic/[0],topic/[1]", event(topic="/eu/orders")),
    ("a colon separates", "6.4", ["topic"], "topic:[1]", event(topic="eu:orders:7")),
    ("a hyphen separates", "6.4", ["topic"], "topic-[1]", event(topic="eu-orders-7")),
    ("an underscore separates", "6.4", ["topic"], "topic_[1]", event(topic="eu_orders_7")),
    ("a bar separates", "6.4", ["topic"], "topic|[1]", event(topic="eu|orders|7")),
    ("a token joined", "6.4", ["topic", "join"], X, event(**ORDER)),
    ("a token joined, and not there", "6.4", ["topic", "join-partly"], X, event(topic="eu", id="i")),
    ("an attribute named topic is not the topic", "6.2", [], "topic", event(topic="eu.orders", attributes={"topic": "t"})),
    ("no commands: the default pattern does not count", "6.5", ["bypass"], "subject,id bypass=", event(topic="wrk.demo.command.7", id="i")),
    ("other patterns: nor does it here", "6.5", ["bypass"], "subject,id bypass=ctl.*", event(topic="wrk.demo.command.7", id="i")),
    ("the default pattern beside others", "6.5", ["bypass"], "subject,id bypass=ctl.*,wrk.*.command.*", event(topic="wrk.demo.command.7", id="i")),
    ("percent leaves the key alone", "6.5", ["percent"], "subject,id percent", event(subject="a%20b", id="i")),
    ("percent leaves the key alone, were it no UTF-8", "6.5", ["percent"], "subject,id percent", event(subject="%ff%", id="i")),
]

# pattern, topics that match, topics that do not
MATCHES = [
    ("ctl", ["ctl"], ["ctl.a", "a.ctl", "ct", "ctlx", "CTL", "", "ctl."]),
    ("*", ["ctl", "a b", "*", ">"], ["a.b", "", ".", "a."]),
    (">", ["a", "a.b", "a.b.c.d.e"], ["", ".", "a.", ".a", "a..b"]),
    ("a.*", ["a.b", "a.*"], ["a", "a.", "a.b.c", "b.a", ".b"]),
    ("*.a", ["b.a"], [".a", "a", "b.b"]),
    ("a.*.c", ["a.b.c"], ["a..c", "a.c", "a.b.b.c", "a.b.c.d"]),
    ("a.>", ["a.b", "a.b.c"], ["a", "a.", "a..b", "a.b.", "b.a"]),
    ("*.>", ["a.b", "a.b.c"], ["a", ".b"]),
    ("a.*.>", ["a.b.c", "a.b.c.d"], ["a.b", "a.b."]),
    ("\xe9.*", ["\xe9.a"], ["e\u0301.a", "\xc9.a"]),
    ("a/b", ["a/b"], ["a.b"]),
    ("a,b.*", ["a", "b.c"], ["b", "a.c", "a,b.c"]),
]


def parsed(raw):
    try:
        return rule.parse(raw), {}
    except rule.Bad as bad:
        return None, {"result": "invalid", "error_offset": bad.offset}


def add(t, comment, spec, flags, text, e=None):
    raw = text.encode() if isinstance(text, str) else text
    r, fields = parsed(raw)
    if r:
        fields = {"result": "valid", **octets(canonical=r.text())}
        if e is None:
            flags = [*flags, "canonical" if r.text() == raw else "rewritten"]
    if r and e is not None:
        kind, key = r.route(e)
        fields |= {"event": shown(e), "route": kind, **octets(key=key)}
        if kind == "key":
            fields["hash"] = f"{hash32(key):08x}"
    t.add(comment, spec, flags, **octets(text=raw), **fields)
    return fields


def rule_v1():
    t = Tests()
    for comment, spec, flags, text in GOOD:
        assert add(t, comment, spec, flags, text)["result"] == "valid", text
    for comment, spec, flags, text in BAD:
        assert add(t, comment, spec, ["syntax", *flags], text)["result"] == "invalid", text
    for comment, spec, flags, text, e in ROUTES:
        add(t, comment, spec, flags, H + text, e)
    for pattern, yes, no in MATCHES:
        for topic in yes + no:
            got = add(t, f"a topic under {ascii(pattern)}", "5.3", ["bypass"], f"{H}subject,id bypass={pattern}", event(topic=topic, id="i"))
            assert (got["route"] == "command") == (topic in yes), (pattern, topic)
    return document("rule.v1", t, NOTES)


FILES = {"rule.v1": rule_v1}
