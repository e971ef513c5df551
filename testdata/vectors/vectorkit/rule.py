"""Rule texts: SPEC.md section 6. A text is cut into its pieces first, and each piece is then held against the grammar."""

import re

from .spec import COMMAND_PATTERN, matches

HASH = b"fnv1a32-fmix32"
MAX_TEXT = 1024
MAX_INDEX = 255
TOPIC = re.compile(rb"topic([./:_|-]?)\[(.*)\]", re.DOTALL)


class Bad(Exception):
    """A refused text; offset is where the smallest piece begins that is at fault, in bytes from 0 (README.md, rule.v1)."""

    def __init__(self, offset):
        super().__init__(offset)
        self.offset = offset


class Rule:
    def __init__(self, joins, patterns, percent):
        self.joins = joins  # a list of lists of canonical parts
        self.patterns = patterns  # sorted, each once
        self.percent = percent

    def text(self):  # [6.6]
        words = [HASH, b",".join(b"+".join(join) for join in self.joins)]
        if self.patterns != [COMMAND_PATTERN]:
            words.append(b"bypass=" + b",".join(self.patterns))
        if self.percent:
            words.append(b"percent")
        return b" ".join(words)

    def key(self, event):  # [6.2] [6.3]
        """The key, None where there is none; event has topic, subject, id and attributes, each maybe absent."""
        names = {part for join in self.joins for part in join if not part.endswith(b"]")}
        attributes = event.get("attributes")
        if names - {b"subject", b"id"} and attributes is None:
            return None  # not fetched: what is not known cannot be told from what is absent
        values = {name.encode(): value for name, value in (attributes or {}).items()}
        values |= {b"subject": event.get("subject"), b"id": event.get("id")}
        for join in self.joins:
            parts = [token(part, event.get("topic") or b"") if part.endswith(b"]") else values.get(part) for part in join]
            if all(parts):
                return parts[0] if len(parts) == 1 else b"".join(b"%d:%s" % (len(part), part) for part in parts)
        return None

    def route(self, event):
        key = self.key(event)
        if any(matches(pattern, event.get("topic") or b"") for pattern in self.patterns):
            return "command", key
        return ("key" if key else "none"), key


def token(part, topic):  # [6.4]
    separator, index = TOPIC.fullmatch(part).groups()
    tokens = topic.split(separator or b".")
    return tokens[int(index)] if int(index) < len(tokens) else b""


def pieces(text, offset, separator):
    """The pieces of text between separators, each with its place."""
    for piece in text.split(separator):
        yield piece, offset
        offset += len(piece) + len(separator)


def parse(text):
    """The Rule of a text, or Bad."""
    if len(text) > MAX_TEXT:  # [6.6]
        raise Bad(MAX_TEXT)
    control = re.search(rb"[\x00-\x1f\x7f]", text)
    if control:
        raise Bad(control.start())
    words = list(pieces(text, 0, b" "))
    for word, offset in words:
        if not word:  # none at all, or one space too many
            raise Bad(offset)
    if words[0][0] == HASH:
        words.pop(0)
        if not words:
            raise Bad(len(text))
    elif len(words) > 1 and not option(words[1][0]):
        raise Bad(0)  # another hash
    if words[0][0].startswith(b"bypass="):
        raise Bad(words[0][1])  # no key
    joins = parse_key(*words.pop(0))
    patterns, percent = [COMMAND_PATTERN], False
    if words and words[0][0].startswith(b"bypass="):
        patterns = parse_patterns(*words.pop(0))
    if words and words[0][0] == b"percent":
        words.pop(0)
        percent = True
    if words:
        raise Bad(words[0][1])
    rule = Rule(joins, patterns, percent)
    if len(rule.text()) > MAX_TEXT:
        raise Bad(len(text))
    return rule


def option(word):
    return word == b"percent" or word.startswith(b"bypass=")


def parse_key(word, offset):
    joins = []
    for text, place in pieces(word, offset, b","):
        join = []
        for part, at in pieces(text, place, b"+"):
            part = parse_part(part, at)
            if part in join:
                raise Bad(at)
            join.append(part)
        if join in joins:
            raise Bad(place)
        joins.append(join)
    return joins


def parse_part(part, offset):  # [6.2] [6.4]
    if b"[" not in part:
        if part in (b"", b"data"):
            raise Bad(offset)
        other = re.search(rb"[^a-z0-9]", part)
        if other:
            raise Bad(offset + other.start())
        return part
    name, _, index = part.partition(b"[")
    if not re.fullmatch(rb"topic[./:_|-]?", name):
        raise Bad(offset)
    if not index.endswith(b"]"):
        raise Bad(offset + len(part))
    index, at = index[:-1], offset + len(name) + 1
    other = re.search(rb"[^0-9]", index)
    if other:
        raise Bad(at + other.start())
    if not re.fullmatch(rb"0|[1-9][0-9]*", index) or int(index) > MAX_INDEX:
        raise Bad(at)
    return name.removesuffix(b".") + b"[" + index + b"]"


def parse_patterns(word, offset):  # [5.3] [6.5]
    listed = word.removeprefix(b"bypass=")
    if not listed:
        return []
    found = set()
    for pattern, place in pieces(listed, offset + len(b"bypass="), b","):
        tokens = list(pieces(pattern, place, b"."))
        for i, (text, at) in enumerate(tokens):
            last = i == len(tokens) - 1
            if not text or (text == b">" and not last) or (len(text) > 1 and re.search(rb"[*>]", text)):
                raise Bad(at)
        found.add(pattern)
    return sorted(found)
