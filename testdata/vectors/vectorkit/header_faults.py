"""Readers of messages that are wrong on purpose, each in one way: what the notes of header.v1 say that its tests catch."""

from .header import PREFIXES, SPACES, Message, NoKey, trim


class ExactNames(Message):
    def same(self, name, other):
        return name == other


class FoldedNames(Message):
    def same(self, name, other):
        return name.decode(errors="replace").casefold() == other.decode().casefold()


class AnyName(Message):
    def same(self, name, other):
        return name.lower().strip().startswith(b"x-") or name[-4:].lower() in other[-4:].lower() or other.lower()[3:] in name.lower()


class OtherOfTwo(Message):
    def pick(self, values):
        return values[-1 if self.transport in ("http", "nats") else 0]


class Untrimmed(Message):
    def trim(self, value):
        return value


class TrimsASCII(Message):
    def trim(self, value):
        return value.strip()


class TrimsMore(Message):
    def trim(self, value):
        return trim(value, [*SPACES, *(c.encode() for c in "\u180e\u200b\u200c\u200d\u2060\ufeff\x1c\x1d\x1e\x1f\0\x7f"), b"\x85", b"\xa0", b"\xc2", b"\xe2\x80"])


class FirstForm(Message):
    def prefix(self):
        return PREFIXES[self.transport][0]


class MixedForms(Message):
    def value(self, prefix, attribute):
        values = [super(MixedForms, self).value(p, attribute) for p in reversed(PREFIXES[self.transport])]
        return next(filter(None, values), None)


class ExactType(Message):
    def media(self, content_type):
        return content_type


class BlankSpecversion(Message):
    def prefix(self):
        return next((p for p in PREFIXES[self.transport] if trim(self.find(p + b"specversion") or b"")), None)


class HeadersOnly(Message):
    def mode(self):
        return "binary", self.prefix() or PREFIXES[self.transport][0]


class SearchedType(Message):
    def media(self, content_type):
        return b"application/cloudevents+json"


class OnlyUTF8(Message):
    def value(self, prefix, attribute):
        raw = super().value(prefix, attribute)
        return raw and raw.decode(errors="replace").encode()


class NeverDecodes(Message):
    def encoded(self):
        return False


class AlwaysDecodes(Message):
    def value(self, prefix, attribute):
        self.percent = True
        return super().value(prefix, attribute)

    def encoded(self):
        return True


class DecodesTwice(Message):
    def bad(self):
        return b"%"

    def unescape(self, value):
        return super().unescape(super().unescape(value))


class TrimsLast(Message):
    def decode(self, value):
        return trim(super().decode(value))


class KeepsPercent(Message):
    def bad(self):
        return b"%"


class AnyText(Message):
    def text(self, value):
        return value


class Plus(Message):
    def unescape(self, value):
        return super().unescape(value.replace(b"+", b" "))


class NoQuotes(Message):
    def unquote(self, value):
        return value


class LooseQuotes(Message):
    def unquote(self, value):
        try:
            return super().unquote(value)
        except NoKey:
            return value.strip(b'"\\') or value


class Topicless(Message):
    def command(self):
        return False


class AnySeparator(Message):
    def command(self):
        return self.topic.replace(b"/", b".").count(b".") == 3


MUTANTS = {
    "binary": SearchedType,
    "name-case": ExactNames,
    "ascii-case": FoldedNames,
    "other-name": AnyName,
    "first-counts": OtherOfTwo,
    "last-counts": OtherOfTwo,
    "trimmed": Untrimmed,
    "trimmed-all": TrimsASCII,
    "not-white": TrimsMore,
    "blank-absent": Untrimmed,
    "two-forms": FirstForm,
    "one-form": MixedForms,
    "content-type": ExactType,
    "unreadable": HeadersOnly,
    "structured-wins": HeadersOnly,
    "not-structured": SearchedType,
    "no-specversion": HeadersOnly,
    "bytes": OnlyUTF8,
    "percent": NeverDecodes,
    "percent-off": AlwaysDecodes,
    "percent-once": DecodesTwice,
    "percent-elsewhere": AlwaysDecodes,
    "percent-last": TrimsLast,
    "bad-percent": KeepsPercent,
    "bad-text": AnyText,
    "plus": Plus,
    "quoted": NoQuotes,
    "bad-quotes": LooseQuotes,
    "command": Topicless,
    "blank-specversion": BlankSpecversion,
    "not-command": AnySeparator,
}
