// Reports list the same as a model of the run's events: the same groups and causes with the same
// numbers, in the same order, each with its smallest examples, how to repeat them, and how long the
// run took.
//
// Three bytes of the text make a case: how it went, what was found, how much was sent. Options: the
// format, how long the run took, which cases had to run before each.
#include "fuzz/fuzz.h"
#include "fuzz/model/listed.h"
#include "fuzz/model/plain.h"
#include "fuzz/render.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 1 << 18, CASES = RENDER_LINES - 3, BYTES_OF_CASE = 3 };

typedef enum form { FORM_JSON, FORM_HTML, FORM_MARKDOWN, FORM_CONSOLE, FORMS } form;

#define A60 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B60 "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define SIX "\"" A60 "\",\"" B60 "\",\"" A60 "\",\"" B60 "\",\"" A60 "\""

// Cases that ran before: names that are words and others, once and several times in a row, and as
// many as one line may have, one more and one fewer (the last names have 41 to 43 letters).
static const char *const companies[] = {
    "",
    "\"a/b\"",
    "\"a/b\",\"a/b\"",
    "\"a/b\",\"a/b\",\"a/b\",\"c/d\",\"a/b\"",
    "\"c/d\",\"a/b\",\"a/b\"",
    "\"a/b\",\"A\"",
    "\"a b\"",
    "1",
    "\"a/b\",1,1",
    "\"\"",
    SIX ",\"cccccccccccccccccccccccccccccccccccccccc\"",
    SIX ",\"ccccccccccccccccccccccccccccccccccccccccc\"",
    SIX ",\"cccccccccccccccccccccccccccccccccccccccccc\"",
    SIX ",\"ccccccccccccccccccccccccccccccccccccccccccc\"",
    SIX ",\"cccccccccccccccccccccccccccccccccc\",\"cccccccccccccccccccccccccccccccccc\"",
};
enum { COMPANIES = sizeof companies / sizeof *companies };

static const unsigned long durations[] = {0,        999,      1000,      999999,    1000000,
                                          1099999,  59949999, 59999999,  60000000,  60000001,
                                          60999999, 61000000, 119999999, 120000000, 3599999999};
enum { DURATIONS = sizeof durations / sizeof *durations };

static void put_findings(jrpc_buffer *out, unsigned how)
{
    static const char *const levels[] = {"MUST", "SHOULD", "OBSERVE"};
    static const char *const kinds[] = {"message", "alive", "http"};
    for (unsigned k = 0; k < how % 4; k++) {
        unsigned mix = how / 4 + k * 5;
        (void)jrpc_buffer_printf(
            out,
            "%s{\"rule\":\"r%u\",\"level\":\"%s\",\"text\":\"t%u\",\"sentence\":"
            "\"s\",\"known\":%s,\"repeats\":%s,\"expected\":[",
            k == 0 ? "" : ",", mix % 3, levels[mix / 3 % 3], mix % 2,
            mix % 7 == 6 ? "true" : "false", mix % 14 == 13 ? "true" : "false");
        for (unsigned i = 0; i < mix / 9 % 4; i++) {
            (void)jrpc_buffer_printf(out, "%s{\"kind\":\"%s\",\"text\":\"e\"}", i == 0 ? "" : ",",
                                     kinds[(mix + i) % 3]);
        }
        (void)jrpc_buffer_append_str(out, "]}");
    }
}

static void put_messages(jrpc_buffer *out, unsigned how)
{
    static const char *const roles[] = {"", "noise", "fence", ""};
    static const char *const contents[] = {"\"text\":\"\"", "\"text\":\"12345\"",
                                           "\"base64\":\"QUJDRA==\"", "\"base64\":\"QUJ*\""};
    for (unsigned k = 0; k < how % 4; k++) {
        unsigned mix = how / 4 + k * 3;
        (void)jrpc_buffer_printf(out, "%s{\"dir\":\"%s\",\"role\":\"%s\",%s,\"length\":%u}",
                                 k == 0 ? "" : ",", k % 2 == 0 ? "sent" : "received",
                                 roles[mix % 4], contents[mix / 4 % 4], mix % 16);
    }
}

static void put_case(jrpc_buffer *out, const unsigned char *how, size_t number, const char *company)
{
    static const char *const codes[] = {"", "no-method", "rule-broken", "no-shape"};
    static const char *const blocking[] = {"", "r1", "r2"};
    static const char *const observed[] = {"", "\"o\":\"x\"", "\"o\":[\"x\",\"y\"],\"p\":\"x\"",
                                           "\"p\":\"y\",\"q\":1"};
    unsigned went = how[0];
    unsigned mix = how[1];
    (void)jrpc_buffer_printf(
        out,
        "{\"event\":\"case\",\"id\":\"%c/%c\",\"suite\":\"s\",\"outcome\":\"%s\",\"expected\":%s,"
        "\"rules\":[%s\"r%u\"],\"reason\":\"because %u\",\"reason_code\":\"%s\",\"capability\":"
        "\"c%u\",\"unlock\":\"--method c\",\"blocked_by\":\"%s\",\"observed\":{%s},\"findings\":[",
        went % 2 == 0 ? 'a' : 'b', (char)('a' + number), runs_outcomes[went / 2 % RUNS_OUTCOMES],
        went >= 200 ? "true" : "false", mix % 8 == 7 ? "1," : "", mix % 3, mix % 2, codes[mix % 4],
        mix / 4 % 2, blocking[mix / 8 % 3], observed[mix / 16 % 4]);
    put_findings(out, mix);
    (void)jrpc_buffer_append_str(out, "],\"exchange\":{\"messages\":[");
    put_messages(out, how[2]);
    (void)jrpc_buffer_printf(out, "]},\"company\":{\"way\":\"%s\",\"cases\":[%s]}}\n",
                             how[2] == 255 ? "alone" : "again", company);
}

static void put_run(jrpc_buffer *out, const fuzz_input *input)
{
    size_t count = input->text.len / BYTES_OF_CASE;
    const char *company = companies[input->options[2] % COMPANIES];
    (void)jrpc_buffer_append_str(out, "{\"event\":\"start\",\"target\":{\"name\":\"tcp://h:1\","
                                      "\"words\":\"tcp://h:1\",\"transport\":\"tcp\"}}\n");
    for (size_t i = 0; i < count && i < CASES; i++) {
        put_case(out, (const unsigned char *)input->text.ptr + i * BYTES_OF_CASE, i, company);
    }
    (void)jrpc_buffer_printf(out, "{\"event\":\"finish\",\"duration_us\":%lu}\n",
                             durations[input->options[1] % DURATIONS]);
    FUZZ_REQUIRE(!out->failed);
}

// The counts of the run, then how long it took.
static void require_duration(jrpc_slice text, const runs_run *run)
{
    char counts[40];
    (void)snprintf(counts, sizeof counts, "\n%zu case%s: ", run->cases, run->cases == 1 ? "" : "s");
    jrpc_slice rest = jrpc_slice_from(text, plain_find(text, counts));
    size_t at = plain_find(rest, "; ");
    FUZZ_REQUIRE(at != SIZE_MAX && listed_is_duration(jrpc_slice_from(rest, at), run));
}

static void check(form which, const render_events *events, const runs *told, size_t examples)
{
    static const char *const names[] = {"json", "html", "markdown", "console"};
    const jck_report_format *format = jck_report_format_named(jrpc_slice_str(names[which]));
    const jck_report_options options = {.examples = (unsigned)examples};
    jrpc_slice text = render(format, &options, events, 1);
    examples = examples == 0 ? 1 : examples;
    switch (which) {
    case FORM_JSON:
        listed_require_json(told->pool, tree_member(tree_read(told->pool, text), "runs")->items[0],
                            told->first);
        break;
    case FORM_HTML:
        listed_require_html(told->pool, &text, told->first, examples);
        break;
    case FORM_MARKDOWN:
        require_duration(text, told->first);
        listed_require_markdown(told->pool, &text, told->first, examples);
        break;
    case FORM_CONSOLE:
        require_duration(text, told->first);
        break;
    case FORMS:
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t kept[] = {0, 2, 20, 21};
    fuzz_input input = fuzz_input_of(data, size);
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), ROOM);
    put_run(&text, &input);
    render_events events;
    render_events_of(jrpc_buffer_slice(&text), &events);
    tree_pool pool = {NULL};
    runs told = {.pool = &pool};
    render_runs_of(&events, &told);
    for (unsigned i = 0; i < FORMS; i++) {
        if (i == input.options[0] % FORMS || fuzz_every_claim) {
            check((form)i, &events, &told, kept[input.options[3] % 4]);
            check((form)i, &events, &told, CASES);
        }
    }
    tree_pool_done(&pool);
    jrpc_buffer_done(&text);
    return 0;
}
