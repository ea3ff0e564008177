#include "harness/schema/fit_private.h"

// How deep schemas may nest, counting each reference that is followed.
#define DEPTH_MAX 200
// Schemas and values that are compared in one go.
#define STEPS_MAX 1000000
// Steps after which answers are kept. Few schemas need as many.
#define STEPS_ALONE 1000
// Bytes of one key in a place.
#define PLACE_BYTES ((size_t)100)

#define ELEMENT ((jrpc_slice){NULL, 0})
#define ARGUMENTS jck_fitting *self, jrpc_json schema, jrpc_json argument, jrpc_json value

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

// A schema holds schemas: what follows calls back here.
static jck_fit fit_schema(jck_fitting *self, jrpc_json schema, jrpc_json value);

// The same, but a refusal is not reported.
static jck_fit fit_quietly(jck_fitting *self, jrpc_json schema, jrpc_json value)
{
    self->quiet++;
    jck_fit fit = fit_schema(self, schema, value);
    self->quiet--;
    return fit;
}

// The same for a member (`key`) or an element (`index`) of the current value.
static jck_fit fit_within(jck_fitting *self, jrpc_json schema, jrpc_json value, jrpc_slice key,
                          unsigned index)
{
    const jck_place here = {.above = self->place, .key = key, .index = index};
    self->place = &here;
    jck_fit fit = fit_schema(self, schema, value);
    self->place = here.above;
    return fit;
}

// `items` is one schema for all elements, or an Array with one for each of the first elements; then
// `additionalItems` is for the others. In 2020-12 that Array is `prefixItems`, and `items` is for
// the others.
static jck_fit fit_items(ARGUMENTS)
{
    jrpc_json prefix = self->is_2020_12 ? jrpc_json_get(schema, "prefixItems") : JRPC_JSON_ABSENT;
    bool prefixed = jrpc_json_is(prefix, JRPC_JSON_ARRAY);
    bool list = prefixed || jrpc_json_is(argument, JRPC_JSON_ARRAY);
    jrpc_json further = jrpc_json_get(schema, prefixed ? "items" : "additionalItems");
    if (prefixed && argument.index != prefix.index) {
        return JCK_FIT_YES; // `prefixItems` is asked first, and takes all elements
    }
    jck_fit fit = JCK_FIT_YES;
    unsigned index = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(value); fit != JCK_FIT_NO && jrpc_json_step(&it);
         index++) {
        jrpc_json one = list ? jrpc_json_element(argument, index) : argument;
        one = jrpc_json_exists(one) ? one : further;
        if (jrpc_json_exists(one)) {
            fit = jck_fit_and(fit, fit_within(self, one, it.value, ELEMENT, index));
        }
    }
    return fit;
}

static jck_fit fit_contains(ARGUMENTS)
{
    jck_fit best = JCK_FIT_NO;
    if (self->is_2020_12 && (jrpc_json_exists(jrpc_json_get(schema, "minContains")) ||
                             jrpc_json_exists(jrpc_json_get(schema, "maxContains")))) {
        return JCK_FIT_UNSURE;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(value);
         best != JCK_FIT_YES && jrpc_json_step(&it);) {
        best = jck_fit_or(best, fit_quietly(self, argument, it.value));
    }
    return best;
}

// What a member's value must fit: one of `properties`, all of `patternProperties` that its name
// matches, or else `additionalProperties`.
static jck_fit fit_member(jck_fitting *self, jrpc_json schema, jrpc_json key, jrpc_json member)
{
    jrpc_slice name;
    jck_fit known = JCK_FIT_NO; // whether one of the first two is about it
    jck_fit fit = JCK_FIT_YES;
    if (!jrpc_json_string(key, self->arena, &name)) {
        return JCK_FIT_UNSURE;
    }
    jrpc_json own = jrpc_json_member(jrpc_json_get(schema, "properties"), name);
    if (jrpc_json_exists(own)) {
        known = JCK_FIT_YES;
        fit = fit_within(self, own, member, name, 0);
    }
    jrpc_json patterns = jrpc_json_get(schema, "patternProperties");
    for (jrpc_json_iterator it = jrpc_json_iterate(patterns); jrpc_json_step(&it);) {
        jck_fit found = jck_fit_pattern(self, it.key, key);
        known = jck_fit_or(known, found);
        if (found == JCK_FIT_YES) {
            fit = jck_fit_and(fit, fit_within(self, it.value, member, name, 0));
        } else if (found == JCK_FIT_UNSURE) {
            fit = jck_fit_and(fit, JCK_FIT_UNSURE);
        }
    }
    jrpc_json further = jrpc_json_get(schema, "additionalProperties");
    if (known == JCK_FIT_NO && jrpc_json_exists(further)) {
        fit = jck_fit_and(fit, fit_within(self, further, member, name, 0));
    }
    return fit;
}

// Stands for all three keywords that say what members must fit. Members are checked once, by the
// first of these keywords that the schema has.
static jck_fit fit_members(ARGUMENTS)
{
    static const char *const three[] = {"properties", "patternProperties", "additionalProperties"};
    jrpc_json first = JRPC_JSON_ABSENT;
    for (size_t i = 0; i < sizeof three / sizeof *three && !jrpc_json_exists(first); i++) {
        first = jrpc_json_get(schema, three[i]);
    }
    jck_fit fit = JCK_FIT_YES;
    if (argument.index != first.index) {
        return fit;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(value);
         fit != JCK_FIT_NO && jrpc_json_step(&it);) {
        fit = jck_fit_and(fit, fit_member(self, schema, it.key, it.value));
    }
    return fit;
}

static jck_fit fit_names(ARGUMENTS)
{
    (void)schema;
    jck_fit fit = JCK_FIT_YES;
    for (jrpc_json_iterator it = jrpc_json_iterate(value);
         fit != JCK_FIT_NO && jrpc_json_step(&it);) {
        fit = jck_fit_and(fit, fit_schema(self, argument, it.key));
    }
    return fit;
}

// `dependencies`, which 2020-12 splits into `dependentRequired` and `dependentSchemas`.
static jck_fit fit_dependencies(ARGUMENTS)
{
    (void)schema;
    jck_fit fit = JCK_FIT_YES;
    for (jrpc_json_iterator it = jrpc_json_iterate(argument);
         fit != JCK_FIT_NO && jrpc_json_step(&it);) {
        if (jck_has_member(self, value, it.key)) {
            fit = jck_fit_and(fit, jrpc_json_is(it.value, JRPC_JSON_ARRAY)
                                       ? jck_fit_required(self, it.value, value)
                                       : fit_schema(self, it.value, value));
        }
    }
    return fit;
}

static jck_fit fit_all_of(ARGUMENTS)
{
    (void)schema;
    jck_fit fit = JCK_FIT_YES;
    for (jrpc_json_iterator it = jrpc_json_iterate(argument);
         fit != JCK_FIT_NO && jrpc_json_step(&it);) {
        fit = jck_fit_and(fit, fit_schema(self, it.value, value));
    }
    return fit;
}

static jck_fit fit_any_of(ARGUMENTS)
{
    (void)schema;
    jck_fit best = JCK_FIT_NO;
    for (jrpc_json_iterator it = jrpc_json_iterate(argument);
         best != JCK_FIT_YES && jrpc_json_step(&it);) {
        best = jck_fit_or(best, fit_quietly(self, it.value, value));
    }
    return best;
}

static jck_fit fit_one_of(ARGUMENTS)
{
    (void)schema;
    unsigned fitting = 0;
    unsigned unsure = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(argument); jrpc_json_step(&it);) {
        jck_fit here = fit_quietly(self, it.value, value);
        fitting += here == JCK_FIT_YES ? 1 : 0;
        unsure += here == JCK_FIT_UNSURE ? 1 : 0;
    }
    return fitting > 1 ? JCK_FIT_NO : unsure > 0 ? JCK_FIT_UNSURE : jck_fit_of(fitting == 1);
}

static jck_fit fit_not(ARGUMENTS)
{
    (void)schema;
    return jck_fit_not(fit_quietly(self, argument, value));
}

static jck_fit fit_if(ARGUMENTS)
{
    jrpc_json then = jrpc_json_get(schema, "then");
    jrpc_json otherwise = jrpc_json_get(schema, "else");
    jck_fit condition = fit_quietly(self, argument, value);
    jrpc_json branch = condition == JCK_FIT_YES ? then : otherwise;
    if (condition == JCK_FIT_UNSURE) {
        return jrpc_json_exists(then) || jrpc_json_exists(otherwise) ? JCK_FIT_UNSURE : JCK_FIT_YES;
    }
    return jrpc_json_exists(branch) ? fit_schema(self, branch, value) : JCK_FIT_YES;
}

// Keywords that depend on what other keywords evaluated, or on which document referred here.
static jck_fit fit_unsure(ARGUMENTS)
{
    (void)self, (void)schema, (void)argument, (void)value;
    return JCK_FIT_UNSURE;
}

static const jck_keyword applicators_2020_12[] = {
    {"prefixItems", JRPC_JSON_ARRAY, fit_items},
    {"dependentRequired", JRPC_JSON_OBJECT, fit_dependencies},
    {"dependentSchemas", JRPC_JSON_OBJECT, fit_dependencies},
    {"unevaluatedItems", JRPC_JSON_ARRAY, fit_unsure},
    {"unevaluatedProperties", JRPC_JSON_OBJECT, fit_unsure},
    {"$dynamicRef", JRPC_JSON_NONE, fit_unsure},
};

static const jck_keyword applicators[] = {
    {"items", JRPC_JSON_ARRAY, fit_items},
    {"contains", JRPC_JSON_ARRAY, fit_contains},
    {"properties", JRPC_JSON_OBJECT, fit_members},
    {"patternProperties", JRPC_JSON_OBJECT, fit_members},
    {"additionalProperties", JRPC_JSON_OBJECT, fit_members},
    {"propertyNames", JRPC_JSON_OBJECT, fit_names},
    {"dependencies", JRPC_JSON_OBJECT, fit_dependencies},
    {"allOf", JRPC_JSON_NONE, fit_all_of},
    {"anyOf", JRPC_JSON_NONE, fit_any_of},
    {"oneOf", JRPC_JSON_NONE, fit_one_of},
    {"not", JRPC_JSON_NONE, fit_not},
    {"if", JRPC_JSON_NONE, fit_if},
};

// Whether this reference is already being followed for this value. Following it again would never
// end, and with two such references the work would double at each depth.
static bool is_followed(const jck_fitting *self, jrpc_json target, jrpc_json value)
{
    const jck_followed *one = self->followed;
    while (one != NULL && !(jck_is_same(one->target, target) && jck_is_same(one->value, value) &&
                            jck_is_same(one->base, self->base))) {
        one = one->above;
    }
    return one != NULL;
}

// Follows a reference, unless the answer is known. A refusal that has to be reported is found once
// more: it ends everything.
static jck_fit follow_to(jck_fitting *self, jrpc_json target, jrpc_json value)
{
    jck_fit fit = JCK_FIT_UNSURE;
    if (is_followed(self, target, value)) {
        self->is_cut = true;
        return JCK_FIT_UNSURE;
    }
    if (jck_answers_find(self, target, value, &fit) &&
        (fit != JCK_FIT_NO || self->quiet > 0 || self->misfit == NULL)) {
        return fit;
    }
    const jck_followed here = {self->followed, target, value, self->base};
    self->followed = &here;
    fit = fit_schema(self, target, value);
    self->followed = here.above;
    if (self->steps_left < STEPS_MAX - STEPS_ALONE && self->steps_left > 0) {
        jck_answers_keep(self, target, value, fit);
    }
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
    return jrpc_json_exists(target) ? follow_to(self, target, value) : JCK_FIT_UNSURE;
}

// Whether a schema is a document of its own, in which its references stand.
static bool has_id(jrpc_json schema, jrpc_arena *arena)
{
    jrpc_slice id = {NULL, 0};
    return jrpc_json_string(jrpc_json_get(schema, "$id"), arena, &id) && id.len > 0 &&
           id.ptr[0] != '#';
}

static bool applies(const jck_keyword *keyword, jrpc_json value)
{
    return keyword->kind == JRPC_JSON_NONE || jrpc_json_is(value, keyword->kind);
}

static jck_fit fit_table(jck_fitting *self, const jck_keyword *keywords, size_t count,
                         jrpc_json schema, jrpc_json value)
{
    jck_fit fit = JCK_FIT_YES;
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

// What the value itself must be, then what its parts and other schemas say.
static jck_fit fit_keywords(jck_fitting *self, jrpc_json schema, jrpc_json value)
{
    size_t count;
    const jck_keyword *assertions = jck_assertions(&count);
    jck_fit fit = fit_table(self, assertions, count, schema, value);
    if (fit != JCK_FIT_NO) {
        fit = jck_fit_and(fit, fit_table(self, applicators,
                                         sizeof applicators / sizeof *applicators, schema, value));
    }
    if (fit != JCK_FIT_NO && self->is_2020_12) {
        fit = jck_fit_and(fit, fit_table(self, applicators_2020_12,
                                         sizeof applicators_2020_12 / sizeof *applicators_2020_12,
                                         schema, value));
    }
    return fit;
}

static jck_fit fit_schema(jck_fitting *self, jrpc_json schema, jrpc_json value)
{
    if (jrpc_json_is(schema, JRPC_JSON_FALSE)) {
        report(self, value, JRPC_SLICE("false"), schema);
        return JCK_FIT_NO;
    }
    if (!jrpc_json_is(schema, JRPC_JSON_OBJECT)) {
        return jrpc_json_is(schema, JRPC_JSON_TRUE) ? JCK_FIT_YES : JCK_FIT_UNSURE;
    }
    if (self->depth >= DEPTH_MAX || !jck_fit_step(self) || self->arena->failed) {
        self->is_cut = true;
        return JCK_FIT_UNSURE;
    }
    jrpc_json base = self->base;
    jrpc_json reference = jrpc_json_get(schema, "$ref");
    bool refers = jrpc_json_is(reference, JRPC_JSON_STRING);
    bool alone = refers && !self->is_2020_12; // draft 7 ignores what stands beside it
    self->base = !alone && has_id(schema, self->arena) ? schema : base;
    self->depth++;
    jck_fit fit = alone ? JCK_FIT_YES : fit_keywords(self, schema, value);
    if (refers && fit != JCK_FIT_NO) {
        fit = jck_fit_and(fit, follow(self, reference, value));
    }
    self->depth--;
    self->base = base;
    return fit;
}

static jck_fit fit_root(jrpc_json schema, jrpc_json root, bool is_2020_12, jrpc_json value,
                        jrpc_arena *arena, jck_misfit *ret_misfit)
{
    if (ret_misfit != NULL) {
        *ret_misfit = (jck_misfit){.where = ""};
    }
    jck_fitting self = {.base = root,
                        .is_2020_12 = is_2020_12,
                        .arena = arena,
                        .steps_left = STEPS_MAX,
                        .misfit = ret_misfit};
    jck_fit fit;
    do { // again while definite answers of this round may settle others in the next one
        self.answers.sure = 0;
        self.answers.round++;
        self.is_cut = false;
        fit = fit_schema(&self, schema, value);
    } while (fit == JCK_FIT_UNSURE && self.is_cut && self.answers.sure > 0 && self.steps_left > 0);
    jck_answers_done(&self.answers);
    return fit;
}

jck_fit jck_schema_fit(jrpc_json schema, jrpc_json root, jrpc_json value, jrpc_arena *arena,
                       jck_misfit *ret_misfit)
{
    return fit_root(schema, root, false, value, arena, ret_misfit);
}

jck_fit jck_schema_fit_document(jrpc_json document, jrpc_json value, jrpc_arena *arena,
                                jck_misfit *ret_misfit)
{
    jrpc_json declared = jrpc_json_get(document, "$schema");
    jrpc_slice dialect = {NULL, 0};
    bool known = jrpc_json_string(declared, arena, &dialect);
    bool is_2020_12 = !jrpc_json_exists(declared) ||
                      (known && jrpc_slice_contains(dialect, JRPC_SLICE("/draft/2020-12/schema")));
    bool is_draft_7 = known && (jrpc_slice_contains(dialect, JRPC_SLICE("/draft-07/schema")) ||
                                jrpc_slice_contains(dialect, JRPC_SLICE("/draft-06/schema")));
    if (!is_2020_12 && !is_draft_7) {
        if (ret_misfit != NULL) {
            *ret_misfit = (jck_misfit){.where = ""};
        }
        return JCK_FIT_UNSURE;
    }
    return fit_root(document, document, is_2020_12, value, arena, ret_misfit);
}
