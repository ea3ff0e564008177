"""A jsonrpcserver server on standard input and output: one line is one request for dispatch.

The lines are handed over as bytes, so that decoding them is the library's business, not ours."""

import sys
import time

from jsonrpcserver import Error, Result, Success, dispatch, method

took = 0


@method
def subtract(minuend, subtrahend) -> Result:
    return Success(minuend - subtrahend)


@method(name="sum")
def sum_(*values) -> Result:
    return Success(sum(values))


@method
def get_data() -> Result:
    return Success(["hello", 5])


def effect(*_args, **_kwargs) -> Result:
    global took
    took += 1
    return Success()


for name in ("update", "notify_hello", "notify_sum"):
    method(effect, name=name)


@method
def echo(*args, **kwargs) -> Result:
    return Success(kwargs or list(args))


@method
def fail() -> Result:
    raise RuntimeError("the handler failed")


@method
def app_error(code, data) -> Result:
    return Error(code, "application error", data)


@method
def slow(ms) -> Result:
    time.sleep(ms / 1000)
    return Success(ms)


@method
def count() -> Result:
    return Success(took)


if __name__ == "__main__":
    for line in sys.stdin.buffer:
        response = dispatch(line)
        if response:
            print(response, flush=True)
