"""Readers of structured JSON that are wrong on purpose, each in one way: what the notes of peek.v1 say that its tests catch."""

import json
import re

from .peek import Reader, Unreadable


class FirstWins(Reader):
    def member(self, name, kind, raw):
        self.seen = getattr(self, "seen", set())
        if name not in self.seen:
            super().member(name, kind, raw)
        self.seen.add(name)


class LastJudged(Reader):
    """A wrong value counts only if no other follows."""

    def member(self, name, kind, raw):
        self.wrong = getattr(self, "wrong", set())
        try:
            super().member(name, kind, raw)
            self.wrong.discard(name)
        except Unreadable:
            self.wrong.add(name)

    def end(self):
        super().end()
        if getattr(self, "wrong", None):
            raise Unreadable


class LaterKept(Reader):
    def member(self, name, kind, raw):
        before = self.values.get(name)
        super().member(name, kind, raw)
        if before and not self.values[name]:
            self.values[name] = before


class NullKept(Reader):
    def attribute(self, kind, raw):
        return b"null" if kind == "word" and raw == b"null" else super().attribute(kind, raw)


class RawNames(Reader):
    def name(self, raw):
        return raw


class RawValues(Reader):
    def attribute(self, kind, raw):
        return super().attribute(kind, raw.replace(b"\\", b"/"))


class QuestionMarks(Reader):
    def lone(self):
        return b"?"


class Halves(Reader):
    def pair(self, high, low):
        return chr(high).encode(errors="surrogatepass") + chr(low).encode(errors="surrogatepass")


class AnyEscape(Reader):
    def short(self, c):
        return c

    def code(self, out, raw, i):
        try:
            return super().code(out, raw, i)
        except Unreadable:
            return i + 2


class AnyControl(Reader):
    def plain(self, c):
        return c


class OnlyUTF8(Reader):
    def text(self, raw):
        return super().text(raw).decode(errors="replace").encode()


class AnyType(Reader):
    def attribute(self, kind, raw):
        return raw if kind != "string" and raw != b"null" else super().attribute(kind, raw)


class FoldedNames(Reader):
    def name(self, raw):
        name = super().name(raw)
        return name and name.decode(errors="replace").casefold().encode()


class NearNames(Reader):
    def name(self, raw):
        return next((name for name in self.values if raw.startswith(name)), None)


class SearchLast(Reader):
    """No reader at all: a search for what looks like the members."""

    pick = -1

    def read(self):
        for name in self.values:
            found = re.findall(rb'\\?"%s\\?"[\s:,]*\\?"([^"\\]*)' % name, self.body)
            if found:
                self.values[name] = found[self.pick] or None
        return self.values


class SearchFirst(SearchLast):
    pick = 0


class Brackets(Reader):
    def inner_string(self):
        pass


class Strict(Reader):
    """What another library would refuse."""

    def read(self):
        try:
            json.loads(self.body.decode("latin-1"), parse_constant=lambda _: 1 / 0)
        except (ValueError, ZeroDivisionError):
            raise Unreadable from None
        return super().read()


class NoRest(Reader):
    def end(self):
        pass


class NoMark(Reader):
    def read(self):
        self.body = self.body.replace(b"\xef\xbb\xbf", b"")
        return super().read()


class Patient(Reader):
    """Takes what was found before the end."""

    def read(self):
        try:
            return super().read()
        except Unreadable:
            if self.at < len(self.body) or None not in self.values.values():
                raise
            return self.values


class EmptyKey(Reader):
    def read(self):
        values = super().read()
        return values if any(values.values()) else {b"subject": b"-", b"id": None}


class EmptyEnds(Reader):
    """As the CloudEvents SDK for Go."""

    def members(self):
        body = self.body
        cut = body.find(b'"":')
        if cut > 0:
            self.body = body[:cut].rstrip(b", ") + b"}"
        super().members()


class Blanks(Reader):
    def white(self):
        while self.take(b" "):
            pass


class Spaces(Reader):
    def white(self):
        rest = self.body[self.at :].decode(errors="surrogateescape")
        stripped = rest.replace("\udc85", " ").replace("\udca0", " ").lstrip()
        self.at = len(self.body) - len(stripped.encode(errors="surrogateescape"))


class Trimmed(Reader):
    def text(self, raw):
        return super().text(raw).decode(errors="surrogateescape").strip().encode(errors="surrogateescape")


class Validates(Reader):
    def read(self):
        values = super().read()
        try:
            event = json.loads(self.body)
        except ValueError:
            raise Unreadable from None
        if any(not isinstance(event.get(name, ""), str) for name in ("time",)):
            raise Unreadable
        if any(not isinstance(event.get(name), str) for name in ("specversion", "source", "type")):
            raise Unreadable
        return values


class Shallow(Reader):
    def container(self):
        start = self.at
        super().container()
        if re.search(rb'(\{"a":|\[){1001}', self.body[start : self.at]):
            raise Unreadable


MUTANTS = {
    "last-wins": FirstWins,
    "any-member": LastJudged,
    "later-absent": LaterKept,
    "null-absent": NullKept,
    "name-escapes": RawNames,
    "value-escapes": RawValues,
    "surrogates": QuestionMarks,
    "pairs": Halves,
    "bad-escape": AnyEscape,
    "control": AnyControl,
    "bytes": OnlyUTF8,
    "other-type": AnyType,
    "brackets-in-strings": Brackets,
    "unjudged": Strict,
    "unneeded": Validates,
    "trailing": NoRest,
    "bom": NoMark,
    "case-folded": FoldedNames,
    "near-name": NearNames,
    "no-key": EmptyKey,
    "empty-name": EmptyEnds,
    "white-space": Blanks,
    "other-space": Spaces,
    "trimmed": Trimmed,
    "depth": Shallow,
}
