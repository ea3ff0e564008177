"""The smallest input that shows each bug of tests/servers/planted.py, written by hand, for `live.py --planted`.

Several messages are joined by line feeds, which do not count; `m` is a method that does not exist. Bugs that only time or memory shows have no
smallest input.
"""


def note(params=""):
    return '{"jsonrpc":"2.0","method":"m"' + params + "}"


def call(method="m", rest="", identity="0"):
    return '{"jsonrpc":"2.0","method":"' + method + '"' + rest + ',"id":' + identity + "}"


def named(identity):
    """Enough of a call for its id to come back."""
    return '{"method":"","id":' + identity + "}"


SMALLEST = {
    "id-surrogate-pair-cut": named('"\U0001f600"'),
    "id-escape-kept": named('"\\""'),
    "id-long-cut": named('"' + "i" * 65 + '"'),
    "id-int32": named("2147483648"),
    "id-byte": named("256"),
    "id-minus-one-is-none": named("-1"),
    "id-text-number": named('"0"'),
    "id-zero-fraction": named("0.0"),
    "id-empty-null": named('""'),
    "id-control-lost": named('"\\t"'),
    "batch-17-silent": "[" + ",".join("0" * 17) + "]",
    "batch-9-silent": "[" + ",".join("0" * 9) + "]",
    "batch-64-crash": "[" + ",".join("0" * 64) + "]",
    "batch-one-unwrapped": "[0]",
    "batch-drops-after-notification": "[0,{},0]",
    "batch-last-twice": "[0,0,0]",
    "batch-null-element-crash": "[null]",
    "batch-nested-served": "[[]]",
    "batch-over-100-cut": "[" + ",".join("0" * 101) + "]",
    "batch-of-notifications-empty": f"[{note()},{note()}]",
    "params-empty-object-refused": call(rest=',"params":{}'),
    "params-17-crash": '{"method":"","params":[' + ",".join("0" * 17) + '],"id":0}',
    "params-deep-silent": '{"method":"","params":' + "[" * 20 + "]" * 20 + ',"id":0}',
    "params-negative-wrong": call("subtract", ',"params":[0,1]'),
    "params-name-order": call("subtract", ',"params":{"subtrahend":1,"minuend":0}'),
    "method-prefix-served": '{"method":"sub","id":0}',
    "method-with-space-internal": call(" "),
    "method-quote-crash": '{"method":"\\"","id":0}',
    "method-non-ascii-silent": '{"method":"\u00e9","id":0}',
    "echo-null-lost": call("echo", ',"params":[null]'),
    "echo-false-zero": call("echo", ',"params":[false]'),
    "exponent-20-digits-crash": "1e" + "0" * 20,
    "escape-upper-case-refused": '"\\uD83D"',
    "escaped-slash-refused": '"\\/"',
    "tab-space-refused": "{\t}",
    "member-order-fixed": '{"id":0,"jsonrpc":"2.0","method":"m"}',
    "cut-text-invalid": "[",
    "scalar-crash": "true",
    "size-4096-dropped": "[" + " " * 4095 + "]",
    "version-echoed": '{"jsonrpc":1}',
    "notification-after-parse-error": f"[\n{note()}",
    "every-fiftieth-silent": "\n".join([call()] * 50),
    "every-three-hundredth-silent": "\n".join([call()] * 300),
    "every-seventh-batch-cut": "\n".join(["[0]"] * 7),
    "every-third-parse-error-invalid": "[\n[\n[",
    "every-fifth-number-id-null": "\n".join([named("0")] * 5),
    "names-over-fifty-refused": "\n".join(call("m" * count) for count in range(51)),
    "params-of-call-before": call("echo", ',"params":[0,0]') + "\n" + call("get_data"),
}


def size(bug):
    """Bytes of the smallest input; None if there is none."""
    text = SMALLEST.get(bug)
    return None if text is None else len(text.replace("\n", "").encode())
