#include "harness/live/cause.h"

#include "harness/generate/normalize.h"
#include "reference/base/hash.h"
#include "reference/json/read.h"

#define TEXT_BYTES ((size_t)1 << 20)
// Elements of a batch that are tried alone.
#define ELEMENTS_MOST 64u
// … of those that differ only in digits.
#define ALIKE_MOST 3u

// Tries a message instead of another, and replaces it if the new one shows anything.
static jck_probe try_instead(jck_cause_search *search, jck_shot *other, jck_shot *shot,
                             uint64_t *difference)
{
    uint64_t shown = 0;
    jck_travel_fit(&other->travel, other->bytes.len);
    jck_probe probe = search->try_shot(search->context, other, &shown);
    search->stopped = search->stopped || probe == JCK_PROBE_STOPS;
    if (probe == JCK_PROBE_SHOWS) {
        *shot = *other;
        *difference = shown;
    }
    return probe;
}

// Makes the way the message travels as usual as possible while it still shows something. Returns
// what remains special about it; 0: nothing.
static unsigned find_travel(jck_cause_search *search, jck_shot *shot, uint64_t *difference)
{
    jck_shot less = *shot;
    for (size_t i = 0; !search->stopped && !jck_travel_is_usual(&shot->travel) &&
                       jck_travel_without(&shot->travel, i, &less.travel);) {
        bool changed = jck_travel_class(&less.travel) != jck_travel_class(&shot->travel) ||
                       less.travel.piece_count != shot->travel.piece_count;
        // If a piece was left out, the next one has its number.
        i += changed && try_instead(search, &less, shot, difference) == JCK_PROBE_SHOWS ? 0 : 1;
    }
    return jck_travel_class(&shot->travel);
}

// A number that is equal for texts that differ only in digits.
static uint64_t shape_of(jrpc_slice text)
{
    uint64_t shape = JRPC_HASH_START;
    bool digit = false;
    for (size_t i = 0; i < text.len; i++) {
        bool was = digit;
        digit = text.ptr[i] >= '0' && text.ptr[i] <= '9';
        shape = digit && was ? shape : jrpc_hash_number(shape, digit ? '0' : (uint64_t)text.ptr[i]);
    }
    return shape;
}

// Whether fewer elements like this one than the limit were tried; if so, records it.
static bool is_one_more(uint64_t *shapes, size_t *count, jrpc_slice text)
{
    uint64_t shape = shape_of(text);
    size_t alike = 0;
    for (size_t i = 0; i < *count; i++) {
        alike += shapes[i] == shape ? 1 : 0;
    }
    if (alike < ALIKE_MOST) {
        shapes[(*count)++] = shape;
    }
    return alike >= ALIKE_MOST;
}

// Looks for an element of a batch that shows something alone.
static void find_element(jck_cause_search *search, jck_shot *shot, uint64_t *difference)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool array = jrpc_json_read(&document, shot->bytes, JCK_MESSAGE_DEPTH, NULL) &&
                 jrpc_json_is(jrpc_json_root(&document), JRPC_JSON_ARRAY);
    jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_root(&document));
    jck_probe probe = JCK_PROBE_LACKS;
    uint64_t shapes[ELEMENTS_MOST];
    size_t tried = 0;
    while (array && probe == JCK_PROBE_LACKS && tried < ELEMENTS_MOST && jrpc_json_step(&it)) {
        jck_shot alone = *shot;
        if (!is_one_more(shapes, &tried, jrpc_json_spelling(it.value)) &&
            jrpc_arena_copy(search->arena, jrpc_json_spelling(it.value), &alone.bytes)) {
            probe = try_instead(search, &alone, shot, difference);
        }
    }
    jrpc_json_document_done(&document);
}

// Makes the spelling as usual as possible while the message still shows something. Returns the
// variations that the finding depends on; 0: none.
static unsigned find_spelling(jck_cause_search *search, jck_shot *shot, uint64_t *difference)
{
    static const unsigned liberties[] = {JCK_RESPELL_ESCAPES, JCK_RESPELL_SPACE, JCK_RESPELL_ORDER};
    unsigned needed = 0;
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), TEXT_BYTES);
    for (size_t i = 0; i < sizeof liberties / sizeof *liberties && !search->stopped; i++) {
        jck_shot usual = *shot;
        jrpc_buffer_clear(&text);
        if (jck_normalize(shot->bytes, liberties[i], &text) &&
            !jrpc_slice_equal(jrpc_buffer_slice(&text), shot->bytes) &&
            jrpc_arena_copy(search->arena, jrpc_buffer_slice(&text), &usual.bytes) &&
            try_instead(search, &usual, shot, difference) == JCK_PROBE_LACKS) {
            needed |= liberties[i];
        }
    }
    jrpc_buffer_done(&text);
    return needed;
}

// Tries a plain call with the id of an unanswered one: the target may ignore the call because of
// its id, whatever the method and its params are.
static void find_plain(jck_cause_search *search, jck_shot *shot, uint64_t *difference)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_json id = JRPC_JSON_ABSENT;
    if (jrpc_json_read(&document, shot->bytes, JCK_MESSAGE_DEPTH, NULL)) {
        id = jrpc_json_get(jrpc_json_root(&document), "id");
    }
    jrpc_slice spelling = jrpc_json_spelling(id);
    jck_shot plain = *shot;
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), TEXT_BYTES);
    (void)jrpc_buffer_append_str(&text, "{\"jsonrpc\":\"2.0\",\"method\":");
    (void)jrpc_buffer_append(&text, search->absent);
    (void)jrpc_buffer_append_str(&text, ",\"id\":");
    (void)jrpc_buffer_append(&text, spelling);
    (void)jrpc_buffer_append_char(&text, '}');
    if (spelling.len > 0 && !text.failed &&
        jrpc_arena_copy(search->arena, jrpc_buffer_slice(&text), &plain.bytes)) {
        (void)try_instead(search, &plain, shot, difference);
    }
    jrpc_buffer_done(&text);
    jrpc_json_document_done(&document);
}

static bool is_json(jrpc_slice text)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool json = jrpc_json_read(&document, text, JCK_MESSAGE_DEPTH, NULL);
    jrpc_json_document_done(&document);
    return json;
}

uint64_t jck_cause_find(jck_cause_search *search, jck_shot *shot, uint64_t *difference)
{
    unsigned travel = find_travel(search, shot, difference);
    unsigned spelling = 0;
    if (is_json(shot->bytes) && !search->stopped) {
        find_element(search, shot, difference);
        if (search->absent.len > 0 && !search->stopped) {
            find_plain(search, shot, difference);
        }
        spelling = search->stopped ? 0 : find_spelling(search, shot, difference);
    }
    return travel == 0 && spelling == 0
               ? 0
               : jrpc_hash_number(jrpc_hash_number(JRPC_HASH_START, travel), spelling);
}
