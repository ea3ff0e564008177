// Faults with long answers: buffers of a fixed size, and text that is decoded in blocks.
#include "reference/driver/change.h"
#include "reference/json/write.h"

enum { BLOCK_BYTES = 65536, LONGEST = 65535, LONGEST_ARGUMENT = 16384 };

static jrpc_slice cut_at(jrpc_change *change, jrpc_slice spelling, size_t longest)
{
    jrpc_slice content;
    if (spelling.len <= longest ||
        !jrpc_json_string(jrpc_change_json(change, spelling), change->arena, &content) ||
        content.len <= longest) {
        return spelling;
    }
    size_t len = longest;
    while (len > 0 && ((unsigned char)content.ptr[len] & 0xC0) == 0x80) {
        len--; // not inside a character
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    (void)jrpc_json_quote(&out, jrpc_slice_of(content.ptr, len));
    return jrpc_buffer_slice(&out);
}

static jrpc_slice cut_string(jrpc_change *change, jrpc_slice spelling)
{
    return cut_at(change, spelling, LONGEST);
}

static jrpc_slice cut_argument(jrpc_change *change, jrpc_slice spelling)
{
    return cut_at(change, spelling, LONGEST_ARGUMENT);
}

static jrpc_slice long_arguments_cut(jrpc_change *change, jrpc_slice params)
{
    jrpc_json value = jrpc_change_json(change, params);
    return jrpc_json_spelling(jrpc_change_leaves(change, value, JRPC_JSON_STRING, cut_argument));
}

static void long_strings_cut(jrpc_change *change, jrpc_slice *text)
{
    jrpc_json value = jrpc_change_json(change, *text);
    if (text->len > LONGEST && jrpc_json_exists(value)) {
        jrpc_json cut = jrpc_change_leaves(change, value, JRPC_JSON_STRING, cut_string);
        *text = jrpc_json_spelling(cut);
    }
}

static jrpc_slice long_array_cut(jrpc_change *change, jrpc_slice text)
{
    jrpc_json value = jrpc_change_json(change, text);
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY) || jrpc_json_count(value) <= LONGEST) {
        return text;
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    (void)jrpc_buffer_append_char(&out, '[');
    size_t count = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(value);
         count < LONGEST && jrpc_json_step(&it);) {
        (void)jrpc_buffer_append_str(&out, count++ > 0 ? "," : "");
        (void)jrpc_buffer_append(&out, jrpc_json_spelling(it.value));
    }
    (void)jrpc_buffer_append_char(&out, ']');
    return jrpc_buffer_slice(&out);
}

// A character that crosses the border of two blocks becomes two U+FFFD.
static void blocks_decoded(jrpc_change *change, jrpc_slice *text)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    if (text->len <= BLOCK_BYTES) {
        return;
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    for (size_t i = 0; i < text->len;) {
        size_t len = 1;
        while (i + len < text->len && ((unsigned char)text->ptr[i + len] & 0xC0) == 0x80) {
            len++;
        }
        if (i / BLOCK_BYTES != (i + len - 1) / BLOCK_BYTES) {
            (void)jrpc_buffer_append_str(&out, replacement);
            (void)jrpc_buffer_append_str(&out, replacement);
        } else {
            (void)jrpc_buffer_append(&out, jrpc_slice_of(text->ptr + i, len));
        }
        i += len;
    }
    *text = jrpc_buffer_slice(&out);
}

static void long_answers_lost(jrpc_change *change, jrpc_slice *text)
{
    (void)change;
    *text = text->len > BLOCK_BYTES ? JRPC_SLICE("") : *text;
}

static const jrpc_client_fault rows[] = {
    {JRPC_CLIENT_ROW("long-strings-cut", "CL-12", "a String of an answer ends after 65 535 bytes"),
     .incoming = long_strings_cut},
    {JRPC_CLIENT_ROW("long-params-cut", "CL-3v", "a String of params ends after 16 KiB"),
     .request = jrpc_row_params, .respell = long_arguments_cut},
    {JRPC_CLIENT_ROW("long-arrays-cut", "CL-12", "a result ends after 65 535 elements"),
     .answer = jrpc_row_result, .respell = long_array_cut},
    {JRPC_CLIENT_ROW("blocks-decoded", "CL-12",
                     "text is decoded in blocks of 64 KiB: a character on a border becomes U+FFFD"),
     .incoming = blocks_decoded},
    {JRPC_CLIENT_ROW("long-answers-lost", "CLR-9", "an answer over 64 KiB is not read"),
     .incoming = long_answers_lost},
};

const jrpc_client_fault_table jrpc_client_faults_large = JRPC_CLIENT_FAULT_TABLE(rows);
