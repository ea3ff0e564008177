// A description of a target that is anything: a file, a URL, a mapping, a header, a command to
// start. What is wrong is told with its place; what was loaded is complete and can be handed to a
// transport; a file means the same however it is spelled; memory that runs out is told.
//
// Options: one byte that is free, the n-th allocation that fails.
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "harness/suite/target_private.h"
#include "reference/json/read.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DEPTH = 64, ROOM = 1 << 20, WORD_BYTES = 300 };

// A file that has no name: the loader opens it by its descriptor.
static const char *file_of(jrpc_slice text)
{
    static char path[64];
    static int descriptor = -1;
    if (descriptor < 0) {
        char name[32];
        (void)snprintf(name, sizeof name, "/jrpc-fuzz-%ld", (long)getpid());
        descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
        FUZZ_REQUIRE(descriptor >= 0 && shm_unlink(name) == 0);
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    }
    FUZZ_REQUIRE(ftruncate(descriptor, 0) == 0);
    FUZZ_REQUIRE(pwrite(descriptor, text.ptr, text.len, 0) == (ssize_t)text.len);
    return path;
}

static void require_list(const char *const *list, const char *with)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++) {
        FUZZ_REQUIRE(strpbrk(list[i], "\r\n") == NULL && strstr(list[i], with) != NULL);
        FUZZ_REQUIRE(list[i][0] != with[0]);
    }
}

static void require_place(const jck_target *target)
{
    switch (target->transport) {
    case JRPC_TRANSPORT_STDIO:
        FUZZ_REQUIRE(target->command != NULL && target->command[0][0] != '\0');
        break;
    case JRPC_TRANSPORT_TCP:
        FUZZ_REQUIRE(target->host != NULL && target->host[0] != '\0');
        FUZZ_REQUIRE(target->port != NULL && target->port[0] != '\0');
        break;
    case JRPC_TRANSPORT_UNIX:
        FUZZ_REQUIRE(target->path != NULL);
        break;
    case JRPC_TRANSPORT_HTTP:
    case JRPC_TRANSPORT_WEBSOCKET:
        FUZZ_REQUIRE(target->url != NULL);
        break;
    }
}

static void require_complete(const jck_target *target)
{
    require_place(target);
    require_list(target->headers, ":");
    require_list(target->environment, "=");
    for (size_t i = 0; i < target->orderly_status_count; i++) {
        FUZZ_REQUIRE(target->orderly_statuses[i] >= 0 && target->orderly_statuses[i] <= 255);
    }
    for (size_t i = 0; i < target->mapping_count; i++) {
        const jck_mapping *mapping = &target->mappings[i];
        FUZZ_REQUIRE(jck_is_capability(mapping->capability));
        FUZZ_REQUIRE(jck_target_mapping(target, mapping->capability) == mapping);
        grammar_result method = grammar_check(mapping->method, 1);
        FUZZ_REQUIRE(method.verdict == GRAMMAR_JSON && mapping->method.ptr[0] == '"');
    }
    FUZZ_REQUIRE(target->reply_ms >= 0 && target->async_ms >= 0 && target->max_depth >= 0);
}

// What a target offers or lacks, and then a reason that can be shown.
static void require_offers(jck_target *target, const char *need)
{
    const char *reason = NULL;
    bool offered = jck_target_offers(target, jrpc_slice_str(need), &reason);
    FUZZ_REQUIRE(offered || (reason != NULL && reason[0] != '\0'));
}

static void require_all_offers(jck_target *target)
{
    static const char *const needs[] = {
        "connections",     "receive",        "results",      "stdio",        "framing:length32",
        "transport:http",  "declares:x",     "limits:depth", "limits:reply", "limits:message",
        "transport:stdio", "limits:async",   "framing:line", "echo/by-name", "subtract/by-position",
        "declares:1.0",    "declares:update"};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        require_offers(target, needs[i]);
    }
    for (const char *const *known = jck_capabilities(); *known != NULL; known++) {
        require_offers(target, *known);
        const jck_mapping *mapping = jck_target_mapping(target, jrpc_slice_str(*known));
        const char *reason;
        FUZZ_REQUIRE(mapping == NULL || strchr(*known, '/') != NULL ||
                     jck_target_offers(target, jrpc_slice_str(*known), &reason));
    }
}

typedef struct loaded {
    bool whole, memory;
    size_t steps, mappings, statuses, declares;
    jrpc_transport transport;
    jrpc_framing framing;
} loaded;

static loaded load(jrpc_slice text, const jrpc_allocator *allocator)
{
    jck_target target;
    jrpc_error error = {.code = JRPC_OK};
    jck_target_init(&target);
    target.arena.allocator = allocator;
    loaded result = {.whole = jck_target_read_file(&target, file_of(text), "/nowhere", &error)};
    FUZZ_REQUIRE(result.whole == (error.code == JRPC_OK));
    if (result.whole) {
        require_complete(&target);
        if (allocator == jrpc_allocator_heap()) {
            require_all_offers(&target);
        }
    } else {
        FUZZ_REQUIRE(error.message[0] != '\0');
        FUZZ_REQUIRE(error.code == JRPC_ERROR_MEMORY || error.source[0] != '\0');
    }
    result.memory = error.code == JRPC_ERROR_MEMORY;
    result.steps = target.prelude_count + target.postlude_count;
    result.mappings = target.mapping_count;
    result.statuses = target.orderly_status_count;
    result.declares = target.declare_count;
    result.transport = target.transport;
    result.framing = target.framing;
    jck_target_done(&target);
    return result;
}

static void require_same(const loaded *a, const loaded *b)
{
    FUZZ_REQUIRE(a->whole == b->whole);
    FUZZ_REQUIRE(a->steps == b->steps && a->mappings == b->mappings);
    FUZZ_REQUIRE(a->statuses == b->statuses && a->declares == b->declares);
    FUZZ_REQUIRE(a->transport == b->transport && a->framing == b->framing);
}

static void check_file(const fuzz_input *input)
{
    loaded plain = load(input->text, jrpc_allocator_heap());
    FUZZ_REQUIRE(!plain.memory);
    if (grammar_check(input->text, DEPTH).verdict == GRAMMAR_JSON) {
        tree_pool pool = {NULL};
        jrpc_random random;
        jrpc_buffer anew;
        jrpc_random_init(&random, fuzz_input_seed(input));
        jrpc_buffer_init(&anew, jrpc_allocator_heap(), ROOM);
        tree_write(&anew, tree_read(&pool, input->text), TREE_SPACE, &random);
        loaded again = load(jrpc_buffer_slice(&anew), jrpc_allocator_heap());
        require_same(&plain, &again);
        jrpc_buffer_done(&anew);
        tree_pool_done(&pool);
    }
    if (input->options[1] != 0) {
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, input->options[1] - 1u);
        loaded starved = load(input->text, &failing.allocator);
        FUZZ_REQUIRE(starved.whole == plain.whole || !starved.whole);
    }
}

// Words in quotes are what they were.
static void check_words(const char *text)
{
    jck_target target;
    jrpc_error error = {.code = JRPC_OK};
    jck_target_init(&target);
    bool split = jck_target_set_start(&target, text, &error);
    FUZZ_REQUIRE(split == (error.code == JRPC_OK) && split == (target.start != NULL));
    jrpc_buffer quoted;
    jrpc_buffer_init(&quoted, jrpc_allocator_heap(), ROOM);
    for (size_t i = 0; split && target.start[i] != NULL; i++) {
        FUZZ_REQUIRE(jrpc_buffer_append_str(&quoted, " '"));
        for (const char *p = target.start[i]; *p != '\0'; p++) {
            FUZZ_REQUIRE(*p == '\'' ? jrpc_buffer_append_str(&quoted, "'\\''")
                                    : jrpc_buffer_append_char(&quoted, *p));
        }
        FUZZ_REQUIRE(jrpc_buffer_append_char(&quoted, '\''));
    }
    FUZZ_REQUIRE(jrpc_buffer_append_char(&quoted, '\0'));
    if (split) {
        char *const *before = target.start;
        FUZZ_REQUIRE(jck_target_set_start(&target, quoted.ptr, NULL));
        size_t i = 0;
        for (; before[i] != NULL; i++) {
            FUZZ_REQUIRE(target.start[i] != NULL && strcmp(before[i], target.start[i]) == 0);
        }
        FUZZ_REQUIRE(target.start[i] == NULL);
    }
    jrpc_buffer_done(&quoted);
    jck_target_done(&target);
}

static void check_line(const char *text)
{
    jck_target target;
    jrpc_error error = {.code = JRPC_OK};
    jck_target_init(&target);
    bool known = jck_target_set_url(&target, text, &error);
    FUZZ_REQUIRE(known == (error.code == JRPC_OK));
    if (known) {
        require_place(&target);
    }
    error.code = JRPC_OK;
    bool mapped = jck_target_add_mapping(&target, text, &error);
    FUZZ_REQUIRE(mapped == (error.code == JRPC_OK) && target.mapping_count == (mapped ? 1 : 0));
    FUZZ_REQUIRE(!mapped || target.mappings->by_position || target.mappings->by_name);
    error.code = JRPC_OK;
    bool added = jck_target_add_header(&target, text, &error);
    FUZZ_REQUIRE(added == (error.code == JRPC_OK) && added == (target.headers != NULL));
    require_list(target.headers, ":");
    require_offers(&target, text);
    jck_target_done(&target);
    check_words(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    check_file(&input);
    // Lines of the text, as they stand on a command line.
    jrpc_slice rest = input.text;
    for (int n = 0; n < 4 && rest.len != 0; n++) {
        const char *feed = memchr(rest.ptr, '\n', rest.len);
        size_t len = feed == NULL ? rest.len : (size_t)(feed - rest.ptr);
        char line[WORD_BYTES + 1] = {0};
        memcpy(line, rest.ptr, len < WORD_BYTES ? len : WORD_BYTES);
        check_line(line);
        rest = jrpc_slice_from(rest, len + 1);
    }
    return 0;
}
