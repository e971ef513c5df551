"""The key of a message in any mode, by SPEC.md section 9. Numbers in brackets are its sections.

Each decision is a method of its own, so that suites can get it wrong on purpose."""

from . import peek
from .spec import default_key, is_command

PREFIXES = {  # [9.7]
    "http": [b"ce-"],
    "nats": [b"ce-"],
    "kafka": [b"ce_"],
    "amqp": [b"cloudEvents_", b"cloudEvents:"],
    "mqtt": [b"", b"ce-"],
    "pubsub": [b"ce-"],
}
ENCODED = {"http", "nats"}  # [9.8]
FIRST = {"http", "nats"}
MEDIA = b"application/cloudevents"
SPACES = [chr(c).encode() for c in (*range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)]
HEX = b"0123456789abcdefABCDEF"


class NoKey(Exception):
    pass


class Message:
    """headers is a list of (name, value); content_type is what the transport has apart from them, None where it has none."""

    def __init__(self, transport, headers, body=b"", content_type=None, topic=b"", percent=False):
        self.transport, self.headers, self.body = transport, headers, body
        self.apart, self.topic, self.percent = content_type, topic, percent

    def route(self):
        """(mode, "command" | "key" | "none", key or None); mode is binary, structured or unreadable."""
        mode, prefix = self.mode()
        if self.command():  # [5.4]
            return mode, "command", None
        try:
            key = self.key(mode, prefix)
        except NoKey:
            key = None
        return mode, "none" if key is None else "key", key

    def command(self):  # [5.5]
        topic = self.topic
        if self.transport == "mqtt":
            topic = topic.translate(bytes.maketrans(b"/.", b"./"))
        return is_command(topic)

    def mode(self):  # [9.1]
        media = self.media(self.content_type())
        if media == MEDIA + b"+json":
            return "structured", None
        if media.startswith(MEDIA):
            return "unreadable", None
        prefix = self.prefix()
        return ("structured", None) if prefix is None else ("binary", prefix)

    def content_type(self):
        if self.apart is not None or self.transport in ("amqp", "mqtt"):
            return self.apart or b""
        return self.find(b"content-type") or b""

    def media(self, content_type):
        return trim(content_type.partition(b";")[0]).lower()

    def prefix(self):
        return next((p for p in PREFIXES[self.transport] if self.find(p + b"specversion")), None)

    def key(self, mode, prefix):
        if mode == "unreadable":
            return None
        if mode == "structured":
            return peek.peek(self.body)[3]
        return default_key(self.value(prefix, b"subject"), self.value(prefix, b"id"))

    def value(self, prefix, attribute):  # [9.7] [9.8]
        raw = self.trim(self.find(prefix + attribute) or b"")
        if self.percent and self.encoded():
            raw = self.decode(raw)
        return raw or None

    def encoded(self):
        return self.transport in ENCODED

    def find(self, name):
        found = [value for n, value in self.headers if self.same(n, name)]
        return self.pick(found) if found else None

    def pick(self, values):
        return values[0 if self.transport in FIRST else -1]

    def same(self, name, other):
        return name.lower() == other.lower()  # of bytes: ASCII only

    def trim(self, value):
        return trim(value)

    def decode(self, value):
        return self.text(self.unescape(self.unquote(value)))

    def unquote(self, value):
        if len(value) < 2 or value[:1] != b'"' or value[-1:] != b'"':
            return value
        out, rest = b"", value[1:-1]
        while rest:
            c, rest = rest[:1], rest[1:]
            if c == b'"' or (c == b"\\" and not rest):
                raise NoKey
            if c == b"\\":
                c, rest = rest[:1], rest[1:]
            out += c
        return out

    def unescape(self, value):
        out = b""
        while value:
            c, digits = value[:1], value[1:3]
            if c != b"%":
                out, value = out + c, value[1:]
            elif len(digits) == 2 and all(d in HEX for d in digits):
                out, value = out + bytes([int(digits, 16)]), value[3:]
            else:
                out, value = out + self.bad(), value[1:]
        return out

    def bad(self):
        raise NoKey

    def text(self, value):
        try:
            value.decode()
        except UnicodeDecodeError:
            raise NoKey from None
        return value


def trim(value, spaces=SPACES):
    """value without white space at its ends, character by character."""
    while value:
        start = next((len(s) for s in spaces if value.startswith(s)), 0)
        end = next((len(s) for s in spaces if value.endswith(s)), 0)
        if start:
            value = value[start:]
        elif end:
            value = value[:-end]
        else:
            break
    return value
