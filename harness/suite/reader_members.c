// The members of our own files, by name and type.
#include "harness/suite/nearest.h"
#include "harness/suite/reader.h"

#include <inttypes.h>

const char *jck_kind_name(jrpc_json_kind kind)
{
    switch (kind) {
    case JRPC_JSON_NONE:
        return "nothing";
    case JRPC_JSON_NULL:
        return "null";
    case JRPC_JSON_FALSE:
        return "false";
    case JRPC_JSON_TRUE:
        return "true";
    case JRPC_JSON_NUMBER:
        return "a Number";
    case JRPC_JSON_STRING:
        return "a String";
    case JRPC_JSON_ARRAY:
        return "an Array";
    case JRPC_JSON_OBJECT:
        return "an Object";
    }
    return "nothing";
}

bool jck_read_kind(jck_reader *reader, jrpc_json value, const char *name, jrpc_json_kind kind)
{
    jrpc_json_kind found = jrpc_json_kind_of(value);
    if (found == kind) {
        return true;
    }
    return jck_wrong(reader, value, "%s is %s, where %s is expected", name, jck_kind_name(found),
                     jck_kind_name(kind));
}

static void refuse_member(jck_reader *reader, jrpc_json key, jrpc_slice name, const char *what,
                          const char *const *known)
{
    jck_nearest nearest;
    char words[400];
    jck_nearest_init(&nearest, name);
    jck_nearest_offer_all(&nearest, known);
    bool hinted = jck_nearest_hint(&nearest, words, sizeof words)[0] != '\0';
    (void)jck_wrong(reader, key, "%s has no member \"%.*s\"%s%s", what, JCK_WORD(name),
                    hinted ? "" : "; known are ",
                    hinted ? words : jck_word_list(known, words, sizeof words));
}

bool jck_read_object(jck_reader *reader, jrpc_json value, const char *what,
                     const char *const *known)
{
    if (!jck_read_kind(reader, value, what, JRPC_JSON_OBJECT)) {
        return false;
    }
    jrpc_json_iterator members = jrpc_json_iterate(value);
    while (jrpc_json_step(&members)) {
        jrpc_slice name;
        if (!jrpc_json_string(members.key, reader->arena, &name)) {
            (void)jck_reader_starve(reader);
            return true;
        }
        const char *const *entry = known;
        while (*entry != NULL && !jrpc_slice_is(name, *entry)) {
            entry++;
        }
        if (*entry == NULL) {
            refuse_member(reader, members.key, name, what, known);
        } else if (jrpc_json_member_occurrences(value, name) > 1 &&
                   jrpc_json_offset(jrpc_json_member(value, name)) ==
                       jrpc_json_offset(members.value)) {
            // Of duplicates, look-up by name finds the last: report them once, there.
            (void)jck_wrong(reader, members.key, "%s has the member \"%s\" more than once", what,
                            *entry);
        }
    }
    return true;
}

// The member, or JRPC_JSON_ABSENT, after a diagnostic if it is required.
static jrpc_json find(jck_reader *reader, jrpc_json object, const char *name, bool required)
{
    jrpc_json member = jrpc_json_get(object, name);
    if (required && !jrpc_json_exists(member)) {
        (void)jck_wrong(reader, object, "the member \"%s\" is missing", name);
    }
    return member;
}

bool jck_read_text(jck_reader *reader, jrpc_json object, const char *name, bool required,
                   jrpc_slice *ret)
{
    jrpc_json member = find(reader, object, name, required);
    if (!jrpc_json_exists(member) || !jck_read_kind(reader, member, name, JRPC_JSON_STRING)) {
        return false;
    }
    return jrpc_json_string(member, reader->arena, ret) ? true : jck_reader_starve(reader);
}

bool jck_read_word(jck_reader *reader, jrpc_json object, const char *name, bool required,
                   jrpc_slice *ret)
{
    jrpc_slice word;
    if (!jck_read_text(reader, object, name, required, &word)) {
        return false;
    }
    if (word.len == 0) {
        return jck_wrong(reader, jrpc_json_get(object, name), "%s is empty", name);
    }
    *ret = word;
    return true;
}

bool jck_read_words(jck_reader *reader, jrpc_json object, const char *name, bool required,
                    const jrpc_slice **ret, size_t *ret_count)
{
    jrpc_json member = find(reader, object, name, required);
    if (!jrpc_json_exists(member) || !jck_read_kind(reader, member, name, JRPC_JSON_ARRAY)) {
        return false;
    }
    jrpc_slice *words = jck_reader_array(reader, jrpc_json_count(member), sizeof *words);
    if (words == NULL) {
        return false;
    }
    size_t count = 0;
    jrpc_json_iterator elements = jrpc_json_iterate(member);
    while (jrpc_json_step(&elements)) {
        jrpc_slice word;
        if (!jrpc_json_is(elements.value, JRPC_JSON_STRING) ||
            jrpc_json_count(elements.value) == 0) {
            (void)jck_wrong(reader, elements.value, "an element of %s is not a non-empty String",
                            name);
            continue;
        }
        if (!jrpc_json_string(elements.value, reader->arena, &word)) {
            return jck_reader_starve(reader);
        }
        bool fresh = true;
        for (size_t i = 0; i < count && fresh; i++) {
            fresh = !jrpc_slice_equal(words[i], word);
        }
        if (!fresh) {
            (void)jck_wrong(reader, elements.value, "%s has \"%.*s\" twice", name, JCK_WORD(word));
            continue;
        }
        words[count++] = word;
    }
    if (required && count == 0) {
        return jck_wrong(reader, member, "%s is empty; at least one is needed", name);
    }
    *ret = words;
    *ret_count = count;
    return true;
}

bool jck_read_flag(jck_reader *reader, jrpc_json object, const char *name, bool *ret)
{
    jrpc_json member = jrpc_json_get(object, name);
    if (!jrpc_json_exists(member)) {
        return false;
    }
    if (!jrpc_json_is(member, JRPC_JSON_TRUE) && !jrpc_json_is(member, JRPC_JSON_FALSE)) {
        return jck_wrong(reader, member, "%s is %s, where true or false is expected", name,
                         jck_kind_name(jrpc_json_kind_of(member)));
    }
    *ret = jrpc_json_is(member, JRPC_JSON_TRUE);
    return true;
}

bool jck_read_integer(jck_reader *reader, jrpc_json object, const char *name, bool required,
                      int64_t least, int64_t most, int64_t *ret)
{
    jrpc_json member = find(reader, object, name, required);
    if (!jrpc_json_exists(member) || !jck_read_kind(reader, member, name, JRPC_JSON_NUMBER)) {
        return false;
    }
    int64_t value;
    if (!jrpc_json_int64(member, &value) || value < least || value > most) {
        return jck_wrong(reader, member, "%s is not an integer from %" PRId64 " to %" PRId64, name,
                         least, most);
    }
    *ret = value;
    return true;
}

bool jck_read_string_value(jck_reader *reader, jrpc_json value, const char *name, const char **ret)
{
    if (!jck_read_kind(reader, value, name, JRPC_JSON_STRING)) {
        return false;
    }
    if ((jrpc_json_flags(value) & JRPC_JSON_HAS_NUL) != 0) {
        return jck_wrong(reader, value, "%s holds U+0000", name);
    }
    jrpc_slice content;
    jrpc_slice copy;
    if (!jrpc_json_string(value, reader->arena, &content) ||
        !jrpc_arena_copy(reader->arena, content, &copy)) {
        return jck_reader_starve(reader);
    }
    *ret = copy.ptr;
    return true;
}

void jck_read_schema(jck_reader *reader, jrpc_json object)
{
    int64_t schema;
    (void)jck_read_integer(reader, object, "schema", true, 1, 1, &schema);
}

void jck_read_statuses(jck_reader *reader, jrpc_json object, const int **ret, size_t *ret_count)
{
    jrpc_json statuses = jrpc_json_get(object, "statuses");
    if (!jrpc_json_exists(statuses) ||
        !jck_read_kind(reader, statuses, "statuses", JRPC_JSON_ARRAY)) {
        return;
    }
    int *values = jck_reader_array(reader, jrpc_json_count(statuses), sizeof *values);
    size_t count = 0;
    jrpc_json_iterator elements = jrpc_json_iterate(statuses);
    while (values != NULL && jrpc_json_step(&elements)) {
        int64_t status;
        if (!jrpc_json_int64(elements.value, &status) || status < 0 || status > 255) {
            (void)jck_wrong(reader, elements.value, "an exit status is an integer from 0 to 255");
            continue;
        }
        values[count++] = (int)status;
    }
    *ret = values;
    *ret_count = count;
}

void jck_read_framing(jck_reader *reader, jrpc_json object, bool *ret_given, jrpc_framing *ret)
{
    jrpc_slice framing;
    if (jck_read_text(reader, object, "framing", false, &framing)) {
        *ret_given = jrpc_framing_from_name(framing, ret);
        if (!*ret_given) {
            (void)jck_wrong(reader, jrpc_json_get(object, "framing"),
                            "unknown framing \"%.*s\"; known are line, content-length, "
                            "concatenated, length32",
                            JCK_WORD(framing));
        }
    }
}
