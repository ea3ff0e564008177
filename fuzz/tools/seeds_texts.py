"""Seeds of the targets that match patterns and schemas, read tokens, and put runs and texts together."""

import json


def schema():
    """Schemas with each keyword and values about its limit; references, identifiers and escapes; patterns with texts."""
    values = [1, 2, 2.0, 2.5, -1, 1e3, "", "a", "ab", "a b", "\u00e9", None, True, [], [1], [1, 1], [1, "a"], {}, {"a": 1}, {"a": "s", "b": "t"}, {"a b": 1}]
    number = {"definitions": {"n": {"type": "number"}, "a ": {"type": "string"}, "a/b": {"const": 1}, "a~b": {"const": "a"}, "%41": True}}
    schemas = [True, False, {}, *({"type": kind} for kind in ("null", "boolean", "integer", "number", "string", "array", "object", ["string", "null"]))]
    schemas += [{word: limit} for word in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf") for limit in (1, 2, 2.5)]
    schemas += [{word: limit} for word in ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties") for limit in (0, 1, 2)]
    schemas += [{"enum": [1, "a", [], {"a": 1}]}, {"const": {"a": 1.0}}, {"uniqueItems": True}, {"required": ["a"]}, {"required": []}, {"pattern": "^a"},
                {"items": {"type": "integer"}}, {"items": [{"const": 1}], "additionalItems": False}, {"contains": {"const": "a"}},
                {"properties": {"a": {"const": 1}}, "additionalProperties": False}, {"patternProperties": {"^a": {"type": "number"}}},
                {"propertyNames": {"maxLength": 1}}, {"dependencies": {"a": ["b"]}}, {"if": {"type": "number"}, "then": {"minimum": 2}, "else": False},
                {"allOf": [{"minimum": 1}, {"maximum": 2}]}, {"anyOf": [{"type": "string"}, {"minimum": 2}]}, {"oneOf": [{"minimum": 1}, {"maximum": 2}]},
                {"not": {"type": "string"}}]
    schemas += [{"$ref": f"#/definitions/{name}", **number} for name in ("n", "a%20", "a~1b", "a~0b", "%2541", "%6e", "a ", "nowhere", "a%2", "a%zz")]
    schemas += [{"properties": {"a": {"$id": "x", "type": "string"}, "b": {"$ref": "#/definitions/n"}}, **number},
                {"properties": {"a": {"$ref": "#/definitions/n"}, "b": {"$id": "x", "$ref": "#/definitions/n"}}, **number},
                {"allOf": [{"$id": "x", "definitions": {"n": True}, "properties": {"a": {"$ref": "#/definitions/n"}}}, {"$ref": "#/definitions/n"}], **number},
                {"$ref": "#"}, {"$ref": "#/$ref"}, {"items": {"$ref": "#"}}]
    for one in schemas:
        for value in values:
            yield json.dumps([one, value]).encode()
    yield from patterns()
    yield from brackets()


def patterns():
    """Brackets with each special character in each place; anchors; repetitions."""
    members = ("a", "-", "\\]", "\\-", "\\\\", "\\^", "^", "a-c", "a-", "-a", "\\[", ".", "0-9")
    inside = list(members) + [one + other for one in members for other in members]
    found = [f"^[{text}]$" for text in inside] + [f"[^{text}]" for text in inside[::3]]
    found += ["", "^", "$", "^$", "a", "^a", "a$", "^a$", "a*", "a+b", "ab?c", "^.$", "a.c", "\\.", "^[ab]+$", "^[^a]*b?$", "\\$", "a\\+"]
    texts = ("", "a", "b", "-", "]", "\\", "^", "[", "ab", "abc", "a-c", "aab", "a.c", "$", "a+", "5")
    for number, pattern in enumerate(found):
        for text in texts[number % 4::4] if len(found) > 60 and number < len(inside) else texts:
            yield json.dumps([pattern, text]).encode()
    for text, pattern in (("-", "^[\\]\\-]$"), ("]", "^[\\]\\-]$"), ("^", "^[\\^\\]\\-]$")):
        yield json.dumps([pattern, text]).encode()


def wording():
    """Texts that differ at their ends and overlap, and lists of words as long as their room."""
    parts = ("", "a", "aa", "aaa", "aaaaa", "ab", "ba", "aba", "abab", "x" * 40, "x" * 20 + "y" + "x" * 20, "\u00e9\u20ac", "\u20ac\u00e9", "ab, cd", "ab cd ef")
    for one in parts:
        for other in parts:
            yield f"{one}\n{other}".encode()
            yield f"{one}\n{other}".encode() + bytes([0, 1 + len(one), len(other) or 1])
    yield b"ab cd"
    yield b"a b c d e f g"
    # Numbers of up to nine digits, which are sorted by their value.
    for one, other in (("9", "10"), ("09", "9"), ("99999999", "100000000"), ("123456789", "123456780"), ("1.9a", "1.10"), ("a1", "a"), ("1", "a")):
        yield f"J2-{one}\nJ2-{other}".encode()


def token():
    """Tokens of all kinds, right and cut off anywhere, and claims of every length that base64 ends differently for."""
    yield from last_digits()
    head, none = b"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", b"eyJhbGciOiJub25lIn0"
    for key in (b"", b"k", b"b", b"x" * 64, b"x" * 65):
        for claims in (b"{}", b"{}x", b"{}xy", b"", b'{"exp":1}', b"x" * 4095):
            yield key + b"\n" + claims
            yield key + b"\n" + claims + bytes([0, 1 + len(key), 1 + len(claims) % 200])
        for parts in ((head, b"e30", b"x"), (head, b"!", b"x"), (b"!", b"e30", b"x"), (none, b"e30", b""), (head, b"e30"), (head,), (b"", b"", b""),
                      (head, b"e30", b"x", b"y"), (b"eyJhbGciOiJIUzI1NiJ9", b"!", b"x"), (head, b"e", b"x"), (head + b"=", b"e30=", b"x")):
            yield key + b"\n" + b".".join(parts)


def brackets():
    """Two members of a bracket expression in every order: ranges, escapes, and characters that are literal only at one place."""
    members = ("a", "a-c", "+-\\.", "a-\\d", "\\d", "\\]", "^", "-", "\\^", "[", "[:", "\\.-0", "\\-", "\\\\", "A-z")
    texts = ("b", ".", "]", "-", "5", "[", "^", ",", "0", "\\", "Z")
    number = 0
    for first in members:
        for second in ("", *members):
            for end in ("[%s]", "[^%s]"):
                number += 1
                yield json.dumps([end % (first + second), texts[number % len(texts)]]).encode()
        for text in texts:
            yield json.dumps(["[%s]" % first, text]).encode()


def match():
    """A pattern and a value, which it matches and does not, and just does not."""
    values = [1, 2, 2.5, "ab", "", "aé", None, True, [], [1], [1, 2, 3], [1, [2], 1], {}, {"a": 1}, {"a": 1, "b": [2]}, "a-z", "0"]
    patterns = [{"$type": kind} for kind in ("string", "number", "integer", "boolean", "null", "array", "object", "x")]
    patterns += [{"$range": [low, high]} for low in (0, 1, 2) for high in (1, 2, 2.5)] + [{"$length": [low, high]} for low in (0, 1, 2) for high in (0, 1, 2, 3)]
    patterns += [{"$chars": chars} for chars in ("", "a", "ab", "a-b", "a-z", "0a-b", "-az", "az-", "a-z-", "0-9a-z", "b-a", "a-")]
    patterns += [{"$unique": way} for way in ("", "/id", "/a/b", "/0", "/01")] + [{"$absent": True}, {"$absent": False}, {"$any": True}, {"$in": []}, {"$all": []}]
    patterns += [{wrap: one} for wrap in ("$contains", "$each", "$not", "$somewhere") for one in (1, "a", {"a": 1}, {"$type": "number"}, [2], "")]
    patterns += [{"$in": [1, "ab", {"$type": "array"}]}, {"$all": [{"$type": "array"}, {"$length": [3, 3]}]}, {"a": {"$any": True}}, {"a": 1, "b": {"$absent": True}}]
    for pattern in patterns + values:
        for value in values:
            yield json.dumps([pattern, value]).encode()
    ids = [[{"id": 1}, {"id": 2}, {"id": 1}], [{"id": 1}, {"id": 1}], [{"id": 1}, {}, {"x": 1}], [1, 2, 1], [1, 2, 3], [[1], [2], [1]], [{"a": {"b": 0}}, {"a": {"b": "0"}}]]
    for way in ("", "/id", "/a/b", "/0"):
        for value in ids:
            yield json.dumps([{"$unique": way}, value]).encode()


def match_doubles():
    """Numbers that are one double or not, in several spellings."""
    numbers = ("0.1", "0.10000000000000001", "0.1000000000000001", "12345678901234567890E-1", "1.2345678901234568e18", "1234567890123456789", "1e400", "2e400", "10e399",
               "9007199254740993", "9007199254740992.0", "9007199254740993E0", "-0.0", "0", "-1E2", "-100.0", '"0.1"', '"0.10000000000000001"', '"\\"0.1"')
    for one in numbers:
        for other in numbers:
            yield f"[{one},{other}]".encode()
            yield f'[[{one},"e"],[{other},"e"]]'.encode()


def match_kept():
    yield from match()
    yield from match_doubles()


def shards():
    """Finishes of parts, each combination of the words that decide, in each place."""
    good = '{"event":"finish","counts":{"pass":2,"fail":1},"judged":3,"skipped":1,"conformant":true}'
    others = ['{"judged":3,"conformant":false}', '{"judged":0,"conformant":false}', '{"judged":1}', "{}", '{"judged":1,"conformant":true,"interrupted":true}', "[]", "x",
              '{"judged":1,"conformant":true,"stop":"time","stopped":"why"}', '{"judged":"3","conformant":false}', '{"judged":2,"conformant":true,"rules_untested":["A","B",1]}']
    for other in others:
        for parts in ((other,), (other, good), (good, other), (good, good, other), (other, good, good), (good, other, good), (other, other)):
            yield "\n".join(parts).encode()
    yield "\n".join([good] * 9).encode()


# A high surrogate before each neighbour of the low ones, escaped and not.
def pairs():
    for low in ("dbff", "dc00", "dfff", "e000", "DC00", "DFFF", "E000", "d83d"):
        yield b'["\\ud83d\\u%s"]' % low.encode()
        yield b'["\\uDBFF\\u%s",1,"\\uD800\\u%s"]' % (low.encode(), low.encode())


def last_digits():
    """Claims of several lengths that end with bytes whose digits are the last of base64url."""
    for end in (b"\x3e", b"\x3f", b"\x7e", b"\x7f", b"\xfb", b"\xff", b"\xbf\xff"):
        for before in (b"", b"a", b"ab", b"abc"):
            yield b"key\n" + before + end


# Heads of frames whose length is stated in each way, about the limits of each and of control frames; then one in each order.
def heads_of_frames():
    for first in (0x81, 0x01, 0x80, 0x88, 0x89, 0x8A, 0x09, 0x8B, 0x83, 0xC1):
        for said in (b"\x7d", b"\x7e\0\x7d", b"\x7e\0\x7e", b"\x7e\xff\xff", b"\x7f\0\0\0\0\0\0\xff\xff", b"\x7f\0\0\0\0\0\1\0\0", b"\x85"):
            yield bytes([first]) + said + b"\x80\0\x01\0\x80\0\x88\0" + b"\x81\0" * 7


SEEDS = {"match": match_kept, "shards": shards, "token": token, "schema": schema, "wording": wording}
KEPT = {"match": match_kept, "shards": shards, "token": token, "schema": schema, "wording": wording}
