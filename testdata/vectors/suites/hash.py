"""hash.v1: keys, both stages of their hash, and their slots at twenty sizes."""

from vectorkit.spec import fmix32, fnv1a32, hash32
from vectorkit.tests import Tests, document, octets, prove

SIZES = [1, 2, 3, 5, 7, 8, 12, 16, 60, 64, 100, 127, 128, 255, 256, 360, 512, 1000, 1023, 1024]

NOTES = {
    "extreme": "The hash is 0, 1 or at a border of the signed or the 16-bit range. Catches abs() of a signed remainder, and hashes kept in too few bits.",
    "signed-modulo": "The hash is above 0x7fffffff. Catches a remainder of the hash as a signed 32-bit number, which is negative or another slot.",
    "no-finalizer": "Keys whose FNV-1a states have one and the same low bit. Catches an implementation without the second stage.",
    "float-overflow": "Catches a product that is computed in floating point and loses its low bits beyond 2^53, as in JavaScript without Math.imul.",
    "length": "Keys around the word and block sizes of other hashes, and long ones. Catches hashing a prefix, and block-wise rewrites.",
    "control": "NUL and other control characters. Catches keys that end at a NUL (C strings), and keys that are escaped first.",
    "trimmed": "White space at an end of the key. Catches trimming.",
    "case-folded": "Upper-case letters. Catches folding the case.",
    "normalised": "Keys that a Unicode normalisation (NFC, NFD or NFKC) would change. Catches normalising.",
    "non-ascii": "Bytes of 0x80 and above, valid UTF-8. Catches Latin-1, and replacing what is not ASCII.",
    "signed-byte": "Bytes of 0x80 and above. Catches bytes taken as -128 to 127, as in C with a signed char and in Java.",
    "astral": "Characters beyond U+FFFF. Catches hashing UTF-16 code units, or surrogates in UTF-8 form (CESU-8).",
    "utf16-units": "Catches hashing UTF-16 code units in place of UTF-8 bytes.",
    "invalid-utf8": "Bytes that are no valid UTF-8. Catches replacing them with U+FFFD, dropping them, and refusing them.",
    "collision": "Two keys with one hash. Catches a hash of another width: its slots would differ.",
}

HEX = "0123456789abcdef"

# (comment, flags, keys). Append only: ids count on from the last.
KEYS = [
    ("no bytes: the hash of the empty key", [], [""]),
    ("published FNV-1a test string", [], ["a", "b", "c", "d", "e", "f", "fo", "foo", "foob", "fooba", "foobar"]),
    ("a NUL is a byte like any other", ["control"], ["\0", "\0\0", "a\0", "\0a", "a\0b"]),
    ("sequential keys", [], ["account-0", "account-1", "account-2", "account-9", "account-10", "account-0001", "account-0002"]),
    ("keys differ by case and punctuation", [], ["BTC-USD", "ETH-USD", "EUR/USD", "aapl", "AAPL"]),
    ("a number or word is its text", [], ["0", "1", "2", "10", "42", "-1", "00", "1.0", "1e3", "true", "null"]),
    ("white space is kept", ["trimmed"], [" ", "  ", " a", "a ", "\ta", "a\n"]),
    ("UUID, upper case UUID, bare UUID, UUIDv7, ULID", [], [
        "f47ac10b-58cc-4372-a567-0e02b2c3d479", "F47AC10B-58CC-4372-A567-0E02B2C3D479", "f47ac10b58cc4372a5670e02b2c3d479",
        "01890a5d-ac96-774b-bcce-b302099a8057", "01ARZ3NDEKTSV4RRFFQ69G5FAV"]),
    ("path-like and topic-like subjects", [], [
        "/blobServices/default/containers/in/blobs/2026/11/30/report.csv", "projects/_/buckets/b/objects/a%20b",
        "topics/orders/partitions/7", "https://example.com/things/1?x=1#y", "wrk.pricing.command.7"]),
    ("composed, decomposed and compatibility forms are different keys", ["non-ascii"], ["\xe9", "e\u0301", "\xc5", "A\u030a", "\u212b"]),
    ("two- and three-byte UTF-8", ["non-ascii"], [
        "\xdf", "\u1e9e", "Stra\xdfe", "\u65e5\u672c\u8a9e", "\u6ce8\u6587-42", "\u03a9", "\u0627\u0644\u0639\u0631\u0628\u064a\u0629",
        "\u05e2\u05d1\u05e8\u05d9\u05ea", "\u0939\u093f\u0928\u094d\u0926\u0940", "\u0e44\u0e17\u0e22"]),
    ("four-byte UTF-8: a surrogate pair in UTF-16 languages", ["non-ascii", "astral"], [
        "\U0001f600", "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", "\U0001f1e8\U0001f1ed", "\U0001d4b3",
        "order-\U0001f600-1", "\U0010ffff"]),
    *(("BOM, replacement character, zero width, separators, C1", ["non-ascii"] if k > "\x7f" else ["control"], [k])
      for k in ("\ufeffa", "\ufffd", "\u200b", "\u2028", "\x7f", "\x85")),
    ("not valid UTF-8: bytes are hashed as they are", ["invalid-utf8"], [
        b"\xff", b"\xc3", b"\xed\xa0\x80", b"a\xffb", b"\x80", b"\xf8\x88\x80\x80\x80"]),
    ("hash 0: slot 0 at every size", ["extreme"], ["order-14r8u4", "order-4dithA"]),
    ("hash 1", ["extreme"], ["order-521zvD", "order-8YANAU"]),
    ("hash 0x7fffffff: the largest that a signed 32-bit integer holds", ["extreme"], ["order-5RzW9o", "order-a04eXr"]),
    ("hash 0x80000000: its own negative when signed, so abs() fails", ["extreme"], ["order-2qsTG5", "order-6wot5Y"]),
    ("hash 0x80000001: negative when signed", ["extreme"], ["order-dceikc"]),
    ("hash 0xffffffff: -1 when signed", ["extreme"], ["order-0FLZ61", "order-9dxXTL"]),
    *((f"length {n}", ["length"], [(HEX * 256)[:n]])
      for n in (3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 4096)),
    *((f"{n} times 0xff", ["invalid-utf8"], [b"\xff" * n]) for n in (2, 3, 8, 16, 64)),
    ("every value of a byte, rising and falling", ["invalid-utf8", "control"], [bytes(range(256)), bytes(range(255, -1, -1))]),
    ("8192 bytes", ["length"], ["slot" * 2048]),
    ("8193 bytes with the sign bit", ["length", "invalid-utf8"], [b"\x80" * 8193]),
    ("3000 characters, 9000 bytes", ["length", "non-ascii"], ["\u4e00" * 3000]),
    ("the sign bit alone, and around it", ["invalid-utf8"], [b"\x7f\x80", b"\x80\x7f", b"a\x80", b"\x80a", b"\xfe", b"\xfe\xff"]),
    ("a surrogate pair in UTF-8 form (CESU-8) is not the character", ["invalid-utf8"], [b"\xed\xa0\xbd\xed\xb8\x80"]),
    ("a surrogate half between letters, a low half alone", ["invalid-utf8"], [b"a\xed\xa0\xbdb", b"\xed\xb8\x80"]),
    ("overlong NUL and slash", ["invalid-utf8"], [b"\xc0\x80", b"\xc0\xaf", b"\xe0\x80\xaf"]),
    ("a character that breaks off", ["invalid-utf8"], [b"\xf0\x9f\x98", b"order-\xe6\x97", b"\xe6\x97a"]),
    ("beyond U+10FFFF", ["invalid-utf8"], [b"\xf4\x90\x80\x80", b"\xf7\xbf\xbf\xbf"]),
    ("Latin-1 and UTF-16 bytes of a name", ["invalid-utf8"], ["Stra\xdfe".encode("latin-1"), b"\xe9", "\xe9\xe8".encode("utf-16-le")]),
    ("characters that case, normalisation and trimming treat specially", ["non-ascii"], [
        "\u0130stanbul", "\u0131", "\u017f", "\uff21", "\ufb01n", "\u1e69", "s\u0307\u0323", "\xa0a", "a\u3000", "\u2003", "a\x85"]),
    ("a plane-2 ideograph, a tag sequence, a variation selector", ["non-ascii", "astral"], [
        "\U00020bb7\u91ce\u5bb6", "\U0001f3f4\U000e0067\U000e0062\U000e007f", "a\U000e0100", "\U00010000"]),
    ("keys of one shape, even and odd numbers: FNV-1a alone has one low bit for all", ["no-finalizer"], [
        "order-0-0", "order-1-1", "order-2-2", "order-3-3", "order-7-7", "order-42-42"]),
    ("hash 0 once more", ["extreme"], ["user-13feux1"]),
    ("hash 1 once more", ["extreme"], ["user-05zziyt"]),
    ("hash 0x0000ffff: the largest of 16 bits", ["extreme"], ["user-3i9ypku"]),
    ("hash 0x00ffffff: the largest that a 32-bit float holds with all below it", ["extreme"], ["user-2qkr1az"]),
    ("hash 0x01000000", ["extreme"], ["user-3l9pxhw"]),
    ("hash 0x7ffffffe", ["extreme"], ["user-070xl77"]),
    ("hash 0x80000000 once more", ["extreme"], ["user-0bvn1aq"]),
    ("hash 0x80000001 once more", ["extreme"], ["user-0r61xra"]),
    ("hash 0xffff0000: the low half is 0", ["extreme"], ["user-3pl84j0"]),
    ("hash 0xffffffff once more", ["extreme"], ["user-0yp317n"]),
    ("two keys with one hash", ["collision"], ["user-000auea", "user-00032vu"]),
    ("a joined key: its lengths are part of it", [], ["2:/s1:7", "1:a2:bc", "2:ab1:c"]),
    ("what a header or a URL might look like", [], ["a%20b", "a b", "\"a\"", "a,b", "a+b", "[a]", "{\"subject\":\"a\"}", "\\u0061", "\\"]),
    ("the second product of the finalizer overflows where a language with signed 64-bit integers adds its halves", [], ["45032"]),
]


def signed(n):
    return n - 2**32 if n >= 2**31 else n


def truncated(a, n):
    """The remainder of C, Go and Java: it has the sign of the dividend."""
    return -(-a % n) if a < 0 else a % n


def float_fnv(data):
    h = 2166136261
    for byte in data:
        h = int(float(h ^ byte) * 16777619.0) % 2**32
    return h


def units(text):
    raw = text.encode("utf-16-be", "surrogatepass")
    return [raw[i] << 8 | raw[i + 1] for i in range(0, len(raw), 2)]


def key(row):
    return bytes.fromhex(row["key_hex"])


def own(row):
    return row["hash"]


def of(stage):
    return lambda row: f"{stage(key(row)):08x}"


def slots(reduce):
    return lambda row: [reduce(int(row["hash"], 16), size) for size in SIZES]


def other_forms(row):
    """The hash of the first normal form that is not the key itself."""
    import unicodedata

    text = key(row).decode()
    changed = [unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC")]
    return next((f"{hash32(form.encode()):08x}" for form in changed if form != text), row["hash"])


# flag -> (what is compared, the rule with that bug)
MUTANTS = {
    "signed-modulo": (slots(lambda h, n: h % n), slots(lambda h, n: truncated(signed(h), n))),
    "no-finalizer": (own, of(fnv1a32)),
    "float-overflow": (own, of(lambda k: fmix32(float_fnv(k)))),
    "trimmed": (own, of(lambda k: hash32(k.decode().strip().encode()))),
    "case-folded": (own, of(lambda k: hash32(k.decode().lower().encode()))),
    "normalised": (own, other_forms),
    "non-ascii": (own, of(lambda k: hash32(k.decode().encode("latin-1", "replace")))),
    "signed-byte": (own, of(lambda k: fmix32(fnv1a32(b - 256 if b > 127 else b for b in k)))),
    "astral": (own, of(lambda k: hash32(b"".join(chr(u).encode("utf-8", "surrogatepass") for u in units(k.decode()))))),
    "utf16-units": (own, of(lambda k: fmix32(fnv1a32(units(k.decode()))))),
    "invalid-utf8": (own, of(lambda k: hash32(k.decode(errors="replace").encode()))),
    "length": (own, of(lambda k: hash32(k[:-1]))),
}

# Flags that follow from the key; the others stand above. case-folded and normalised stop at the rows that are made for them.
DERIVED = ["signed-modulo", "float-overflow", "signed-byte", "utf16-units", "normalised", "case-folded", "trimmed"]


def derive(row):
    for flag in DERIVED:
        right, wrong = MUTANTS[flag]
        try:
            if flag not in row["flags"] and right(row) != wrong(row):
                row["flags"].append(flag)
        except UnicodeDecodeError:
            pass  # the bug concerns text, and this key is none


def hash_v1():
    t = Tests()
    for comment, flags, keys in KEYS:
        for k in keys:
            fields = octets(key=k)
            raw = bytes.fromhex(fields["key_hex"])
            h = hash32(raw)
            row = t.add(comment, "3", flags, **fields, fnv1a32=f"{fnv1a32(raw):08x}", hash=f"{h:08x}", slots=[h % n for n in SIZES])
            derive(row)
    for flag, (right, wrong) in MUTANTS.items():
        prove(t, right, {flag: wrong})
    return document("hash.v1", t, NOTES, sizes=SIZES)


FILES = {"hash.v1": hash_v1}
