"""group.v1: configurations of a member, accepted or refused."""

from vectorkit import member
from vectorkit.tests import Tests, document, octets, prove

NOTES = {
    "accepted": "A place that must be accepted. Catches limits that are off by one, and names that are refused by taste.",
    "name": "A name with a wrong length or character. Catches limits that count characters of any kind, \\w and isalnum() that take letters of all alphabets, and patterns whose $ matches before a newline.",
    "size": "A size out of range. Catches clamping, defaults, and numbers cut to 32 or 16 bits.",
    "index": "An index out of range. Catches an index equal to the size, counting from 1, wrapping by modulo, and numbers cut to 32 or 16 bits.",
    "incomplete": "Some of group, size and index are missing. Catches a forgotten index that becomes 0.",
    "dedicated": "None of the three is there: no group.",
    "wrapped": "An index that a remainder, or fewer bits, would turn into a valid one.",
}

ROWS = [
    # comment, spec, flags, group, size, index; None is a field that is missing
    ("the first of three", "4.4", ["accepted"], "pairs", 3, 0),
    ("the last of three", "4.4", ["accepted"], "pairs", 3, 2),
    ("the smallest group", "4.2", ["accepted"], "g", 1, 0),
    ("the largest group, first slot", "4.2", ["accepted"], "g", 1024, 0),
    ("the largest group, last slot", "4.2", ["accepted"], "g", 1024, 1023),
    ("every kind of character", "4.1", ["accepted"], "Az09-_.", 2, 1),
    ("a name of one dot", "4.1", ["accepted"], ".", 2, 0),
    ("a name that begins with a hyphen", "4.1", ["accepted"], "-x", 2, 0),
    ("a name of digits", "4.1", ["accepted"], "360", 2, 0),
    ("a name that is a word of member texts", "4.1", ["accepted"], "dedicated", 2, 0),
    ("another such word", "4.1", ["accepted"], "none", 2, 0),
    ("upper case is kept", "4.1", ["accepted"], "PAIRS", 2, 0),
    ("64 characters", "4.1", ["accepted"], "n" * 64, 2, 0),
    ("65 characters", "4.1", ["name"], "n" * 65, 2, 0),
    ("1000 characters", "4.1", ["name"], "n" * 1000, 2, 0),
    ("an empty name with a size and an index", "4.1", ["name"], "", 3, 1),
    ("a space alone", "4.1", ["name"], " ", 2, 0),
    ("a space inside", "4.1", ["name"], "my group", 2, 0),
    ("a space before", "4.1", ["name"], " pairs", 2, 0),
    ("a space behind", "4.1", ["name"], "pairs ", 2, 0),
    ("a newline behind", "4.1", ["name"], "pairs\n", 2, 0),
    ("a newline inside", "4.1", ["name"], "a\nb", 2, 0),
    ("a tab", "4.1", ["name"], "a\tb", 2, 0),
    ("a NUL behind", "4.1", ["name"], "pairs\0", 2, 0),
    ("a NUL alone", "4.1", ["name"], "\0", 2, 0),
    ("DEL", "4.1", ["name"], "a\x7f", 2, 0),
    ("a slash", "4.1", ["name"], "a/b", 2, 0),
    ("a colon", "4.1", ["name"], "a:b", 2, 0),
    ("a comma", "4.1", ["name"], "a,b", 2, 0),
    ("a star", "4.1", ["name"], "a*", 2, 0),
    ("a plus", "4.1", ["name"], "a+b", 2, 0),
    ("a letter beyond ASCII", "4.1", ["name"], "\xe9", 2, 0),
    ("the same, decomposed", "4.1", ["name"], "e\u0301", 2, 0),
    ("a digit beyond ASCII", "4.1", ["name"], "g\u0661", 2, 0),
    ("a full-width letter", "4.1", ["name"], "\uff41", 2, 0),
    ("the Kelvin sign, which folds to k", "4.1", ["name"], "\u212a", 2, 0),
    ("a character beyond U+FFFF", "4.1", ["name"], "g\U0001f600", 2, 0),
    ("a byte that is no UTF-8", "4.1", ["name"], b"g\xff", 2, 0),
    ("a BOM before", "4.1", ["name"], "\ufeffg", 2, 0),
    ("size 0", "4.2", ["size"], "pairs", 0, 0),
    ("size -1", "4.2", ["size"], "pairs", -1, 0),
    ("size 1025", "4.2", ["size"], "pairs", 1025, 0),
    ("size 2000", "4.2", ["size"], "pairs", 2000, 0),
    ("2^16 + 3", "4.2", ["size"], "pairs", 2**16 + 3, 0),
    ("2^31", "4.2", ["size"], "pairs", 2**31, 0),
    ("2^32 + 3", "4.2", ["size"], "pairs", 2**32 + 3, 0),
    ("-2^31", "4.2", ["size"], "pairs", -(2**31), 0),
    ("index -1", "4.4", ["index"], "pairs", 3, -1),
    ("an index equal to the size", "4.4", ["index"], "pairs", 3, 3),
    ("an index above the size", "4.4", ["index"], "pairs", 3, 4),
    ("index 1 of 1", "4.4", ["index"], "pairs", 1, 1),
    ("index 1024 of 1024", "4.4", ["index"], "pairs", 1024, 1024),
    ("index -3 of 3", "4.4", ["index", "wrapped"], "pairs", 3, -3),
    ("index 2^16", "4.4", ["index", "wrapped"], "pairs", 3, 2**16),
    ("index 2^32", "4.4", ["index", "wrapped"], "pairs", 3, 2**32),
    ("index 2^32 + 1", "4.4", ["index", "wrapped"], "pairs", 3, 2**32 + 1),
    ("index -2^32", "4.4", ["index", "wrapped"], "pairs", 3, -(2**32)),
    ("nothing: dedicated", "4.4", ["dedicated"], None, None, None),
    ("the index is missing", "4.4", ["incomplete"], "pairs", 3, None),
    ("the size is missing", "4.4", ["incomplete"], "pairs", None, 0),
    ("the group is missing", "4.4", ["incomplete"], None, 3, 0),
    ("the group alone", "4.4", ["incomplete"], "pairs", None, None),
    ("the size alone", "4.4", ["incomplete"], None, 3, None),
    ("the index alone", "4.4", ["incomplete"], None, None, 0),
    ("an empty group alone", "4.4", ["incomplete"], "", None, None),
]


def result(group, size, index):
    raw = group.encode() if isinstance(group, str) else group
    try:
        return {"result": "valid", **octets(text=member.text(*member.place(raw, size, index)))}
    except member.Refused as refused:
        return {"result": "invalid", "error": refused.kind}


def unwrapped(row):
    """A place whose index is reduced by the size, or to 16 or 32 bits, first."""
    return any(0 <= i < row["size"] for i in (row["index"] % row["size"], row["index"] % 2**16, row["index"] % 2**32))


def group_v1():
    t = Tests()
    for comment, spec, flags, group, size, index in ROWS:
        t.add(comment, spec, flags, **octets(group=group), size=size, index=index, **result(group, size, index))
    prove(t, lambda row: row["result"] == "valid", {"wrapped": unwrapped})
    return document("group.v1", t, NOTES)


FILES = {"group.v1": group_v1}
