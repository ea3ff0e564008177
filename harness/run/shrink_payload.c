#include "harness/run/shrink_payload.h"

#include "harness/suite/parse.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"
#include "reference/json/write.h"

#include <string.h>

// Memory of one try, and the most parts that something is taken apart into at once.
#define TRY_BYTES ((size_t)256 << 20)
#define PARTS_MAX 512
#define PROBES_MAX 1000

typedef struct reducing {
    jck_payload_kind kind;
    jrpc_buffer text; // the smallest so far
    jrpc_buffer candidate;
    jrpc_arena scratch; // of one try
    jck_try_payload *try_payload;
    void *context;
    bool stopped;
} reducing;

size_t jck_payload_spelled(const jck_payload *payload)
{
    switch (payload->kind) {
    case JCK_PAYLOAD_JSON:
        return jrpc_json_spelling(payload->json).len;
    case JCK_PAYLOAD_TEXT:
    case JCK_PAYLOAD_BYTES:
        return payload->text.len;
    case JCK_PAYLOAD_REPEAT:
        return payload->prefix.len + payload->middle.len + payload->suffix.len +
               (payload->unit.len + payload->close.len) * payload->times;
    }
    return 0;
}

static bool payload_of(const reducing *r, jrpc_arena *arena, jrpc_slice text, jck_payload *ret)
{
    *ret = (jck_payload){.kind = r->kind, .json = JRPC_JSON_ABSENT};
    return jrpc_arena_copy(arena, text, &ret->text) &&
           (r->kind != JCK_PAYLOAD_JSON || jck_parse(arena, ret->text, &ret->json, NULL));
}

// Tries the candidate, and keeps it if it shows.
static jck_probe try_candidate(reducing *r)
{
    jck_payload payload;
    jrpc_arena_clear(&r->scratch);
    if (r->stopped || r->candidate.failed ||
        !payload_of(r, &r->scratch, jrpc_buffer_slice(&r->candidate), &payload)) {
        return r->stopped ? JCK_PROBE_STOPS : JCK_PROBE_LACKS;
    }
    jck_probe probe = r->try_payload(r->context, &payload);
    r->stopped = probe == JCK_PROBE_STOPS;
    return probe;
}

static void keep_candidate(reducing *r)
{
    jrpc_buffer_clear(&r->text);
    (void)jrpc_buffer_append(&r->text, jrpc_buffer_slice(&r->candidate));
}

// Puts a piece in the place of [begin, end), and keeps that if it shows.
static bool replace(reducing *r, size_t begin, size_t end, jrpc_slice piece)
{
    jrpc_slice text = jrpc_buffer_slice(&r->text);
    jrpc_buffer_clear(&r->candidate);
    (void)jrpc_buffer_append(&r->candidate, jrpc_slice_of(text.ptr, begin));
    (void)jrpc_buffer_append(&r->candidate, piece);
    (void)jrpc_buffer_append(&r->candidate, jrpc_slice_from(text, end));
    bool shows = try_candidate(r) == JCK_PROBE_SHOWS;
    if (shows) {
        keep_candidate(r);
    }
    return shows;
}

// Parts of the text: bytes between `begin` and `end`, with `between` where a part follows another.
typedef struct parting {
    reducing *r;
    size_t begins[PARTS_MAX], ends[PARTS_MAX];
    size_t count;
    size_t begin, end; // of all of them
    const char *between;
} parting;

static void write_parts(const parting *p, const size_t *parts, size_t count)
{
    jrpc_buffer *out = &p->r->candidate;
    jrpc_slice text = jrpc_buffer_slice(&p->r->text);
    jrpc_buffer_clear(out);
    (void)jrpc_buffer_append(out, jrpc_slice_of(text.ptr, p->begin));
    for (size_t i = 0; i < count; i++) {
        size_t at = parts[i];
        (void)jrpc_buffer_append_str(out, i == 0 ? "" : p->between);
        (void)jrpc_buffer_append(
            out, jrpc_slice_of(text.ptr + p->begins[at], p->ends[at] - p->begins[at]));
    }
    (void)jrpc_buffer_append(out, jrpc_slice_from(text, p->end));
}

static jck_probe try_parts(void *context, const size_t *parts, size_t count)
{
    const parting *p = context;
    write_parts(p, parts, count);
    return try_candidate(p->r);
}

// Leaves out what can be spared of the parts. Whether anything was.
static bool spare(parting *p)
{
    size_t parts[PARTS_MAX];
    size_t scratch[PARTS_MAX];
    for (size_t i = 0; i < p->count; i++) {
        parts[i] = i;
    }
    size_t left = jck_minimize(parts, p->count, scratch, PROBES_MAX, try_parts, p);
    write_parts(p, parts, left);
    keep_candidate(p->r);
    return left < p->count;
}

// Takes bytes away, in pieces that become smaller.
static void shrink_bytes(reducing *r)
{
    for (bool smaller = true; smaller && r->text.len > 1 && !r->stopped;) {
        parting p = {.r = r, .end = r->text.len, .between = ""};
        size_t piece = (r->text.len + PARTS_MAX - 1) / PARTS_MAX;
        for (size_t at = 0; at < r->text.len; at += piece) {
            p.begins[p.count] = at;
            p.ends[p.count++] = at + piece < r->text.len ? at + piece : r->text.len;
        }
        smaller = spare(&p) && piece > 1;
    }
}

// The value number `index` of the text, in the order in which they begin; ABSENT past the last.
static jrpc_json value_at(reducing *r, jrpc_json_document *document, uint32_t index)
{
    if (!jrpc_json_read(document, jrpc_buffer_slice(&r->text), JRPC_LIMIT_DEPTH, NULL) ||
        index >= document->count) {
        return JRPC_JSON_ABSENT;
    }
    return (jrpc_json){document, index};
}

// Leaves members or elements of a container out, all of them first. Whether it is worth while to
// try that again with smaller groups of them.
static bool shrink_container(reducing *r, jrpc_json value)
{
    jrpc_slice spelling = jrpc_json_spelling(value);
    size_t begin = jrpc_json_offset(value);
    bool object = jrpc_json_is(value, JRPC_JSON_OBJECT);
    if (jrpc_json_count(value) == 0 ||
        replace(r, begin, begin + spelling.len, object ? JRPC_SLICE("{}") : JRPC_SLICE("[]"))) {
        return false;
    }
    size_t group = (jrpc_json_count(value) + PARTS_MAX - 1) / PARTS_MAX;
    size_t index = 0;
    parting p = {.r = r, .begin = begin + 1, .end = begin + spelling.len - 1, .between = ","};
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it); index++) {
        if (index % group == 0) {
            p.begins[p.count++] = jrpc_json_offset(object ? it.key : it.value);
        }
        p.ends[p.count - 1] = jrpc_json_offset(it.value) + jrpc_json_spelling(it.value).len;
    }
    return spare(&p) && group > 1;
}

// Puts a value that stands in another one in its place. Whether that shows as well.
static bool hoist(reducing *r, jrpc_json value)
{
    size_t begin = jrpc_json_offset(value);
    size_t end = begin + jrpc_json_spelling(value).len;
    for (jrpc_json_iterator it = jrpc_json_iterate(value); jrpc_json_step(&it);) {
        // A copy: what is replaced is what it stands in.
        jrpc_buffer inner;
        jrpc_buffer_init(&inner, jrpc_allocator_heap(), r->text.maximum);
        bool done = jrpc_buffer_append(&inner, jrpc_json_spelling(it.value)) &&
                    replace(r, begin, end, jrpc_buffer_slice(&inner));
        jrpc_buffer_done(&inner);
        if (done || r->stopped) {
            return done;
        }
    }
    return false;
}

static void shrink_scalar(reducing *r, jrpc_json value)
{
    static const jrpc_slice simple[] = {JRPC_SLICE_INIT("0"), JRPC_SLICE_INIT("\"\""),
                                        JRPC_SLICE_INIT("1"), JRPC_SLICE_INIT("\"a\"")};
    jrpc_slice spelling = jrpc_json_spelling(value);
    size_t begin = jrpc_json_offset(value);
    for (size_t i = 0; i < sizeof simple / sizeof simple[0]; i++) {
        if (simple[i].len < spelling.len && replace(r, begin, begin + spelling.len, simple[i])) {
            return;
        }
    }
}

static void shrink_json(reducing *r)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (uint32_t i = 0; !r->stopped; i++) {
        jrpc_json value = value_at(r, &document, i);
        if (!jrpc_json_exists(value)) {
            break;
        }
        bool container =
            jrpc_json_is(value, JRPC_JSON_ARRAY) || jrpc_json_is(value, JRPC_JSON_OBJECT);
        while (container && hoist(r, value)) {
            value = value_at(r, &document, i);
            container =
                jrpc_json_is(value, JRPC_JSON_ARRAY) || jrpc_json_is(value, JRPC_JSON_OBJECT);
        }
        // A failed try leaves the document as it is: it is read from the text that was kept.
        value = value_at(r, &document, i);
        if (!container) {
            shrink_scalar(r, value);
        }
        while (container && shrink_container(r, value)) {
            value = value_at(r, &document, i);
        }
    }
    jrpc_json_document_done(&document);
}

// Fewer repetitions: halves first, then one less at a time.
static void shrink_times(jck_payload *payload, jck_try_payload *try_payload, void *context)
{
    for (size_t less = payload->times / 2; less > 0;) {
        jck_payload fewer = *payload;
        fewer.times -= less;
        switch (try_payload(context, &fewer)) {
        case JCK_PROBE_SHOWS:
            payload->times = fewer.times;
            less = less < payload->times ? less : payload->times / 2;
            break;
        case JCK_PROBE_LACKS:
            less /= 2;
            break;
        case JCK_PROBE_STOPS:
            return;
        }
    }
}

bool jck_shrink_payload(jck_payload *payload, jrpc_arena *arena, jck_try_payload *try_payload,
                        void *context)
{
    reducing r = {.kind = payload->kind, .try_payload = try_payload, .context = context};
    if (payload->kind == JCK_PAYLOAD_REPEAT) {
        shrink_times(payload, try_payload, context);
        return true;
    }
    size_t room = jck_payload_spelled(payload) + 16;
    jrpc_buffer_init(&r.text, jrpc_allocator_heap(), room);
    jrpc_buffer_init(&r.candidate, jrpc_allocator_heap(), room);
    jrpc_arena_init(&r.scratch, jrpc_allocator_heap(), TRY_BYTES);
    bool done = payload->kind == JCK_PAYLOAD_JSON ? jrpc_json_compact(&r.text, payload->json)
                                                  : jrpc_buffer_append(&r.text, payload->text);
    if (done && payload->kind == JCK_PAYLOAD_JSON) {
        shrink_json(&r);
    } else if (done) {
        shrink_bytes(&r);
    }
    done = done && payload_of(&r, arena, jrpc_buffer_slice(&r.text), payload);
    jrpc_arena_done(&r.scratch);
    jrpc_buffer_done(&r.candidate);
    jrpc_buffer_done(&r.text);
    return done;
}
