#include "harness/parser/weigh.h"

#include "harness/parser/leeway.h"
#include "reference/json/read.h"
#include "reference/json/scan.h"

// The reader does not recurse, so any depth is allowed.
#define ANY_DEPTH UINT32_MAX

void jck_scale_init(jck_scale *scale)
{
    jrpc_json_document_init(&scale->sent, jrpc_allocator_heap());
    jrpc_json_document_init(&scale->back, jrpc_allocator_heap());
}

void jck_scale_done(jck_scale *scale)
{
    jrpc_json_document_done(&scale->sent);
    jrpc_json_document_done(&scale->back);
}

static void add(jck_weight *weight, jck_class class, jrpc_slice sent, jrpc_slice back)
{
    if (weight->deviations.count < JCK_LOSSES_MAX) {
        weight->deviations.items[weight->deviations.count++] = (jck_loss){class, sent, back};
    }
}

static bool is_white(jrpc_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!jrpc_scan_is_space(text.ptr[i])) {
            return false;
        }
    }
    return true;
}

// Whether the byte at `at`, where the text becomes invalid, closes a container of the other kind.
static bool is_mismatched(jrpc_slice text, size_t at)
{
    size_t closed = 0;
    bool quoted = false;
    char closing = text.ptr[at];
    if (closing != ']' && closing != '}') {
        return false;
    }
    // Backwards: a quotation mark with an even number of backslashes before it begins or ends a
    // string.
    while (at-- > 0) {
        char c = text.ptr[at];
        size_t slashes = 0;
        while (c == '"' && slashes < at && text.ptr[at - 1 - slashes] == '\\') {
            slashes++;
        }
        if (c == '"' && slashes % 2 == 0) {
            quoted = !quoted;
        } else if (!quoted && (c == ']' || c == '}')) {
            closed++;
        } else if (!quoted && (c == '[' || c == '{')) {
            if (closed == 0) {
                return (c == '[') != (closing == ']');
            }
            closed--;
        }
    }
    return false;
}

// What kind of invalid text this is. `scale->sent` is no longer needed.
static jck_class class_of_breach(jck_scale *scale, jrpc_slice text, const jrpc_error *why)
{
    jrpc_slice bom = JRPC_SLICE("\xEF\xBB\xBF");
    if (jrpc_slice_starts_with(text, bom) &&
        jrpc_json_read(&scale->sent, jrpc_slice_from(text, bom.len), ANY_DEPTH, NULL)) {
        return JCK_CLASS_ACCEPTS_BOM;
    }
    if (why->offset >= text.len) {
        // A number that lacks a digit is reported as another form of number, wherever it is.
        bool number = jrpc_slice_is(jrpc_slice_str(why->message), "the text ends inside a number");
        return is_white(text) || number ? JCK_CLASS_ACCEPTS_OTHER : JCK_CLASS_ACCEPTS_TRUNCATED;
    }
    if (jrpc_slice_is(jrpc_slice_str(why->message), "a string must be valid UTF-8")) {
        return JCK_CLASS_ACCEPTS_INVALID_UTF8;
    }
    if (jrpc_slice_is(jrpc_slice_str(why->message),
                      "nothing but white space may follow the value")) {
        return JCK_CLASS_ACCEPTS_TRAILING;
    }
    return is_mismatched(text, why->offset) ? JCK_CLASS_ACCEPTS_MISMATCHED
                                            : JCK_CLASS_ACCEPTS_OTHER;
}

static void weigh_accepted(jck_scale *scale, jrpc_slice text, const jck_reply *reply,
                           jck_weight *weight)
{
    if (!weight->is_json) {
        // A parser that reads NaN writes NaN: one cause, reported once.
        add(weight, class_of_breach(scale, text, &weight->why), text, reply->text);
        return;
    }
    if (reply->kind != JCK_REPLY_ACCEPTED || jrpc_slice_equal(text, reply->text)) {
        return;
    }
    if (!jrpc_json_read(&scale->back, reply->text, ANY_DEPTH, &weight->unwritten)) {
        weight->deviations.failed = weight->unwritten.code == JRPC_ERROR_MEMORY;
        add(weight, JCK_CLASS_WRITES_NO_JSON, text, reply->text);
        return;
    }
    jck_losses_find(jrpc_json_root(&scale->sent), jrpc_json_root(&scale->back),
                    &weight->deviations);
}

void jck_weigh(jck_scale *scale, jrpc_slice text, const jck_reply *reply, jck_weight *ret_weight)
{
    *ret_weight = (jck_weight){0};
    ret_weight->is_json = jrpc_json_read(&scale->sent, text, ANY_DEPTH, &ret_weight->why);
    if (!ret_weight->is_json && ret_weight->why.code != JRPC_ERROR_SYNTAX) {
        ret_weight->deviations.failed = true; // our memory or our limit: nothing can be concluded
        return;
    }
    switch (reply->kind) {
    case JCK_REPLY_ACCEPTED:
    case JCK_REPLY_TAKEN:
        weigh_accepted(scale, text, reply, ret_weight);
        break;
    case JCK_REPLY_REFUSED:
        if (ret_weight->is_json) {
            add(ret_weight, jck_leeway_of(jrpc_json_root(&scale->sent)), text, reply->text);
        }
        break;
    case JCK_REPLY_CRASHED:
        add(ret_weight, JCK_CLASS_CRASHES, text, reply->text);
        break;
    case JCK_REPLY_HUNG:
        add(ret_weight, JCK_CLASS_HANGS, text, reply->text);
        break;
    case JCK_REPLY_RUBBISH:
        add(ret_weight, JCK_CLASS_BREAKS_PROTOCOL, text, reply->text);
        break;
    }
}

bool jck_weight_has(const jck_weight *weight, jck_class class)
{
    for (size_t i = 0; i < weight->deviations.count; i++) {
        if (weight->deviations.items[i].class == class) {
            return true;
        }
    }
    return false;
}
