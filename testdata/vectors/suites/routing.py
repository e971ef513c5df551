"""routing.v1: what of an event places it under the default rule."""

import unicodedata

from vectorkit import spec
from vectorkit.tests import Tests, document, octets, prove

NOTES = {
    "empty-kept": "An attribute that is empty is absent. Catches an empty subject that is kept as the key.",
    "subject-first": "Subject and id are both there. Catches taking the id first, and joining the two.",
    "no-key": "Neither subject nor id. Catches an invented key: the topic, the text null, a random id, the empty key.",
    "trimmed": "White space at an end of the key, or nothing else. Catches trimming.",
    "case-folded": "Catches folding the case of the key.",
    "normalised": "Catches Unicode normalisation of the key.",
    "escaped": "Catches percent-decoding, unquoting or unescaping the key.",
    "bytes": "Bytes that are no UTF-8, and NUL. Catches replacing them and stopping at them.",
    "command": "A command topic. Catches a command that is filtered like any other event.",
    "not-command": "A topic that is nearly a command topic. Catches a search for the word command, a count of tokens that lets empty ones in, prefixes, folding the case, and patterns whose $ matches before a newline.",
    "topic-ignored": "The topic is no command, and must not enter the key.",
}

E = ""
# comment, spec, flags, topic, subject, id; None is a field that is absent
KEYS = [
    ("a subject and an id", "2.1", ["subject-first"], "orders", "order-7", "e1"),
    ("no subject", "2.1", [], "orders", None, "e1"),
    ("no id", "2.1", [], "orders", "order-7", None),
    ("subject and id are equal", "2.1", [], "orders", "7", "7"),
    ("an empty subject", "2.2", ["empty-kept"], "orders", E, "e1"),
    ("an empty id", "2.2", [], "orders", "order-7", E),
    ("both empty", "2.2", ["no-key"], "orders", E, E),
    ("both absent", "2.1", ["no-key"], "orders", None, None),
    ("an empty subject, no id", "2.2", ["no-key"], "orders", E, None),
    ("no subject, an empty id", "2.2", ["no-key"], "orders", None, E),
    ("nothing at all", "2.1", ["no-key"], None, None, None),
    ("no topic", "2.4", ["subject-first"], None, "order-7", "e1"),
    ("an empty topic", "2.4", ["subject-first"], E, "order-7", "e1"),
    ("another topic, the same key", "2.4", ["topic-ignored"], "trades", "order-7", "e1"),
    ("a topic that looks like a key", "2.4", ["topic-ignored"], "order-7", "order-8", "e1"),
    ("a topic and no key", "2.4", ["no-key"], "orders.order-7", None, None),
    ("the text null is a key", "2.2", ["subject-first"], "orders", "null", "e1"),
    ("the digit 0 is a key", "2.2", ["subject-first"], "orders", "0", "e1"),
    ("the text false is a key", "2.2", ["subject-first"], "orders", "false", "e1"),
    ("a NUL is a key", "2.3", ["subject-first", "bytes"], "orders", "\0", "e1"),
    ("a NUL inside", "2.3", ["subject-first", "bytes"], "orders", "a\0b", "e1"),
    ("a space is a key", "2.3", ["subject-first", "trimmed"], "orders", " ", "e1"),
    ("a space before", "2.3", ["subject-first", "trimmed"], "orders", " order-7", "e1"),
    ("a space behind", "2.3", ["subject-first", "trimmed"], "orders", "order-7 ", "e1"),
    ("a newline behind", "2.3", ["subject-first", "trimmed"], "orders", "order-7\n", "e1"),
    ("a tab before the id", "2.3", ["trimmed"], "orders", None, "\te1"),
    ("a no-break space", "2.3", ["subject-first", "trimmed"], "orders", "\xa0order-7", "e1"),
    ("upper case", "2.3", ["subject-first", "case-folded"], "orders", "ORDER-7", "e1"),
    ("upper case in an id", "2.3", ["case-folded"], "orders", None, "E1"),
    ("a sharp s, which folds to ss", "2.3", ["subject-first"], "orders", "stra\xdfe", "e1"),
    ("composed", "2.3", ["subject-first", "normalised"], "orders", "\xe9", "e1"),
    ("decomposed", "2.3", ["subject-first", "normalised"], "orders", "e\u0301", "e1"),
    ("a ligature", "2.3", ["subject-first", "normalised"], "orders", "\ufb01n", "e1"),
    ("beyond U+FFFF", "2.3", ["subject-first"], "orders", "order-\U0001f600", "e1"),
    ("a BOM belongs to the key", "2.3", ["subject-first"], "orders", "\ufefforder-7", "e1"),
    ("percent-encoded", "2.3", ["subject-first", "escaped"], "orders", "a%20b", "e1"),
    ("a plus is no space", "2.3", ["subject-first"], "orders", "a+b", "e1"),
    ("quoted", "2.3", ["subject-first"], "orders", "\"order-7\"", "e1"),
    ("a backslash", "2.3", ["subject-first"], "orders", "\\u0061", "e1"),
    ("no UTF-8", "2.3", ["subject-first", "bytes"], "orders", b"\xff", "e1"),
    ("no UTF-8 in an id", "2.3", ["bytes"], "orders", None, b"e\xc3"),
    ("a subject of 300 bytes", "2.3", ["subject-first"], "orders", "s" * 300, "e1"),
    ("a subject that looks like a command topic", "5.2", ["subject-first"], "orders", "wrk.demo.command.7", "e1"),
]

# comment, topic
COMMANDS = [
    ("the plain case", "wrk.demo.command.7"),
    ("other tokens", "wrk.pricing-eu.command.f47ac10b-58cc-4372-a567-0e02b2c3d479"),
    ("all tokens are words of the pattern", "wrk.wrk.command.wrk"),
    ("the same word twice", "wrk.command.command.command"),
    ("one-letter tokens", "wrk.a.command.b"),
    ("wildcards are ordinary tokens of a topic", "wrk.*.command.>"),
    ("letters beyond ASCII", "wrk.\xe9.command.\U0001f600"),
    ("a space inside a token", "wrk.my worker.command.7"),
    ("a slash inside a token", "wrk.a/b.command.7"),
    ("no UTF-8", b"wrk.\xff.command.7"),
    ("a NUL token", "wrk.\0.command.7"),
    ("a newline at the end belongs to the last token", "wrk.demo.command.7\n"),
]

NOT_COMMANDS = [
    ("three tokens", "wrk.demo.command"),
    ("an empty last token", "wrk.demo.command."),
    ("an empty second token", "wrk..command.7"),
    ("five tokens", "wrk.demo.command.7.8"),
    ("five tokens, the last empty", "wrk.demo.command.7."),
    ("a dot before", ".wrk.demo.command.7"),
    ("two dots before the last", "wrk.demo.command..7"),
    ("a type of two tokens", "wrk.demo.eu.command.7"),
    ("another first token", "work.demo.command.7"),
    ("a longer first token", "xwrk.demo.command.7"),
    ("a first token that goes on", "wrkx.demo.command.7"),
    ("another third token", "wrk.demo.commands.7"),
    ("a third token that ends so", "wrk.demo.xcommand.7"),
    ("event in place of command", "wrk.demo.event.7"),
    ("upper-case first token", "WRK.demo.command.7"),
    ("upper-case third token", "wrk.demo.Command.7"),
    ("slashes in place of dots", "wrk/demo/command/7"),
    ("the words in another order", "wrk.command.demo.7"),
    ("a space before", " wrk.demo.command.7"),
    ("a newline before", "\nwrk.demo.command.7"),
    ("a space behind the third token", "wrk.demo.command .7"),
    ("only dots", "..."),
    ("the word alone", "command"),
    ("a full-width dot", "wrk\uff0edemo.command.7"),
    ("the pattern inside a longer topic", "eu.wrk.demo.command.7"),
]


def route_of(event):
    kind, key = spec.route(*event)
    return {"route": kind, **octets(key=key), **({"hash": f"{spec.hash32(key):08x}"} if kind == "key" else {})}


def raw(value):
    return value.encode() if isinstance(value, str) else value


def field(row, name):
    digits = row["event"].get(f"{name}_hex")
    return None if digits is None else bytes.fromhex(digits)


def result(row):
    return row["route"], row.get("key_hex")


def mutant(change=lambda key: key, pick=spec.default_key):
    """The rule with another choice or treatment of the key."""

    def wrong(row):
        key = pick(field(row, "subject"), field(row, "id"))
        key = None if key is None else change(key)
        return row["route"], None if key is None else key.hex()

    return wrong


def normal(key):
    text = key.decode()
    return next((form for form in (unicodedata.normalize(f, text) for f in ("NFC", "NFD", "NFKC")) if form != text), text).encode()


def unescaped(key):
    from urllib.parse import unquote_to_bytes

    return unquote_to_bytes(key)


def filtered(row):
    return "key" if row.get("key_hex") else "none", row.get("key_hex")


def searched(row):
    """A command by a careless look at the topic, in one of several ways."""
    topic = (field(row, "topic") or b"").decode(errors="replace").lower().replace("/", ".").strip()
    loose = "command" in topic or topic.count(".") == 3 or topic.startswith("wrk")
    return ("command" if loose else row["route"]), row.get("key_hex")


MUTANTS = {
    "empty-kept": mutant(pick=lambda subject, id_: subject if subject is not None else id_),
    "subject-first": mutant(pick=lambda subject, id_: id_ or subject or None),
    "no-key": mutant(pick=lambda subject, id_: subject or id_ or b""),
    "trimmed": mutant(lambda key: key.decode().strip().encode()),
    "case-folded": mutant(lambda key: key.lower()),
    "normalised": mutant(normal),
    "escaped": mutant(unescaped),
    "bytes": mutant(lambda key: key.partition(b"\0")[0].decode(errors="replace").encode()),
    "command": filtered,
    "not-command": searched,
    "topic-ignored": lambda row: (row["route"], field(row, "topic").hex()),
}


def routing_v1():
    t = Tests()

    def add(comment, section, flags, topic, subject, id_):
        event = octets(topic=topic, subject=subject, id=id_)
        t.add(comment, section, flags, event=event, **route_of((raw(topic), raw(subject), raw(id_))))

    for row in KEYS:
        add(*row)
    for comment, topic in COMMANDS:
        add(f"a command: {comment}", "5.2", ["command"], topic, "order-7", "e1")
    add("a command without subject", "5.4", ["command"], "wrk.demo.command.7", None, "e1")
    add("a command without any attribute", "5.4", ["command"], "wrk.demo.command.7", None, None)
    add("a command with an empty subject", "5.4", ["command"], "wrk.demo.command.7", E, "e1")
    for comment, topic in NOT_COMMANDS:
        add(f"no command: {comment}", "5.2", ["not-command"], topic, "order-7", "e1")
    add("no command and no key", "5.2", ["not-command"], "wrk.demo.command", None, None)
    for text in (b"007", b"00", b"1e3", b"0x10", b"-0", b"1.0", b"true"):
        add("a subject that looks like a number or a word of a language is its text", "2.3", [], "orders", text, "e1")
    prove(t, result, MUTANTS)
    return document("routing.v1", t, NOTES)


FILES = {"routing.v1": routing_v1}
