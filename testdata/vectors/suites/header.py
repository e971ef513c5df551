"""header.v1: the key of a message with headers under the default rule, with and without percent."""

from vectorkit.header import PREFIXES, SPACES, Message
from vectorkit.header_faults import MUTANTS
from vectorkit.tests import Tests, document, octets, prove

NOTES = {
    "binary": "The plain case of each transport.",
    "name-case": "Catches names of headers that are compared with regard to case.",
    "ascii-case": "Catches names that are folded beyond ASCII.",
    "other-name": "Catches the names of another transport, and names without their prefix.",
    "first-counts": "A header stands twice. Catches taking the last, where the first counts.",
    "last-counts": "A header stands twice. Catches taking the first, where the last counts.",
    "trimmed": "White space at an end of the value. Catches keeping it.",
    "trimmed-all": "White space beyond ASCII at an end of the value. Catches trimming ASCII alone.",
    "not-white": "A character at an end of the value that is no white space. Catches trimming more than the list.",
    "blank-absent": "White space alone. Catches keeping it as the key.",
    "two-forms": "A transport with two forms of names. Catches readers that know the first alone.",
    "one-form": "Headers of both forms. Catches mixing them.",
    "content-type": "Catches content types that are compared with their parameters, their white space, or with regard to case.",
    "unreadable": "An event format other than JSON, or a batch. Catches taking the key from headers or body all the same.",
    "structured-wins": "Structured JSON, and headers of binary mode. Catches reading the headers.",
    "not-structured": "A content type that names no event format. Catches taking it for one.",
    "no-specversion": "No specversion in the headers: they hold no event. Catches reading them.",
    "bytes": "Values that are no valid UTF-8. Catches replacing and refusing them.",
    "percent": "Catches values that are not decoded although the rule says percent.",
    "percent-off": "Catches values that are decoded although the rule does not say percent.",
    "percent-once": "Catches decoding twice.",
    "percent-elsewhere": "A transport without percent-encoding. Catches decoding its values.",
    "percent-last": "Catches decoding before trimming.",
    "bad-percent": "Catches keeping or dropping a % without two digits.",
    "bad-text": "The decoded value is no valid UTF-8. Catches taking it.",
    "plus": "Catches a + taken for a space.",
    "quoted": "A value in double quotes. Catches keeping the quotes and backslashes.",
    "bad-quotes": "Catches a quoted value that is cut at its first quote, or keeps what is wrong in it.",
    "command": "Catches a command that is not one because of its transport, or its headers.",
    "blank-specversion": "A specversion of white space alone is there. Catches trimming it before it is looked for.",
    "not-command": "Catches separators that are taken for one another.",
}

JSON = b'{"specversion":"1.0","source":"/s","type":"t","id":"j","subject":"body"}'
STRUCTURED = b"application/cloudevents+json"
TRANSPORTS = list(PREFIXES)
IN_HEADERS = [t for t in TRANSPORTS if t not in ("amqp", "mqtt")]  # where the content type is a header


def ce(transport, subject=None, id_=b"e1", form=0):
    """The headers of an event in binary mode."""
    prefix = PREFIXES[transport][form]
    pairs = [(prefix + b"specversion", b"1.0")]
    if subject is not None:
        pairs.append((prefix + b"subject", subject))
    if id_ is not None:
        pairs.append((prefix + b"id", id_))
    return pairs


def typed(transport, content_type, headers=(), body=JSON):
    """A message with a content type, wherever its transport has that."""
    if transport in IN_HEADERS:
        return Message(transport, [(b"content-type", content_type), *headers], body)
    return Message(transport, list(headers), body, content_type)


def plain():
    for t in TRANSPORTS:
        yield f"{t}: a subject and an id", "9.7", ["binary"], Message(t, ce(t, b"order-7"))
        yield f"{t}: an id", "9.7", ["binary"], Message(t, ce(t))
        yield f"{t}: an empty subject", "9.7", [], Message(t, ce(t, b""))
        yield f"{t}: neither", "9.7", [], Message(t, ce(t, None, None))
        yield f"{t}: both empty", "9.7", [], Message(t, ce(t, b"", b""))
        yield f"{t}: the subject alone", "9.7", [], Message(t, ce(t, b"order-7", None))
        yield f"{t}: another content type", "9.1", ["not-structured"], typed(t, b"application/json", ce(t, b"order-7"))
        yield f"{t}: the body does not count", "9.1", ["binary"], Message(t, ce(t, b"order-7"), JSON)
        yield f"{t}: no headers, a structured body", "9.1", [], Message(t, [], JSON)
        yield f"{t}: nothing", "9.1", [], Message(t, [])
        yield f"{t}: a subject without a specversion", "9.1", ["no-specversion"], Message(t, ce(t, b"order-7")[1:], JSON)
        yield f"{t}: an empty specversion", "9.1", ["no-specversion"], Message(t, [(PREFIXES[t][0] + b"specversion", b""), *ce(t, b"order-7")[1:]], JSON)
        yield f"{t}: a specversion that nobody knows", "9.1", [], Message(t, [(PREFIXES[t][0] + b"specversion", b"7"), *ce(t, b"order-7")[1:]], JSON)
        yield f"{t}: no UTF-8", "9.7", ["bytes"], Message(t, ce(t, b"a\xffb"))
        yield f"{t}: a long subject", "9.7", [], Message(t, ce(t, b"order-" * 50))


def names():
    for t in ("http", "nats", "kafka", "mqtt"):
        upper = [(name.upper(), value) for name, value in ce(t, b"order-7")]
        yield f"{t}: upper-case names", "9.7", ["name-case"], Message(t, upper)
        mixed = [(name[:-1] + name[-1:].upper(), value) for name, value in ce(t, b"order-7")]
        yield f"{t}: names with one upper-case letter", "9.7", ["name-case"], Message(t, mixed)
        yield f"{t}: a long s in a name", "9.7", ["ascii-case"], Message(t, [*ce(t), (PREFIXES[t][0] + "\u017fubject".encode(), b"no")])
    yield "pubsub: canonical names", "9.7", ["name-case"], Message("pubsub", [(b"Ce-Specversion", b"1.0"), (b"Ce-Subject", b"order-7")])
    for t, name in [
        ("http", b"ce_subject"), ("http", b"subject"), ("http", b"cesubject"), ("http", b"x-ce-subject"), ("http", b"ce-subject-x"), ("nats", b"ce_subject"),
        ("kafka", b"ce-subject"), ("kafka", b"subject"), ("kafka", b"ce_subject "), ("amqp", b"ce-subject"), ("amqp", b"cloudEvents-subject"), ("amqp", b"subject"),
        ("mqtt", b"ce_subject"), ("mqtt", b"ce-subject"), ("pubsub", b"subject"), ("pubsub", b"ce_subject"),
    ]:
        yield f"{t}: {name.decode()} is no subject here", "9.7", ["other-name"], Message(t, [*ce(t), (name, b"no")])
    for t in ("http", "nats", "kafka", "amqp", "mqtt"):
        flag = "first-counts" if t in ("http", "nats") else "last-counts"
        yield f"{t}: two subjects", "9.7", [flag], Message(t, [*ce(t, b"a"), *ce(t, b"b")[1:2]])
        yield f"{t}: three ids", "9.7", [flag], Message(t, [*ce(t, None, b"a"), *ce(t, None, b"b")[1:], *ce(t, None, b"c")[1:]])
        yield f"{t}: an empty subject and a subject", "9.7", [flag], Message(t, [*ce(t, b""), *ce(t, b"b")[1:2]])
        yield f"{t}: a subject and an empty subject", "9.7", [flag], Message(t, [*ce(t, b"a"), *ce(t, b"")[1:2]])
    yield "kafka: two subjects, names in different case", "9.7", ["last-counts", "name-case"], Message("kafka", [*ce("kafka", b"a"), (b"CE_Subject", b"b")])
    yield "mqtt: two subjects, names in different case", "9.7", ["last-counts"], Message("mqtt", [*ce("mqtt", b"a"), (b"Subject", b"b"), (b"subject", b"c")])
    for t in ("amqp", "mqtt"):
        yield f"{t}: the second form", "9.7", ["two-forms"], Message(t, ce(t, b"order-7", form=1))
        yield f"{t}: the second form, an id", "9.7", ["two-forms"], Message(t, ce(t, form=1))
        yield f"{t}: both forms", "9.7", ["one-form"], Message(t, [*ce(t, b"a"), *ce(t, b"b", form=1)])
        yield f"{t}: both forms, the second first", "9.7", ["one-form"], Message(t, [*ce(t, b"b", form=1), *ce(t, b"a")])
        yield f"{t}: both forms, the subject in the second", "9.7", ["one-form"], Message(t, [*ce(t), *ce(t, b"b", form=1)])
        yield f"{t}: the second form has the specversion, the first a subject", "9.7", ["one-form"], Message(t, [*ce(t, b"a")[1:], *ce(t, None, form=1)])


def white():
    for space in SPACES:
        name = f"U+{ord(space.decode()):04X}"
        flags = ["trimmed"] if space.isascii() else ["trimmed", "trimmed-all"]
        t = TRANSPORTS[SPACES.index(space) % len(TRANSPORTS)]
        yield f"{t}: {name} at both ends", "9.7", flags, Message(t, ce(t, space + b"a" + space + b"b" + space))
        yield f"{t}: {name} alone", "9.7", ["blank-absent"], Message(t, ce(t, space))
    for t in TRANSPORTS:
        yield f"{t}: white space around the id", "9.7", ["trimmed"], Message(t, ce(t, None, b" \te1 \t"))
        yield f"{t}: white space alone in both", "9.7", ["blank-absent"], Message(t, ce(t, b"  ", b"\t"))
        yield f"{t}: several kinds of white space", "9.7", ["trimmed", "trimmed-all"], Message(t, ce(t, b"\t\xc2\xa0 \xe3\x80\x80a\xe3\x80\x80\xc2\xa0"))
    for i, c in enumerate("\u180e\u200b\u200c\u200d\u2060\ufeff\x1c\x1d\x1e\x1f\0\x7f"):
        t = TRANSPORTS[i % len(TRANSPORTS)]
        yield f"{t}: U+{ord(c):04X} is no white space", "9.7", ["not-white"], Message(t, ce(t, f"{c}a{c}".encode()))
    for i, raw in enumerate((b"\x85", b"\xa0", b"\xc2", b"\xe2\x80")):
        t = TRANSPORTS[i]
        yield f"{t}: a byte of white space without the others", "9.7", ["not-white"], Message(t, ce(t, raw + b"a" + raw))


def types():
    for t in TRANSPORTS:
        event = ce(t, b"order-7")
        for comment, content_type in [
            ("a parameter", STRUCTURED + b"; charset=utf-8"), ("a parameter without a blank", STRUCTURED + b";charset=UTF-8"), ("another case", b"Application/CloudEvents+JSON"),
            ("white space", b" " + STRUCTURED + b"\t"), ("white space before a parameter", STRUCTURED + b" ; x=y"), ("a semicolon alone", STRUCTURED + b";"),
        ]:
            if t in ("http", "mqtt") or comment == "a parameter":
                yield f"{t}: structured, with {comment}", "9.1", ["content-type", "structured-wins"], typed(t, content_type, event)
        yield f"{t}: structured, and headers", "9.1", ["structured-wins"], typed(t, STRUCTURED, event)
        yield f"{t}: structured, and a body that cannot be read", "9.1", ["structured-wins"], typed(t, STRUCTURED, event, b"[]")
        yield f"{t}: structured, and no body", "9.1", ["structured-wins"], typed(t, STRUCTURED, event, b"")
        for content_type in (
            b"application/cloudevents-batch+json", b"application/cloudevents+avro", b"application/cloudevents+xml", b"application/cloudevents+protobuf",
            b"application/cloudevents", b"application/cloudevents+json-seq", b"APPLICATION/CLOUDEVENTS-BATCH+JSON; charset=utf-8",
        ):
            if t in ("http", "amqp") or b"batch" in content_type:
                yield f"{t}: {content_type.decode()}", "9.1", ["unreadable"], typed(t, content_type, event)
        for content_type in (
            b"application/json", b"application/cloudevent+json", b"text/plain; x=application/cloudevents+json", b"application/x-cloudevents+json",
            b"", b";application/cloudevents+json", b"cloudevents+json",
        ):
            if t == "http" or content_type in (b"application/json", b"text/plain; x=application/cloudevents+json"):
                yield f"{t}: {content_type.decode() or 'an empty content type'} names no event format", "9.1", ["not-structured"], typed(t, content_type, event)
    yield "http: Content-Type in another case", "9.1", ["name-case"], Message("http", [(b"CONTENT-TYPE", STRUCTURED), *ce("http", b"order-7")], JSON)
    yield "nats: Content-Type", "9.1", ["name-case"], Message("nats", [(b"Content-Type", STRUCTURED), *ce("nats", b"order-7")], JSON)
    yield "kafka: Content-Type", "9.1", ["name-case"], Message("kafka", [(b"Content-Type", STRUCTURED), *ce("kafka", b"order-7")], JSON)
    yield "mqtt: a user property content-type is no content type", "9.1", [], Message("mqtt", [(b"content-type", STRUCTURED), *ce("mqtt", b"order-7")], JSON)
    yield "amqp: a property content-type is no content type", "9.1", [], Message("amqp", [(b"content-type", STRUCTURED), *ce("amqp", b"order-7")], JSON)


QUOTED = [
    ("quotes", b'"order-7"'), ("a backslash before a letter", b'"or\\der"'), ("an escaped quote", b'"a\\"b"'), ("an escaped backslash", b'"a\\\\b"'),
    ("a percent-encoded quote inside", b'"a%22b"'), ("percent-encoding inside", b'"caf%C3%A9"'), ("white space inside", b'" a "'),
    ("a backslash before a %", b'"a\\%41"'), ("a backslash among the digits", b'"a%4\\1"'),
]
UNQUOTED = [
    ("a quote at the beginning", b'"a'), ("a quote at the end", b'a"'), ("a quote inside", b'a"b'), ("a quote alone", b'"'), ("a backslash", b"a\\b"), ("single quotes", b"'a'"),
    ("percent-encoded quotes", b"%22a%22"),
]


def percent():
    for t in ("http", "nats"):
        def m(subject, id_=b"e1", t=t):
            return Message(t, ce(t, subject, id_), percent=True)

        for comment, raw in [
            ("a blank", b"a%20b"), ("an accent", b"caf%C3%A9"), ("lower-case digits", b"caf%c3%a9"), ("beyond U+FFFF", b"%F0%9F%98%80"), ("a NUL", b"a%00b"), ("a newline", b"a%0Ab"),
            ("a slash", b"a%2Fb"), ("nothing else", b"%61"), ("the last byte", b"a%7E"),
        ]:
            yield f"{t}, percent: {comment}", "9.8", ["percent"], m(raw)
            if t == "http":
                yield f"{t}, no percent: {comment}", "9.8", ["percent-off"], Message(t, ce(t, raw))
        yield f"{t}, percent: an id", "9.8", ["percent"], m(None, b"caf%C3%A9")
        yield f"{t}, percent: nothing to decode", "9.8", [], m(b"order-7")
        yield f"{t}, percent: bytes beyond ASCII that are UTF-8", "9.8", [], m("caf\xe9".encode())
        yield f"{t}, percent: a value of 200 bytes", "9.8", ["percent"], m(b"a%20b-" * 34)
        yield f"{t}, percent: 128 bytes decoded", "9.8", ["percent"], m(b"%61" + b"b" * 127)
        yield f"{t}, percent: 129 bytes decoded", "9.8", ["percent"], m(b"%61" + b"b" * 128)
        yield f"{t}, percent: decoded once", "9.8", ["percent", "percent-once"], m(b"a%2541")
        yield f"{t}, percent: decoded once, a % remains", "9.8", ["percent"], m(b"a%25")
        yield f"{t}, percent: a plus", "9.8", ["plus"], m(b"a+b")
        yield f"{t}, percent: an encoded blank at the end is kept", "9.8", ["percent", "percent-last"], m(b"a%20")
        yield f"{t}, percent: an encoded blank alone is a key", "9.8", ["percent", "percent-last"], m(b"%20")
        yield f"{t}, percent: white space is trimmed before", "9.8", ["percent", "trimmed"], m(b" a%20b ")
        for comment, raw in [("alone", b"%"), ("at the end", b"a%"), ("with one digit", b"a%4"), ("with letters", b"a%zz"), ("with one good digit", b"a%4g"), ("with a sign", b"a%+1"), ("twice", b"%%41"),
                             ("with a blank", b"100% x"), ("with a letter that is no ASCII", "a%\u0131".encode())]:
            yield f"{t}, percent: a % {comment}", "9.8", ["bad-percent"], m(raw)
        yield f"{t}, percent: a % in the id, beside a good subject", "9.8", ["bad-percent"], m(b"order-7", b"100%")
        yield f"{t}, percent: a % in the subject, beside a good id", "9.8", ["bad-percent"], m(b"100%", b"e1")
        for comment, raw in [("one byte", b"%FF"), ("a character that breaks off", b"caf%C3"), ("a surrogate", b"%ED%A0%80"), ("overlong", b"%C0%AF"), ("raw bytes", b"caf\xe9"), ("half of it raw", b"\xc3%41")]:
            yield f"{t}, percent: no UTF-8, {comment}", "9.8", ["bad-text"], m(raw)
        yield f"{t}, percent: half of a character raw", "9.8", ["percent"], m(b"caf\xc3%a9")
        for comment, raw in QUOTED:
            yield f"{t}, percent: {comment}", "9.8", ["quoted"], m(raw)
        for comment, raw in UNQUOTED:
            yield f"{t}, percent, not quoted: {comment}", "9.8", [], m(raw)
        yield f"{t}, percent: empty quotes are absent", "9.8", ["quoted"], m(b'""')
        yield f"{t}, percent: quotes inside of white space", "9.8", ["quoted"], m(b' "a" ')
        for comment, raw in [("a quote inside", b'"a"b"'), ("two quoted values", b'"a","b"'), ("a backslash before the last quote", b'"a\\"'), ("three quotes", b'"""'), ("a backslash alone", b'"\\"')]:
            yield f"{t}, percent: quoted, {comment}", "9.8", ["bad-quotes"], m(raw)
        yield f"{t}, percent: structured JSON is not decoded", "9.8", [], Message(t, [(b"content-type", STRUCTURED)], b'{"id":"a%20b"}', percent=True)
    for comment, raw in QUOTED[:3]:
        yield f"http, no percent: {comment}", "9.8", ["percent-off"], Message("http", ce("http", raw))
    yield "http, no percent: a % alone", "9.8", [], Message("http", ce("http", b"100%"))
    for t in ("kafka", "amqp", "mqtt", "pubsub"):
        yield f"{t}, percent: not decoded", "9.8", ["percent-elsewhere"], Message(t, ce(t, b"a%20b"), percent=True)
        yield f"{t}, percent: quotes are kept", "9.8", ["percent-elsewhere"], Message(t, ce(t, b'"a"'), percent=True)
        yield f"{t}, percent: a % alone", "9.8", ["percent-elsewhere"], Message(t, ce(t, b"100%"), percent=True)
        yield f"{t}, percent: no UTF-8", "9.8", ["percent-elsewhere"], Message(t, ce(t, b"\xff"), percent=True)


def commands():
    for t in TRANSPORTS:
        separator = b"/" if t == "mqtt" else b"."
        topic = separator.join([b"wrk", b"demo", b"command", b"7"])
        other = (b"." if t == "mqtt" else b"/").join([b"wrk", b"demo", b"command", b"7"])
        yield f"{t}: a command", "5.5", ["command"], Message(t, ce(t, b"order-7"), topic=topic)
        yield f"{t}: a command without headers", "5.5", ["command"], Message(t, [], topic=topic)
        yield f"{t}: a command of another event format", "5.5", ["command"], Message(t, [(b"content-type", b"application/cloudevents+xml")], topic=topic)
        yield f"{t}: tokens with another separator", "5.5", ["not-command"], Message(t, ce(t, b"order-7"), topic=other)
        yield f"{t}: another topic", "5.5", [], Message(t, ce(t, b"order-7"), topic=separator.join([b"orders", b"eu"]))
    yield "mqtt: a command whose tokens hold dots", "5.5", ["command"], Message("mqtt", ce("mqtt", b"order-7"), topic=b"wrk/a.b/command/7.1")
    yield "mqtt: an empty token", "5.5", [], Message("mqtt", ce("mqtt", b"order-7"), topic=b"wrk//command/7")
    yield "mqtt: a separator too many", "5.5", [], Message("mqtt", ce("mqtt", b"order-7"), topic=b"/wrk/demo/command/7")
    yield "kafka: slashes inside of tokens", "5.5", ["command"], Message("kafka", ce("kafka", b"order-7"), topic=b"wrk.a/b.command.7")
    yield "mqtt: mixed separators", "5.5", ["not-command"], Message("mqtt", ce("mqtt", b"order-7"), topic=b"wrk/demo.command/7")


def blank():
    for t in TRANSPORTS:
        version = (PREFIXES[t][0] + b"specversion", b" ")
        yield f"{t}: a specversion of white space alone", "9.1", ["blank-specversion"], Message(t, [version, *ce(t, b"order-7")[1:]], JSON)
    for t in ("amqp", "mqtt"):
        version = (PREFIXES[t][0] + b"specversion", b"\t")
        yield f"{t}: both forms, white space alone is the specversion of the first", "9.7", ["blank-specversion", "one-form"], Message(t, [version, *ce(t, b"a")[1:], *ce(t, b"b", form=1)])


def result(row, reader=Message):
    def raw(holder, name):
        return bytes.fromhex(holder[name]) if name in holder else None

    headers = [(raw(h, "name_hex"), raw(h, "value_hex")) for h in row["headers"]]
    body, topic = raw(row, "body_hex") or b"", raw(row, "topic_hex") or b""
    return reader(row["transport"], headers, body, raw(row, "content_type_hex"), topic, row["percent"]).route()


def header_v1():
    t = Tests()
    for suite in (plain, names, white, types, percent, commands, blank):
        for comment, section, flags, m in suite():
            mode, route, key = m.route()
            t.add(
                comment, section, flags, transport=m.transport, percent=m.percent, **octets(topic=m.topic or None, content_type=m.apart),
                headers=[octets(name=name, value=value) for name, value in m.headers], **octets(body=m.body or None), mode=mode, route=route, **octets(key=key),
            )
    prove(t, result, {flag: lambda row, reader=reader: result(row, reader) for flag, reader in MUTANTS.items()})
    return document("header.v1", t, NOTES, algorithm="header")


FILES = {"header.v1": header_v1}
