"""member.v1: texts of members, read and written."""

from vectorkit import member
from vectorkit.tests import Tests, document, octets

NOTES = {
    "canonical": "The text is already canonical: what reads it writes it back.",
    "rewritten": "Read, and written in another form. Catches texts that are kept as they came: equal members would have different texts.",
    "syntax": "No text of a member. Catches readers that skip what they do not know.",
    "number": "A number in a form that many number parsers take: a sign, a leading zero, a space, digits beyond ASCII, hexadecimal.",
    "name": "A bad name of the group.",
    "range": "A size or a slot out of range. Catches wrapping, clamping, and writing a huge range out before looking at it.",
    "twice": "A slot that is given twice. Catches sets that swallow it.",
}

SYNTAX, NUMBER, NAME, RANGE, TWICE = ["syntax"], ["syntax", "number"], ["name"], ["range"], ["twice"]
N64, N65 = "n" * 64, "n" * 65

ROWS = [
    # comment, spec, flags (None: canonical or rewritten), text
    ("one slot", "8.1", None, "pairs:1/3"),
    ("slot 0", "8.1", None, "pairs:0/3"),
    ("slots and a range", "8.2", None, "pairs:0-2,7/360"),
    ("no slot", "8.2", None, "pairs:none/3"),
    ("no group", "8.1", None, "dedicated"),
    ("all slots", "8.2", None, "pairs:0-2/3"),
    ("the only slot", "8.1", None, "g:0/1"),
    ("the largest group", "8.1", None, "g:0-1023/1024"),
    ("the last slot of the largest group", "8.1", None, "g:1023/1024"),
    ("every other slot", "8.2", None, "g:0,2,4,6/7"),
    ("two ranges", "8.2", None, "g:0-1,3-4/6"),
    ("a name with all kinds of characters", "4.1", None, "Az09-_.:1/3"),
    ("a name with hyphens and digits", "4.1", None, "0-2:1/3"),
    ("a group named dedicated", "4.1", None, "dedicated:1/3"),
    ("a group named none", "4.1", None, "none:none/3"),
    ("a name of 64", "4.1", None, f"{N64}:1/3"),
    ("two consecutive slots are one range", "8.2", None, "pairs:0,1/3"),
    ("a range and its next slot", "8.2", None, "pairs:0-1,2/3"),
    ("two ranges that touch", "8.2", None, "g:0-1,2-3/6"),
    ("falling order", "8.2", None, "pairs:2,0/3"),
    ("mixed order", "8.2", None, "g:7,0-2/360"),
    ("every slot alone, shuffled", "8.2", None, "g:4,2,0,3,1/5"),
    ("10 after 9, by number and not by text", "8.2", None, "g:10,9,100/360"),
    ("the empty text", "8.3", SYNTAX, ""),
    ("white space alone", "8.3", SYNTAX, " "),
    ("no colon", "8.1", SYNTAX, "pairs"),
    ("no slots", "8.1", SYNTAX, "pairs:"),
    ("no size", "8.1", SYNTAX, "pairs:1"),
    ("an empty size", "8.1", SYNTAX, "pairs:1/"),
    ("an empty list", "8.2", SYNTAX, "pairs:/3"),
    ("an empty item", "8.2", SYNTAX, "pairs:0,,2/3"),
    ("a comma at the end", "8.2", SYNTAX, "pairs:0,/3"),
    ("a comma at the beginning", "8.2", SYNTAX, "pairs:,0/3"),
    ("none beside a slot", "8.2", SYNTAX, "pairs:none,1/3"),
    ("None", "8.2", SYNTAX, "pairs:None/3"),
    ("Dedicated", "8.1", SYNTAX, "Dedicated"),
    ("dedicated and a space", "8.1", SYNTAX, "dedicated "),
    ("dedicated and a newline", "8.1", SYNTAX, "dedicated\n"),
    ("dedicated and a slash", "8.1", SYNTAX, "dedicated/3"),
    ("a falling range", "8.2", SYNTAX, "pairs:2-0/3"),
    ("a range of one", "8.2", SYNTAX, "pairs:1-1/3"),
    ("a range without an end", "8.2", SYNTAX, "pairs:1-/3"),
    ("a range of three", "8.2", SYNTAX, "g:0-1-2/3"),
    ("a range with dots", "8.2", SYNTAX, "pairs:0..2/3"),
    ("a star for all", "8.2", SYNTAX, "pairs:*/3"),
    ("two sizes", "8.1", SYNTAX, "pairs:1/3/3"),
    ("a semicolon", "8.2", SYNTAX, "pairs:0;1/3"),
    ("a word as slot", "8.1", SYNTAX, "pairs:one/3"),
    ("a leading zero of a slot", "8.1", NUMBER, "pairs:01/3"),
    ("two zeros", "8.1", NUMBER, "pairs:00/3"),
    ("a leading zero of the size", "8.1", NUMBER, "pairs:1/03"),
    ("a leading zero in a range", "8.1", NUMBER, "g:0-02/3"),
    ("a plus before a slot", "8.1", NUMBER, "pairs:+1/3"),
    ("a minus before a slot", "8.1", NUMBER, "pairs:-1/3"),
    ("a plus before the size", "8.1", NUMBER, "pairs:1/+3"),
    ("a minus before the size", "8.1", NUMBER, "pairs:1/-3"),
    ("a space before a slot", "8.1", NUMBER, "pairs: 1/3"),
    ("a space after a comma", "8.1", NUMBER, "pairs:0, 1/3"),
    ("a space behind", "8.1", NUMBER, "pairs:1/3 "),
    ("a newline behind", "8.1", NUMBER, "pairs:1/3\n"),
    ("a NUL behind", "8.1", NUMBER, "pairs:1/3\0"),
    ("an Arabic digit", "8.1", NUMBER, "pairs:\u0661/3"),
    ("a full-width digit", "8.1", NUMBER, "pairs:1/\uff13"),
    ("hexadecimal", "8.1", NUMBER, "pairs:0x1/3"),
    ("an exponent", "8.1", NUMBER, "pairs:1/1e2"),
    ("a point", "8.1", NUMBER, "pairs:1.0/3"),
    ("an underscore", "8.1", NUMBER, "g:1_0/360"),
    ("no name", "4.1", NAME, ":1/3"),
    ("a space before the name", "4.1", NAME, " pairs:1/3"),
    ("a space in the name", "4.1", NAME, "my group:1/3"),
    ("a slash in the name", "4.1", NAME, "a/b:1/3"),
    ("a letter beyond ASCII", "4.1", NAME, "\xe9:1/3"),
    ("a byte that is no UTF-8", "4.1", NAME, b"g\xff:1/3"),
    ("a NUL in the name", "4.1", NAME, "a\0b:1/3"),
    ("a newline before the name", "4.1", NAME, "\npairs:1/3"),
    ("a name of 65", "4.1", NAME, f"{N65}:1/3"),
    ("size 0", "4.2", RANGE, "pairs:none/0"),
    ("size 1025", "4.2", RANGE, "pairs:1/1025"),
    ("size 2^32 + 3", "4.2", RANGE, "pairs:1/4294967299"),
    ("size 2^64 + 3", "4.2", RANGE, "pairs:1/18446744073709551619"),
    ("a slot equal to the size", "4.2", RANGE, "pairs:3/3"),
    ("slot 2^32 + 1", "4.2", RANGE, "pairs:4294967297/3"),
    ("slot 2^64 + 1", "4.2", RANGE, "pairs:18446744073709551617/3"),
    ("a range beyond the size", "4.2", RANGE, "pairs:0-3/3"),
    ("a huge range", "4.2", RANGE, "pairs:0-4294967295/3"),
    ("a range beyond 64 bits", "4.2", RANGE, "pairs:0-18446744073709551616/3"),
    ("a slot twice", "4.5", TWICE, "pairs:1,1/3"),
    ("a slot twice, not side by side", "4.5", TWICE, "pairs:1,0,1/3"),
    ("a slot in a range", "4.5", TWICE, "pairs:0-2,1/3"),
    ("ranges that overlap", "4.5", TWICE, "g:0-3,3-5/6"),
    ("all slots twice", "4.5", TWICE, "pairs:0-2,0-2/3"),
]


def result(raw):
    try:
        group, size, slots = member.parse(raw)
    except member.Refused as refused:
        return {"result": "invalid", "error": refused.kind}
    out = {"result": "valid", **octets(canonical=member.text(group, size, slots))}
    return out if group is None else {**out, **octets(group=group), "size": size, "slots": slots}


def member_v1():
    t = Tests()
    for comment, spec, flags, text in ROWS:
        raw = text.encode() if isinstance(text, str) else text
        got = result(raw)
        if flags is None:
            flags = ["canonical" if got.get("canonical_hex") == raw.hex() else "rewritten"]
        t.add(comment, spec, flags, **octets(text=raw), **got)
    return document("member.v1", t, NOTES)


FILES = {"member.v1": member_v1}
