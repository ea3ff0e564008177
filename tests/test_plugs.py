"""`scripts/fuzz plug` and `export`: parsers, dispatchers and decoders of a user's own, with mistakes that must be found."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from conftest import ROOT, build_folder

SCRIPT = ROOT / "scripts" / "fuzz"
# A server that answers every text as if it were the request get_data with the id 1.
ROUTER = r"""
#include "plug_router.h"
#include <stdlib.h>
#include <string.h>
const char *plug_name(void) { return "wrong 1"; }
char *plug_answer(const char *text, size_t len)
{
    static const char answer[] = "{\"jsonrpc\":\"2.0\",\"result\":[\"hello\",5],\"id\":1}";
    if (len > 2000) abort();
    if (len == 0 || text[0] == '[') return NULL;
    return memcpy(malloc(sizeof answer), answer, sizeof answer);
}
"""
# A server that answers each text with the one Response that stands in the table for it, or with none.
TABLE = r"""
#include "plug_router.h"
#include <stdlib.h>
#include <string.h>
static const char *const answers[][2] = {
%s};
const char *plug_name(void) { return "table 1"; }
char *plug_answer(const char *text, size_t len)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        if (strlen(answers[i][0]) == len && memcmp(text, answers[i][0], len) == 0) return strdup(answers[i][1]);
    }
    return NULL;
}
"""
# A request, an answer, and what that is called.
ANSWERS = [
    (r'{"jsonrpc":"2.0","method":"echo","id":1}', r'{"jsonrpc":"2.0","result":null,"id":1}', None),
    (r'{"jsonrpc":"2.0","method":"update","id":1}', r'{"jsonrpc":"2.0","error":{"code":-32601,"message":""},"id":1}', "refuses"),
    (r'{"jsonrpc":"2.0","method":"update","id":2}', r'{"jsonrpc":"2.0","error":{"code":-32700,"message":""},"id":2}', "parse-error"),
    (r'{"jsonrpc":"2.0","method":"other","id":1}', r'{"jsonrpc":"2.0","result":null,"id":1}', "runs"),
    (r'{"jsonrpc":"2.0","method":"other","id":2}', r'{"jsonrpc":"2.0","error":{"code":-32602,"message":""},"id":2}', "code-32601"),
    (r'{"jsonrpc":"2.0","method":"subtract","id":1}', r'{"jsonrpc":"2.0","error":{"code":-32601,"message":""},"id":1}', "code-32602"),
    (r'{"jsonrpc":"2.0","method":1,"id":1}', r'{"jsonrpc":"2.0","error":{"code":-32601,"message":""},"id":1}', "code-32600"),
    (r'{"jsonrpc":"2.0","method":"fail","id":1}', r'{"jsonrpc":"2.0","error":{"code":-32000,"message":""},"id":1}', "code"),
    (r'{"jsonrpc":"2.0","method":"echo","params":["a\u0000b"],"id":1}', r'{"jsonrpc":"2.0","result":["a"],"id":1}', "nul"),
    (r'{"jsonrpc":"2.0","method":"echo","params":{"a\u0000b":1},"id":1}', r'{"jsonrpc":"2.0","result":{"a":1},"id":1}', "nul"),
    (r'{"jsonrpc":"2.0","method":"echo","params":{"\ud800":1},"id":1}', r'{"jsonrpc":"2.0","error":{"code":-32700,"message":""},"id":null}', "open"),
    (r'{"jsonrpc":"2.0","method":"echo","params":' + "[" * 101 + "]" * 101 + r',"id":1}',
     r'{"jsonrpc":"2.0","error":{"code":-32700,"message":""},"id":null}', "open"),
]
# Texts that contain a letter crash; so does nothing else.
CRASHES = r"""
#include "plug.h"
#include <stdlib.h>
#include <string.h>
const char *plug_name(void) { return "crashing 1"; }
bool plug_parse(const char *text, size_t len, char **ret_spelled)
{
    if (memchr(text, 'N', len) != NULL) abort();
    *ret_spelled = NULL;
    return len > 1 && text[0] == '[' && text[len - 1] == ']';
}
"""
# Messages after a length in four bytes, of which two are read; and the second message of a stream is lost.
LENGTHS = r"""
#include "plug_framing.h"
#include <stdlib.h>
#include <string.h>
typedef struct bytes { size_t len, count; char *ptr; } bytes;
const char *plug_name(void) { return "lengths 1"; }
const char *plug_framing(void) { return "length32"; }
void *plug_decoder_new(void) { return calloc(1, sizeof(bytes)); }
void plug_decoder_free(void *decoder) { free(((bytes *)decoder)->ptr); free(decoder); }
bool plug_decoder_feed(void *decoder, const char *more, size_t len, plug_message *on_message, void *context)
{
    bytes *b = decoder;
    b->ptr = realloc(b->ptr, b->len + len + 1);
    memcpy(b->ptr + b->len, more, len);
    b->len += len;
    for (;;) {
        size_t size = b->len < 4 ? 0 : (size_t)(unsigned char)b->ptr[2] << 8 | (unsigned char)b->ptr[3];
        if (b->len < 4 || b->len < 4 + size) return true;
        if (b->count++ != 1) on_message(context, b->ptr + 4, size);
        b->len -= 4 + size;
        memmove(b->ptr, b->ptr + 4 + size, b->len);
    }
}
"""
# Lines, but for a carriage return that comes in another piece than its line feed.
FRAMING = r"""
#include "plug_framing.h"
#include <stdlib.h>
#include <string.h>
typedef struct line { size_t len; char bytes[1 << 20]; } line;
const char *plug_name(void) { return "lines 1"; }
const char *plug_framing(void) { return "line"; }
void *plug_decoder_new(void) { return calloc(1, sizeof(line)); }
void plug_decoder_free(void *decoder) { free(decoder); }
bool plug_decoder_feed(void *decoder, const char *bytes, size_t len, plug_message *on_message, void *context)
{
    line *l = decoder;
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] == '\n') {
            size_t end = l->len - (i > 0 && bytes[i - 1] == '\r' ? 1 : 0);
            on_message(context, l->bytes, end);
            l->len = 0;
        } else if (l->len < sizeof l->bytes) {
            l->bytes[l->len++] = bytes[i];
        }
    }
    return true;
}
"""
# Takes everything.
LENIENT = r"""
#include "plug.h"
const char *plug_name(void) { return "yes 1"; }
bool plug_parse(const char *text, size_t len, char **ret_spelled)
{
    int unused; // a warning is not an error
    *ret_spelled = NULL;
    return len > 0 || text != NULL;
}
"""
# Writes what it read, but for a few texts.
CHANGING = r"""
#include "plug.h"
#include <stdlib.h>
#include <string.h>
static const char *const changed[][2] = {
%s};
const char *plug_name(void) { return "changing 1"; }
bool plug_parse(const char *text, size_t len, char **ret_spelled)
{
    const char *back = text;
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        back = strlen(changed[i][0]) == len && memcmp(text, changed[i][0], len) == 0 ? changed[i][1] : back;
    }
    *ret_spelled = strdup(back);
    return true;
}
"""
# Sent, returned, and what that is called.
CHANGES = [
    (r'[1,2]', r'[1]', "changes-elements"),
    (r'["a\u0000b",[1,2]]', r'["a\u0000b",[1]]', "changes-elements"),
    (r'[["a\u0000b",1.5,{"a":1,"a":2}],"\ud800"]', r'[["a\u0000b",1.5,{"a":1,"a":2}]]', "changes-elements"),
    (r'[]', r'[0]', "changes-elements"),
    (r'{"a":1,"b":"\u0000"}', r'{"b":"\u0000"}', "changes-members"),
    (r'{"a":1}', r'{"a":1,"b":2}', "changes-members"),
    (r'{"a\u0000b":1,"c":[]}', r'{"a":1,"c":[]}', "changes-nul"),
    (r'["a\u0000b"]', r'["a"]', "changes-nul"),
    (r'{"\ud800":1}', r'{"?":1}', "changes-surrogate"),
    (r'{"a":[1],"a":[1,2]}', r'{"a":[1]}', "changes-duplicates"),
    (r'[0.1]', r'[0.10000000149011612]', "changes-number"),
    (r'[1e400]', r'[null]', "changes-number"),
    (r'[0.5]', r'[0.75]', "changes-other"),
    (r'["a\u0000b",["c"]]', r'["a\u0000b",null]', "changes-other"),
    (r'["\u0000"]', '["', "changes-nul"),
    (r'["\ud83d\ude00"]', '["~xED~xA0~xBD~xED~xB8~x80"]', "writes-no-utf8"),  # each half of the pair as a character
    (r'[7]', '[7', "writes-no-json"),
    (r'["a\u0000b",7]', '["a",]', "writes-no-json"),
    (r'["\ud800",7]', '["?",]', "writes-no-json"),
]


@pytest.fixture
def fuzz(tmp_path):
    """scripts/fuzz over the libraries that are built already, and a folder of its own for what it writes."""
    if not shutil.which("clang") or not (build_folder() / "build.ninja").is_file():
        pytest.skip("clang is not here, or this build was not made with ninja")
    (tmp_path / "builds").mkdir()
    (tmp_path / "builds" / "plug").symlink_to(build_folder())
    env = {**os.environ, "JRPC_FUZZ_BUILD": str(tmp_path / "builds"), "JRPC_FUZZ_WORK": str(tmp_path / "work")}

    def run(*words):
        return subprocess.run([str(word) for word in (SCRIPT, *words)], capture_output=True, text=True, errors="replace",
                              env=env, cwd=tmp_path)
    return run


def plug(fuzz, folder, text, *words):
    path = folder / "mine.c"
    path.write_text(text)
    return fuzz("plug", path, "--time", "1", "--probe", "0", *words)


def found(done):
    return set(re.findall(r"FOUND ([\w-]+|a crash):", done.stdout))


def test_a_dispatcher_is_held_against_the_model(fuzz, tmp_path):
    done = plug(fuzz, tmp_path, ROUTER, "--probe", "10000")
    assert done.returncode == 1, done.stdout + done.stderr
    assert {"silent", "unasked", "runs", "id", "result", "a crash"} <= found(done), done.stdout
    reported = re.search(r"FOUND unasked: .*\n  text      (.*)\n  expected  no answer\n  came      (.*)\n", done.stdout)
    assert reported and reported.group(2).startswith('{"jsonrpc":"2.0","result":["hello",5]')


def c_rows(pairs):
    return "".join('{"%s", "%s"},\n' % tuple(text.replace("\\", "\\\\").replace('"', '\\"') for text in pair) for pair in pairs)


def test_an_answer_is_named_by_what_is_wrong_with_it(fuzz, tmp_path):
    plug(fuzz, tmp_path, TABLE % c_rows(row[:2] for row in ANSWERS))
    for at, (request, _, kind) in enumerate(ANSWERS):
        path = tmp_path / f"request{at}"
        path.write_text(request)
        done = subprocess.run([tmp_path / "work" / "plug" / "mine" / "plug", path], capture_output=True, text=True,
                              env={**os.environ, "JRPC_PLUG_STRICT": "1"})
        assert (done.returncode != 0) is (kind is not None), (request, done.stderr)
        assert kind is None or re.search(rf"^{kind}: ", done.stderr, re.M), (request, done.stderr)


def test_seeds_that_crash_do_not_keep_the_fuzzer_from_the_others(fuzz, tmp_path):
    done = plug(fuzz, tmp_path, CRASHES)
    assert found(done) >= {"a crash"}, done.stdout
    assert not any(b"N" in path.read_bytes() for path in (tmp_path / "work" / "plug" / "mine" / "seeds").iterdir())
    assert int(re.search(r" (\d+) edges of mine.c", done.stdout).group(1)) > 0, done.stdout


def test_what_only_a_long_message_shows_is_told_beside_what_others_show(fuzz, tmp_path):
    done = plug(fuzz, tmp_path, LENGTHS, "--probe", "100000")
    first, long = re.findall(r"FOUND loses: .*(?:\n  .*)*", done.stdout)
    assert "shape     a long message" in long and "shape" not in first, done.stdout


def test_a_call_whose_id_is_null_must_be_answered(fuzz, tmp_path):
    silent = re.sub(r"if \(len > 2000\).*\n.*\n.*\n", "return NULL;\n", ROUTER)
    (tmp_path / "call").write_text('{"jsonrpc":"2.0","method":"echo","id":null}')
    (tmp_path / "text").write_text('{"jsonrpc":"2.0","method":"echo","id":null')
    plug(fuzz, tmp_path, silent)
    for name, kind in ("call", "silent"), ("text", "takes"):
        done = subprocess.run([tmp_path / "work" / "plug" / "mine" / "plug", tmp_path / name], capture_output=True, text=True)
        assert done.returncode != 0 and f"{kind}: " in done.stderr, done.stderr


def test_a_decoder_is_fed_the_same_bytes_in_pieces(fuzz, tmp_path):
    done = plug(fuzz, tmp_path, FRAMING)
    assert done.returncode == 1, done.stdout + done.stderr
    assert found(done) and found(done) <= {"loses", "split"}, done.stdout
    done = plug(fuzz, tmp_path, FRAMING.replace("(i > 0 && bytes[i - 1] == '\\r' ? 1 : 0)",
                                                "(l->len > 0 && l->bytes[l->len - 1] == '\\r' ? 1 : 0)"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.rstrip().endswith("0 findings")


def test_what_counts_can_be_chosen(fuzz, tmp_path):
    done = plug(fuzz, tmp_path, LENIENT, "--allow", "takes-comma,takes-nul")
    assert done.returncode == 1, done.stdout + done.stderr
    assert {"takes-trailing", "takes-utf8", "takes-number", "takes-unfinished"} <= found(done)
    assert not found(done) & {"takes-comma", "takes-nul", "takes-deep", "takes-bom"}
    reported = re.search(r"^not counted: (.*) \(", done.stdout, re.M).group(1).split(", ")
    assert {"takes-comma", "takes-nul", "takes-bom"} <= set(reported)
    again = next((tmp_path / "work" / "plug" / "mine" / "disagreements").glob("takes-number"))
    program = tmp_path / "work" / "plug" / "mine" / "plug"
    for extra, code in ({}, True), ({"JRPC_PLUG_ALLOW": "takes-number"}, False):
        done = subprocess.run([program, again], capture_output=True, env={**os.environ, **extra})
        assert (done.returncode != 0) is code, done.stderr
    # White space after "1." does not make it a number.
    cut = tmp_path / "cut"
    for text, kind in ("[1.\n]", "takes-number"), ("[1\x0b]", "takes-space"):
        cut.write_text(text)
        done = subprocess.run([program, cut], capture_output=True, text=True)
        assert done.returncode != 0 and f"{kind}:" in done.stderr, done.stderr
    deep = tmp_path / "deep"
    deep.write_text("[" * 2000 + "]" * 2000)
    for extra, code in ({}, False), ({"JRPC_PLUG_STRICT": "1"}, True):
        done = subprocess.run([program, deep], capture_output=True, env={**os.environ, **extra})
        assert (done.returncode != 0) is code, done.stderr


def test_what_a_value_became_is_named_by_what_was_lost(fuzz, tmp_path):
    rows = "".join('{"%s", "%s"},\n' % tuple(text.replace("\\", "\\\\").replace('"', '\\"').replace("~x", "\\x") for text in row[:2]) for row in CHANGES)
    plug(fuzz, tmp_path, CHANGING % rows)
    for at, (sent, back, kind) in enumerate(CHANGES):
        path = tmp_path / f"text{at}"
        path.write_text(sent)
        done = subprocess.run([tmp_path / "work" / "plug" / "mine" / "plug", path], capture_output=True, text=True,
                              env={**os.environ, "JRPC_PLUG_STRICT": "1"})
        assert done.returncode != 0 and f"{kind}: " in done.stderr, (sent, back, kind, done.stderr)


def test_a_file_that_is_no_plug_or_does_not_compile_is_an_error_of_use(fuzz, tmp_path):
    done = plug(fuzz, tmp_path, "int nothing;")
    assert done.returncode == 2 and "plug_parse (parser)" in done.stderr
    done = plug(fuzz, tmp_path, "bool plug_parse(")
    assert done.returncode == 2 and "did not compile" in done.stderr and "mine.c:1" in done.stderr
    done = fuzz("plug", tmp_path / "missing.c")
    assert done.returncode == 2 and "there is no file" in done.stderr


def test_an_exported_corpus_is_plain_files_and_the_same_for_go(fuzz, tmp_path):
    out = tmp_path / "out"
    done = fuzz("export", "framing", out)
    assert done.returncode == 0, done.stderr
    plain = {path.name: path.read_bytes() for path in (out / "corpus").iterdir()}
    assert len(plain) > 100 and any(b"\0" in data for data in plain.values())
    for path in (out / "go").iterdir():
        head, literal = path.read_text().splitlines()
        assert head == "go test fuzz v1"
        assert pathlib.Path(path).name in plain
        # Go's escapes that are used here are Python's, too.
        assert eval(re.fullmatch(r'\[\]byte\((".*")\)', literal).group(1)).encode("latin-1") == plain[path.name]
    assert b"Content-Length" in (out / "jsonrpc.dict").read_bytes()
