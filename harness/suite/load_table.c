#include "harness/suite/load_table.h"

#include "harness/suite/nearest.h"
#include "harness/suite/payload.h"
#include "harness/suite/variables.h"
#include "reference/base/plural.h"

#include <stdio.h>

static const char row_word[] = "${row.";

typedef struct column {
    jrpc_slice name;
    size_t axis;
    size_t place; // in the rows of its table
    bool used;
} column;

typedef struct axis {
    size_t width;
    size_t row_count;
    jrpc_json *rows;
    size_t at; // the row that is being expanded
} axis;

typedef struct table {
    jck_reader *reader;
    jrpc_json object;
    axis axes[JCK_LIMIT_TABLES];
    size_t axis_count;
    column columns[JCK_LIMIT_TABLE_COLUMNS];
    size_t column_count;
    jrpc_buffer text; // the case made of a row
    jck_piece *pieces;
    size_t piece_count;
    size_t piece_capacity;
    size_t spelled; // bytes of all rows so far
} table;

// The columns of a table, each with a unique name.
static void load_columns(table *t, jrpc_json one, axis *ret)
{
    const jrpc_slice *names = NULL;
    size_t count = 0;
    jrpc_json columns = jrpc_json_get(one, "columns");
    if (!jck_read_words(t->reader, one, "columns", true, &names, &count)) {
        return;
    }
    if (count == 0 || count > JCK_LIMIT_TABLE_COLUMNS - t->column_count) {
        (void)jck_wrong(t->reader, columns,
                        "a table has 1 to %d columns, counting those of crossed tables",
                        JCK_LIMIT_TABLE_COLUMNS);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        jrpc_json at = jrpc_json_element(columns, (uint32_t)i);
        if (!jck_is_plain_name(names[i])) {
            (void)jck_wrong(t->reader, at,
                            "\"%.*s\" cannot name a column: use a letter, then letters, digits, - "
                            "and _",
                            JCK_WORD(names[i]));
        }
        for (size_t k = 0; k < t->column_count; k++) {
            if (jrpc_slice_equal(t->columns[k].name, names[i])) {
                (void)jck_wrong(t->reader, at,
                                "another of the crossed tables has a column \"%.*s\" too",
                                JCK_WORD(names[i]));
            }
        }
        t->columns[t->column_count++] =
            (column){.name = names[i], .axis = t->axis_count, .place = i};
    }
    ret->width = count;
}

static void load_rows(table *t, jrpc_json one, axis *ret)
{
    jrpc_json rows = jrpc_json_get(one, "rows");
    if (!jrpc_json_exists(rows)) {
        (void)jck_wrong(t->reader, one, "the member \"rows\" is missing");
        return;
    }
    if (!jck_read_kind(t->reader, rows, "rows", JRPC_JSON_ARRAY)) {
        return;
    }
    ret->rows = jck_reader_array(t->reader, jrpc_json_count(rows), sizeof *ret->rows);
    if (jrpc_json_count(rows) == 0) {
        (void)jck_wrong(t->reader, rows, "the table has no rows, so it makes no cases");
    }
    jrpc_json_iterator it = jrpc_json_iterate(rows);
    while (ret->rows != NULL && jrpc_json_step(&it)) {
        if (!jck_read_kind(t->reader, it.value, "a row", JRPC_JSON_ARRAY)) {
            continue;
        }
        if (jrpc_json_count(it.value) != ret->width) {
            (void)jck_wrong(t->reader, it.value,
                            "the row has %u cell%s where there %s %zu column%s",
                            jrpc_json_count(it.value), jrpc_plural(jrpc_json_count(it.value)),
                            ret->width == 1 ? "is" : "are", ret->width, jrpc_plural(ret->width));
            continue;
        }
        ret->rows[ret->row_count++] = it.value;
    }
}

static void load_axis(table *t, jrpc_json one)
{
    static const char *const members[] = {"columns", "rows", NULL};
    if (t->axis_count == JCK_LIMIT_TABLES) {
        (void)jck_wrong(t->reader, one, "more than %d tables are crossed", JCK_LIMIT_TABLES);
        return;
    }
    if (!jck_read_object(t->reader, one, "a table", members)) {
        return;
    }
    axis *loaded = &t->axes[t->axis_count];
    *loaded = (axis){0};
    load_columns(t, one, loaded);
    if (loaded->width > 0) {
        load_rows(t, one, loaded);
    }
    t->axis_count++;
}

static bool load_axes(table *t)
{
    jrpc_json member = jrpc_json_get(t->object, "table");
    size_t wrong = t->reader->wrong;
    if (jrpc_json_member_occurrences(t->object, JRPC_SLICE("table")) > 1) {
        (void)jck_wrong(t->reader, member,
                        "a case has one member table; put several tables into an Array");
    }
    if (!jrpc_json_is(member, JRPC_JSON_ARRAY)) {
        load_axis(t, member);
    }
    jrpc_json_iterator it =
        jrpc_json_iterate(jrpc_json_is(member, JRPC_JSON_ARRAY) ? member : JRPC_JSON_ABSENT);
    while (jrpc_json_step(&it)) {
        load_axis(t, it.value);
    }
    size_t cases = t->axis_count > 0 ? 1 : 0;
    for (size_t i = 0; i < t->axis_count && cases <= JCK_LIMIT_TABLE_CASES; i++) {
        cases *= t->axes[i].row_count <= JCK_LIMIT_TABLE_CASES ? t->axes[i].row_count
                                                               : JCK_LIMIT_TABLE_CASES + 1;
    }
    if (cases == 0 && t->reader->wrong == wrong) {
        (void)jck_wrong(t->reader, member, "the table has no rows, so it makes no cases");
    }
    if (cases > JCK_LIMIT_TABLE_CASES) {
        (void)jck_wrong(t->reader, member, "the table becomes more than %d cases; split it",
                        JCK_LIMIT_TABLE_CASES);
    }
    return t->reader->wrong == wrong;
}

// Appends `len` bytes of the file, beginning at `from`.
static void copy(table *t, size_t from, size_t len)
{
    if (t->piece_count == t->piece_capacity) {
        size_t capacity = t->piece_capacity == 0 ? 32 : t->piece_capacity * 2;
        jck_piece *pieces = jck_reader_array(t->reader, capacity, sizeof *pieces);
        if (pieces == NULL) {
            t->text.failed = true;
            return;
        }
        if (t->piece_count > 0) {
            memcpy(pieces, t->pieces, t->piece_count * sizeof *pieces);
        }
        t->pieces = pieces;
        t->piece_capacity = capacity;
    }
    t->pieces[t->piece_count++] = (jck_piece){t->text.len, from};
    (void)jrpc_buffer_append(&t->text, jrpc_slice_of(t->reader->text.ptr + from, len));
}

// The cell that "row.NAME" names in the current row; ABSENT after a diagnostic.
static jrpc_json find_cell(table *t, jrpc_slice name, size_t place)
{
    jrpc_slice wanted = jrpc_slice_from(name, strlen("row."));
    jck_nearest nearest;
    char hint[160];
    jck_nearest_init(&nearest, wanted);
    for (size_t i = 0; i < t->column_count; i++) {
        column *candidate = &t->columns[i];
        if (jrpc_slice_equal(candidate->name, wanted)) {
            const axis *of = &t->axes[candidate->axis];
            candidate->used = true;
            return jrpc_json_element(of->rows[of->at], (uint32_t)candidate->place);
        }
        jck_nearest_offer(&nearest, candidate->name);
    }
    (void)jck_wrong_at(t->reader, place, "the table has no column \"%.*s\"%s", JCK_WORD(wanted),
                       jck_nearest_hint(&nearest, hint, sizeof hint));
    return JRPC_JSON_ABSENT;
}

// Whether a String token that ends at `end` is the name of a member.
static bool is_key(const table *t, size_t end)
{
    jrpc_slice text = t->reader->text;
    while (end < text.len && strchr(" \t\r\n", text.ptr[end]) != NULL) {
        end++;
    }
    return end < text.len && text.ptr[end] == ':';
}

// A cell that replaces a whole String token.
static void put_whole(table *t, jrpc_slice name, size_t begin, size_t end)
{
    jrpc_json cell = find_cell(t, name, begin);
    if (!jrpc_json_exists(cell)) {
        return;
    }
    if (is_key(t, end) && !jrpc_json_is(cell, JRPC_JSON_STRING)) {
        (void)jck_wrong(t->reader, cell,
                        "the cell becomes the name of a member: it must be a "
                        "String");
        return;
    }
    copy(t, jrpc_json_offset(cell), jrpc_json_spelling(cell).len);
}

// A cell within a longer String.
static void put_inside(table *t, jrpc_slice name, size_t place)
{
    jrpc_json cell = find_cell(t, name, place);
    if (!jrpc_json_exists(cell)) {
        return;
    }
    size_t begin = jrpc_json_offset(cell);
    size_t len = jrpc_json_spelling(cell).len;
    if (jrpc_json_is(cell, JRPC_JSON_ARRAY) || jrpc_json_is(cell, JRPC_JSON_OBJECT)) {
        (void)jck_wrong(t->reader, cell,
                        "the cell becomes a part of a String: it cannot be an Array or an Object");
        return;
    }
    bool quoted = jrpc_json_is(cell, JRPC_JSON_STRING);
    copy(t, begin + (quoted ? 1 : 0), len - (quoted ? 2 : 0));
}

// One String token of the template, from `begin` to `end` in the file.
static void put_string(table *t, size_t begin, size_t end)
{
    jrpc_slice file = t->reader->text;
    jrpc_slice content = jrpc_slice_of(file.ptr + begin + 1, end - begin - 2);
    jrpc_slice name;
    if (jck_variable_name(content, &name) && jrpc_slice_starts_with(name, JRPC_SLICE("row."))) {
        put_whole(t, name, begin, end);
        return;
    }
    size_t done = begin;
    for (size_t i = begin + 1; i < end; i++) {
        jrpc_slice rest = jrpc_slice_of(file.ptr + i, end - 1 - i);
        // "$${" is a literal "${".
        if (file.ptr[i - 1] == '$' || !jrpc_slice_starts_with(rest, jrpc_slice_str(row_word))) {
            continue;
        }
        const char *brace = memchr(rest.ptr, '}', rest.len);
        if (brace == NULL) {
            (void)jck_wrong_at(t->reader, i, "\"%.*s\" lacks its closing brace", JCK_WORD(rest));
            return;
        }
        size_t len = (size_t)(brace - rest.ptr) + 1;
        copy(t, done, i - done);
        put_inside(t, jrpc_slice_of(rest.ptr + 2, len - 3), i);
        i += len - 1;
        done = i + 1;
    }
    copy(t, done, end - done);
}

// A member of the template with its name: the bytes between String tokens are copied unchanged.
static void put_member(table *t, jrpc_json key, jrpc_json value)
{
    const jrpc_json_node *nodes = key.document->nodes;
    size_t done = nodes[key.index].begin;
    for (uint32_t i = key.index; i < nodes[value.index].next; i++) {
        if (nodes[i].kind == JRPC_JSON_STRING) {
            copy(t, done, nodes[i].begin - done);
            put_string(t, nodes[i].begin, nodes[i].end);
            done = nodes[i].end;
        }
    }
    copy(t, done, nodes[value.index].end - done);
}

// Writes the case of the current row: its brace is attributed to the row, so the case has the row's
// line.
static void spell(table *t)
{
    const axis *last = &t->axes[t->axis_count - 1];
    jrpc_buffer_clear(&t->text);
    t->piece_count = 0;
    copy(t, jrpc_json_offset(last->rows[last->at]), 0);
    (void)jrpc_buffer_append_char(&t->text, '{');
    bool first = true;
    jrpc_json_iterator it = jrpc_json_iterate(t->object);
    while (jrpc_json_step(&it)) {
        if (jrpc_json_string_is(it.key, JRPC_SLICE("table"))) {
            continue;
        }
        (void)jrpc_buffer_append_str(&t->text, first ? "" : ",");
        put_member(t, it.key, it.value);
        first = false;
    }
    (void)jrpc_buffer_append_char(&t->text, '}');
}

// The first cells of the current row: "number", or "target, number" of crossed tables.
static const char *name_row(const table *t)
{
    char name[120] = "";
    size_t len = 0;
    for (size_t i = 0; i < t->axis_count; i++) {
        jrpc_slice cell = jrpc_json_spelling(jrpc_json_element(t->axes[i].rows[t->axes[i].at], 0));
        int added = snprintf(name + len, sizeof name - len, "%s%.*s", i == 0 ? "" : ", ",
                             (int)(cell.len < 40 ? cell.len : 40), cell.ptr);
        len += added > 0 ? (size_t)added : 0;
        if (len >= sizeof name) {
            break;
        }
    }
    const char *kept = jrpc_arena_printf(t->reader->arena, "%s", name);
    return kept == NULL ? "" : kept;
}

static void take_row(table *t, jck_take_row take, void *context)
{
    jck_reader *reader = t->reader;
    size_t wrong = reader->wrong;
    spell(t);
    t->spelled += t->text.len;
    if (t->spelled > JCK_LIMIT_FILE_BYTES) {
        (void)jck_wrong(reader, jrpc_json_get(t->object, "table"),
                        "the cases of the table are longer than %zu bytes; split it",
                        JCK_LIMIT_FILE_BYTES);
        return;
    }
    jrpc_slice text;
    if (t->text.failed || !jrpc_arena_copy(reader->arena, jrpc_buffer_slice(&t->text), &text)) {
        (void)jck_reader_starve(reader);
        return;
    }
    if (reader->wrong > wrong) {
        return;
    }
    const struct jck_origin origin = {reader->text, t->pieces, t->piece_count, name_row(t)};
    jrpc_json object;
    reader->text = text;
    reader->origin = &origin;
    if (jck_reader_parse(reader, &object)) {
        take(context, object);
    }
    reader->text = origin.text;
    reader->origin = NULL;
}

// Moves to the next row; false after the last one.
static bool advance(table *t)
{
    for (size_t i = t->axis_count; i > 0; i--) {
        if (++t->axes[i - 1].at < t->axes[i - 1].row_count) {
            return true;
        }
        t->axes[i - 1].at = 0;
    }
    return false;
}

void jck_load_table(jck_reader *reader, jrpc_json object, jck_take_row take, void *context)
{
    table t = {.reader = reader, .object = object};
    if (!load_axes(&t)) {
        return;
    }
    jrpc_buffer_init(&t.text, reader->arena->allocator, JCK_LIMIT_FILE_BYTES);
    size_t wrong = reader->wrong;
    do {
        take_row(&t, take, context);
    } while (reader->wrong == wrong && advance(&t));
    jrpc_buffer_done(&t.text);
    for (size_t i = 0; i < t.column_count && reader->wrong == wrong; i++) {
        if (!t.columns[i].used) {
            (void)jck_wrong(reader, jrpc_json_get(object, "table"),
                            "the column \"%.*s\" is never used; write ${row.%.*s} somewhere",
                            JCK_WORD(t.columns[i].name), JCK_WORD(t.columns[i].name));
        }
    }
}
