#include "harness/schema/fit_private.h"

#include "reference/json/equal.h"

// How deep schemas may nest, counting each reference that is followed.
#define DEPTH_MAX 200
// Schemas and values that are compared in one go.
#define STEPS_MAX 1000000
// Bytes of one key in a place.
#define PLACE_BYTES ((size_t)100)

jck_fit jck_fit_and(jck_fit a, jck_fit b)
{
    return a < b ? a : b;
}

jck_fit jck_fit_or(jck_fit a, jck_fit b)
{
    return a > b ? a : b;
}

jck_fit jck_fit_not(jck_fit fit)
{
    return fit == JCK_FIT_YES ? JCK_FIT_NO : fit == JCK_FIT_NO ? JCK_FIT_YES : JCK_FIT_UNSURE;
}

jck_fit jck_fit_of(bool holds)
{
    return holds ? JCK_FIT_YES : JCK_FIT_NO;
}

bool jck_fit_step(jck_fitting *self)
{
    if (self->steps_left > 0) {
        self->steps_left--;
    }
    return self->steps_left > 0;
}

jck_fit jck_fit_quietly(jck_fitting *self, jrpc_json schema, jrpc_json value)
{
    self->quiet++;
    jck_fit fit = jck_fit_schema(self, schema, value);
    self->quiet--;
    return fit;
}

// A key as a segment of a JSON Pointer, with escapes.
static const char *escaped_key(jck_fitting *self, jrpc_slice key)
{
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), 2 * PLACE_BYTES);
    for (size_t i = 0; i < key.len && i < PLACE_BYTES; i++) {
        if (key.ptr[i] == '~' || key.ptr[i] == '/') {
            (void)jrpc_buffer_append_str(&text, key.ptr[i] == '/' ? "~1" : "~0");
        } else {
            (void)jrpc_buffer_append_char(&text, key.ptr[i]);
        }
    }
    const char *kept =
        jrpc_arena_printf(self->arena, "%.*s", (int)text.len, text.len == 0 ? "" : text.ptr);
    jrpc_buffer_done(&text);
    return kept == NULL ? "" : kept;
}

// The JSON Pointer that leads to a place.
static const char *write_place(jck_fitting *self, const jck_place *place)
{
    if (place == NULL) {
        return "";
    }
    const char *above = write_place(self, place->above);
    const char *text =
        place->key.ptr == NULL
            ? jrpc_arena_printf(self->arena, "%s/%u", above, place->index)
            : jrpc_arena_printf(self->arena, "%s/%s", above, escaped_key(self, place->key));
    return text == NULL ? "" : text;
}

static void report(jck_fitting *self, jrpc_json value, jrpc_slice keyword, jrpc_json argument)
{
    jck_misfit *misfit = self->misfit;
    if (misfit == NULL || self->quiet > 0 || jrpc_json_exists(misfit->value)) {
        return; // what is deeper was reported first
    }
    *misfit = (jck_misfit){value, write_place(self, self->place), keyword, argument};
}

jck_fit jck_fit_within(jck_fitting *self, jrpc_json schema, jrpc_json value, jrpc_slice key,
                       unsigned index)
{
    const jck_place here = {.above = self->place, .key = key, .index = index};
    self->place = &here;
    jck_fit fit = jck_fit_schema(self, schema, value);
    self->place = here.above;
    return fit;
}

// A reference starts from the innermost schema around it that has an `$id`, or else from the root.
// One that leads to another document is not followed.
static jck_fit follow(jck_fitting *self, jrpc_json reference, jrpc_json value)
{
    jrpc_slice text = {NULL, 0};
    jrpc_json target = jrpc_json_string(reference, self->arena, &text)
                           ? jck_reference_find(self->base, text, self->arena)
                           : JRPC_JSON_ABSENT;
    return jrpc_json_exists(target) ? jck_fit_schema(self, target, value) : JCK_FIT_UNSURE;
}

static bool applies(const jck_keyword *keyword, jrpc_json value)
{
    return keyword->kind == JRPC_JSON_NONE || jrpc_json_is(value, keyword->kind);
}

// Whether a schema is a document of its own, in which its references stand.
static bool has_id(jrpc_json schema, jrpc_arena *arena)
{
    jrpc_slice id = {NULL, 0};
    return jrpc_json_string(jrpc_json_get(schema, "$id"), arena, &id) && id.len > 0 &&
           id.ptr[0] != '#';
}

static jck_fit fit_keywords(jck_fitting *self, jrpc_json schema, jrpc_json value)
{
    jck_fit fit = JCK_FIT_YES;
    size_t count;
    const jck_keyword *keywords = jck_keywords(&count);
    for (size_t i = 0; i < count && fit != JCK_FIT_NO; i++) {
        jrpc_json argument = jrpc_json_get(schema, keywords[i].name);
        if (jrpc_json_exists(argument) && applies(&keywords[i], value)) {
            jck_fit here = keywords[i].fit(self, schema, argument, value);
            if (here == JCK_FIT_NO) {
                report(self, value, jrpc_slice_str(keywords[i].name), argument);
            }
            fit = jck_fit_and(fit, here);
        }
    }
    return fit;
}

jck_fit jck_fit_schema(jck_fitting *self, jrpc_json schema, jrpc_json value)
{
    if (jrpc_json_is(schema, JRPC_JSON_FALSE)) {
        report(self, value, JRPC_SLICE("false"), schema);
        return JCK_FIT_NO;
    }
    if (!jrpc_json_is(schema, JRPC_JSON_OBJECT)) {
        return jrpc_json_is(schema, JRPC_JSON_TRUE) ? JCK_FIT_YES : JCK_FIT_UNSURE;
    }
    if (self->depth >= DEPTH_MAX || !jck_fit_step(self) || self->arena->failed) {
        return JCK_FIT_UNSURE;
    }
    jrpc_json base = self->base;
    jrpc_json reference = jrpc_json_get(schema, "$ref");
    bool refers = jrpc_json_is(reference, JRPC_JSON_STRING); // what stands beside it is ignored
    self->base = !refers && has_id(schema, self->arena) ? schema : base;
    self->depth++;
    jck_fit fit = refers ? follow(self, reference, value) : fit_keywords(self, schema, value);
    self->depth--;
    self->base = base;
    return fit;
}

jck_fit jck_schema_fit(jrpc_json schema, jrpc_json root, jrpc_json value, jrpc_arena *arena,
                       jck_misfit *ret_misfit)
{
    if (ret_misfit != NULL) {
        *ret_misfit = (jck_misfit){.where = ""};
    }
    jck_fitting self = {
        .base = root, .arena = arena, .steps_left = STEPS_MAX, .misfit = ret_misfit};
    return jck_fit_schema(&self, schema, value);
}
