// The changes of a profile: levels, answers that it accepts, cases that it leaves out.
#include "harness/suite/load_profile.h"
#include "harness/suite/nearest.h"
#include "harness/suite/select.h"
#include "harness/suite/sends.h"

// The kinds of difference, by the member of the file that lists them.
static const struct {
    const char *member;
    const char *what;
    jck_change_kind kind;
    const char *const *members;
} kinds[] = {
    {"levels", "a change of levels", JCK_CHANGE_LEVEL,
     (const char *const[]){"rules", "level", "sentence", "source", NULL}},
    {"accept", "an answer that is accepted", JCK_CHANGE_ACCEPT,
     (const char *const[]){"cases", "sends", "answers", "sentence", "source", NULL}},
    {"leave-out", "what is left out", JCK_CHANGE_LEAVE_OUT,
     (const char *const[]){"cases", "sends", "hazards", "methods", "sentence", "source", NULL}},
};

static void load_patterns(jck_profile_loading *load, jrpc_json object, jck_change *change)
{
    const jrpc_slice *patterns = NULL;
    if (!jck_read_words(&load->reader, object, "cases", false, &patterns, &change->name_count)) {
        return;
    }
    jrpc_slice *kept = jck_reader_array(&load->reader, change->name_count, sizeof *kept);
    change->names = kept;
    for (size_t i = 0; i < change->name_count && kept != NULL; i++) {
        if (!jrpc_arena_copy(load->reader.arena, patterns[i], &kept[i])) {
            (void)jck_reader_starve(&load->reader);
            change->name_count = i;
            return;
        }
        bool matched = false;
        bool whole = memchr(kept[i].ptr, '\0', kept[i].len) == NULL; // patterns end with NUL
        jck_nearest nearest;
        char hint[160];
        jck_nearest_init(&nearest, kept[i]);
        for (size_t c = 0; c < load->suite->case_count && !matched; c++) {
            matched = whole && jck_pattern_matches_case(kept[i].ptr, &load->suite->cases[c]);
            jck_nearest_offer(&nearest, load->suite->cases[c].id);
        }
        if (!matched) {
            (void)jck_wrong(&load->reader,
                            jrpc_json_element(jrpc_json_get(object, "cases"), (uint32_t)i),
                            "no case matches \"%.*s\"%s", JCK_WORD(kept[i]),
                            jck_nearest_hint(&nearest, hint, sizeof hint));
        }
    }
}

static void load_sends(jck_profile_loading *load, jrpc_json object, jck_change *change)
{
    if (!jck_read_words(&load->reader, object, "sends", false, &change->sends,
                        &change->send_count)) {
        return;
    }
    for (size_t i = 0; i < change->send_count; i++) {
        jck_nearest nearest;
        char known[160];
        jck_nearest_init(&nearest, change->sends[i]);
        jck_nearest_offer_all(&nearest, jck_sends_words());
        if (nearest.distance > 0) {
            (void)jck_wrong(
                &load->reader, jrpc_json_element(jrpc_json_get(object, "sends"), (uint32_t)i),
                "messages cannot be selected by \"%.*s\"; known are %s", JCK_WORD(change->sends[i]),
                jck_word_list(jck_sends_words(), known, sizeof known));
        }
    }
}

// A change must name what it applies to.
static void check_about(jck_profile_loading *load, jrpc_json object, const jck_change *change)
{
    if (change->name_count == 0 && change->send_count == 0 && !change->hazards &&
        !change->methods) {
        (void)jck_wrong(&load->reader, object, "no case is named; write cases or sends%s",
                        change->kind == JCK_CHANGE_LEAVE_OUT ? ", or set hazards or methods" : "");
    }
}

static void load_level(jck_profile_loading *load, jrpc_json object, jck_change *change)
{
    const jck_scope scope = {.suite = load->suite};
    jrpc_json level = jrpc_json_get(object, "level");
    change->off = jrpc_json_string_is(level, JRPC_SLICE("off"));
    change->level = JCK_LEVEL_OBSERVE;
    if (!change->off && !jck_level_from_letter(level, &change->level)) {
        (void)jck_wrong(&load->reader, jrpc_json_exists(level) ? level : object,
                        "a change of levels needs the level \"M\", \"S\", \"O\" or \"off\"");
    }
    if (!jck_read_words(&load->reader, object, "rules", true, &change->names,
                        &change->name_count)) {
        return;
    }
    jrpc_json_iterator rules = jrpc_json_iterate(jrpc_json_get(object, "rules"));
    while (jrpc_json_step(&rules)) {
        jrpc_slice id;
        if (jrpc_json_is(rules.value, JRPC_JSON_STRING)) {
            (void)jck_check_rule(&load->reader, &scope, rules.value, &id);
        }
    }
}

static void load_answers(jck_profile_loading *load, jrpc_json object, jck_change *change)
{
    const jck_scope scope = {.suite = load->suite};
    jck_expect answers = {0};
    jrpc_json array = jrpc_json_get(object, "answers");
    if (!jrpc_json_exists(array)) {
        (void)jck_wrong(&load->reader, object, "the member \"answers\" is missing");
    } else if (jck_read_kind(&load->reader, array, "answers", JRPC_JSON_ARRAY)) {
        jck_load_alternatives(&load->reader, &scope, array, &answers);
    }
    change->answers = answers.alternatives;
    change->answer_count = answers.alternative_count;
}

static void load_change(jck_profile_loading *load, jrpc_json object, size_t kind)
{
    jck_reader *reader = &load->reader;
    jck_change change = {
        .kind = kinds[kind].kind, .profile = load->profile->name, .file = reader->file};
    if (!jck_read_object(reader, object, kinds[kind].what, kinds[kind].members)) {
        return;
    }
    change.line = jck_reader_line(reader, object);
    (void)jck_read_word(reader, object, "sentence", true, &change.sentence);
    (void)jck_read_word(reader, object, "source", true, &change.source);
    switch (change.kind) {
    case JCK_CHANGE_LEVEL:
        load_level(load, object, &change);
        break;
    case JCK_CHANGE_ACCEPT:
        load_patterns(load, object, &change);
        load_sends(load, object, &change);
        load_answers(load, object, &change);
        check_about(load, object, &change);
        break;
    case JCK_CHANGE_LEAVE_OUT:
        load_patterns(load, object, &change);
        load_sends(load, object, &change);
        (void)jck_read_flag(reader, object, "hazards", &change.hazards);
        (void)jck_read_flag(reader, object, "methods", &change.methods);
        check_about(load, object, &change);
        break;
    }
    load->changes[load->change_count++] = change;
}

void jck_load_changes(jck_profile_loading *load)
{
    jck_profile *profile = load->profile;
    size_t room = profile->change_count;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        room += jrpc_json_count(jrpc_json_get(load->root, kinds[k].member));
    }
    load->changes = jck_reader_array(&load->reader, room, sizeof *load->changes);
    if (load->changes == NULL) {
        return;
    }
    for (; load->change_count < profile->change_count; load->change_count++) {
        load->changes[load->change_count] = profile->changes[load->change_count];
    }
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        jrpc_json array = jrpc_json_get(load->root, kinds[k].member);
        if (!jrpc_json_exists(array) ||
            !jck_read_kind(&load->reader, array, kinds[k].member, JRPC_JSON_ARRAY)) {
            continue;
        }
        jrpc_json_iterator elements = jrpc_json_iterate(array);
        while (jrpc_json_step(&elements)) {
            load_change(load, elements.value, k);
        }
    }
    profile->changes = load->changes;
    profile->change_count = load->change_count;
}
