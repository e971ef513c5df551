"""peek.v1: the key of a structured JSON event under the default rule, read from its bytes."""

from vectorkit.peek import Reader, peek
from vectorkit.peek_faults import MUTANTS, SearchFirst, SearchLast
from vectorkit.tests import Tests, document, octets, prove

NOTES = {
    "last-wins": "A name stands twice. Catches keeping the first.",
    "later-absent": "A later null or empty string takes the attribute away. Catches keeping the earlier value.",
    "null-absent": "Catches a null that is kept as the text null.",
    "name-escapes": "A name with escapes. Catches comparing names as they stand.",
    "value-escapes": "Catches values that are not unescaped, or only some escapes of them.",
    "surrogates": "Halves of surrogate pairs alone. Catches ? in their place, dropping them, their bytes in UTF-8 form, and refusing them.",
    "pairs": "Catches two characters in place of one, and CESU-8.",
    "bad-escape": "An escape that JSON does not have, in a value that counts. Catches taking the character behind it.",
    "control": "A control character, not escaped, in a value that counts. Catches taking it.",
    "bytes": "Bytes that are no valid UTF-8. Catches replacing, dropping and refusing them.",
    "other-type": "An attribute that is neither a string nor null. Catches taking its text, and ignoring it.",
    "any-member": "Of two members with one name the first is wrong. Catches judging the last alone: a decoder refuses such an event.",
    "nested": "A member of another object. Catches a search through the text.",
    "brackets-in-strings": "Brackets inside of strings inside of a value. Catches counting them.",
    "unjudged": "Something is wrong where nothing of the key stands. Catches refusing it: one member would refuse what another one places.",
    "syntax": "The object itself is no JSON. Catches readers that look for members and at nothing else.",
    "lenient": "Catches readers that know a friendlier JSON: comments, names without quotes, other quotes, words for values.",
    "trailing": "Something stands behind the object. Catches reading no further than its end.",
    "cut": "The body ends early. Catches taking what stands before its end.",
    "bom": "A byte-order mark. Catches skipping it.",
    "root": "No object. Catches searching for one.",
    "case-folded": "Catches names that are compared without regard to case.",
    "near-name": "A name that is nearly one that counts. Catches comparing beginnings, lengths, or hashes of names alone.",
    "no-key": "Neither attribute is there. Catches an empty key, and other attributes in their place.",
    "empty-name": "A member with the empty name. Catches readers that take it for the end.",
    "white-space": "White space of all four kinds. Catches readers that know the blank alone.",
    "other-space": "Catches other characters taken for white space.",
    "trimmed": "White space inside of a value. Catches trimming it.",
    "normalised": "Catches Unicode normalisation.",
    "long-name": "Names around 64 bytes and far beyond. Catches buffers of fixed size and length filters that run over.",
    "blocks": "Quotes, backslashes and brackets around the borders of words and blocks of 8, 40 and 64 bytes. Catches readers that take several bytes at once and forget what one border carries to the next.",
    "unneeded": "An attribute that the key does not need is wrong or missing. Catches validating the event: its decoder does that, in one member.",
    "depth": "Deep nesting. Catches recursion, and limits.",
}

HEAD = b'"specversion":"1.0","source":"/s","type":"t"'
I, S = b'"id":"i"', b'"subject":"s"'


def ev(*members):
    """An event of HEAD and the given members."""
    return b"{" + b",".join((HEAD, *members)) + b"}"


def sub(raw, name=b"subject"):
    """An event whose subject is a string with this inside."""
    return ev(I, b'"%s":"%s"' % (name, raw))


def tiny(*members):
    """The same without HEAD, where no decoder would take the event anyway."""
    return b"{" + b",".join(members) + b"}"


def also(value, *members):
    """An event with a value that is skipped, before the key."""
    return ev(b'"data":' + value, *(members or (I, S)))


# Tests 1 to 80. comment, SPEC, flags, body.
FIRST = [
    ("subject and id", "9.2", [], ev(I, S)),
    ("an id alone", "9.2", [], ev(I)),
    ("subject before everything", "9.2", [], b"{" + S + b"," + I + b"," + HEAD + b"}"),
    ("a subject alone", "9.2", [], ev(S)),
    ("nested subject is not an attribute", "9.3", ["nested"], ev(I, b'"data":{"subject":"no"}')),
    ("a nested id is not an attribute", "9.3", ["nested"], ev(b'"data":{"id":"no"}', b'"id":"i"', b'"data":{"id":"no"}')),
    ("subject null is absent", "9.4", ["null-absent"], ev(I, b'"subject":null')),
    ("id null is absent", "9.4", ["null-absent", "no-key"], ev(b'"id":null')),
    ("the last subject wins", "9.3", ["last-wins"], ev(I, b'"subject":"a"', b'"subject":"b"')),
    ("the last id wins", "9.3", ["last-wins"], ev(b'"id":"a"', b'"id":"b"')),
    ("a later null takes the subject away", "9.3", ["later-absent", "last-wins", "null-absent"], ev(b'"subject":"a"', I, b'"subject":null')),
    ("a later empty string takes the subject away", "9.3", ["later-absent", "last-wins"], ev(b'"subject":"a"', I, b'"subject":""')),
    ("an escaped name is the same name", "9.3", ["name-escapes"], ev(I, b'"sub\\u006aect":"s"')),
    ("an escaped id", "9.3", ["name-escapes"], ev(b'"\\u0069d":"i"')),
    ("an escaped name is a later duplicate", "9.3", ["name-escapes", "last-wins"], ev(I, b'"subject":"a"', b'"s\\u0075bject":"b"')),
    ("an escaped name is an earlier duplicate", "9.3", ["last-wins"], ev(I, b'"s\\u0075bject":"a"', b'"subject":"b"')),
    ("escapes in the value", "9.5", ["value-escapes"], sub(b'a\\/b\\n\\"q\\"\\\\')),
    ("all short escapes", "9.5", ["value-escapes"], sub(b'\\"\\\\\\/\\b\\f\\n\\r\\t')),
    ("a surrogate pair by escape", "9.5", ["value-escapes", "pairs"], sub(b"\\ud83d\\ude00")),
    ("a surrogate pair by escape, upper-case digits", "9.5", ["value-escapes", "pairs"], sub(b"\\uD83D\\uDE00")),
    ("a lone high surrogate is U+FFFD", "9.5", ["value-escapes", "surrogates"], sub(b"a\\ud800b")),
    ("a lone low surrogate is U+FFFD", "9.5", ["value-escapes", "surrogates"], sub(b"a\\udc00b")),
    ("an escaped NUL is a byte of the key", "9.5", ["value-escapes"], sub(b"a\\u0000b")),
    ("an escaped newline", "9.5", ["value-escapes"], sub(b"a\\u000ab")),
    ("an overlong encoding is kept as it is", "9.5", ["bytes"], sub(b"\xc0\x80")),
    ("bytes that are no UTF-8 are kept as they are", "9.5", ["bytes"], sub(b"a\xff\xfeb")),
    ("white space between tokens", "9.2", ["white-space"],
     b' \r\n\t{ "id" : "i" ,\n "subject"\t:\r"s" , ' + HEAD + b" } \n"),
    ("a newline around each token", "9.2", ["white-space"], b'\n{\n"id"\n:\n"i"\n,\n' + HEAD + b"\n}\n"),
    ("composed e acute", "9.5", ["normalised"], sub("\xe9".encode())),
    ("decomposed e acute", "9.5", ["normalised"], sub("e\u0301".encode())),
    ("decoys inside a string", "9.6", ["nested"], ev(I, b'"comexampletext":"\\"subject\\":\\"no\\",{["', S)),
    ("decoys inside strings of an array", "9.6", ["nested"],
     ev(I, S, b'"data":["{\\"subject\\":\\"no\\"","}","\\",\\"subject\\":\\"no\\""]')),
    ("brackets and quotes inside data's strings", "9.6", ["brackets-in-strings"], also(b'{"a":"}]\\"","b":["[{"]}')),
    ("brackets of the other kind inside data's strings", "9.6", ["brackets-in-strings"], also(b'["]}","{[{[",{"]":"}"}]')),
    ("data as a string that looks like an event", "9.6", ["nested"], also(b'"{\\"subject\\":\\"no\\"}"', I)),
    ("data as a string that ends in backslashes", "9.6", [], also(b'"\\"\\\\\\\\"')),
    ("data true, then the subject", "9.6", [], also(b"true")),
    ("data a number, then the subject", "9.6", [], also(b"-1.5e+10")),
    ("data_base64", "9.6", [], ev(b'"data_base64":"AAEC"', I, S)),
    ("data null, then the subject", "9.6", [], also(b"null")),
    ("a long subject", "9.5", ["blocks"], sub(b"k" * 5000)),
    ("a long id", "9.5", ["blocks"], ev(b'"id":"%s"' % (b"0123456789" * 13))),
    ("a long run of backslashes in data", "9.6", ["blocks"], also(b'"%s"' % (b"\\\\" * 333))),
    ("a long run of escaped quotes in data", "9.6", ["blocks"], also(b'["%s]"]' % (b'\\"' * 133))),
    ("0.3 has the same rule", "9.2", [], b'{"specversion":"0.3","source":"/s","type":"t","id":"i","subject":"s"}'),
    ("another version has the same rule", "9.2", [], b'{"specversion":"2.7","id":"i","subject":"s"}'),
    ("nesting 5000 deep, objects", "9.6", ["depth"], also(b'{"a":' * 5000 + b"1" + b"}" * 5000)),
    ("nesting 1001 deep, arrays", "9.6", ["depth"], also(b"[" * 1001 + b"]" * 1001)),
    ("no subject and no id", "9.2", ["no-key"], ev(b'"data":1')),
    ("no id, subject null", "9.2", ["no-key", "null-absent"], ev(b'"subject":null')),
    ("id empty and subject empty", "9.4", ["no-key"], ev(b'"id":""', b'"subject":""')),
    ("id null and subject empty", "9.4", ["no-key"], ev(b'"subject":""', b'"id":null')),
    ("subject is an object", "9.4", ["other-type"], ev(I, b'"subject":{"id":"x"}')),
    ("subject is an array", "9.4", ["other-type"], ev(I, b'"subject":["s"]')),
    ("subject is true", "9.4", ["other-type"], ev(I, b'"subject":true')),
    ("subject is false", "9.4", ["other-type"], ev(I, b'"subject":false')),
    ("id is an object", "9.4", ["other-type"], b"{" + HEAD + b',"id":{}, "subject":"s"}'),
    ("id is a number", "9.4", ["other-type"], ev(b'"id":7')),
    ("white space only", "9.2", ["root"], b" \n"),
    ("nothing", "9.2", ["root"], b""),
    ("a string", "9.2", ["root"], b'"subject"'),
    ("an array with an event", "9.2", ["root"], b"[" + ev(I, S) + b"]"),
    ("an empty object", "9.2", ["no-key"], b"{}"),
    ("an empty object, white space inside", "9.2", ["no-key"], b"{ \n}"),
    ("cut after the subject", "9.6", ["cut"], ev(I, S)[:-1]),
    ("cut inside the subject", "9.6", ["cut"], ev(I, S)[:-2]),
    ("cut inside an escape", "9.5", ["cut"], sub(b"\\u00")[:-2]),
    ("cut behind a backslash", "9.6", ["cut"], sub(b"a\\")[:-2]),
    ("a \\u escape that is not hexadecimal", "9.5", ["bad-escape"], sub(b"\\u00zz")),
    ("an escape that JSON does not have", "9.5", ["bad-escape"], sub(b"a\\qb")),
    ("a raw newline in the id", "9.5", ["control"], ev(b'"id":"a\nb"')),
    ("a raw tab in the subject", "9.5", ["control"], sub(b"a\tb")),
    ("a second object behind it", "9.2", ["trailing"], ev(I) + ev(b'"id":"j"')),
    ("a closing brace behind it", "9.2", ["trailing"], ev(I) + b"}"),
    ("a missing colon", "9.6", ["lenient"], ev(b'"id" "i"')),
    ("a missing comma", "9.6", ["syntax"], b'{"id":"i" "subject":"s"}'),
    ("a trailing comma", "9.6", ["syntax"], b"{" + HEAD + b',"id":"i",}'),
    ("a leading comma", "9.6", ["syntax"], b'{,"id":"i"}'),
    ("a name in single quotes", "9.6", ["lenient"], b"{" + HEAD + b",'id':'i'}"),
    ("a name without quotes", "9.6", ["lenient"], b'{id:"i"}'),
]

LONE = [
    ("two high surrogates", b"\\ud800\\ud801"),
    ("two low surrogates", b"\\udc00\\udfff"),
    ("a pair in the wrong order", b"\\ude00\\ud83d"),
    ("a high surrogate, then a pair", b"\\ud800\\ud83d\\ude00"),
    ("a pair, then a high surrogate", b"\\ud83d\\ude00\\ud83d"),
    ("a pair, then a low surrogate", b"\\ud83d\\ude00\\ude00"),
    ("a high surrogate, then a short escape", b"\\ud83d\\n"),
    ("a high surrogate, then an escaped backslash and a u", b"\\ud83d\\\\ude00"),
    ("a high surrogate, then another escape with u", b"\\ud83d\\u0041"),
    ("a high surrogate, then letters", b"\\ud83dude00"),
    ("a high surrogate at the end", b"a\\udbff"),
    ("a low surrogate at the beginning", b"\\udfffa"),
    ("the borders of the surrogates", b"\\ud7ff\\ud800\\udbffx\\udc00\\udfff\\ue000"),
    ("a high surrogate, then a low one in UTF-8 form", b"\\ud83d\xed\xb8\x80"),
]
PAIRS = [
    ("the first pair", b"\\ud800\\udc00"),
    ("the last pair", b"\\udbff\\udfff"),
    ("digits in both cases", b"\\uD83d\\uDe00"),
    ("two pairs", b"\\ud83d\\ude00\\ud83d\\ude01"),
    ("a pair between letters", b"a\\ud83d\\ude00b"),
]
ESCAPES = [
    ("quote", b'\\"'), ("backslash", b"\\\\"), ("slash", b"\\/"), ("backspace", b"\\b"), ("form feed", b"\\f"), ("newline", b"\\n"),
    ("carriage return", b"\\r"), ("tab", b"\\t"), ("an ASCII letter", b"\\u0041"), ("two bytes", b"\\u00e9"), ("three bytes", b"\\u65e5"),
    ("U+FFFF", b"\\uffff"), ("U+FFFD itself", b"\\uFFFD"), ("U+007F", b"\\u007f"), ("U+0080", b"\\u0080"), ("U+07FF", b"\\u07ff"), ("U+0800", b"\\u0800"),
    ("a control character", b"\\u001f"), ("a backslash, then a u", b"\\\\u0041"), ("a backslash by its number", b"\\u005c"),
    ("an escape by its parts", b"\\u005cu0041"), ("a quote by its number", b"\\u0022"), ("nothing but escapes", b"\\u0061\\u0062\\u0063"),
]
BAD = [
    ("x", b"\\x41"), ("a digit", b"\\0"), ("a single quote", b"\\'"), ("an upper-case N", b"\\N"), ("an upper-case U", b"\\U0041"), ("v", b"\\v"),
    ("a line break", b"\\\n"), ("a byte that is no ASCII", b"\\\xff"), ("three digits", b"\\u004"), ("no digits", b"\\u"),
    ("a digit that is none", b"\\u00g1"), ("a digit of another script", "\\u00\u0661".encode()), ("a sign", b"\\u+041"), ("braces", b"\\u{41}"),
    ("a blank among the digits", b"\\u 041"), ("behind a high surrogate", b"\\ud83d\\ude0g"), ("behind a good escape", b"\\n\\q"),
]
NOT_UTF8 = [
    ("a lone byte of the middle", b"a\x80b"), ("a character that breaks off", b"\xe6\x97"), ("a surrogate in UTF-8 form", b"\xed\xa0\xbd"),
    ("beyond U+10FFFF", b"\xf4\x90\x80\x80"), ("a Latin-1 name", b"Stra\xdfe"), ("beside an escape", b"\\n\xff\\u0041\xfe"),
    ("bytes whose low seven bits are a quote, a backslash and brackets", b"\xa2\xdc\xfb\xfd\xdb\xdd"),
]
NAMES = [
    ("all upper case", b'"SUBJECT":"no"', "case-folded"),
    ("one upper-case letter", b'"Subject":"no"', "case-folded"),
    ("an escaped upper-case letter", b'"\\u0053ubject":"no"', "case-folded"),
    ("a long s, which folds to s", '"\u017fubject":"no"'.encode(), "case-folded"),
    ("a K sign and others fold to ASCII", '"\u212aey":"no"'.encode(), None),
    ("one letter more", b'"subjects":"no"', "near-name"),
    ("one letter less", b'"subjec":"no"', None),
    ("a blank behind", b'"subject ":"no"', "near-name"),
    ("a blank before", b'" subject":"no"', None),
    ("a NUL behind", b'"subject\\u0000":"no"', "near-name"),
    ("another letter", b'"subjecT":"no"', "case-folded"),
    ("its letters in another order", b'"tcejbus":"no"', None),
    ("one letter is another", b'"subjekt":"no"', None),
    ("a prefix of a binding", b'"ce-subject":"no"', None),
    ("another prefix of a binding", b'"ce_subject":"no"', None),
    ("quotes inside", b'"\\"subject\\"":"no"', None),
    ("a backslash inside", b'"sub\\\\u006aect":"no"', None),
    ("an escape that JSON does not have", b'"subject\\q":"no"', "near-name"),
    ("digits that break off", b'"subject\\u00":"no"', "near-name"),
    ("a control character inside", b'"sub\nject":"no"', None),
    ("bytes that are no UTF-8", b'"subject\xff":"no"', "near-name"),
    ("bytes whose low seven bits spell it", bytes(b | 0x80 for b in b"subject").join([b'"', b'":"no"']), None),
]
WRONG = [
    ("zero", b"0"), ("a negative number", b"-1"), ("a fraction", b"1.5"), ("an empty object", b"{}"), ("an empty array", b"[]"),
    ("true", b"true"), ("a list with a string", b'["s"]'), ("a word that is nearly null", b"nul"), ("null and more", b"nulls"), ("upper-case null", b"NULL"),
    ("a word", b"s"), ("a large number", b"12345678901234567890"), ("an object that nests a string", b'{"subject":"s"}'),
]
UNJUDGED = [
    ("brackets that do not pair", b"[}"), ("brackets that do not pair, the other way", b"{]"), ("brackets that pair crosswise", b"[{]}"),
    ("an array with commas alone", b"[,,]"), ("an object without colons", b'{"a" "b" 1}'), ("a missing value", b'{"a":}'), ("words", b"[nope, NaN, -Infinity, 0x1F]"),
    ("a control character in a string", b'"a\nb\x00"'), ("an escape that JSON does not have, in a string", b'"\\q\\u12"'),
    ("control characters between tokens", b"[\x00\x01\x0b]"), ("no UTF-8 in a string", b'["\xff\\q"]'), ("a comment", b"[/* x */]"),
    ("single quotes", b"['a']"), ("a number with leading zeros", b"[01, 1., .5, +1]"), ("two numbers", b"[1 2]"), ("a name without quotes", b"{a:1}"),
    ("bytes whose low seven bits are quotes and brackets", b"[\xa2\xfb\xfd\xdb\xdd\xdc]"), ("a backslash outside of strings", b'[\\"]\\""]'),
    ("a colon alone", b"{:}"),
]
BROKEN = [
    ("two commas", b'{"id":"i",,"subject":"s"}', "syntax"),
    ("a comma for a colon", b'{"id","i","subject":"s"}', "syntax"),
    ("two colons", b'{"a"::1,"id":"i"}', "syntax"),
    ("a colon too many behind a value", b'{"id":"i":"subject":"s"}', "syntax"),
    ("a semicolon", b'{"id":"i";"subject":"s"}', "syntax"),
    ("no value", b'{"a":,"id":"i"}', "syntax"),
    ("no value at the end", b'{"id":"i","a":}', "syntax"),
    ("no name", b'{:1,"id":"i"}', "syntax"),
    ("a number for a name", b'{1:1,"id":"i"}', "syntax"),
    ("null for a name", b'{null:1,"id":"i"}', "syntax"),
    ("an array for a name", b'{[]:1,"id":"i"}', "syntax"),
    ("an object that closes as an array", b'{"id":"i"]', "syntax"),
    ("an array with members", b'["id":"i"]', "syntax"),
    ("a name alone", b'{"id":"i","subject"}', "syntax"),
    ("two values", b'{"id":"i" "j"}', "syntax"),
    ("a value too many", b'{"a":1 2,"id":"i"}', "syntax"),
    ("two strings for a value", b'{"a":"x""y","id":"i"}', "syntax"),
    ("an object behind a value", b'{"a":1{},"id":"i"}', "syntax"),
    ("a bracket too many", b'{"a":[]],"id":"i"}', "syntax"),
    ("a brace too many", b'{"a":{}},"id":"i"}', "syntax"),
    ("a bracket too few", b'{"a":[[],"id":"i"}', None),
    ("two opening braces", b'{{"id":"i"}}', "syntax"),
    ("a comma alone", b"{,}", None),
    ("a colon alone", b"{:}", None),
    ("a comment before", b'/* x */{"id":"i"}', "lenient"),
    ("a comment inside", b'{"id":"i"/* x */}', "lenient"),
    ("a comment of a line", b'{"id":"i"}// x', "trailing"),
    ("a comment with a hash", b'{"id":"i"}# x', "trailing"),
    ("a comment before a name", b'{/**/"id":"i"}', "lenient"),
    ("a backslash before a quote", b'{\\"id\\":\\"i\\"}', None),
    ("an unfinished string swallows the rest", b'{"a":"x,"id":"i"}', None),
    ("a quote too many", b'{"id":"i""}', "syntax"),
    ("a NUL before", b'\x00{"id":"i"}', "syntax"),
    ("a NUL inside", b'{"id":"i"\x00}', "syntax"),
    ("a NUL behind", b'{"id":"i"}\x00', "trailing"),
    ("a NUL for a value", b'{"a":\x00,"id":"i"}', "syntax"),
    ("UTF-16", '{"id":"i"}'.encode("utf-16-le"), None),
    ("a character that stands in no value", b'{"a":@,"id":"i"}', "syntax"),
    ("a character that stands in no value, behind a number", b'{"a":1_0,"id":"i"}', "syntax"),
    ("a value in single quotes", b"{\"a\":'x',\"id\":\"i\"}", "syntax"),
    ("a value in backticks", b'{"a":`x`,"id":"i"}', "syntax"),
    ("a slash behind a number", b'{"a":1/2,"id":"i"}', "syntax"),
    ("a letter that is no ASCII", '{"a":\xe9,"id":"i"}'.encode(), "syntax"),
    ("a number in parentheses", b'{"a":(1),"id":"i"}', "syntax"),
    ("a letter behind", b'{"id":"i"}x', "trailing"),
    ("a comma behind", b'{"id":"i"},', "trailing"),
    ("an array behind", b'{"id":"i"}[]', "trailing"),
    ("an event on the next line", b'{"id":"i"}\n{"id":"j"}', "trailing"),
    ("a bracket behind", b'{"id":"i"}]', "trailing"),
]
ROOTS = [
    ("null", b"null"), ("true", b"true"), ("a number", b"7"), ("an empty string", b'""'), ("a string with an event", b'"{\\"id\\":\\"i\\"}"'), ("an empty array", b"[]"),
    ("a word", b"id"), ("a closing brace", b"}"), ("an opening brace", b"{"), ("an opening brace and white space", b"{ \n"), ("a quote", b'"'), ("XML", b"<event id='i'/>"),
    ("text", b"subject=s"), ("a bracket that opens and no more", b"["),
]
SPACES = [
    ("a vertical tab", b"\x0b"), ("a form feed", b"\x0c"), ("U+0085", b"\xc2\x85"), ("the byte 0x85", b"\x85"), ("a no-break space", b"\xc2\xa0"), ("the byte 0xa0", b"\xa0"),
    ("U+2028", b"\xe2\x80\xa8"), ("U+3000", b"\xe3\x80\x80"), ("U+001F", b"\x1f"), ("U+001C", b"\x1c"),
]
CUT = b'{ "specversion" : "1.0" , "id" : "i" , "n" : null , "data" : { "a" : [ "b\\n" ] } , "subject" : "s" }'


def blocks():
    """comment, body: what counts stands around the borders of 8, 40 and 64 bytes."""
    for n in (1, 7, 8, 9, 16, 39, 40, 41, 48, 63, 64, 65, 71, 72, 73, 128):
        yield f"a string of {n} bytes, the last an escaped quote", b'{"x":"%s\\"","subject":"s"}' % (b"k" * (n - 1))
    for n in (8, 40, 64, 65):
        yield f"a subject of {n} bytes, the last an escaped quote", b'{"subject":"%s\\"","id":"i"}' % (b"k" * (n - 1))
    for n in (6, 7, 38, 39, 54, 62, 63, 126):
        yield f"a string of {n} bytes and an escaped backslash", b'{"x":"%s\\\\","subject":"s"}' % (b"k" * n)
    for n in (0, 1, 5, 6, 7, 8, 46, 47, 48, 53, 54, 55, 56, 57):
        yield f"a string that ends behind {n} bytes of an array, with a bracket inside", b'{"x":["%s]"],"subject":"s"}' % (b"k" * n)
    for n in (56, 57, 58, 59, 60, 61, 62, 63, 64, 120, 127, 128):
        yield f"an array that ends {n} bytes behind its beginning", b'{"x":[%s],"subject":"s"}' % (b"1" * (n - 1))
    for n in (58, 59, 60, 61, 62, 63, 64):
        yield f"an escaped quote {n} bytes behind the beginning of an array", b'{"x":["%s\\"]"],"subject":"s"}' % (b"k" * (n - 2))
    yield "backslashes across a border", b'{"x":["%s%s]"],"subject":"s"}' % (b"k" * 50, b"\\\\" * 10)
    yield "backslashes across a border, and an escaped quote", b'{"x":["%s%s\\"]"],"subject":"s"}' % (b"k" * 51, b"\\\\" * 10)
    yield "a block with quotes alone", b'{"x":[%s],"subject":"s"}' % (b'""' * 50)
    yield "a block with opening brackets alone, then one with closing ones", b'{"x":%s%s,"subject":"s"}' % (b"[" * 130, b"]" * 130)
    yield "brackets and strings in turn", b'{"x":[%s],"subject":"s"}' % (b'["]"],' * 30)
    yield "an array that closes in the middle of a block, and other arrays behind it", b'{"x":[%s],"y":[%s],"subject":"s"}' % (b"[]" * 40, b"[[]]" * 20)
    for n in range(40, 49):
        yield f"the subject's name begins {n + 21} bytes behind the beginning", b'{"id":"i","x":"%s","subject":"s"}' % (b"k" * n)


def more():
    """The tests from 81 on: comment, SPEC, flags, body."""
    for comment, raw in ESCAPES:
        yield f"an escape: {comment}", "9.5", ["value-escapes"], sub(raw)
    for comment, raw in PAIRS:
        yield f"surrogates: {comment}", "9.5", ["pairs"], sub(raw)
    for comment, raw in LONE:
        yield f"surrogates: {comment}", "9.5", ["surrogates"], sub(raw)
    yield "surrogates: a lone one in an id", "9.5", ["surrogates"], ev(b'"id":"\\udead"')
    yield "a lone surrogate in a name makes it another name", "9.5", [], ev(I, b'"subject\\ud800":"no"')
    for comment, raw in BAD:
        yield f"no escape: {comment}", "9.5", ["bad-escape"], tiny(b'"subject":"%s"' % raw, I)
    yield "no escape, in an id, beside a good subject", "9.5", ["bad-escape"], tiny(b'"id":"\\q"', S)
    for c in (0x00, 0x01, 0x08, 0x0A, 0x0D, 0x1B, 0x1F):
        yield f"the control character 0x{c:02x} in a subject", "9.5", ["control"], tiny(b'"subject":"a%cb"' % c)
    yield "a control character in an id, beside a good subject", "9.5", ["control"], tiny(b'"id":"\x01"', S)
    yield "a control character behind a long subject", "9.5", ["control", "blocks"], tiny(b'"subject":"' + b"k" * 71 + b"\x1f" + b'"')
    yield "a control character in the middle of a long subject", "9.5", ["control", "blocks"], tiny(b'"subject":"' + b"k" * 37 + b"\x00" + b"k" * 37 + b'"')
    yield "a control character beside bytes of 0x80 and above", "9.5", ["control"], tiny(b'"subject":"' + b"\x9f\xff\x80\x1f\xff\xe9\x80\xa0" + b'"')
    yield "bytes of 0x80 to 0x9f are no control characters", "9.5", ["bytes"], sub(bytes(range(0x80, 0xA0)))
    yield "0x7f is no control character", "9.5", [], sub(b"a\x7fb")
    for comment, raw in NOT_UTF8:
        yield f"no UTF-8: {comment}", "9.5", ["bytes"], sub(raw)
    yield "no UTF-8 in an id", "9.5", ["bytes"], ev(b'"id":"\xc3"')

    yield "three subjects", "9.3", ["last-wins"], ev(b'"subject":"a"', I, b'"subject":"b"', b'"subject":"c"')
    yield "a subject that comes back after null", "9.3", ["last-wins"], ev(b'"subject":"a"', I, b'"subject":null', b'"subject":"b"')
    yield "a subject that comes back after an empty one", "9.3", ["last-wins"], ev(b'"subject":""', I, b'"subject":"b"')
    yield "a later null id, and a subject", "9.3", [], ev(I, S, b'"id":null')
    yield "a later null id, and none", "9.3", ["later-absent", "no-key"], ev(I, b'"id":null')
    yield "a later empty id, and none", "9.3", ["later-absent", "no-key"], ev(I, b'"id":""')
    yield "all taken away", "9.3", ["later-absent", "no-key"], ev(I, S, b'"subject":null', b'"id":""')
    yield "a later null under an escaped name", "9.3", ["later-absent", "name-escapes"], ev(I, S, b'"\\u0073ubject":null')
    yield "two escaped names", "9.3", ["last-wins", "name-escapes"], ev(I, b'"\\u0073ubject":"a"', b'"subjec\\u0074":"b"')
    yield "two that differ in their escapes only", "9.3", ["last-wins"], ev(I, b'"subject":"\\u0061"', b'"subject":"b"')
    yield "a name of nothing but escapes", "9.3", ["name-escapes"], ev(I, b'"\\u0073\\u0075\\u0062\\u006a\\u0065\\u0063\\u0074":"s"')
    yield "an escaped name with upper-case digits", "9.3", ["name-escapes"], ev(I, b'"sub\\u006Aect":"s"')
    yield "null is the text null in a string", "9.4", [], sub(b"null")
    for comment, raw, flag in NAMES:
        yield f"another name: {comment}", "9.3", [flag] if flag else [], tiny(I, raw)
    yield "another name: ID", "9.3", ["case-folded"], tiny(I, b'"ID":"no"')
    yield "another name: ids", "9.3", ["near-name"], tiny(I, b'"ids":"no"')
    yield "another name: i", "9.3", [], tiny(I, b'"i":"no"')
    yield "other attributes are no keys", "9.3", ["no-key"], ev(b'"partitionkey":"p"', b'"time":"2026-01-01T00:00:00Z"')
    yield "an empty subject alone", "9.4", ["no-key"], ev(b'"subject":""')
    yield "an empty subject by white space in its place is not empty", "9.4", ["trimmed"], sub(b" ")
    for comment, raw in WRONG:
        yield f"the subject is {comment}", "9.4", ["other-type"], tiny(I, b'"subject":' + raw)
    for comment, raw in WRONG:
        yield f"the id is {comment}, beside a good subject", "9.4", ["other-type"], tiny(b'"id":' + raw, S)
    yield "an earlier subject of another type", "9.4", ["any-member"], tiny(I, b'"subject":7', S)
    yield "an earlier id of another type, and a subject", "9.4", ["any-member"], tiny(b'"id":7', I, S)
    yield "an earlier subject with an escape that JSON does not have", "9.4", ["any-member"], tiny(I, b'"subject":"\\q"', S)
    yield "an earlier subject with a control character", "9.4", ["any-member"], tiny(I, b'"subject":"\x01"', S)
    yield "an earlier subject of another type, under an escaped name, and null", "9.4", ["any-member"], tiny(I, b'"\\u0073ubject":{}', b'"subject":null')
    yield "the id is a number, the subject null", "9.4", ["other-type"], tiny(b'"subject":null', b'"id":1')
    yield "a later subject of another type", "9.4", ["other-type"], tiny(I, S, b'"subject":7')
    yield "a later id of another type, under an escaped name", "9.4", ["other-type", "name-escapes"], tiny(I, b'"i\\u0064":{}')

    for word in (b"tru", b"nul", b"01", b"1.2.3", b"+1", b"-", b".", b"1e", b"1e5x", b"NaN", b"-Infinity", b"0x1F", b"TRUE"):
        yield f"skipped: {word.decode()}, which is no value of JSON", "9.6", ["unjudged"], tiny(I, b'"a":' + word, S)
    for comment, raw in UNJUDGED:
        yield f"skipped: {comment}", "9.6", ["unjudged"], tiny(b'"data":' + raw, I, S)
    yield "skipped: a control character in another name", "9.5", ["unjudged"], tiny(I, b'"a\nb":1', S)
    yield "skipped: an escape that JSON does not have, in another name", "9.6", ["unjudged"], tiny(I, b'"a\\qb":1', S)
    yield "skipped: no UTF-8 in another name", "9.6", [], ev(I, b'"\xff\xfe":1', S)
    yield "skipped: other brackets in strings", "9.6", ["brackets-in-strings"], also(b'{"}":"{","]":["["],"\\"}":1}')
    yield "skipped: a string that looks like the end", "9.6", [], also(b'"}"')
    yield "skipped: a name that looks like the end", "9.6", [], ev(b'"}":1', b'"{":2', I, S)
    yield "skipped: strings with backslashes of every number", "9.6", [], also(b'["\\\\","\\\\\\"","\\\\\\\\","\\\\\\\\\\"","\\"\\\\"]')
    yield "nested: a subject in an array of data", "9.3", ["nested"], ev(I, b'"data":[[{"subject":"no"}]]')
    yield "nested: a subject in another attribute", "9.3", ["nested"], ev(I, b'"x":{"subject":"no"}')
    yield "nested: an event in data", "9.3", ["nested"], ev(I, S, b'"data":' + ev(b'"id":"no"', b'"subject":"no"'))
    yield "nested: an id before, and none of its own", "9.3", ["nested", "no-key"], ev(b'"data":{"id":"no"}')
    yield "nested: a data_base64 that is an object", "9.3", ["nested"], ev(I, b'"data_base64":{"subject":"no"}')
    yield "the empty name, then the key", "9.3", ["empty-name"], ev(b'"":1', I, S)
    yield "the empty name with an object", "9.3", ["empty-name"], ev(I, b'"":{"subject":"no"}', S)
    yield "the empty name, last", "9.3", [], ev(I, S, b'"":1')
    yield "the source is a number", "9.4", ["unneeded"], b'{"specversion":"1.0","source":7,"type":"t","id":"i"}'
    yield "no specversion", "9.2", ["unneeded"], b'{"source":"/s","type":"t","id":"i"}'
    yield "specversion twice", "9.2", ["unneeded"], b'{"specversion":"1.0","specversion":1,"source":"/s","type":"t","id":"i"}'
    yield "a time that is none", "9.2", ["unneeded"], ev(I, b'"time":5')
    yield "nothing but an id", "9.2", ["unneeded"], b'{"id":"i"}'
    yield "nothing but a subject", "9.2", ["unneeded"], b'{"subject":"s"}'

    for comment, raw, flag in BROKEN:
        yield f"broken: {comment}", "9.6", [flag] if flag else [], raw
    for comment, raw in ROOTS:
        yield f"no object: {comment}", "9.2", ["root"], raw
    yield "a byte-order mark", "9.2", ["bom"], b"\xef\xbb\xbf" + ev(I, S)
    yield "a byte-order mark behind white space", "9.2", ["bom"], b" \xef\xbb\xbf" + ev(I)
    yield "a byte-order mark behind", "9.2", ["trailing"], ev(I) + b"\xef\xbb\xbf"
    yield "white space of all kinds, many of each", "9.2", ["white-space"], b"\r\n\t  " * 4 + b'{"id"\r\n\t  :\r\n\t  "i"\r\n\t  }' + b"\r\n\t  " * 4
    for comment, raw in SPACES:
        yield f"no white space: {comment}", "9.2", ["other-space"], raw + b'{"id":"i"}'
    yield "no white space: a form feed before a colon", "9.6", ["other-space"], b'{"id"\x0c:"i"}'
    yield "no white space: a vertical tab before a brace", "9.6", ["other-space"], b'{"id":"i"\x0b}'
    yield "no white space: a no-break space before a value", "9.6", ["other-space"], b'{"id":\xc2\xa0"i"}'
    for comment, raw in [("blanks at both ends", b" s "), ("escaped newlines", b"\\ns\\n"), ("a no-break space", b"\xc2\xa0s"), ("U+3000", b"s\xe3\x80\x80")]:
        yield f"kept: {comment}", "9.5", ["trimmed"], sub(raw)
    yield "kept: a ligature", "9.5", ["normalised"], sub("\ufb01".encode())
    places = [i for i in range(1, len(CUT)) if CUT[i - 1 : i] in b'{[]},:"nusa2\\ ' or i == 17]
    for i in places[::2]:
        yield f"cut behind {i} bytes", "9.6", [], CUT[:i]
    for n in (61, 62, 63, 64, 65, 66, 127, 128, 129):
        yield f"a name of {n} bytes", "9.3", ["long-name"], b'{"id":"i","%s":"no"}' % (b"n" * n)
    yield "a name of 71 bytes that begins as one that counts", "9.3", ["long-name", "near-name"], b'{"id":"i","subject%s":"no"}' % (b"n" * 64)
    yield "a name of 66 bytes that ends as one that counts", "9.3", ["long-name"], b'{"id":"i","%sid":"no"}' % (b"n" * 64)
    yield "a name of 301 bytes", "9.3", ["long-name"], b'{"%s":"no","id":"i"}' % (b"subject" * 43)
    yield "an escaped name of 65 bytes", "9.3", ["long-name"], b'{"id":"i","\\u0073ubject%s":"no"}' % (b"n" * 58)
    for comment, raw in blocks():
        yield comment, "9.6", ["blocks"], raw
    # Appended later.
    yield "surrogates: a high one, two letters, and the digits of a low one", "9.5", ["surrogates"], sub(b"\\ud83dxxde00")
    yield "surrogates: a high one, a short escape, and the digits of a low one", "9.5", ["surrogates"], sub(b"\\ud83d\\nde00")
    for n in (1, 20, 57, 62):
        raw = b'{"x":[[[%s\xfd\xdd\xfb\xdb\xa2%s]]],"subject":"s"}' % (b"1" * n, b"1" * (124 - n))
        yield f"bytes whose low seven bits are brackets and a quote, {n} bytes deep in arrays", "9.6", ["blocks"], raw


def result(row, reader=Reader):
    return peek(bytes.fromhex(row["body_hex"]), reader)


def searched(row):
    """By one search or the other, whichever is wrong."""
    last = result(row, SearchLast)
    return last if last != result(row) else result(row, SearchFirst)


def peek_v1():
    t = Tests()
    for comment, section, flags, body in [*FIRST, *more()]:
        kind, subject, id_, key = peek(body)
        id_hex = None if id_ is None else id_.hex()  # without the text: a test's id is its number
        t.add(comment, section, flags, **octets(body=body), kind=kind, **octets(subject=subject), id_hex=id_hex, **octets(key=key))
    mutants = {flag: lambda row, reader=reader: result(row, reader) for flag, reader in MUTANTS.items()}
    prove(t, result, {**mutants, "nested": searched, "syntax": searched})
    return document("peek.v1", t, NOTES, algorithm="peek")


FILES = {"peek.v1": peek_v1}
