"""Seeds for what is generated, for the reference adapter and its faults, and for the calls of a client."""


def adapter_kept():
    """Containers around the limits of faults (16 levels, 32, 100 elements, a block), values that faults drop, move or change, and texts that
    only a fault accepts."""
    for depth in (1, 2, 15, 16, 17, 31, 32, 33, 34):
        yield b"[" * depth + b"]" * depth
        yield b'{"a":' * depth + b"1" + b"}" * depth
        yield b"[" * depth + b"}" + b"]" * (depth - 1)
    for count in (0, 1, 2, 3, 99, 100, 101):
        yield ("[" + ",".join(str(i) for i in range(count)) + "]").encode()
        yield ("{" + ",".join(f'"k{i}":{i}' for i in range(count)) + "}").encode()
    for count in (4095, 4097):  # as many members as a table has room for, and more
        yield b"{" + b'"":0,' * (count - 1) + b'"":0}'
    for at in (4090, 4092, 4093, 4094, 4095, 4096, 4097):
        yield b" " * at + b"true"
        yield b'["' + b"a" * (at - 3) + b'",true,false,null]'
    values = ["null", "true", "false", '""', '"a"', "[]", "{}", "0", "-0", "1.0", "1e2", "1E+2", "12345678901234567890", "2147483648", "1e400",
              '"\\u0000"', '"\\ud800"', '"\\ud83d\\ude00"', '"\\/"', '" a "', '"$a"', '"__proto__"', '"2026-01-02"', '"%41"', '"a\'b"', '"123456789"', '"\\r\\n"']
    for i, value in enumerate(values):
        other = values[(i * 7 + 3) % len(values)]
        yield value.encode()
        yield f"[{value}]".encode()
        yield f"[{value},{other},{value},{value}]".encode()
        yield f'{{"a":{value},"b":[{other},{value}],"a":{other},"A":1,"":2,"$x":3}}'.encode()
        yield f"[[{value}],[],[{other},[{value},{other}]],{{}}]".encode()
    for text in ("", " ", "]", "[1,]", "[,1]", "[1,,2]", '{"a":1,}', '{"a"}', '{"a":}', '{:1}', "{a:1}", "{'a':1}", "[1;2]", "[1:2]", "[1}", "{]", "(1)", "<1>", "nul", "nulL",
                 "NaN", "Infinity", "+1", "01", ".5", "5.", "1e", "0x1F", "--1", "- 1", '-"1"', "1,5", "1_000", "1 2", "[1] [2]", "[1 2]", "//a\n1", "/*a*/1", "#a\n1", "/*a", '"a', "[1",
                 '{"a":1', '"\\x"', '"\\u12"', '"\t"', '"\n"', "'a'", "`a`", "\u201ca\u201d", "\ufeff1", "\u00a01", "\uff3b1\uff3d", "1\0", "\x0c1", '{"a"=1}', '{"a"=>1}', '{"a"::1}', '{"a",1}'):
        yield text.encode()
    yield b'"\xff"'
    yield b'"\xc0\x80"'
    yield b'"\xed\xa0\x80"'
    yield b'"\xf4\x90\x80\x80"'
    yield b'"\xc3'
    yield "[1]".encode("utf-16")
    yield "[1]".encode("utf-32-le")
    for room in (1, 2, 3, 8, 20, 60):
        for fault in (6, 21, 55, 76, 100, 140, 160):
            yield b'{"a":[1,"b",null,""],"c":{}}' + bytes([0, fault, room])
    # White space of each kind before, after and within a text.
    for space in (b" ", b"\t", b"\r", b"\n", b""):
        for other in (b" ", b"\t", b""):
            yield from (space + text + other for text in (b"1", b"[1]", b"[" + space + b"]", b'{"a":' + other + b"1}"))
    # Sequences near the first and the last one of each length, of surrogates and of Unicode: whole, cut, and between others.
    for sequence in ("7f", "c080", "c1bf", "c280", "dfbf", "e08080", "e09fbf", "e0a080", "ed9fbf", "eda080", "edbfbf", "ee8080", "f0808080", "f08fbfbf",
                     "f0908080", "f48fbfbf", "f4908080", "f4bfbfbf", "f5808080", "f7bfbfbf", "f888808080", "fc8480808080", "80", "ff"):
        data = bytes.fromhex(sequence)
        yield from (b'"' + text + b'"' for text in (data, b"a" + data + b"b", data[:-1], data + data, b"\xc3\xa9" + data))


def generate_kept():
    """Seeds for each thing that is made, and texts of which capital letters are to be kept: none, one at each end, and those around halves."""
    for seed in range(150):
        yield b"x" + bytes([0, seed])
    for length in (1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 69, 70):
        plain = bytearray(b"a" * length)
        yield bytes(plain)
        for kept in ((0,), (length - 1,), (length // 2,), (0, length - 1), (0, length // 2), (length // 2, length // 2 + 1), range(length), range(0, length, 2), range(0, length, 3)):
            text = bytearray(plain)
            for at in kept:
                text[at % length] = ord("A")
            yield bytes(text)
            yield bytes(text) + bytes([0, 7 * length % 40])
    for text in ('{"aB":[1,{"C":2},[]],"d":"E","f":null}', '[[["A"]]]', '{"a":{"b":{"C":[1,2,3]}}}', '["a","B","c","D"]', '["\\u0041A",1e5]', "{A", '"A', "[1,A", "A]", '{"a" : "B" }'):
        yield text.encode()
        yield text.encode() + bytes([0, 3])


def calls():
    """Steps of a client (fuzz/target/calls.c), in orders that matter: answers beside errors without an id, answers twice and late, batches
    that are answered in part, and tables in which most calls are over when another one ends."""
    def result(number, value="1"):
        return f'{{"jsonrpc":"2.0","result":{value},"id":{number}}}'

    nameless = '{"jsonrpc":"2.0","error":{"code":5,"message":"x"},"id":null}'
    failed = '{"jsonrpc":"2.0","error":{"code":1,"message":"m"},"id":%d}'
    steps = [[">", result(1)], [">2", f"[{result(2)},{result(1)}]"], [">2", f"[{result(1)},{nameless}]"], [">2", f"[{nameless},{result(1)}]"],
             [">2", result(2), result(2), result(1)], [">", "-1", result(1)], [">3", f"[{failed % 2},{result(9)}]"], [">3", nameless],
             [">3", ">", nameless, "~1", "~"], ["<3", ">", result(1)], ["<", "<2", "<9", ">2", f"[{result(1)}]"], [">", "[]", "1", "{", result("1.0")],
             [">", ">", ">", "!", result(3), result(1)], [">", '{"jsonrpc":"1.0","result":1,"id":1}'], [">2", f'[{result(1)},{{"method":"m","id":1}}]']]
    steps += [[*[">9"] * 7, *more] for more in ([">"], [">", ">"], [">2"], [">", "-1", ">", ">"], [">2", "-1", ">2"])]  # 64 may be under way
    steps += [["?1"], [">2", "?3", f"[{result(1)}]"], [*[">9"] * 7, "?1", "?2"], [">", "-1", "?2", ">"]]
    steps += [[">2", ">2", result(1), f"[{result(3)}]"], [">2", result(1), "[]", f"[{nameless}]", result(2)], [">3", result(1), f"[{result(9)}]"]]
    steps += [[">4", "!", "!1"], [">3", "!1", "!"], [">9", "!1", "-3", "!1", "-6", "!", "!"], [">2", "~", "~"], [">4", "~1", "!", "~"], [">2", ">4", "~1"]]
    steps += [[">", result(2)], [">", result(1), result(1), result(2), result(3)], [">3", result(4), f"[{result(3)},{result(4)},{result(3)}]"]]
    for most in (15, 16, 17, 31, 32, 33):
        before = [">"] * most + [f"-{number}" for number in range(1, most - 1)]
        steps += [[*before, ">3", f"~{most + 1}"], [*before, ">3", "~"], [*before, f"-{most - 1}", f"-{most}", ">3", nameless],
                  [*before, ">9", f"[{result(most + 2)}]"], [">"] * 65]
    for lines in steps:
        text = "\n".join(lines).encode()
        yield text
        yield text + bytes([0, 1])
        yield text + bytes([0, 1, 1])
        for allocation in range(1, 12):
            yield text + bytes([0, 1 + allocation % 3, 255, allocation])
    # Batches that contain more than calls: only the calls have ids, and each is ended by its answer.
    answer = '{"jsonrpc":"2.0","id":%d,"result":%d}'
    for count in (1, 2, 3, 9):
        last = count + 3
        yield f">3\n+{count}\n[".encode() + ",".join(answer % (n, n) for n in range(last, 3, -1)).encode() + b"]\n!\n~"
        yield f"+{count}\n{answer % (count, 1)}\n>1\n{answer % (count + 1, 2)}\n-1".encode()


def findings():
    """Findings of cases of every kind, under every profile, of every role and level: few, as many as a list holds at first and more; differences
    that are reported again and again; and memory that runs out (fuzz/target/findings.c)."""
    for number in range(120):
        count = (1, 2, 3, 4, 5, 8, 9, 16, 17, 18, 33, 40)[number % 12]
        operations = bytes((at * 5 + number) % 5 + 8 * (at % 3) if k == 0 and at % 4 else (at * 37 + k * 11 + number * 13) % 255 + 1 for at in range(count) for k in range(3))
        yield operations.replace(b"\0", b"\x08") + bytes([0, 1 + number * 17 % 250, 1 + number % 24, 1 + number % 4])
    for role in range(0, 250, 5):
        for case in (1, 77, 153, 229):
            yield bytes(b for k in range(5) for way in (8, 9) for b in (way, 12 * k + k % 4 + 1, role + k + 1)) + bytes([0, case, 1 + role % 25, 1 + role % 4])
    for level in range(3):  # one difference, at first at one level, then at others
        for times in range(1, 6):
            yield bytes([9, 4 * level + 1, 3] * times + [9, 4 * ((level + 1) % 3) + 2, 5, 6, 1, 1, 7, times, level + 1])
    for allocation in range(1, 12):
        yield bytes(b for at in range(40) for b in (8 + at % 6, at * 5 % 255 + 1, at * 3 % 255 + 1)) + bytes([0, 9, 1, 4, allocation])


SEEDS = {"findings": findings, "calls": calls, "adapter": adapter_kept, "generate": generate_kept}
KEPT = SEEDS
