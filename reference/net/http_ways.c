#include "reference/net/http_ways.h"

// How many times one request is sent over a connection.
enum { MANY_TIMES = 120 };

static const jrpc_http_chunking plain = {false, "", "", 0, "0\r\n\r\n"};
static const jrpc_http_chunking extended = {false, ";part=1", ";part=\"2\";last", 0, "0\r\n\r\n"};
static const jrpc_http_chunking sixteens = {false, "", "", 16, "0\r\n\r\n"};
static const jrpc_http_chunking letters = {false, "", "", 26, "0\r\n\r\n"};
static const jrpc_http_chunking zeros = {true, "", "", 11, "000\r\n\r\n"};
static const jrpc_http_chunking trailed = {false, "", "", 0,
                                           "0\r\nJrpcheck-Sum: 1\r\nJrpcheck-Time: 2\r\n\r\n"};

#define POST .method = "POST", .version = "HTTP/1.1"

// The requests after one with trailers.
static const jrpc_http_way in_chunks = {.opening = {POST}, .chunks = &plain};

static const jrpc_http_way ways[] = {
    [JRPC_BYTES_USUAL] = {.opening = {POST}},
    [JRPC_BYTES_PIPELINED] = {.opening = {POST}, .by_line = true},
    [JRPC_BYTES_EXTENSIONS] = {.opening = {POST}, .chunks = &extended},
    [JRPC_BYTES_EXPECT] = {.opening = {POST}, .line = "Expect: 100-continue"},
    [JRPC_BYTES_CLOSE] = {.opening = {POST}, .line = "Connection: close", .until_end = true},
    [JRPC_BYTES_HEAD] = {.opening = {.method = "HEAD", .version = "HTTP/1.1"},
                         .line = "Connection: close",
                         .bodyless = true,
                         .until_end = true},
    [JRPC_BYTES_OLD] = {.opening = {.method = "POST", .version = "HTTP/1.0"}, .until_end = true},
    [JRPC_BYTES_HOSTLESS] = {.opening = {POST, .hostless = true}, .refusable = true},
    [JRPC_BYTES_LENGTHS] = {.opening = {POST}, .announces_less = true, .refusable = true},
    [JRPC_BYTES_SPACED] = {.opening = {POST}, .line = "Jrpcheck-Spaced : 1", .refusable = true},
    [JRPC_BYTES_ABSOLUTE] = {.opening = {POST, .absolute = true}},
    [JRPC_BYTES_SIXTEENS] = {.opening = {POST}, .chunks = &sixteens},
    [JRPC_BYTES_ZEROS] = {.opening = {POST}, .chunks = &zeros},
    [JRPC_BYTES_BOTH] = {.opening = {POST}, .line = "Content-Length: 3", .chunks = &plain},
    [JRPC_BYTES_IN_TURN] = {.opening = {POST},
                            .chunks = &plain,
                            .by_line = true,
                            .then = &ways[JRPC_BYTES_USUAL]},
    [JRPC_BYTES_TRAILERS] = {.opening = {POST},
                             .chunks = &trailed,
                             .by_line = true,
                             .then = &in_chunks},
    [JRPC_BYTES_CLOSE_CASE] = {.opening = {POST}, .line = "Connection: Close", .until_end = true},
    [JRPC_BYTES_CLOSE_LIST] = {.opening = {POST},
                               .line = "Connection: jrpcheck, close",
                               .until_end = true},
    [JRPC_BYTES_PIECES] = {.opening = {POST}, .pieces = true},
    [JRPC_BYTES_MANY] = {.opening = {POST}, .times = MANY_TIMES},
    [JRPC_BYTES_LETTERS] = {.opening = {POST}, .chunks = &letters},
    [JRPC_BYTES_UNSPACED] = {.opening = {POST}, .padding = ""},
    [JRPC_BYTES_TABBED] = {.opening = {POST}, .padding = "\t"},
    [JRPC_BYTES_EMPTY_LINE] = {.opening = {POST}, .before = "\r\n"},
};

const jrpc_http_way *jrpc_http_way_of(jrpc_bytes bytes)
{
    return &ways[bytes];
}
