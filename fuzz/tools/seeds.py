#!/usr/bin/env python3
"""Writes every target's seeds into FOLDER/TARGET/, one file a seed, named by a hash of its content.

    fuzz/tools/seeds.py FOLDER [TARGET...]

The same case files give the same seeds.
"""

import hashlib
import itertools
import json
import pathlib
import sys

import payloads as source
import seeds_client
import seeds_describe
import seeds_judge
import seeds_made
import seeds_reports
import seeds_resource
import seeds_suite
import seeds_texts
import seeds_values

FRAMINGS = ("line", "content-length", "concatenated", "length32")


def framed(kind, data):
    if kind == "line":
        return data + b"\n"
    if kind == "content-length":
        return b"Content-Length: %d\r\n\r\n%s" % (len(data), data)
    if kind == "length32":
        return len(data).to_bytes(4, "big") + data
    return data if data[-1:] in b'}]"' else data + b"\n"


def plain():
    for data, _ in source.payloads():
        yield data


def utf8_limits():
    """Bytes of a character on both sides of each limit, at the end of a text and far from it."""
    for lead, seconds in ((0xC1, (0x80, 0xBF)), (0xC2, (0x7F, 0x80, 0xBF, 0xC0)), (0xE0, (0x9F, 0xA0)), (0xE1, (0x80, 0xBF)), (0xEC, (0xBF,)),
                          (0xED, (0x80, 0x9F, 0xA0, 0xBF)), (0xEE, (0x80,)), (0xEF, (0xBF,)), (0xF0, (0x8F, 0x90)), (0xF4, (0x8F, 0x90)), (0xF5, (0x80,))):
        for second in seconds:
            for more in (1, 2) if lead < 0xF0 else (2, 3):
                character = bytes([lead, second, 0x80, 0xBF][:1 + more])
                for after in (b"", b"a" * 20, b"\xe2\x82\xac" * 4):
                    yield b'["' + after + character + after + b'"]'


def json_read():
    yield from plain()
    yield from utf8_limits()
    yield from source.rows()
    yield b"1" + bytes([0, 8, 1])
    yield b'{"a":[' + bytes([0, 3, 200])


def roundtrip():
    yield from plain()
    yield from roundtrip_kept()


def roundtrip_kept():
    yield from seeds_texts.pairs()
    yield from pointers()
    yield from units()


def units():
    """Escapes on both sides of each length in UTF-8 and of each half of a pair, as a whole string, at its end and in the middle."""
    limits = (0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF)
    spelled = [f"\\u{unit:04x}" for limit in limits for unit in (limit - 1, limit, limit + 1) if 0 <= unit <= 0xFFFF]
    spelled += [f"\\ud{high}\\ud{low}" for high in ("800", "83d", "bff") for low in ("c00", "e00", "fff")]
    for unit in dict.fromkeys(spelled):
        yield f'"{unit}"'.encode()
        yield f'{{"a{unit}":["{unit}b","{unit}"]}}'.encode()


def json_equal():
    yield from integers()
    texts = [d for d in plain() if source.is_json(d) and len(d) < 300]
    for one, other in zip(texts, texts[1:] + texts[:1]):
        yield one + b"\0" + other + b"\0\x01"
    for one in texts:
        yield one + b"\0" + one + b"\0\x02"


# An integer of 64 bits, at its limits and beyond, in several spellings; 18 and 19 digits.
INTEGERS = [str(number) for limit in (2 ** 63, 10 ** 18, 10 ** 19, 2 ** 53, 2 ** 64, 2 ** 65, 10 ** 20) for number in (limit - 1, limit, limit + 1, -limit, -limit - 1, 1 - limit)]
INTEGERS += ["9.223372036854775807e18", "92233720368547758080e-1", "-922337203685477580.8e1", "1e18", "1e19", "-0", "0e99", "100000000000000000000e-2"]


def integers():
    for one, other in zip(INTEGERS, INTEGERS[1:] + INTEGERS[:1]):
        yield f"[{one},{other}]".encode()
        yield one.encode() + b"\0" + other.encode() + b"\0\x01"


def pointers():
    """Pointers to places that there are and are not, each in the value that it is looked up in."""
    for index in (0, 1, 2, 3, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 64, 2 ** 64 + 1, "00", "-", "01", "1x", ""):
        yield json.dumps([f"/{index}", "b", "c"]).encode()
    for name in ("a~0b", "a~1b", "a~01b", "a~10b", "a~", "a~2", "~0", "~1"):
        yield json.dumps({"p": f"/{name}", "a~b": 1, "a/b": 2, "a~1b": 3, "a/0b": 4, "~": 5, "/": 6}).encode()


def router():
    for number, data in enumerate(plain()):
        yield data
        # A client's side, and memory that runs out after a few allocations.
        yield data + bytes([0, 1 + number % 2, 1 + number % 40])
        # Hooks, and a buffer that is too small.
        yield data + bytes([0, 1 + number % 2, 1 + number % 40, 1 + number % 90])
    yield b"[]" + bytes([0, 2, 1, 0xEE, 0xEE])
    for text in (b'{"jsonrpc":"2.0","method":5,"id":1}', b'[{"jsonrpc":"2.0","method":[]},{"jsonrpc":"2.0","method":"echo","id":2}]'):
        yield text + bytes([0, 1, 99, 1])
    # So many elements that the list of answers has memory of its own, which runs out.
    for allocations in range(8, 24):
        yield b"[" + b",".join([b"1"] * 200) + b"]" + bytes([0, 2, allocations])
    calls = ('"subtract","params":[1,2]', '"subtract","params":{"subtrahend":1,"minuend":2}',
             '"app_error","params":[1,"m",{"a":[1]}]', '"app_error","params":{"code":5}', '"echo","params":{"a":1,"a":2}',
             '"fail"', '"get_data"', '"get_data","params":[]', '"update","params":[1]', '"x.y","verb":"yield","result":1')
    for call in calls:
        yield b'{"jsonrpc":"2.0","method":%s,"id":1}' % call.encode()
        yield b'[{"jsonrpc":"2.0","method":%s,"id":"a"},{"jsonrpc":"2.0","method":%s},1]' % ((call.encode(),) * 2)


def framing():
    yield from framing_kept()
    messages = [d for d in plain() if 0 < len(d) < 200]
    for number, data in enumerate(messages):
        kind = number % 4
        stream = b"".join(framed(FRAMINGS[kind], d) for d in messages[number:number + 3])
        limit = number // 4 % 8
        yield stream + bytes([0, kind | limit << 2 | (number // 32 % 4) << 5 or 1, 1 + number % 200])
    # Over the limits of a head, and bytes that wait.
    for kind in range(4):
        for text in (b"noise", b"X: y\r\n", b"[", b"\0\0\1\0", b"Content-Length: 4\r\nContent-Length: 5\r\n\r\n[1]]", b"a}Content-Length: 1\r\n\r\n1"):
            yield text + bytes([0, kind or 4, 30, 0x55, 0x55])
            yield text * 20 + bytes([0, kind or 4, 9, 1 + kind])
            yield text * 10 + bytes([0, kind or 4, 9, 201 - kind % 2, 0x55])
    for noise in (b"log line\n", b"Content-Type: x\r\n\r\n", b"\0\0\0\xff", b"}Content-Length: 2\r\n\r\n[]"):
        for kind in range(4):
            yield noise + framed(FRAMINGS[kind], b'{"a":[1,"]"]}') + bytes([0, kind or 4, 3])


def mutator_kept():
    """Escapes that a respelling must keep, alone and before what would be an escape without them."""
    yield from units()
    for unit in (0x00, 0x08, 0x0A, 0x1F, 0x20, 0x22, 0x2F, 0x5C, 0x7F):
        for after in ("", "n", "u0041", "x", "\\\\", '\\"'):
            yield f'["\\u{unit:04x}{after}",{{"b\\u{unit:04X}{after}":1}}]'.encode()
    yield b'{"id":1,"params":[1,2],"method":"m","jsonrpc":"2.0"}'


# Answers with room for ever more of them, and with memory for ever more: each part of them fails once.
def router_kept():
    for text in (b'{"jsonrpc":"2.0","method":"app_error","params":[1,2,{"a":1}],"id":"x"}', b'[{"jsonrpc":"2.0","method":"echo","params":[1],"id":1},1]'):
        for room in range(1, 64):
            yield text + bytes([0, 2, 255, room])
        for allocations in range(1, 96):
            yield text + bytes([0, 2, allocations])


def framing_kept():
    yield from framing_strings()
    yield from heads()


def framing_strings():
    """Values whose strings hold brackets, quotes and escapes, one behind the other."""
    for text in (b'["\\"]",1]{"a":"\\\\"}', b'"\\"{" {"\\\\\\"}":[]}[1]', b'{"a":"]"}["}"]"["'):
        yield text + bytes([0, 2, 1])
    for depth in range(6):
        for string in (b'"\\"]"', b'"]\\\\"', b'"\\\\\\"}"'):
            yield b"[" * depth + string + b"]" * depth + b'"next"' + bytes([0, 2, 1])
            yield b'{"a":' * depth + string + b"}" * depth + b"[1]" + bytes([0, 2, 1])


# Values and spellings of a length, right and wrong.
LENGTHS = ("4", "04", "0004", "4 ", " 4", "\t4\t", "4\r", "", " ", "+4", "-4", "-0", "0", "4:", "1:", ":4", "4,4", "4, 4", "4;4", "4 4", "4.0", "4e0",
           "0x4", "4a", "a4", "\u00b2", "\u0664", "4\0", "\0", "18446744073709551615", "18446744073709551616", "18446744073709551620",
           "184467440737095516150", "99999999999999999999", "000000000000000000000000004", "9223372036854775808", "4294967300")
NAMES = ("Content-Length", "content-length", "CONTENT-LENGTH", "cOnTeNt-lEnGtH", "Content-Length ", " Content-Length", "Content-Lengt",
         "Content-Length2", "XContent-Length", "Content_Length", "Content-Length\0")
OTHERS = ("X: y", "X:", ":y", "X", "X y: z", "X\t: z", "a!#$%&'*+-.^_`|~9: z", "a(b: z", "a@b: z", "a[b: z", "a{b: z", "a\"b: z", "\x7f: z", "\u00e9: z", "{}",
          "log}Content-Length: 4", "]content-length: 4", "}}Content-Length: 4", "Content-Length: 4", "Content-Length: 04", "Content-Length: 5", "\r", " ")


def heads():
    """Heads that differ in one thing, each between two frames that are right."""
    right = framed("content-length", b"[1]")

    def stream(head):
        return right + head.encode("utf-8", "surrogatepass") + b"[2]]" + right

    for value in LENGTHS:
        for space in (": ", ":"):
            yield stream(f"Content-Length{space}{value}\r\n\r\n") + bytes([0, 1])
    for name in NAMES:
        yield stream(f"{name}: 4\r\n\r\n") + bytes([0, 1])
    for other in OTHERS:
        for lines in ((other, "Content-Length: 4"), ("Content-Length: 4", other), (other,)):
            yield stream("\r\n".join(lines) + "\r\n\r\n") + bytes([0, 1])
    for end in ("\n\n", "\n\r\n", "\r\n\n", "\r\r\n\r\r\n", "\r\n\r", "\r\r", "\r\n \r\n\r\n"):
        yield stream("Content-Length: 4" + end) + bytes([0, 1])
    # The limit of a message, one less and one more, for each limit that an input may choose.
    for number, limit in enumerate((0, 1, 3, 16, 64, 200, 1000)):
        for kind in range(4):
            for length in (limit - 1, limit, limit + 1):
                if length >= 0:
                    payload = b'"' + b"a" * (length - 2) + b'"' if length > 1 else b"1" * length
                    yield framed(FRAMINGS[kind], payload) + framed(FRAMINGS[kind], b"2") + bytes([0, kind | (number + 1) << 2])
    # The limit of a head, two bytes less to two more.
    for delta in range(1, 6):
        for text in (b"X: yyy\r\n", b"x" * 43, b"Content-Length: 4\r\n", b"}Content-Length: 1\r\n\r\n1", b"a\n"):
            yield text + bytes([0, 1, 9, 0x55, 0x55, delta])
        for text in (b"Content-Length: 3\r\n\r\n[1]" + right, b"X: y\r\nContent-Length: 3\r\n\r\n[1]" + right, b"no head\r\n\r\n" + right):
            yield text + bytes([0, 1, 9, 0x55, 0x56, delta])


def sequence():
    names = [b"a", b"rpc.x", b"subtract", b"subtract", b"", b"\xc3\xa9", b"a" * 40]
    for number in range(24):
        stream = b""
        for step in range(30):
            operation = (number * 7 + step * 5) % 24
            name = names[(number + step) % len(names)]
            takes = operation % 12 in (0, 2, 9, 10, 11)
            stream += bytes([operation, len(name) if takes else (step * 37) % 256]) + (name if takes else b"")
        yield stream
        yield stream + bytes([0, 1 + number])
        yield stream + bytes([0, 1 + number, 1])
    yield from sequence_kept()


def sequence_kept():
    yield from many_methods()
    yield from exact()
    yield from exact_arena()
    yield bytes([0, 255, 1])  # sizes that no memory has, and the writer's last depth
    yield bytes([1, 0, 1, 1])  # the least and the greatest number


# Two blocks that fill 4096 bytes, and one more or less.
def exact_arena():
    for last in (15, 16, 17):
        yield bytes([186, 255, 6, last])


def exact():
    """A buffer of 300 bytes that is filled to its last byte, one less and one more, in each way that fills it."""
    for last in (99, 100, 101):
        for way in (12, 14):
            yield bytes([12, 200]) + b"a" * 200 + bytes([way, last]) + b"b" * last
    for before in (96, 97, 98):
        yield bytes([12, 200]) + b"a" * 200 + bytes([12, before]) + b"b" * before + bytes([1, 5]) * 6


# Enough of them for the table to grow twice, with other names in its last places each time.
def many_methods():
    for letter in b"mnopqr":
        yield b"".join(bytes([9, 3, letter]) + b"%02d" % number for number in range(36))


# Words about as long as an error's message and its source have room for, with a character that the end may cut.
def error_lengths():
    for room in (256, 380, 512):
        for more in range(-4, 3):
            for end in ("", "\u00e9", "\u20ac", "\U0001f600", "\n"):
                text = b"x" * (room + more - len(end.encode())) + end.encode()
                yield text
                yield text + bytes([0, 3, 1, 1, 200, 5])


def system():
    for operation in range(12):
        for number in (0, 1, 2, 3, 7, 30, 101, 200, 255):
            yield bytes([operation, number])
    yield from without_memory()
    for number in range(8):
        yield bytes([0, number, 1, 40 + number, 1, 80 + number, 3, 12 + number, 4, 60 + number, 11, 0, 2, 24 + number, 0, number])
        yield bytes([7, number * 31 + 1, 7, number * 17, 6, 0, 10, number, 9, number * 36, 5, number * 30])


def without_memory():
    """What a sanitizer cannot be asked for, so that an engine's corpus does not reach it."""
    yield bytes([11, 0])
    yield bytes([7, 9, 11, 16, 7, 22])


# As large as tables and arenas become before they grow, one less and one more; the first allocations, each in turn.
def registry():
    for count in (1, 2, 6, 7, 8, 9, 10, 15, 16, 17, 18, 30, 31, 32, 33, 34, 48, 63, 64, 65, 96, 127, 128, 129, 130, 254, 255):
        for base in (b"", b"get", b"a-long-name-of-many-let"):
            yield base + bytes([0, count])
    for allocation in range(1, 40):
        yield b"x" + bytes([0, 20 + allocation, allocation, 1 + allocation % 3])
        yield b"x" + bytes([0, 150, allocation, 3 - allocation % 3])
    for length in (1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255):
        for more in (1, 2, 3):
            yield b"m" + bytes([0, 1, 255, 1, length, more])


def error():
    yield from error_lengths()
    for number, data in enumerate([d for d in plain() if len(d) < 200][::5]):
        yield data + bytes([0, 1 + number % 8, number % 90, number % 3, number % 200, number % 16])
    for text in (b"", b"a\nb\n\nc", b"\x1b[31m\x7f\xc2\x85\xe2\x80\xa8", b"\xff" * 30, b"%s%n" * 9, "\u00e9".encode() * 300, b"x" * 690):
        for kind in range(1, 9):
            yield text + bytes([0, kind, kind * 2, kind % 2, kind * 31 % 256, kind * 3])


def case_options(name):
    """The two option bytes that choose a case: fuzz_case of fuzz/data.h, by a hash of the id."""
    number = 2166136261
    for byte in name.encode():
        number = (number ^ byte) * 16777619 % 2**32
    position = 255 + number % 64770
    low = position % 255 or 255
    return [low, (position - low) // 255]


def judge_http():
    """The cases that look at HTTP, with each status and each type."""
    answer = '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"c1"}'
    for _, case in seeds_judge.cases():
        if any("http" in step for step in [case, *case.get("steps", [])]) or "transport:http" in str(case.get("needs")):
            for choice in range(1, 256, 17):
                text = ("", answer, "<html>", "null")[choice % 4]
                yield text.encode() + bytes([0, *case_options(case["id"]), 1 + choice % 97, choice % 60, choice])


def judge_hidden():
    """What does not show itself, within JSON and without, as the answer to a few cases of different files."""
    for case in itertools.islice(seeds_judge.chosen(1), 0, None, 40):
        for hidden in (b"\x1b[31m", b"\x7f", b"\x01\b", "\u009b31m".encode(), "\u202e\u200b".encode(), b"\xff\xc3"):
            for text in (hidden, b'{"jsonrpc":"2.0","result":"%s","id":"%s"}' % (hidden, hidden)):
                yield text + bytes([0, *case_options(case["id"]), 1])


def judge_codes():
    """Error codes at the limits of what section 5.1 defines and reserves, as the answer to a few cases."""
    for case in itertools.islice(seeds_judge.chosen(1), 0, None, 200):
        for code in (-32769, -32768, -32767, -32701, -32700, -32699, -32604, -32603, -32600, -32599, -32101, -32100, -32099, -32098, -32001, -32000, -31999, -1, 0):
            text = '{"jsonrpc":"2.0","id":1,"error":{"code":%d,"message":"m"}}' % code
            yield text.encode() + bytes([0, *case_options(case["id"]), 1])


def judge_kept():
    yield from judge_hidden()
    yield from judge_codes()


def judge():
    yield from judge_codes()
    yield from judge_http()
    yield from judge_hidden()
    answers = ['{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"c1"}',
               '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null}',
               '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}',
               '{"jsonrpc":"2.0","result":19,"id":1}', '{"id":1}', '[]', '[1]', 'noise', '{"jsonrpc":"1.0","result":1,"error":null,"id":1}',
               '{"jsonrpc":"2.0","method":"push","params":[1]}', '{"jsonrpc":"2.0","result":1,"error":{"code":"x"},"id":{}}']
    for number, (_, case) in enumerate(seeds_judge.cases()):
        text = answers[number % len(answers)]
        if number % 3 == 0:
            text = "[" + text + "," + answers[(number + 1) % len(answers)] + "]\n" + text
        yield text.encode() + bytes([0, *case_options(case["id"]), 1 + number % 97])


def marks():
    """Byte order marks where they are one, and where they are part of a line."""
    for mark in (b"", b"\xef\xbb\xbf", b"\xef\xbb"):
        for other in (b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf", b" "):
            yield mark + b"data: 1\n" + other + b"data: 2\n\n" + other + b"data: 3\n\n"


def events():
    """Streams of server-sent events with every line end, comments, marks and breaks."""
    messages = [d for d in plain() if 0 < len(d) < 120][::8]
    for number, data in enumerate(messages):
        end = (b"\n", b"\r", b"\r\n")[number % 3]
        yield b"data: " + data.replace(b"\n", end + b"data:") + end + end
        yield (b"\xef\xbb\xbf: hello" + end + b"id: 1" + end + b"data" + end + b"data:" + data + end + b"event: x" + end
               + end + b"data:[DONE]" + end + end + b"data: cut off" + bytes([0, number % 8, number % 16, number % 30]))
    yield from marks()
    yield b"data: " + b"a" * 63 + b"\ndata: b\n\ndata: c\n\n" + bytes([0, 2])


def http():
    yield from http_types()
    heads = (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
             b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-type:text/event-stream; charset=utf-8\r\nX: %d\r\n\r\n",
             b"HTTP/2 404 \nContent-Type: text/html\nA: %d\n\n", b"HTTP/1.1 204 No Content\r\nContent-Length: 0%d\r\n\r\n")
    for number, data in enumerate([d for d in plain() if 0 < len(d) < 120][::6]):
        body = b"data: " + data + b"\n\ndata: [DONE]\n\n" if number % 4 == 1 else data
        text = heads[number % 4] % len(body) + body
        yield text
        yield text + bytes([0, 1 + number % 8, number % 4, 1 + number % 16, number % 12])


def frame(opcode, data, masked, final=True):
    mask = b"\x11\x22\x33\x44"
    head = bytes([(0x80 if final else 0) | opcode])
    if len(data) < 126:
        head += bytes([(0x80 if masked else 0) | len(data)])
    else:
        head += bytes([(0x80 if masked else 0) | 126]) + len(data).to_bytes(2, "big")
    return head + (mask + bytes(c ^ mask[i % 4] for i, c in enumerate(data)) if masked else data)


def websocket():
    yield from seeds_texts.heads_of_frames()
    for number, data in enumerate([d for d in plain() if 0 < len(d) < 300][::8]):
        client = number % 2
        frames = [frame(1 + number % 3 // 2, data, not client), frame(9, b"ping", not client),
                  frame(1, data[:5], not client, False) + frame(9, b"", not client) + frame(0, data[5:], not client),
                  frame(10, b"pong", not client), frame(8, b"\x03\xe8bye", not client)]
        yield b"".join(frames[number % 3:]) + bytes([0, client | number % 8 << 1 or 16, 1 + number % 3, 1 + number % 32, number % 60])
        yield frames[number % 5] + frame(number % 16, data[:100], number % 4 < 2)
        yield b"".join(frames) + bytes([0, client or 2, 1, 1, 60, 1 + number % 16])
    yield b"a" + bytes([0, 1, 3, 31, 250, 0x77, 0x77])
    yield b"a" + bytes([0, 2, 3, 31, 250, 0x77, 0x77])


def handshake():
    key, accept = b"dGhlIHNhbXBsZSBub25jZQ==", b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    asked = [b"GET / HTTP/1.1", b"Host: a", b"Upgrade: websocket", b"Connection: keep-alive, Upgrade",
             b"Sec-WebSocket-Key: " + key, b"Sec-WebSocket-Version: 13"]
    answered = [b"HTTP/1.1 101 Switching Protocols", b"Upgrade: websocket", b"Connection: Upgrade",
                b"Sec-WebSocket-Accept: " + accept]
    for lines in (asked, answered):
        for left_out in range(len(lines) + 1):
            kept = lines[:left_out] + lines[left_out + 1:]
            yield b"\r\n".join(kept) + b"\r\n\r\n"
            yield b"\r\n".join(kept).swapcase() + b"\r\n\r\n"
    yield b"\r\n".join(asked).replace(b"13", b"8") + b"\r\n\r\nrest"
    yield b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


def http_types():
    """Heads that differ in one thing, before a body that shows it."""
    for interim in (b"", b"HTTP/1.1 103 Early Hints\r\nContent-Type: text/event-stream\r\n\r\n",
                    b"HTTP/1.1 100 Continue\r\nContent-Length: 70\r\n\r\n"):
        for kind in (b"Content-Type: application/json\r\n", b"Content-Type: text/plain\r\n", b""):
            for body in (b'{"id":1}', b"page", b""):
                yield interim + b"HTTP/1.1 200 OK\r\n" + kind + b"\r\n" + body


SEEDS = seeds_values.with_values({"json_read": json_read, "json_roundtrip": roundtrip, "json_equal": json_equal, "message": plain,
         "router": router, "sequence": sequence, "registry": registry, "system": system, "error": error, "framing": framing, "mutator": plain,
         "judge": judge, "plug": plain, "sse": events, "http": http, "websocket": websocket, "handshake": handshake,
         **seeds_client.SEEDS, **seeds_describe.SEEDS, **seeds_judge.SEEDS, **seeds_reports.SEEDS, **seeds_made.SEEDS, **seeds_resource.SEEDS, **seeds_suite.SEEDS, **seeds_texts.SEEDS})


# What a minimal corpus keeps whole: these differ in what is owed for them, and not always in what they reach.
KEPT = seeds_values.with_values({"mutator": mutator_kept, "json_equal": integers, "json_roundtrip": roundtrip_kept, "sse": marks, "judge": judge_kept, "framing": framing_kept, "router": router_kept, "registry": registry, "error": error_lengths, "handshake": handshake, "websocket": seeds_texts.heads_of_frames, "http": http_types, "sequence": sequence_kept, "json_read": utf8_limits, "system": without_memory, **seeds_reports.KEPT, **seeds_client.KEPT, **seeds_describe.KEPT, **seeds_judge.KEPT, **seeds_made.KEPT, **seeds_resource.KEPT, **seeds_suite.KEPT, **seeds_texts.KEPT})


def main():
    folder = pathlib.Path(sys.argv[1])
    for target in sys.argv[2:] or SEEDS:
        out = folder / target
        out.mkdir(parents=True, exist_ok=True)
        seeds = {hashlib.sha1(data).hexdigest(): data for data in SEEDS[target]()}
        for name, data in seeds.items():
            (out / name).write_bytes(data)
        print(f"{target}: {len(seeds)} seeds, {sum(map(len, seeds.values()))} bytes")


if __name__ == "__main__":
    main()
