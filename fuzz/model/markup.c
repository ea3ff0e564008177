#include "fuzz/model/markup.h"

#include "fuzz/fuzz.h"
#include "fuzz/model/plain.h"

#include <stddef.h>
#include <stdlib.h>

enum { DEPTH_MAX = 24, ATTRIBUTES_MAX = 12, LINKS_MAX = 256 };

typedef struct element {
    const char *name;
    const char *parents;    // each between spaces; "": it is the root; "*": any
    const char *attributes; // each between spaces
    char how;               // 'v' void, 's' and 'j' hold the style and the script, 'm' marks bytes
} element;

// In the order of their first letters.
static const element html[] = {
    {"a", "*", " href ", 0},
    {"b", "*", " class ", 'm'},
    {"body", " html ", "", 0},
    {"br", " td ", "", 'v'},
    {"button", " div ", " type data-show data-open aria-pressed ", 0},
    {"code", "*", "", 0},
    {"dd", " div ", "", 0},
    {"details", " div ", " class data-is id data-rules ", 0},
    {"div", " body div header main section details dl ",
     " class hidden data-filter data-group tabindex role aria-label ", 0},
    {"dl", " header div ", " class ", 0},
    {"dt", " div ", "", 0},
    {"footer", " body ", "", 0},
    {"h1", " header ", "", 0},
    {"h2", " section ", " id ", 0},
    {"h3", " div ", "", 0},
    {"head", " html ", "", 0},
    {"header", " body div ", " class ", 0},
    {"html", "", " lang ", 0},
    {"i", "*", " class ", 'm'},
    {"input", " div ", " type placeholder aria-label ", 'v'},
    {"li", " ul ol ", " class ", 0},
    {"link", " head ", " rel href ", 'v'},
    {"main", " body div ", "", 0},
    {"meta", " head ", " charset http-equiv content name ", 'v'},
    {"nav", " body div ", " aria-label ", 0},
    {"ol", " div ", " class ", 0},
    {"p", " header div section footer main ", " class hidden ", 0},
    {"rect", " svg ", " class x width height ", 'v'},
    {"script", " body ", "", 'j'},
    {"section", " main ", " data-filter ", 0},
    {"small", " li ", "", 0},
    {"span", "*", " class ", 0},
    {"strong", " div ", "", 0},
    {"style", " head ", "", 's'},
    {"summary", " details ", "", 0},
    {"svg", " header td ", " class role viewBox preserveAspectRatio aria-label ", 0},
    {"table", " div ", " class ", 0},
    {"tbody", " table ", " data-group ", 0},
    {"td", " tr ", " class title colspan ", 0},
    {"th", " tr ", " class scope ", 0},
    {"thead", " table ", "", 0},
    {"title", " head ", "", 0},
    {"tr", " thead tbody ", " class data-is ", 0},
    {"ul", " div header nav section ", " class ", 0},
    {NULL, NULL, NULL, 0},
};
static const element junit[] = {
    {"error", " testcase ", " type message ", 0},
    {"failure", " testcase ", " type message ", 0},
    {"properties", " testsuite ", "", 0},
    {"property", " properties ", " name value ", 0},
    {"skipped", " testcase ", " message ", 0},
    {"system-out", " testcase ", "", 0},
    {"testcase", " testsuite ", " classname name time ", 0},
    {"testsuite", " testsuites ", " name tests failures errors skipped time timestamp ", 0},
    {"testsuites", "", " name ", 0},
    {NULL, NULL, NULL, 0},
};
static const element svg[] = {
    {"clipPath", " svg ", " id ", 0},
    {"g", " svg ", " clip-path fill font-family font-size ", 0},
    {"rect", " clipPath g ", " x width height rx fill ", 0},
    {"svg", "", " xmlns width height role aria-label ", 0},
    {"text", " g ", " x y textLength lengthAdjust ", 0},
    {"title", " svg ", "", 0},
    {NULL, NULL, NULL, 0},
};
static const element *const tables[] = {junit, svg, html};

typedef struct reader {
    jrpc_slice rest;
    markup_kind kind;
    const markup_assets *assets;
    const element *open[DEPTH_MAX];
    size_t depth, roots, styles, scripts;
    size_t cells, columns; // of this row; of this table, 0 before its first row
    // Places, and links to them; of more than there is room for the rest is not followed.
    jrpc_slice ids[LINKS_MAX], links[LINKS_MAX];
    size_t id_count, link_count;
} reader;

static void skip(reader *at, size_t len)
{
    at->rest.ptr += len;
    at->rest.len -= len;
}

static bool begins(const reader *at, const char *text)
{
    return plain_begins(at->rest, text);
}

static char next(const reader *at)
{
    return at->rest.len == 0 ? '\0' : at->rest.ptr[0];
}

// Whether a list names it: each name between spaces.
static bool is_listed(const char *list, jrpc_slice name)
{
    for (; *list != '\0'; list++) {
        size_t i = 0;
        while (list[0] == ' ' && i < name.len && list[1 + i] == name.ptr[i]) {
            i++;
        }
        if (list[0] == ' ' && i == name.len && list[1 + i] == ' ') {
            return true;
        }
    }
    return false;
}

static void need(reader *at, const char *text)
{
    FUZZ_REQUIRE(begins(at, text));
    skip(at, strlen(text));
}

static bool is_alphanumeric(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9');
}

static jrpc_slice take_name(reader *at)
{
    size_t len = 0;
    for (char byte; len < at->rest.len; len++) {
        byte = at->rest.ptr[len];
        if (!is_alphanumeric(byte) && byte != '-') {
            break;
        }
    }
    jrpc_slice name = jrpc_slice_of(at->rest.ptr, len);
    FUZZ_REQUIRE(len != 0);
    skip(at, len);
    return name;
}

static const element *element_named(const reader *at, jrpc_slice name)
{
    for (const element *known = tables[at->kind]; known->name != NULL; known++) {
        if (known->name[0] == name.ptr[0] && plain_begins(name, known->name) &&
            strlen(known->name) == name.len) {
            return known;
        }
    }
    return NULL;
}

// Letters and such, which are most of all.
static void take_letters(reader *at)
{
    size_t len = 0;
    for (char byte; len < at->rest.len; len++) {
        byte = at->rest.ptr[len];
        if (!is_alphanumeric(byte) && byte != ' ' && byte != '-' && byte != '.') {
            break;
        }
    }
    skip(at, len);
}

// One character of text or of a value, and letters after it.
static void take_character(reader *at)
{
    static const char *const references[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    if (next(at) == '&') {
        for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
            if (begins(at, references[i])) {
                skip(at, strlen(references[i]));
                return;
            }
        }
        fuzz_fail(__FILE__, __LINE__, "every & begins a reference");
    }
    FUZZ_REQUIRE(next(at) != '<' && next(at) != '>' && next(at) != '"');
    size_t len = plain_character(at->rest);
    FUZZ_REQUIRE(len != 0);
    skip(at, len);
    take_letters(at);
}

// Inside the document, or a file beside it: nothing that names a scheme, a host or another folder.
static void require_link(jrpc_slice link)
{
    if (jrpc_slice_is(link, "data:,")) {
        return;
    }
    bool inside = false;
    for (size_t i = 0; i < link.len; i++) {
        char byte = link.ptr[i];
        FUZZ_REQUIRE(is_alphanumeric(byte) || byte == '-' || byte == '.' || byte == '_' ||
                     (byte == '#' && !inside) || (inside && (byte == '/' || byte == '~')));
        inside = inside || byte == '#';
    }
    FUZZ_REQUIRE(link.len != 0 && (link.ptr[0] == '#' || plain_find(link, ".html") != SIZE_MAX));
    FUZZ_REQUIRE(!jrpc_slice_starts_with(link, JRPC_SLICE("..")));
}

static void take_attributes(reader *at, const element *of, bool *ret_bare)
{
    jrpc_slice seen[ATTRIBUTES_MAX];
    size_t count = 0;
    size_t columns = 1;
    for (; next(at) == ' ' || next(at) == '\n'; count++) {
        skip(at, 1);
        jrpc_slice name = take_name(at);
        FUZZ_REQUIRE(count < ATTRIBUTES_MAX && is_listed(of->attributes, name));
        for (size_t i = 0; i < count; i++) {
            FUZZ_REQUIRE(!jrpc_slice_equal(seen[i], name));
        }
        seen[count] = name;
        if (at->kind == MARKUP_HTML && next(at) != '=') {
            continue; // "hidden"
        }
        need(at, "=\"");
        const char *begin = at->rest.ptr;
        while (next(at) != '"') {
            FUZZ_REQUIRE(at->rest.len != 0 && next(at) != '\n');
            take_character(at);
        }
        jrpc_slice value = jrpc_slice_of(begin, (size_t)(at->rest.ptr - begin));
        skip(at, 1);
        if (jrpc_slice_is(name, "href")) {
            require_link(value);
            if (value.ptr[0] == '#' && at->link_count < LINKS_MAX) {
                at->links[at->link_count++] = jrpc_slice_from(value, 1);
            }
        } else if (jrpc_slice_is(name, "id") && at->id_count < LINKS_MAX) {
            at->ids[at->id_count++] = value;
        } else if (jrpc_slice_is(name, "colspan")) {
            columns = strtoul(value.ptr, NULL, 10);
        }
    }
    *ret_bare = count == 0;
    if (jrpc_slice_is(jrpc_slice_str(of->name), "td") ||
        jrpc_slice_is(jrpc_slice_str(of->name), "th")) {
        at->cells += columns;
    }
}

// <b>3</b>, or bytes that do not show themselves: <b>\xff</b>. Nothing else wants these two.
static void require_mark(const reader *at)
{
    size_t end = 0;
    bool number = next(at) != '\\';
    for (; end < at->rest.len && at->rest.ptr[end] != '<'; end++) {
        const char *allowed = number        ? "0123456789"
                              : end % 4 < 2 ? &"\\x"[end % 4]
                                            : "0123456789abcdef";
        FUZZ_REQUIRE(at->rest.ptr[end] != '\0');
        FUZZ_REQUIRE(number || end % 4 >= 2 ? strchr(allowed, at->rest.ptr[end]) != NULL
                                            : at->rest.ptr[end] == *allowed);
    }
    FUZZ_REQUIRE(number || end % 4 == 0);
}

static void take_opening(reader *at)
{
    skip(at, 1);
    const element *found = element_named(at, take_name(at));
    FUZZ_REQUIRE(found != NULL);
    const char *parent = at->depth == 0 ? "" : at->open[at->depth - 1]->name;
    FUZZ_REQUIRE(found->parents[0] == '*' ? at->depth != 0
                 : at->depth == 0         ? found->parents[0] == '\0'
                                          : is_listed(found->parents, jrpc_slice_str(parent)));
    at->roots += at->depth == 0;
    bool bare;
    at->cells = strcmp(found->name, "tr") == 0 ? 0 : at->cells;
    at->columns = strcmp(found->name, "table") == 0 ? 0 : at->columns;
    take_attributes(at, found, &bare);
    bool empty = next(at) == '/';
    FUZZ_REQUIRE(!empty || at->kind != MARKUP_HTML || found->how == 'v');
    need(at, empty ? "/>" : ">");
    if (found->how == 's' || found->how == 'j') {
        jrpc_slice whole = found->how == 's' ? at->assets->style : at->assets->script;
        FUZZ_REQUIRE(jrpc_slice_starts_with(at->rest, whole));
        skip(at, whole.len);
        at->styles += found->how == 's';
        at->scripts += found->how == 'j';
    } else if (found->how == 'm' && bare) {
        require_mark(at);
    }
    if (!empty && found->how != 'v') {
        FUZZ_REQUIRE(at->depth < DEPTH_MAX);
        at->open[at->depth++] = found;
    }
}

static void take_closing(reader *at)
{
    skip(at, 2);
    FUZZ_REQUIRE(at->depth != 0);
    const element *closed = at->open[--at->depth];
    need(at, closed->name);
    need(at, ">");
    if (strcmp(closed->name, "tr") == 0) {
        at->columns = at->columns == 0 ? at->cells : at->columns;
        FUZZ_REQUIRE(at->cells == at->columns);
    }
}

// Every link inside the document leads somewhere.
static void require_places(const reader *at)
{
    for (size_t i = 0; i < at->link_count && at->id_count < LINKS_MAX; i++) {
        bool found = false;
        for (size_t k = 0; k < at->id_count && !found; k++) {
            const jrpc_slice *id = &at->ids[k];
            found = id->len == at->links[i].len && id->len != 0 &&
                    id->ptr[id->len - 1] == at->links[i].ptr[id->len - 1] &&
                    memcmp(id->ptr, at->links[i].ptr, id->len) == 0;
        }
        FUZZ_REQUIRE(found);
    }
}

void markup_require(jrpc_slice text, markup_kind kind, const markup_assets *assets)
{
    reader at;
    memset(&at, 0, offsetof(reader, ids));
    at.rest = text;
    at.kind = kind;
    at.assets = assets;
    at.id_count = at.link_count = 0;
    if (kind == MARKUP_HTML) {
        need(&at, "<!doctype html>\n");
    } else if (kind == MARKUP_JUNIT) {
        need(&at, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    }
    while (at.rest.len != 0) {
        if (next(&at) != '<') {
            FUZZ_REQUIRE(at.depth != 0 || next(&at) == '\n');
            take_character(&at);
        } else if (begins(&at, "</")) {
            take_closing(&at);
        } else {
            take_opening(&at);
        }
    }
    FUZZ_REQUIRE(at.depth == 0 && at.roots == 1);
    require_places(&at);
    FUZZ_REQUIRE(kind != MARKUP_HTML || (at.styles == 1 && at.scripts == 1));
}

jrpc_slice markup_body(jrpc_slice text, const markup_assets *assets)
{
    size_t begin = plain_find(text, "<style>");
    FUZZ_REQUIRE(begin != SIZE_MAX);
    jrpc_slice body = jrpc_slice_from(text, begin + assets->style.len);
    FUZZ_REQUIRE(body.len > assets->script.len);
    body.len -= assets->script.len;
    return body;
}
