"""Seeds that differ in their values rather than in the code that they reach: values at limits, members in every combination."""

import itertools


def messages():
    """Every combination of the members that decide what a message is, with right and with wrong values."""
    members = {"jsonrpc": ('"2.0"', '"2.1"'), "method": ('"m"', "1"), "params": ("[]", "0"), "id": ("1", "[]"), "result": ("1", None),
               "error": ('{"code":1,"message":"a"}', None), "verb": ('"yield"', '"get"')}
    for chosen in itertools.product((False, True), repeat=len(members)):
        taken = [name for name, there in zip(members, chosen) if there]
        yield ("{" + ",".join(f'"{name}":{members[name][0]}' for name in taken) + "}").encode()
        for wrong in taken:
            if members[wrong][1] is not None and len(taken) > 2:
                yield ("{" + ",".join(f'"{name}":{members[name][name == wrong]}' for name in taken) + "}").encode()


def numbers():
    """Integers in every spelling, and fractions that look like them."""
    for digits in ("1", "12", "120", "999999999999999999", "1000000000000000000", "9223372036854775807", "9223372036854775808"):
        for sign in ("", "-"):
            for text in (digits, digits + ".0", digits + ".5", digits + "e0", digits + "0e-1", digits + "00e-1", digits + "e1", digits + "e-1",
                         "0." + digits + f"e{len(digits)}", "0." + digits + f"e{len(digits) - 1}", digits[0] + "." + (digits[1:] or "0") + f"e{len(digits) - 1}"):
                yield (sign + text).encode()
    yield b"[0.0,-0,0e5,0.0e-3,100e-2,100e-3,1e18,1e19,-1e19]"


def equal():
    """Pairs of equal and of different values, separated by a NUL: long exponents and plain digits, and Objects whose members are in
    another order, near the depth up to which open pairs are remembered."""
    yield from numbers()
    for exponent in (9, 10, 32, 33, 99, 100, 321, 330, 340):
        zeros = "0" * exponent
        for other in (f"1e{exponent}", f"1e{exponent + 1}", f"0.1e{exponent + 1}", f"1e+0{exponent}"):
            yield f"1{zeros}\0{other}\0\1".encode()
            yield f"0.{zeros}1\0{other.replace('e+', 'e').replace('e', 'e-')}\0\1".encode()
    for depth in (126, 127, 128, 129, 130, 131):
        for last in ("1", "2"):
            left, right = '{"a":1,"b":' + last + "}", '{"b":1,"a":1}'
            for _ in range(depth):
                left, right = '{"c":' + left + ',"d":0}', '{"d":0,"c":' + right + "}"
            yield f"{left}\0{right}\0\1".encode()


def texts():
    """Variables wherever JSON may have a value, in a text that is sent unchanged (option 1)."""
    for before in ("[", "[1,", '{"a":', "{", "", "x", "[ ", "[\n", "]", '"'):
        for behind in ("]", ",1]", "}", "", "x", " ]", "\n}", '"', ":"):
            yield (before + "${sid}" + behind).encode() + bytes([0, 1])
            yield (before + "${n}" + behind).encode() + bytes([0, 1])


def spent():
    """The time that two parts of a run spent, up to an overflow, and parts that end in either order."""
    most = 2**63 - 1
    for first, second in ((1, 2), (most, 1), (1, most), (most, most), (most - 1, 1), (0, most)):
        line = '{"judged":1,"conformant":true,"duration_us":%d,"spent_ms":{"a":{"b":%d,"c":1}}}'
        yield (line % (5, first) + "\n" + line % (9, second)).encode()
        yield (line % (9, second) + "\n" + line % (5, first)).encode()
        yield (line % (9, 1) + "\n" + line % (9, 3) + "\n" + line % (7, 2)).encode()


def parameters():
    """Lists of parameters (fuzz/target/registry.c): two with the same name, optional ones before a required one, and one too many."""
    for count in (1, 2, 3, 15, 16, 17):
        for one, other in ((0, 0), (0, 1), (1, 0), (1, 2), (0, count - 1), (count - 2, count - 1), (count - 1, count - 2)):
            for optional, required in ((count, 0), (0, 0), (1, 0), (count - 1, 1), (count // 2, count // 2)):
                yield b"p" + bytes([0, count - 1, max(one, 0) + count, max(other, 0) + count, optional + count + 1, required + count])


def streams():
    """Events that a reader would read wrongly if it took their first bytes for the end of the previous stream."""
    for begin in (b"\n", b"\r", b"\r\n", b"", b"\n\n"):
        for mark in (b"\xef\xbb\xbf", b""):
            for end in (b"\r", b"\n", b"\r\r", b"\rdata: 3\r", b"\xef\xbb\xbf", b"\ndata: 3"):
                yield begin + mark + b"data: 1\n\ndata: 2" + end


def frames():
    """Frames that are followed by uncounted line breaks, and heads whose lines end with or without a carriage return (option 1)."""
    frame, loose = b"Content-Length: 2\r\n\r\n{}", b"Content-Length: 2\n\n{}"
    for between in (b"\r\n", b"\n", b"\r\n\r\n", b"", b"x\r\n"):
        for first in (frame, loose):
            for second in (frame, loose):
                yield first + between + second + frame + frame + bytes([0, 1])
                yield first + between + second + between + loose + frame + bytes([0, 1])
        yield loose + between + bytes([0, 1])


def ids():
    """Cases with valid ids, and with ids that are nearly valid."""
    for name in ("a/b", "a/", "/a", "a//b", "a", "a/b/", "a/b/c", "A/b", "a/b c", "a./-_", "0/9", "a/b\\u0000"):
        yield ('{"schema":1,"suite":"jsonrpc-2.0","section":"4","title":"t","cases":[{"id":"%s","rules":["J2-4a"],"title":"t","send":1,'
               '"expect":{"nothing":true}}]}' % name).encode()
    # In a row of a table, behind so many cells that their list has grown.
    for cells in (1, 17, 18, 19):
        for digits in ("7g", "7b${row.b}"):
            yield ('{"schema":1,"suite":"jsonrpc-2.0","section":"4","title":"t","cases":[\n{"id":"a/${row.a}","rules":["J2-4a"],"title":"t",'
                   '"why":"%s",\n"send-hex":"%s","expect":{"nothing":true},"table":{"columns":["a","b"],"rows":[["x","0g"]]}}]}'
                   % ("${row.a} " * cells, digits)).encode()
    for digits in ("7", "7g", "g7", "7b7", "7b 7", "7b  7d", "7b g", "", " ", "7b7d ", "7b x7", "7b 7x"):
        yield ('{"schema":1,"suite":"jsonrpc-2.0","section":"4","title":"t","cases":[\n{"id":"a/b","rules":["J2-4a"],"title":"t",\n"send-hex":"%s",'
               '"expect":{"nothing":true}}]}' % digits).encode()


def runs():
    """Several runs as SARIF (option 4), one of them with a crash that has no rule."""
    start, finish = '{"event":"start","schema":2,"target":{"name":"t"}}', '{"event":"finish","conformant":false}'
    bare, ruled = ('{"event":"case","id":"a/b","suite":"s","rules":[%s],"outcome":"%s","findings":[]}' % words for words in (("", "crash"), ('"R-1"', "fail")))
    for cases in ((bare, ruled), (ruled, bare), (bare, ruled, bare), (bare, bare), (ruled, ruled)):
        yield "\n".join(line for case in cases for line in (start, case, finish)).encode() + bytes([0, 4])


VALUES = {"report": runs, "sse": streams, "framing": frames, "case_loader": ids, "registry": parameters, "message": messages, "json_roundtrip": numbers, "json_equal": equal, "payload": texts, "shards": spent}


def with_values(functions):
    """The functions by target, with the values of this module after theirs."""
    def joined(name):
        own, values = functions.get(name, list), VALUES.get(name, list)
        return lambda: itertools.chain(own(), values())
    return {name: joined(name) for name in [*functions, *(name for name in VALUES if name not in functions)]}
