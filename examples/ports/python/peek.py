"""The routing key of an event in structured JSON, read from its bytes: sections 9.2 to 9.6 of the slotkey rule.

Members must agree on every body, also on one that a JSON parser refuses. So this reader judges the syntax of the object itself and of what makes
the key, and skips everything else without judgement: it keeps bytes that are no UTF-8, and does not recurse.
"""

import re

_SPACE = re.compile(rb"[ \t\n\r]*")
_STRING = re.compile(rb'"([^"\\]*(?:\\.[^"\\]*)*)"', re.S)
_SCALAR = re.compile(rb"[0-9A-Za-z+.-]+")
_BRACKET = re.compile(rb'[^"{}\[\]]*(?:"[^"\\]*(?:\\.[^"\\]*)*"[^"{}\[\]]*)*([{}\[\]])', re.S)
_PIECE = re.compile(
    rb'[^"\\\x00-\x1f]+'
    rb"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|\\u[0-9a-fA-F]{4}"
    rb'|\\["\\/bfnrt]'
)
_ESCAPES = dict(zip(b'"\\/bfnrt', (b'"', b"\\", b"/", b"\b", b"\f", b"\n", b"\r", b"\t")))


class Unreadable(ValueError):
    """The body is not one JSON object, or an attribute in it is neither a string nor null."""


def routing_key(body):
    """The key of the event in body, as bytes, or None where it has none or cannot be read."""
    attributes = {b"subject": b"", b"id": b""}
    try:
        for name, value in _members(body):
            if name in attributes:
                attributes[name] = _text(value)  # the last one counts, and each one must be right
    except Unreadable:
        return None
    return attributes[b"subject"] or attributes[b"id"] or None


def _members(body):
    """Yields name and raw value of each member of the object, in their order."""
    pos = _expect(body, _skip(body, 0), b"{")
    pos = _skip(body, pos)
    if body[pos : pos + 1] != b"}":
        while True:
            name = _match(_STRING, body, pos)
            pos = _expect(body, _skip(body, name.end()), b":")
            pos = _skip(body, pos)
            end = _value_end(body, pos)
            yield _unescape(name[1]), body[pos:end]
            pos = _skip(body, end)
            if body[pos : pos + 1] != b",":
                break
            pos = _skip(body, pos + 1)
    if _skip(body, _expect(body, pos, b"}")) != len(body):
        raise Unreadable


def _skip(body, pos):
    return _SPACE.match(body, pos).end()


def _match(pattern, body, pos):
    match = pattern.match(body, pos)
    if not match:
        raise Unreadable
    return match


def _expect(body, pos, byte):
    if body[pos : pos + 1] != byte:
        raise Unreadable
    return pos + 1


def _value_end(body, pos):
    if body[pos : pos + 1] not in (b"{", b"["):
        return _match(_STRING if body[pos : pos + 1] == b'"' else _SCALAR, body, pos).end()
    depth = 0
    while True:
        bracket = _match(_BRACKET, body, pos)
        pos = bracket.end()
        depth += 1 if bracket[1] in b"{[" else -1
        if depth == 0:
            return pos


def _text(value):
    """The bytes of an attribute, none where it is null."""
    if value == b"null":
        return b""
    text = _unescape(value[1:-1]) if value[:1] == b'"' else None
    if text is None:
        raise Unreadable
    return text


def _unescape(raw):
    """What the inside of a string stands for; None where JSON does not allow it."""
    text, pos = [], 0
    while pos < len(raw):
        piece = _PIECE.match(raw, pos)
        if not piece:
            return None
        pos = piece.end()
        text.append(_piece(piece[0]))
    return b"".join(text)


def _piece(piece):
    if piece[:1] != b"\\":
        return piece
    if piece[1:2] != b"u":
        return _ESCAPES[piece[1]]
    high = int(piece[2:6], 16)
    if len(piece) == 12:
        return chr(0x10000 + (high - 0xD800 << 10) + int(piece[8:], 16) - 0xDC00).encode()
    return chr(0xFFFD if 0xD800 <= high <= 0xDFFF else high).encode()
