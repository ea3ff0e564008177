"""Texts that grow by a factor of ten: what breaks only on long or deep input, which short inputs never show."""

SIZES = [10 ** power for power in range(2, 7)]


def members(count):
    return b"{" + b",".join(b'"k%d":0' % i for i in range(count)) + b"}"


def calls(count):
    one = b'{"jsonrpc":"2.0","method":"get_data","id":%d}'
    return b"[" + b",".join(one % i for i in range(count)) + b"]"


# What grows: a text of about `n` bytes, brackets, digits or members.
TEXTS = {
    "nested arrays": lambda n: b"[" * n + b"]" * n,
    "nested objects": lambda n: b'{"a":' * n + b"0" + b"}" * n,
    "brackets never closed": lambda n: b"[" * n,
    "objects never closed": lambda n: b'{"a":' * n,
    "arrays beside each other": lambda n: b"[" + b",".join([b"[]"] * n) + b"]",
    "elements": lambda n: b"[" + b",".join([b"1"] * n) + b"]",
    "members": members,
    "members of the same name": lambda n: b"{" + b",".join([b'"a":1'] * n) + b"}",
    "a long name": lambda n: b'{"' + b"a" * n + b'":0}',
    "digits of a whole number": lambda n: b"1" * n,
    "digits of a fraction": lambda n: b"0." + b"1" * n,
    "digits of an exponent": lambda n: b"1e" + b"1" * n,
    "zeros before an exponent": lambda n: b"1" + b"0" * n + b"e-" + b"%d" % n,
    "a long string": lambda n: b'"' + b"a" * n + b'"',
    "a string of escapes": lambda n: b'"' + b"\\n" * n + b'"',
    "a string of surrogate pairs": lambda n: b'"' + b"\\ud83d\\ude00" * n + b'"',
    "a string of control characters, escaped": lambda n: b'"' + b"\\u0001" * n + b'"',
    "a string of three-byte characters": lambda n: b'"' + b"\xe2\x82\xac" * n + b'"',
    "a string never closed": lambda n: b'"' + b"a" * n,
    "white space": lambda n: b" " * n + b"0" + b"\n" * n,
}
REQUESTS = {
    "calls in a batch": lambda n: calls(n // 10),
    "params nested deep": lambda n: b'{"jsonrpc":"2.0","method":"echo","params":' + b"[" * n + b"]" * n + b',"id":1}',
    "many params": lambda n: b'{"jsonrpc":"2.0","method":"echo","params":[' + b",".join([b"1"] * n) + b'],"id":1}',
    "a long method": lambda n: b'{"jsonrpc":"2.0","method":"' + b"a" * n + b'","id":1}',
    "a long id": lambda n: b'{"jsonrpc":"2.0","method":"get_data","id":"' + b"a" * n + b'"}',
    "nested batches": lambda n: b"[" * n + b"]" * n,
    "brackets never closed": lambda n: b"[" * n,
}


def line(payloads):
    return b"".join(payload + b"\n" for payload in payloads)


def content_length(payloads):
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(payload), payload) for payload in payloads)


def length32(payloads):
    return b"".join(len(payload).to_bytes(4, "big") + payload for payload in payloads)


ENCODERS = {"line": line, "content-length": content_length, "length32": length32, "concatenated": line}


def streams(framing):
    encode = ENCODERS[framing]
    grown = {
        "a long message": lambda n: encode([b'"' + b"a" * n + b'"']),
        "many messages": lambda n: encode([b"[]"] * n),
        "a nested message": lambda n: encode([b"[" * n + b"]" * n]),
        "a stream without an end": lambda n: b'"' + b"a" * n,
    }
    if framing == "content-length":
        grown["a long head"] = lambda n: b"X: " + b"a" * n + b"\r\nContent-Length: 2\r\n\r\n[]"
        grown["many headers"] = lambda n: b"X: 1\r\n" * n + b"Content-Length: 2\r\n\r\n[]"
        grown["digits of a length"] = lambda n: b"Content-Length: " + b"9" * n + b"\r\n\r\n[]"
        grown["zeros before a length"] = lambda n: b"Content-Length: " + b"0" * n + b"2\r\n\r\n[]"
    return grown
