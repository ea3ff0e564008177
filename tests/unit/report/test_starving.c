// If memory runs out while a report is written, the report is refused or correct, and nothing is
// left behind. The linker gives this test the heap, the arenas and the buffers of all rooms (--wrap
// in CMakeLists.txt).
#include "tests/unit/report/report_test.h"

#include "harness/report/formats.h"
#include "reference/base/arena.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EVENTS_MAX = 64 };

// What fails. Allocations, arenas and buffers are numbered from 0 in the order in which they are
// asked for; NEVER: none.
#define NEVER SIZE_MAX
typedef struct shortage {
    size_t allocation; // this one fails …
    bool once;         // … alone, or with all that follow
    size_t arena;      // this arena has room for `room` bytes
    size_t buffer;     // or this buffer
    size_t room;
} shortage;

static const shortage plenty = {NEVER, false, NEVER, NEVER, 0};
static shortage now = {NEVER, false, NEVER, NEVER, 0};
static struct {
    size_t allocations, arenas, buffers;
    ptrdiff_t live; // blocks that were not freed
} asked;

static void *resize(void *context, void *ptr, size_t size)
{
    (void)context;
    if (size == 0) {
        asked.live -= ptr != NULL;
        free(ptr);
        return NULL;
    }
    size_t number = asked.allocations++;
    if (now.allocation != NEVER &&
        (now.once ? number == now.allocation : number >= now.allocation)) {
        return NULL;
    }
    void *block = realloc(ptr, size);
    asked.live += ptr == NULL && block != NULL;
    return block;
}

// NOLINTBEGIN(bugprone-reserved-identifier): the linker chooses these names.
const jrpc_allocator *__wrap_jrpc_allocator_heap(void);
void __wrap_jrpc_arena_init(jrpc_arena *arena, const jrpc_allocator *allocator, size_t limit);
void __real_jrpc_arena_init(jrpc_arena *arena, const jrpc_allocator *allocator, size_t limit);
void __wrap_jrpc_buffer_init(jrpc_buffer *buffer, const jrpc_allocator *allocator, size_t maximum);
void __real_jrpc_buffer_init(jrpc_buffer *buffer, const jrpc_allocator *allocator, size_t maximum);

const jrpc_allocator *__wrap_jrpc_allocator_heap(void)
{
    static const jrpc_allocator heap = {resize, NULL};
    return &heap;
}

void __wrap_jrpc_arena_init(jrpc_arena *arena, const jrpc_allocator *allocator, size_t limit)
{
    __real_jrpc_arena_init(arena, allocator, asked.arenas++ == now.arena ? now.room : limit);
}

void __wrap_jrpc_buffer_init(jrpc_buffer *buffer, const jrpc_allocator *allocator, size_t maximum)
{
    __real_jrpc_buffer_init(buffer, allocator, asked.buffers++ == now.buffer ? now.room : maximum);
}
// NOLINTEND(bugprone-reserved-identifier)

// A stream that was read before anything runs out.
typedef struct events {
    char *text;
    size_t count;
    jrpc_slice lines[EVENTS_MAX];
    jrpc_json_document documents[EVENTS_MAX];
} events;

static void add_stream(events *all, const char *name)
{
    char *text = golden(name);
    size_t had = all->text == NULL ? 0 : strlen(all->text);
    all->text = realloc(all->text, had + strlen(text) + 1);
    assert_non_null(all->text);
    memcpy(all->text + had, text, strlen(text) + 1);
    free(text);
}

static void read_events(events *all)
{
    jrpc_error error = {0};
    now = plenty;
    for (char *line = all->text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        assert_true(all->count < EVENTS_MAX);
        jrpc_json_document *document = &all->documents[all->count];
        all->lines[all->count++] = jrpc_slice_of(line, strcspn(line, "\n"));
        jrpc_json_document_init(document, jrpc_allocator_heap());
        assert_true(jrpc_json_read(document, all->lines[all->count - 1], JRPC_LIMIT_DEPTH, &error));
    }
}

static void forget_events(events *all)
{
    for (size_t i = 0; i < all->count; i++) {
        jrpc_json_document_done(&all->documents[i]);
    }
    free(all->text);
}

// One report under a shortage: owned text, or NULL if it was refused.
static char *written(const jck_report_format *format, const events *all,
                     const jck_report_options *options, shortage of)
{
    char *text = NULL;
    size_t len = 0;
    jrpc_error error = {0};
    FILE *out = open_memstream(&text, &len);
    assert_non_null(out);
    memset(&asked, 0, sizeof asked);
    now = of;
    void *state = format->open(out, options);
    bool whole = state != NULL;
    for (size_t i = 0; i < all->count && whole; i++) {
        whole = format->event(state, jrpc_json_root(&all->documents[i]), all->lines[i], &error);
    }
    if (state != NULL) {
        jrpc_error closing = {0};
        bool closed = format->close(state, &closing);
        error = whole ? closing : error;
        whole = whole && closed;
    }
    now = plenty;
    assert_int_equal(fclose(out), 0);
    if (asked.live != 0) {
        fail_msg("%s leaves %td blocks behind", format->name, asked.live);
    }
    if (!whole) {
        assert_true(state == NULL || error.code == JRPC_ERROR_MEMORY);
        free(text);
        return NULL;
    }
    return text;
}

// A report, and its text if memory does not run out.
typedef struct subject {
    const jck_report_format *format;
    const events *all;
    jck_report_options options;
    char *right;
    size_t allocations, arenas, buffers;
} subject;

// After so many rounds without a refusal, there is enough room.
enum { ENOUGH = 8 };

// True if the report was refused.
static bool refuses(const subject *of, shortage how)
{
    char *text = written(of->format, of->all, &of->options, how);
    if (text != NULL && strcmp(text, of->right) != 0) {
        fail_msg("%s is another one: allocation %zu, arena %zu, buffer %zu, room %zu",
                 of->format->name, how.allocation, how.arena, how.buffer, how.room);
    }
    free(text);
    return text == NULL;
}

static void shorten_allocations(const subject *of)
{
    bool refused = false;
    for (size_t i = 0; i < of->allocations; i++) {
        refused |= refuses(of, (shortage){i, true, NEVER, NEVER, 0});
        refused |= refuses(of, (shortage){i, false, NEVER, NEVER, 0});
    }
    assert_true(refused);
}

static void shorten_rooms(const subject *of, shortage how, size_t step)
{
    for (size_t in_a_row = 0; in_a_row < ENOUGH; how.room += step) {
        in_a_row = refuses(of, how) ? 0 : in_a_row + 1;
    }
}

// Rooms grow by `step` bytes at a time.
static void starve(const jck_report_format *format, const events *all, jck_report_options options,
                   size_t step)
{
    subject of = {.format = format, .all = all, .options = options};
    of.right = written(format, all, &options, plenty);
    assert_non_null(of.right);
    of.allocations = asked.allocations;
    of.arenas = asked.arenas;
    of.buffers = asked.buffers;
    shorten_allocations(&of);
    for (size_t i = 0; i < of.arenas; i++) {
        shorten_rooms(&of, (shortage){NEVER, false, i, NEVER, 0}, step);
    }
    for (size_t i = 0; i < of.buffers; i++) {
        shorten_rooms(&of, (shortage){NEVER, false, NEVER, i, 0}, step * 4);
    }
    free(of.right);
}

static void a_report_is_the_right_one_or_refused(void **state)
{
    (void)state;
    events all = {0};
    add_stream(&all, "rich.ndjson");
    read_events(&all);
    for (const jck_report_format *const *format = jck_report_formats(); *format != NULL; format++) {
        starve(*format, &all, (jck_report_options){.examples = 2}, 80);
    }
    forget_events(&all);
}

// Each event alone, as if a run began with it.
static void a_stream_without_its_beginning_is_the_right_one_or_refused(void **state)
{
    (void)state;
    events whole = {0};
    add_stream(&whole, "rich.ndjson");
    read_events(&whole);
    static const size_t picked[] = {0, 1, 4, 9, 16, 18}; // of each kind one, and two cases more
    for (size_t k = 0; k < sizeof picked / sizeof picked[0]; k++) {
        size_t i = picked[k];
        events one = {.count = 1, .lines = {whole.lines[i]}, .documents = {whole.documents[i]}};
        for (const jck_report_format *const *format = jck_report_formats(); *format != NULL;
             format++) {
            starve(*format, &one, (jck_report_options){.verbose = 2}, 16);
        }
    }
    forget_events(&whole);
}

static void a_report_of_changes_is_the_right_one_or_refused(void **state)
{
    (void)state;
    static const jck_report_format *const formats[] = {&jck_since_console, &jck_since_markdown,
                                                       &jck_since_html};
    events all = {0};
    add_stream(&all, "rich.ndjson");
    read_events(&all);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        starve(formats[i], &all, (jck_report_options){.since = true}, 80);
    }
    forget_events(&all);
}

static size_t size_of(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 ? (size_t)found.st_size : 0;
}

// Writes two reports of one stream to files, the first of them with an arena of `room` bytes.
static bool write_two(const char *folder, const events *all, size_t room, size_t ret_sizes[2])
{
    char specs[2][128];
    jrpc_error error = {0};
    const jck_report_options options = {0};
    memset(&asked, 0, sizeof asked);
    now = (shortage){.allocation = NEVER, .arena = 0, .buffer = NEVER, .room = room};
    jck_reports *reports = jck_reports_new();
    assert_non_null(reports);
    (void)snprintf(specs[0], sizeof specs[0], "json=%s/a", folder);
    (void)snprintf(specs[1], sizeof specs[1], "tap=%s/b", folder);
    for (size_t i = 0; i < 2; i++) {
        assert_true(jck_reports_add(reports, specs[i], &options, &error));
    }
    bool fed = true;
    for (size_t i = 0; i < all->count; i++) {
        fed = jck_reports_feed(reports, all->lines[i], &error) && fed;
    }
    bool closed = jck_reports_close(reports, &error);
    assert_true(fed == closed);
    assert_true(closed || error.code == JRPC_ERROR_MEMORY);
    assert_int_equal(asked.live, 0);
    for (size_t i = 0; i < 2; i++) {
        const char *path = strchr(specs[i], '=') + 1;
        ret_sizes[i] = size_of(path);
        (void)remove(path);
    }
    return closed;
}

static void a_report_that_is_refused_makes_no_file_and_takes_nothing_from_another(void **state)
{
    (void)state;
    char folder[] = "/tmp/jrpcheck-test-XXXXXX";
    size_t right[2];
    size_t sizes[2];
    events all = {0};
    add_stream(&all, "mixed.ndjson");
    read_events(&all);
    assert_non_null(mkdtemp(folder));
    assert_true(write_two(folder, &all, JRPC_LIMIT_DOCUMENT_BYTES, right));
    assert_true(right[0] > 0 && right[1] > 0);
    for (size_t room = 0; room < 256; room += 16) {
        assert_false(write_two(folder, &all, room, sizes));
        assert_int_equal(sizes[0], 0);
        assert_int_equal(sizes[1], right[1]);
    }
    assert_int_equal(rmdir(folder), 0); // nothing half-written is left beside them
    forget_events(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_is_the_right_one_or_refused),
        cmocka_unit_test(a_stream_without_its_beginning_is_the_right_one_or_refused),
        cmocka_unit_test(a_report_of_changes_is_the_right_one_or_refused),
        cmocka_unit_test(a_report_that_is_refused_makes_no_file_and_takes_nothing_from_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
