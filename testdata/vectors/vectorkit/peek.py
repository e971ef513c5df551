"""Subject and id of a structured JSON event, by SPEC.md section 9: one byte at a time, and no JSON library.

Numbers in brackets are sections of SPEC.md. Each decision is a method of its own, so that suites can get it wrong on purpose."""

from .spec import default_key

SHORT = {b'"': b'"', b"\\": b"\\", b"/": b"/", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t"}
REPLACEMENT = "\ufffd".encode()
HEX = b"0123456789abcdefABCDEF"
WORD = b"0123456789+-.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Unreadable(Exception):
    """The event has no key because its body, or an attribute that the rule needs, is wrong."""


class Reader:
    """Reads one body under the default rule. values has what was found of subject and id."""

    def __init__(self, body):
        self.body, self.at, self.values = body, 0, {b"subject": None, b"id": None}

    def read(self):  # [9.2]
        self.white()
        self.expect(b"{")
        self.white()
        if not self.take(b"}"):
            self.members()
        self.end()
        return self.values

    def members(self):  # [9.6]
        while True:
            self.expect(b'"')
            name = self.string()
            self.white()
            self.expect(b":")
            self.white()
            kind, raw = self.value()
            self.member(self.name(name), kind, raw)
            self.white()
            if self.take(b"}"):
                return
            self.expect(b",")
            self.white()

    def end(self):
        self.white()
        if self.at < len(self.body):
            raise Unreadable

    def member(self, name, kind, raw):  # [9.3]
        if name in self.values:
            self.values[name] = self.attribute(kind, raw)

    def name(self, raw):
        try:
            return self.text(raw)
        except Unreadable:  # then it is none that the rule needs
            return None

    def attribute(self, kind, raw):  # [9.4]
        if kind == "string":
            return self.text(raw) or None
        if raw != b"null":
            raise Unreadable
        return None

    def text(self, raw):  # [9.5]
        out, i = [], 0
        while i < len(raw):
            c = raw[i : i + 1]
            if c != b"\\":
                out.append(self.plain(c))
                i += 1
            elif raw[i + 1 : i + 2] == b"u":
                i = self.code(out, raw, i)
            else:
                out.append(self.short(raw[i + 1 : i + 2]))
                i += 2
        return b"".join(out)

    def plain(self, c):
        if c < b" ":
            raise Unreadable
        return c

    def short(self, c):
        if c not in SHORT:
            raise Unreadable
        return SHORT[c]

    def code(self, out, raw, i):
        first = unit(raw, i)
        if first is None:
            raise Unreadable
        second = unit(raw, i + 6)
        if 0xD800 <= first < 0xDC00 and second is not None and 0xDC00 <= second < 0xE000:
            out.append(self.pair(first, second))
            return i + 12
        out.append(self.lone() if 0xD800 <= first < 0xE000 else chr(first).encode())
        return i + 6

    def pair(self, high, low):
        return chr(0x10000 + (high - 0xD800 << 10) + (low - 0xDC00)).encode()

    def lone(self):
        return REPLACEMENT

    # Where a value ends [9.6].

    def value(self):
        start = self.at
        if self.take(b'"'):
            return "string", self.string()
        if self.peek() in (b"{", b"["):
            self.container()
            return "container", self.body[start : self.at]
        while self.peek() and self.peek() in WORD:
            self.at += 1
        if self.at == start:
            raise Unreadable
        return "word", self.body[start : self.at]

    def string(self):
        """The raw inside of a string whose opening quote has been read."""
        start = self.at
        while self.at < len(self.body):
            c = self.body[self.at : self.at + 1]
            self.at += 2 if c == b"\\" else 1
            if c == b'"':
                return self.body[start : self.at - 1]
        raise Unreadable

    def container(self):
        depth = 0
        while self.at < len(self.body):
            c = self.body[self.at : self.at + 1]
            self.at += 1
            if c == b'"':
                self.inner_string()
            elif c in b"{[":
                depth += 1
            elif c in b"}]":
                depth -= 1
                if depth == 0:
                    return
        raise Unreadable

    def inner_string(self):
        self.string()

    # Single bytes.

    def peek(self):
        return self.body[self.at : self.at + 1]

    def take(self, c):
        if self.peek() != c:
            return False
        self.at += 1
        return True

    def expect(self, c):
        if not self.take(c):
            raise Unreadable

    def white(self):
        while self.peek() and self.peek() in b" \t\n\r":
            self.at += 1


def unit(raw, i):
    """The UTF-16 unit of an escape at i, None if there is none."""
    digits = raw[i + 2 : i + 6]
    if raw[i : i + 2] != b"\\u" or len(digits) < 4 or any(d not in HEX for d in digits):
        return None
    return int(digits, 16)


def peek(body, reader=Reader):
    """("key" | "malformed", subject, id, key) under the default rule; None is absent."""
    try:
        values = reader(body).read()
    except Unreadable:
        return "malformed", None, None, None
    subject, id_ = values[b"subject"], values[b"id"]
    key = default_key(subject, id_)
    if key is None:
        return "malformed", None, None, None
    return "key", subject, id_, key
