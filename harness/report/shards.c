#include "harness/report/shards.h"

#include "reference/base/limits.h"
#include "reference/json/read.h"
#include "reference/json/write.h"

void jck_shards_init(jck_shards *shards)
{
    *shards = (jck_shards){.of = 0};
    jrpc_arena_init(&shards->arena, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
}

void jck_shards_done(jck_shards *shards)
{
    jrpc_arena_done(&shards->arena);
}

bool jck_is_shard(jrpc_json start)
{
    return jck_reading_kind(start) == JCK_EVENT_START &&
           jrpc_json_is(jrpc_json_get(start, "shard"), JRPC_JSON_OBJECT);
}

// An event's text does not outlive its line.
static bool keep(jck_shards *shards, jrpc_slice text, jrpc_slice *ret_kept)
{
    return jrpc_arena_copy(&shards->arena, text, ret_kept);
}

static bool is_of_the_same_run(const jck_shards *shards, const jck_reading_start *part)
{
    const jck_reading_start *whole = &shards->whole;
    return part->shards == shards->of && jrpc_slice_equal(part->target, whole->target) &&
           jrpc_slice_equal(part->role, whole->role) &&
           jrpc_slice_equal(part->profile, whole->profile) && part->strict == whole->strict &&
           jrpc_slice_equal(part->tool, whole->tool);
}

bool jck_shards_start(jck_shards *shards, jrpc_json start, jrpc_slice line, jrpc_error *error)
{
    jck_reading_start part;
    if (!jck_reading_of_start(start, &shards->arena, &part)) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for the parts of a run");
    }
    if (part.shard == 0 || part.shard > part.shards || part.shards > JCK_SHARDS_MAX) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID, "it is not a part of a run");
    }
    if (shards->of == 0) {
        shards->of = part.shards;
        shards->whole = part;
        if (!keep(shards, line, &shards->start) ||
            !jck_reading_keep_start(&shards->whole, &shards->arena)) {
            return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for the parts of a run");
        }
    } else if (!is_of_the_same_run(shards, &part)) {
        return jrpc_error_set(
            error, JRPC_ERROR_INVALID,
            "it is a part of another run: the target, the profile, the version or "
            "the number of parts differs from the first one's");
    } else {
        shards->whole.selected += part.selected;
    }
    if (shards->there[part.shard]) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID, "part %zu of %zu is given twice",
                              part.shard, part.shards);
    }
    shards->there[part.shard] = true;
    shards->seen++;
    return true;
}

bool jck_shards_are_whole(const jck_shards *shards, jrpc_error *error)
{
    for (size_t i = 1; i <= shards->of; i++) {
        if (!shards->there[i]) {
            return jrpc_error_set(error, JRPC_ERROR_INVALID,
                                  "part %zu of %zu is missing: name the streams of all parts", i,
                                  shards->of);
        }
    }
    return true;
}

// Copies the Object member by member, with `suite.selected` of the whole run, without `shard` and
// without the `command` of a part.
bool jck_shards_write_start(const jck_shards *shards, jrpc_buffer *out)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool read = jrpc_json_read(&document, shards->start, JRPC_LIMIT_DEPTH, NULL);
    jrpc_json_writer writer;
    jrpc_json_writer_init(&writer, out);
    jrpc_json_write_begin_object(&writer);
    for (jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_root(&document));
         jrpc_json_step(&it);) {
        if (jrpc_json_string_is(it.key, JRPC_SLICE("shard")) ||
            jrpc_json_string_is(it.key, JRPC_SLICE("command"))) {
            continue;
        }
        bool suite = jrpc_json_string_is(it.key, JRPC_SLICE("suite"));
        jrpc_slice name = jrpc_json_spelling(it.key);
        jrpc_json_write_key_slice(&writer, jrpc_slice_inside(name));
        if (!suite) {
            jrpc_json_write_value(&writer, it.value);
            continue;
        }
        jrpc_json_write_begin_object(&writer);
        for (jrpc_json_iterator of = jrpc_json_iterate(it.value); jrpc_json_step(&of);) {
            jrpc_slice member = jrpc_json_spelling(of.key);
            jrpc_json_write_key_slice(&writer, jrpc_slice_inside(member));
            if (jrpc_json_string_is(of.key, JRPC_SLICE("selected"))) {
                jrpc_json_write_int(&writer, (int64_t)shards->whole.selected);
            } else {
                jrpc_json_write_value(&writer, of.value);
            }
        }
        jrpc_json_write_end_object(&writer);
    }
    jrpc_json_write_end_object(&writer);
    jrpc_json_document_done(&document);
    return jrpc_buffer_append_char(out, '\n') && read;
}

static size_t size_of(jrpc_json object, const char *name)
{
    int64_t number = 0;
    return jrpc_json_int64(jrpc_json_get(object, name), &number) && number > 0 ? (size_t)number : 0;
}

static bool names(jrpc_json rules, jrpc_slice rule)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(rules); jrpc_json_step(&it);) {
        if (jrpc_json_string_is(it.value, rule)) {
            return true;
        }
    }
    return false;
}

// The whole run has not tested what no part has tested: the rules that all of them list.
static bool keep_untested(jck_shards *shards, jrpc_json rules)
{
    if (shards->ended == 0) {
        shards->untested =
            jrpc_arena_array(&shards->arena, jrpc_json_count(rules) + 1u, sizeof *shards->untested);
        for (jrpc_json_iterator it = jrpc_json_iterate(rules);
             shards->untested != NULL && jrpc_json_step(&it);) {
            jrpc_slice rule;
            if (jrpc_json_is(it.value, JRPC_JSON_STRING) &&
                (!jrpc_json_string(it.value, &shards->arena, &rule) ||
                 !keep(shards, rule, &shards->untested[shards->untested_count++]))) {
                return false;
            }
        }
        return shards->untested != NULL;
    }
    size_t kept = 0;
    for (size_t i = 0; i < shards->untested_count; i++) {
        if (names(rules, shards->untested[i])) {
            shards->untested[kept++] = shards->untested[i];
        }
    }
    shards->untested_count = kept;
    return true;
}

static bool add_spent(jck_shards *shards, jrpc_slice on, jrpc_slice kind, int64_t ms)
{
    for (size_t i = 0; i < shards->spent_count; i++) {
        jck_shards_spent *spent = &shards->spent[i];
        if (jrpc_slice_equal(spent->on, on) && jrpc_slice_equal(spent->kind, kind)) {
            spent->ms = ms > 0 && spent->ms > INT64_MAX - ms ? INT64_MAX : spent->ms + ms;
            return true;
        }
    }
    if (shards->spent_count == JCK_SHARDS_SPENT_MAX) {
        return true; // no stream of ours has so many
    }
    jck_shards_spent *spent = &shards->spent[shards->spent_count++];
    spent->ms = ms;
    return keep(shards, on, &spent->on) && keep(shards, kind, &spent->kind);
}

// Adds what a part spent its time on: an Object of Objects.
static bool add_all_spent(jck_shards *shards, jrpc_json purposes)
{
    bool added = true;
    for (jrpc_json_iterator it = jrpc_json_iterate(purposes);
         jrpc_json_is(purposes, JRPC_JSON_OBJECT) && added && jrpc_json_step(&it);) {
        jrpc_slice on;
        added = jrpc_json_string(it.key, &shards->arena, &on) &&
                add_spent(shards, on, (jrpc_slice){NULL, 0}, 0);
        for (jrpc_json_iterator kinds = jrpc_json_iterate(it.value);
             jrpc_json_is(it.value, JRPC_JSON_OBJECT) && added && jrpc_json_step(&kinds);) {
            jrpc_slice kind;
            int64_t ms = 0;
            added = jrpc_json_string(kinds.key, &shards->arena, &kind) &&
                    (!jrpc_json_int64(kinds.value, &ms) || kind.len == 0 || ms < 0 ||
                     add_spent(shards, on, kind, ms));
        }
    }
    return added;
}

bool jck_shards_finish(jck_shards *shards, jrpc_json finish)
{
    jck_reading_finish part;
    if (!jck_reading_of_finish(finish, &shards->arena, &part) ||
        !keep_untested(shards, jrpc_json_get(finish, "rules_untested")) ||
        !add_all_spent(shards, jrpc_json_get(finish, "spent_ms"))) {
        return false;
    }
    jrpc_json counts = jrpc_json_get(finish, "counts");
    for (int i = 0; i < JCK_OUTCOME_COUNT; i++) {
        shards->counts[i] += size_of(counts, jck_outcome_name((jck_outcome)i));
    }
    shards->ended++;
    shards->judged += part.judged;
    shards->skipped += size_of(finish, "skipped");
    shards->unexpected += size_of(finish, "unexpected");
    shards->only_in_company += part.only_in_company;
    shards->sessions_lost += part.sessions_lost;
    shards->timers_expired += (int64_t)size_of(finish, "timers_expired");
    shards->duration_us =
        part.duration_us > shards->duration_us ? part.duration_us : shards->duration_us;
    shards->interrupted = shards->interrupted || part.interrupted;
    // A part whose cases were all skipped is not conformant by itself, but does not affect the
    // whole.
    shards->broken = shards->broken || (!part.conformant && part.judged > 0);
    return (shards->hint.len > 0 || keep(shards, part.hint, &shards->hint)) &&
           (shards->note.len > 0 || keep(shards, part.note, &shards->note)) &&
           (shards->stopped.len > 0 || (keep(shards, part.stop, &shards->stop) &&
                                        keep(shards, part.stopped, &shards->stopped)));
}

bool jck_shards_conformant(const jck_shards *shards)
{
    return !shards->broken && !shards->interrupted && shards->stopped.len == 0 &&
           shards->judged > 0 && shards->ended == shards->of;
}

static void number(jrpc_json_writer *writer, const char *name, int64_t value)
{
    jrpc_json_write_key(writer, name);
    jrpc_json_write_int(writer, value);
}

static void write_spent(jrpc_json_writer *writer, const jck_shards *shards)
{
    jrpc_json_write_key(writer, "spent_ms");
    jrpc_json_write_begin_object(writer);
    for (size_t i = 0; i < shards->spent_count; i++) {
        if (shards->spent[i].kind.len > 0) {
            continue;
        }
        jrpc_slice on = shards->spent[i].on;
        jrpc_json_write_key_slice(writer, on);
        jrpc_json_write_begin_object(writer);
        for (size_t k = 0; k < shards->spent_count; k++) {
            const jck_shards_spent *spent = &shards->spent[k];
            if (spent->kind.len > 0 && jrpc_slice_equal(spent->on, on)) {
                jrpc_json_write_key_slice(writer, spent->kind);
                jrpc_json_write_int(writer, spent->ms);
            }
        }
        jrpc_json_write_end_object(writer);
    }
    jrpc_json_write_end_object(writer);
}

bool jck_shards_write_finish(const jck_shards *shards, jrpc_buffer *out)
{
    jrpc_json_writer writer;
    jrpc_json_writer_init(&writer, out);
    jrpc_json_write_begin_object(&writer);
    jrpc_json_write_key(&writer, "event");
    jrpc_json_write_str(&writer, "finish");
    jrpc_json_write_key(&writer, "counts");
    jrpc_json_write_begin_object(&writer);
    for (int i = 0; i < JCK_OUTCOME_COUNT; i++) {
        number(&writer, jck_outcome_name((jck_outcome)i), (int64_t)shards->counts[i]);
    }
    jrpc_json_write_end_object(&writer);
    number(&writer, "judged", (int64_t)shards->judged);
    number(&writer, "skipped", (int64_t)shards->skipped);
    number(&writer, "unexpected", (int64_t)shards->unexpected);
    jrpc_json_write_key(&writer, "rules_untested");
    jrpc_json_write_begin_array(&writer);
    for (size_t i = 0; i < shards->untested_count; i++) {
        jrpc_json_write_string(&writer, shards->untested[i]);
    }
    jrpc_json_write_end_array(&writer);
    number(&writer, "duration_us", shards->duration_us);
    number(&writer, "timers_expired", shards->timers_expired);
    if (shards->spent_count > 0) {
        write_spent(&writer, shards);
    }
    jrpc_json_write_key(&writer, "interrupted");
    jrpc_json_write_bool(&writer, shards->interrupted);
    jrpc_json_write_key(&writer, "conformant");
    jrpc_json_write_bool(&writer, jck_shards_conformant(shards));
    number(&writer, "only_in_company", (int64_t)shards->only_in_company);
    if (shards->sessions_lost > 0) {
        number(&writer, "sessions_lost", (int64_t)shards->sessions_lost);
    }
    if (shards->stop.len > 0) {
        jrpc_json_write_key(&writer, "stop");
        jrpc_json_write_string(&writer, shards->stop);
    }
    if (shards->stopped.len > 0) {
        jrpc_json_write_key(&writer, "stopped");
        jrpc_json_write_string(&writer, shards->stopped);
    }
    if (shards->hint.len > 0) {
        jrpc_json_write_key(&writer, "hint");
        jrpc_json_write_string(&writer, shards->hint);
    }
    if (shards->note.len > 0) {
        jrpc_json_write_key(&writer, "note");
        jrpc_json_write_string(&writer, shards->note);
    }
    jrpc_json_write_end_object(&writer);
    return jrpc_buffer_append_char(out, '\n');
}
