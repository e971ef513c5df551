"""Building a document: numbered tests, bytes with text beside them, and proof that a flag catches its bug."""

from .check import Fault

ALGORITHM = "fnv1a32-fmix32"


def octets(**fields):
    """octets(key=b"a") is {"key": "a", "key_hex": "61"}; the text is left out where the bytes are no valid UTF-8.

    A str stands for its UTF-8 bytes, None for a field that is absent."""
    out = {}
    for name, value in fields.items():
        if value is None:
            continue
        raw = value.encode() if isinstance(value, str) else value
        try:
            out[name] = raw.decode()
        except UnicodeDecodeError:
            pass
        out[f"{name}_hex"] = raw.hex()
    return out


class Tests:
    """The tests of one file. Ids count from 1 in the order of add: append, never insert."""

    def __init__(self):
        self.rows = []

    def add(self, comment, spec, flags, **fields):
        """Appends a test. Fields that are None are left out."""
        row = {"id": len(self.rows) + 1, "comment": comment, "spec": spec, "flags": list(flags)}
        row.update((name, value) for name, value in fields.items() if value is not None)
        self.rows.append(row)
        return row


def document(stem, tests, notes, algorithm=ALGORITHM, **header):
    """The whole document: stem such as "hash.v1", whose number is the version; header holds what the tests have in common."""
    return {
        "algorithm": algorithm,
        "version": int(stem.rpartition(".v")[2]),
        "schema": f"schema/{stem}.schema.json",
        "numberOfTests": len(tests.rows),
        "notes": notes,
        **header,
        "tests": tests.rows,
    }


def prove(tests, right, mutants):
    """Checks what the notes claim. right(row) is the result of the rule; mutants maps a flag to the same with that bug.

    Every test with the flag must tell the two apart, and every flag must have a test."""
    for flag, wrong in mutants.items():
        flagged = [row for row in tests.rows if flag in row["flags"]]
        if not flagged:
            raise Fault(f"no test has the flag {flag}")
        for row in flagged:
            if right(row) == wrong(row):
                raise Fault(f"test {row['id']} has the flag {flag} and does not catch it")
