#include "fuzz/model/rows.h"

#include "fuzz/fuzz.h"

enum { TABLES = 4, COLUMNS = 16, CASES = 4096 };

typedef struct work {
    tree_pool *pool;
    const tree *tables[TABLES];
    size_t table_count;
    size_t row[TABLES]; // the one at hand
    bool used[TABLES][COLUMNS];
    jrpc_buffer *out;
    bool sound;
} work;

static void put(work *w, jrpc_slice bytes)
{
    FUZZ_REQUIRE(jrpc_buffer_append(w->out, bytes));
}

static const tree *columns_of(const tree *table)
{
    return tree_member(table, "columns");
}

static const tree *rows_of(const tree *table)
{
    return tree_member(table, "rows");
}

static bool is_name(jrpc_slice name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char others[] = "0123456789-_";
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (c == '\0' || (strchr(letters, c) == NULL && (i == 0 || strchr(others, c) == NULL))) {
            return false;
        }
    }
    return name.len >= 1 && name.len <= 64;
}

static bool is_list(const tree *value)
{
    return value != NULL && value->kind == 'a' && value->count > 0;
}

// Two members, rows as wide as there are columns.
static bool is_table(const tree *table)
{
    if (table->kind != 'o' || table->count != 2 || !is_list(columns_of(table)) ||
        !is_list(rows_of(table)) || columns_of(table)->count > COLUMNS) {
        return false;
    }
    for (size_t i = 0; i < columns_of(table)->count; i++) {
        const tree *name = columns_of(table)->items[i];
        if (name->kind != 's' || !is_name(name->content)) {
            return false;
        }
    }
    for (size_t i = 0; i < rows_of(table)->count; i++) {
        const tree *row = rows_of(table)->items[i];
        if (row->kind != 'a' || row->count != columns_of(table)->count) {
            return false;
        }
    }
    return true;
}

// The place of a column in all tables together; false if there is none, or more than one.
static bool find_column(const work *w, jrpc_slice name, size_t *ret_table, size_t *ret_column)
{
    size_t found = 0;
    for (size_t t = 0; t < w->table_count; t++) {
        for (size_t c = 0; c < columns_of(w->tables[t])->count; c++) {
            if (jrpc_slice_equal(columns_of(w->tables[t])->items[c]->content, name)) {
                *ret_table = t;
                *ret_column = c;
                found++;
            }
        }
    }
    return found == 1;
}

static size_t count_members(const tree *object, const char *name)
{
    size_t found = 0;
    for (size_t i = 0; object->kind == 'o' && i < object->count; i++) {
        found += tree_is_text(object->names[i], name) ? 1 : 0;
    }
    return found;
}

// How many cases a template becomes; 0 if its tables are not as the book says.
static size_t take_tables(work *w, const tree *template)
{
    const tree *member = tree_member(template, "table");
    size_t tables = member->kind == 'a' ? member->count : 1;
    if (count_members(template, "table") != 1 || tables == 0 || tables > TABLES) {
        return 0;
    }
    size_t cases = 1;
    size_t columns = 0;
    w->table_count = 0;
    for (size_t t = 0; t < tables; t++) {
        const tree *table = member->kind == 'a' ? member->items[t] : member;
        if (!is_table(table)) {
            return 0;
        }
        w->tables[w->table_count++] = table;
        columns += columns_of(table)->count;
        cases *= cases > CASES ? 1 : rows_of(table)->count;
    }
    for (size_t t = 0; t < tables; t++) {
        for (size_t c = 0; c < columns_of(w->tables[t])->count; c++) {
            size_t other_table;
            size_t other_column;
            if (!find_column(w, columns_of(w->tables[t])->items[c]->content, &other_table,
                             &other_column)) {
                return 0;
            }
        }
    }
    return columns > COLUMNS || cases > CASES ? 0 : cases;
}

// The cell that "${row.NAME}" means in the rows at hand, or NULL.
static const tree *cell(work *w, jrpc_slice name)
{
    size_t t;
    size_t c;
    if (!find_column(w, name, &t, &c)) {
        w->sound = false;
        return NULL;
    }
    w->used[t][c] = true;
    return rows_of(w->tables[t])->items[w->row[t]]->items[c];
}

// How long "${row.NAME}" at the beginning of `text` is; 0 if it is none, 1 if it has no end.
static size_t reference_len(jrpc_slice text)
{
    if (!jrpc_slice_starts_with(text, JRPC_SLICE("${row."))) {
        return 0;
    }
    const char *end = memchr(text.ptr, '}', text.len);
    return end == NULL ? 1 : (size_t)(end - text.ptr) + 1;
}

static jrpc_slice reference_name(jrpc_slice text, size_t len)
{
    return jrpc_slice_of(text.ptr + 6, len - 7);
}

static void put_string(work *w, const tree *string, bool name)
{
    jrpc_slice inside = jrpc_slice_of(string->spelling.ptr + 1, string->spelling.len - 2);
    if (inside.len != 0 && reference_len(inside) == inside.len) {
        const tree *whole = cell(w, reference_name(inside, inside.len));
        if (whole == NULL || (name && whole->kind != 's')) {
            w->sound = false;
        } else {
            put(w, whole->spelling);
        }
        return;
    }
    put(w, JRPC_SLICE("\""));
    for (size_t i = 0; i < inside.len;) {
        size_t len =
            i > 0 && inside.ptr[i - 1] == '$' ? 0 : reference_len(jrpc_slice_from(inside, i));
        if (len == 0) {
            put(w, jrpc_slice_of(inside.ptr + i, 1));
            i++;
            continue;
        }
        const tree *part =
            len == 1 ? NULL : cell(w, reference_name(jrpc_slice_from(inside, i), len));
        if (part == NULL || part->kind == 'a' || part->kind == 'o') {
            w->sound = false;
            return;
        }
        size_t quote = part->kind == 's' ? 1 : 0;
        put(w, jrpc_slice_of(part->spelling.ptr + quote, part->spelling.len - 2 * quote));
        i += len;
    }
    put(w, JRPC_SLICE("\""));
}

// A value of the template, or a whole one without its member `table`.
static void put_value(work *w, const tree *value, bool template)
{
    bool object = value->kind == 'o';
    if (value->kind == 's') {
        put_string(w, value, false);
    } else if (value->kind != 'a' && !object) {
        put(w, value->spelling);
    } else {
        put(w, object ? JRPC_SLICE("{") : JRPC_SLICE("["));
        bool first = true;
        for (size_t i = 0; i < value->count; i++) {
            if (template && tree_is_text(value->names[i], "table")) {
                continue;
            }
            put(w, first ? JRPC_SLICE("") : JRPC_SLICE(","));
            first = false;
            if (object) {
                put_string(w, value->names[i], true);
                put(w, JRPC_SLICE(":"));
            }
            put_value(w, value->items[i], false);
        }
        put(w, object ? JRPC_SLICE("}") : JRPC_SLICE("]"));
    }
}

// Sets the rows of the n-th case: the last table's change fastest.
static void choose_rows(work *w, size_t n)
{
    for (size_t t = w->table_count; t > 0; t--) {
        size_t rows = rows_of(w->tables[t - 1])->count;
        w->row[t - 1] = n % rows;
        n /= rows;
    }
}

static bool all_used(const work *w)
{
    for (size_t t = 0; t < w->table_count; t++) {
        for (size_t c = 0; c < columns_of(w->tables[t])->count; c++) {
            if (!w->used[t][c]) {
                return false;
            }
        }
    }
    return true;
}

static void put_case(work *w, const tree *one, size_t cases, const char **places)
{
    if (cases == 0) {
        put(w, one->spelling);
        places[0] = one->spelling.ptr;
        return;
    }
    memset(w->used, 0, sizeof w->used);
    for (size_t n = 0; n < cases; n++) {
        choose_rows(w, n);
        put(w, n == 0 ? JRPC_SLICE("") : JRPC_SLICE(","));
        size_t begin = w->out->len;
        put_value(w, one, true);
        // What a row becomes is a case, not a template again.
        jrpc_slice made = jrpc_slice_from(jrpc_buffer_slice(w->out), begin);
        w->sound = w->sound && tree_member(tree_read(w->pool, made), "table") == NULL;
        size_t last = w->table_count - 1;
        places[n] = rows_of(w->tables[last])->items[w->row[last]]->spelling.ptr;
    }
    w->sound = w->sound && all_used(w);
}

static void put_cases(work *w, const tree *cases, rows_result *result)
{
    put(w, JRPC_SLICE("["));
    size_t done = 0;
    for (size_t i = 0; i < cases->count; i++) {
        const tree *one = cases->items[i];
        size_t expanded = tree_member(one, "table") == NULL ? 0 : take_tables(w, one);
        put(w, i == 0 ? JRPC_SLICE("") : JRPC_SLICE(","));
        put_case(w, one, expanded, &result->places[done]);
        done += expanded == 0 ? 1 : expanded;
    }
    put(w, JRPC_SLICE("]"));
}

rows_result rows_expand(tree_pool *pool, const tree *file, size_t most, jrpc_buffer *out)
{
    rows_result result = {.sound = true};
    work w = {.pool = pool, .out = out, .sound = true};
    const tree *cases = tree_member(file, "cases");
    for (size_t i = 0; i < cases->count; i++) {
        bool template = tree_member(cases->items[i], "table") != NULL;
        size_t expanded = template ? take_tables(&w, cases->items[i]) : 1;
        result.sound = result.sound && expanded != 0;
        result.count += expanded == 0 ? 1 : expanded;
    }
    if (!result.sound || result.count > most) {
        return result;
    }
    result.places = tree_alloc(pool, (result.count + 1) * sizeof *result.places);
    put(&w, JRPC_SLICE("{"));
    for (size_t i = 0; i < file->count; i++) {
        put(&w, i == 0 ? JRPC_SLICE("") : JRPC_SLICE(","));
        put(&w, file->names[i]->spelling);
        put(&w, JRPC_SLICE(":"));
        if (file->items[i] == cases) {
            put_cases(&w, cases, &result);
        } else {
            put(&w, file->items[i]->spelling);
        }
    }
    put(&w, JRPC_SLICE("}"));
    result.sound = w.sound;
    return result;
}
