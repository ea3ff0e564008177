#include "reference/server/lenient.h"

#include "reference/json/read.h"
#include "reference/json/scan.h"

#include <string.h>

static void take(jrpc_bend *bend, jrpc_slice text, size_t *at, jrpc_buffer *out)
{
    size_t covered = bend->fault->step(text, *at, out);
    if (covered == 0) {
        jrpc_buffer_append_char(out, text.ptr[*at]);
        covered = 1;
    }
    *at += covered;
}

void jrpc_lenient_outside(jrpc_bend *bend, jrpc_slice *text)
{
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (size_t i = 0; i < text->len;) {
        if (text->ptr[i] == '"') {
            size_t end = jrpc_bend_string_end(*text, i);
            jrpc_buffer_append(&out, jrpc_slice_of(text->ptr + i, end - i));
            i = end;
        } else {
            take(bend, *text, &i, &out);
        }
    }
    *text = jrpc_buffer_slice(&out);
}

void jrpc_lenient_inside(jrpc_bend *bend, jrpc_slice *text)
{
    jrpc_buffer out = jrpc_bend_buffer(bend);
    for (size_t i = 0; i < text->len;) {
        bool string = text->ptr[i] == '"';
        jrpc_buffer_append_char(&out, text->ptr[i++]);
        while (string && i < text->len && text->ptr[i] != '"') {
            if (text->ptr[i] != '\\' || i + 1 == text->len) {
                take(bend, *text, &i, &out);
                continue;
            }
            size_t covered = bend->fault->step(*text, i, &out);
            if (covered == 0) {
                jrpc_buffer_append(&out, jrpc_slice_of(text->ptr + i, 2));
                covered = 2;
            }
            i += covered;
        }
        if (string && i < text->len) {
            jrpc_buffer_append_char(&out, text->ptr[i++]);
        }
    }
    *text = jrpc_buffer_slice(&out);
}

size_t jrpc_lenient_number_run(jrpc_slice text, size_t at)
{
    static const char begins[] = "+-.0123456789";
    static const char goes_on[] = "+-.0123456789eE";
    if (strchr(begins, text.ptr[at]) == NULL || text.ptr[at] == '\0') {
        return 0;
    }
    char before = at == 0 ? ' ' : text.ptr[at - 1];
    if (before != '\0' && strchr(goes_on, before) != NULL) {
        return 0;
    }
    size_t end = at;
    while (end < text.len && text.ptr[end] != '\0' && strchr(goes_on, text.ptr[end]) != NULL) {
        end++;
    }
    return end - at;
}

typedef struct structure {
    jrpc_bend *bend;
    int forgives;
    jrpc_buffer out;
    jrpc_buffer open;  // one byte a container: { or [
    bool key_is_next;  // in an object: a name comes
    bool colon_is_due; // after a name
    bool first;        // nothing stands in the innermost container yet
    bool comma_waits;  // TRUNCATED: a comma that may be the last thing
} structure;

static char innermost(const structure *self)
{
    return self->open.len == 0 ? '\0' : self->open.ptr[self->open.len - 1];
}

static void value_begins(structure *self)
{
    bool in_object = innermost(self) == '{';
    if (self->colon_is_due && self->forgives == JRPC_LENIENT_COLONS) {
        jrpc_buffer_append_char(&self->out, ':');
        self->colon_is_due = false;
        self->key_is_next = false;
    } else if (self->forgives == JRPC_LENIENT_COMMAS && self->open.len > 0 && !self->first &&
               (!in_object || self->key_is_next)) {
        jrpc_buffer_append_char(&self->out, ',');
    }
    if (self->comma_waits) {
        jrpc_buffer_append_char(&self->out, ',');
        self->comma_waits = false;
    }
    self->first = false;
}

static void scalar(structure *self, jrpc_slice token)
{
    value_begins(self);
    jrpc_buffer_append(&self->out, token);
    bool name = innermost(self) == '{' && self->key_is_next;
    self->colon_is_due = name;
    self->key_is_next = innermost(self) == '{' && !name;
}

static void opens(structure *self, char c)
{
    value_begins(self);
    jrpc_buffer_append_char(&self->out, c);
    jrpc_buffer_append_char(&self->open, c);
    self->key_is_next = c == '{';
    self->colon_is_due = false;
    self->first = true;
}

static void closes(structure *self, char c)
{
    if (self->forgives == JRPC_LENIENT_BRACKETS) {
        if (self->open.len == 0) {
            return;
        }
        c = innermost(self) == '{' ? '}' : ']';
    }
    if (self->comma_waits) {
        jrpc_buffer_append_char(&self->out, ',');
        self->comma_waits = false;
    }
    if (self->colon_is_due && self->forgives == JRPC_LENIENT_COLONS && c == '}') {
        jrpc_buffer_append_str(&self->out, ":null");
    }
    jrpc_buffer_append_char(&self->out, c);
    if (self->open.len > 0) {
        jrpc_buffer_truncate(&self->open, self->open.len - 1);
    }
    self->key_is_next = innermost(self) == '{';
    self->colon_is_due = false;
    self->first = false;
}

static void separator(structure *self, char c)
{
    switch (self->forgives) {
    case JRPC_LENIENT_COLONS:
        if (self->colon_is_due || (innermost(self) == '{' && !self->key_is_next)) {
            return; // value_begins supplies the one that counts; more of them count for nothing
        }
        break;
    case JRPC_LENIENT_COMMAS:
        if (c == ',' || c == ';' || (c == ':' && innermost(self) == '[')) {
            return;
        }
        break;
    case JRPC_LENIENT_TRUNCATED:
        if (c == ',') {
            self->comma_waits = true;
            self->key_is_next = innermost(self) == '{';
            return;
        }
        break;
    default:
        break;
    }
    jrpc_buffer_append_char(&self->out, c);
    if (c == ':') {
        self->colon_is_due = false;
        self->key_is_next = false;
    } else if (c == ',') {
        self->key_is_next = innermost(self) == '{';
    }
}

// A scalar that the end of the text cut off.
static jrpc_slice completed(structure *self, jrpc_slice token)
{
    static const char *const literals[] = {"true", "false", "null"};
    jrpc_buffer fixed = jrpc_bend_buffer(self->bend);
    if (token.ptr[0] == '"') {
        for (size_t cut = 0; cut < 7 && cut < token.len; cut++) {
            jrpc_buffer_clear(&fixed);
            jrpc_buffer_append(&fixed, jrpc_slice_of(token.ptr, token.len - cut));
            jrpc_buffer_append_char(&fixed, '"');
            if (jrpc_json_exists(jrpc_bend_json(self->bend, jrpc_buffer_slice(&fixed)))) {
                return jrpc_buffer_slice(&fixed);
            }
        }
        return token;
    }
    for (size_t i = 0; i < sizeof literals / sizeof *literals; i++) {
        if (jrpc_slice_starts_with(jrpc_slice_str(literals[i]), token)) {
            return jrpc_slice_str(literals[i]);
        }
    }
    while (token.len > 0 && !jrpc_json_exists(jrpc_bend_json(self->bend, token))) {
        token.len--;
    }
    return token.len == 0 ? JRPC_SLICE("0") : token;
}

static void finish(structure *self)
{
    bool truncated = self->forgives == JRPC_LENIENT_TRUNCATED;
    if (!truncated && self->forgives != JRPC_LENIENT_BRACKETS) {
        return;
    }
    if (truncated && innermost(self) == '{' && self->colon_is_due) {
        jrpc_buffer_append_str(&self->out, ":null");
    } else if (truncated && innermost(self) == '{' && !self->key_is_next) {
        jrpc_buffer_append_str(&self->out, "null"); // after its colon
    }
    while (self->open.len > 0) {
        jrpc_buffer_append_char(&self->out, innermost(self) == '{' ? '}' : ']');
        jrpc_buffer_truncate(&self->open, self->open.len - 1);
    }
}

static size_t scalar_end(jrpc_slice text, size_t at)
{
    static const char others[] = " \t\r\n[]{}:;,=\"";
    while (at < text.len && (text.ptr[at] == '\0' || strchr(others, text.ptr[at]) == NULL)) {
        at++;
    }
    return at;
}

static void one_token(structure *self, jrpc_slice text, size_t *at)
{
    char c = text.ptr[*at];
    size_t end = *at + 1;
    if (c == '"' || (!jrpc_scan_is_space(c) && scalar_end(text, *at) > *at)) {
        end = c == '"' ? jrpc_bend_string_end(text, *at) : scalar_end(text, *at);
        jrpc_slice token = jrpc_slice_of(text.ptr + *at, end - *at);
        bool cut = end == text.len && self->forgives == JRPC_LENIENT_TRUNCATED &&
                   !jrpc_json_exists(jrpc_bend_json(self->bend, token));
        scalar(self, cut ? completed(self, token) : token);
    } else if (c == '[' || c == '{') {
        opens(self, c);
    } else if (c == ']' || c == '}') {
        closes(self, c);
    } else if (jrpc_scan_is_space(c)) {
        jrpc_buffer_append_char(&self->out, c);
    } else {
        separator(self, c);
    }
    *at = end;
}

void jrpc_lenient_structure(jrpc_bend *bend, jrpc_slice *text)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, bend->connection->server->allocator);
    jrpc_error error;
    jrpc_error_clear(&error);
    bool valid = jrpc_json_read(&document, *text, bend->connection->server->max_depth, &error);
    jrpc_json_document_done(&document);
    bool truncated = bend->fault->number == JRPC_LENIENT_TRUNCATED;
    if (valid || error.code != JRPC_ERROR_SYNTAX || text->len == 0 ||
        (truncated && error.offset != text->len)) {
        return;
    }
    structure self = {.bend = bend,
                      .forgives = bend->fault->number,
                      .out = jrpc_bend_buffer(bend),
                      .open = jrpc_bend_buffer(bend)};
    for (size_t at = 0; at < text->len;) {
        one_token(&self, *text, &at);
    }
    finish(&self);
    *text = jrpc_buffer_slice(&self.out);
}
