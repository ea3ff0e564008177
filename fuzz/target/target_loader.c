// A description of a target that is anything: a file, a URL, a mapping, a header, a command to
// start. What is wrong is reported with its place; what was loaded is complete and can be handed to
// a transport; a file means the same however it is spelled and found; lack of memory is reported.
//
// Options: one byte that is free, the n-th allocation that fails.
#include "fuzz/folder.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "harness/suite/secret.h"
#include "harness/suite/target_private.h"
#include "reference/json/read.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { DEPTH = 64, ROOM = 1 << 20, WORD_BYTES = 300 };

// A file of the folder that is opened once and written anew for every text.
static const char *file_of(jrpc_slice text)
{
    static char path[300];
    static int descriptor = -1;
    static size_t len;
    if (descriptor < 0) {
        fuzz_folder_put("given.json", text);
        (void)snprintf(path, sizeof path, "%s/given.json", fuzz_folder());
        descriptor = open(path, O_WRONLY | O_CLOEXEC);
        FUZZ_REQUIRE(descriptor >= 0);
    }
    FUZZ_REQUIRE(pwrite(descriptor, text.ptr, text.len, 0) == (ssize_t)text.len);
    FUZZ_REQUIRE(text.len >= len || ftruncate(descriptor, (off_t)text.len) == 0);
    len = text.len;
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
    switch (jck_target_traits(target)->address) {
    case JRPC_ADDRESS_COMMAND:
        FUZZ_REQUIRE(target->command != NULL && target->command[0][0] != '\0');
        break;
    case JRPC_ADDRESS_PORT:
        FUZZ_REQUIRE(target->host != NULL && target->host[0] != '\0');
        FUZZ_REQUIRE(target->port != NULL && target->port[0] != '\0');
        break;
    case JRPC_ADDRESS_PATH:
        FUZZ_REQUIRE(target->path != NULL);
        break;
    case JRPC_ADDRESS_URL:
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

// Either the target offers it, or there is a reason that can be shown.
static void require_offers(jck_target *target, const char *need)
{
    jck_reason reason = {.code = JCK_REASON_NONE};
    bool offered = jck_target_offers(target, jrpc_slice_str(need), &target->arena, &reason);
    FUZZ_REQUIRE(offered == (reason.code == JCK_REASON_NONE));
    FUZZ_REQUIRE(offered || (reason.text != NULL && reason.text[0] != '\0'));
    FUZZ_REQUIRE(reason.code != JCK_REASON_NO_METHOD || reason.capability.len > 0);
    FUZZ_REQUIRE(reason.code != JCK_REASON_SAME_NAME || reason.capability.len > 0);
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
        jck_reason reason;
        FUZZ_REQUIRE(mapping == NULL || strchr(*known, '/') != NULL ||
                     jck_target_offers(target, jrpc_slice_str(*known), &target->arena, &reason));
    }
}

// The part that "${message/PART}" names, with its slash; empty where a value names none.
static jrpc_slice part_of(const tree *value)
{
    static const char prefix[] = "\"${message/";
    jrpc_slice said = value->spelling;
    size_t begin = sizeof prefix - 2;
    size_t end = begin;
    if (value->kind != 's' || !jrpc_slice_starts_with(said, JRPC_SLICE("\"${message/"))) {
        return (jrpc_slice){"", 0};
    }
    while (strchr("{}$\"\\", said.ptr[end]) == NULL && (unsigned char)said.ptr[end] > ' ') {
        end++;
    }
    bool whole = said.ptr[end] == '}' && end + 2 == said.len;
    return jrpc_slice_of(said.ptr + begin, whole ? end - begin : 0);
}

// Headers that repeat a part of each message name the parts that the file names, in that order.
static void require_mirrors(const jck_target *target, jrpc_slice text)
{
    tree_pool pool = {NULL};
    const tree *headers = tree_member(tree_read(&pool, text), "headers");
    size_t next = 0;
    for (size_t i = 0; headers != NULL && i < headers->count; i++) {
        const tree *value = headers->items[i];
        size_t count = value->kind == 'a' ? value->count : 1;
        if (value->kind != 'a' && part_of(value).len == 0) {
            continue;
        }
        FUZZ_REQUIRE(next < target->mirror_count);
        const jck_mirror *mirror = &target->mirrors[next++];
        FUZZ_REQUIRE(mirror->pointer_count == count);
        for (size_t k = 0; k < count; k++) {
            const tree *said = value->kind == 'a' ? value->items[k] : value;
            FUZZ_REQUIRE(jrpc_slice_equal(mirror->pointers[k], part_of(said)));
        }
    }
    FUZZ_REQUIRE(next == target->mirror_count);
    tree_pool_done(&pool);
}

typedef struct loaded {
    bool whole, memory;
    size_t steps, mappings, statuses, declares;
    jrpc_transport transport;
    jrpc_framing framing;
} loaded;

// What reading a description left behind; `target` is freed.
static loaded conclude(jck_target *target, bool whole, const jrpc_error *error)
{
    loaded result = {.whole = whole, .memory = error->code == JRPC_ERROR_MEMORY};
    FUZZ_REQUIRE(whole == (error->code == JRPC_OK));
    if (whole) {
        require_complete(target);
    } else {
        FUZZ_REQUIRE(error->message[0] != '\0');
        FUZZ_REQUIRE(result.memory || error->source[0] != '\0');
    }
    result.steps = target->prelude_count + target->postlude_count;
    result.mappings = target->mapping_count;
    result.statuses = target->orderly_status_count;
    result.declares = target->declare_count;
    result.transport = target->transport;
    result.framing = target->framing;
    jck_target_done(target);
    return result;
}

static loaded load(jrpc_slice text, const jrpc_allocator *allocator, bool offers)
{
    jck_target target;
    jrpc_error error = {.code = JRPC_OK};
    jck_target_init(&target);
    target.arena.allocator = allocator;
    bool whole = jck_target_read_file(&target, file_of(text), "/nowhere", &error);
    if (whole && offers) {
        require_all_offers(&target);
        require_mirrors(&target, text);
    }
    return conclude(&target, whole, &error);
}

static void require_same(const loaded *a, const loaded *b)
{
    FUZZ_REQUIRE(a->whole == b->whole);
    FUZZ_REQUIRE(a->steps == b->steps && a->mappings == b->mappings);
    FUZZ_REQUIRE(a->statuses == b->statuses && a->declares == b->declares);
    FUZZ_REQUIRE(a->transport == b->transport && a->framing == b->framing);
}

static void check_anew(const fuzz_input *input, const loaded *plain)
{
    if (grammar_check(input->text, DEPTH).verdict == GRAMMAR_JSON) {
        tree_pool pool = {NULL};
        jrpc_random random;
        jrpc_buffer anew;
        jrpc_random_init(&random, fuzz_input_seed(input));
        jrpc_buffer_init(&anew, jrpc_allocator_heap(), ROOM);
        tree_write(&anew, tree_read(&pool, input->text), TREE_SPACE, &random);
        loaded again = load(jrpc_buffer_slice(&anew), jrpc_allocator_heap(), false);
        require_same(plain, &again);
        jrpc_buffer_done(&anew);
        tree_pool_done(&pool);
    }
}

// A description is found by its name under a folder, as NAME/target.json or as NAME.json.
static void check_named(jrpc_slice text, const loaded *plain, bool second)
{
    jck_target target;
    jrpc_error error = {.code = JRPC_OK};
    fuzz_folder_put(second ? "given/header.json" : "given/target.json", text);
    bool whole = jck_target_load(&target, second ? "given/header" : "given", fuzz_folder(), &error);
    loaded named = conclude(&target, whole, &error);
    require_same(plain, &named);
}

// Steps in a file of their own do what they do as a description's prelude.
static void check_prelude(jrpc_slice text)
{
    if (grammar_check(text, DEPTH - 1).verdict != GRAMMAR_JSON) {
        return;
    }
    jck_target target;
    jrpc_error error = {.code = JRPC_OK};
    jck_target_init(&target);
    bool set = jck_target_set_prelude(&target, file_of(text), &error);
    FUZZ_REQUIRE(set == (error.code == JRPC_OK));
    size_t steps = target.prelude_count;
    jck_target_done(&target);
    jrpc_buffer whole;
    jrpc_buffer_init(&whole, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jrpc_buffer_append_str(&whole, "{\"schema\":1,\"command\":[\"a\"],\"prelude\":"));
    FUZZ_REQUIRE(jrpc_buffer_append(&whole, text) && jrpc_buffer_append_char(&whole, '}'));
    loaded description = load(jrpc_buffer_slice(&whole), jrpc_allocator_heap(), false);
    FUZZ_REQUIRE(set == description.whole && (!set || steps == description.steps));
    jrpc_buffer_done(&whole);
}

static void check_file(const fuzz_input *input)
{
    loaded plain = load(input->text, jrpc_allocator_heap(), fuzz_turn(input, 0, 4));
    FUZZ_REQUIRE(!plain.memory);
    if (input->options[1] != 0) {
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, input->options[1] - 1u);
        loaded starved = load(input->text, &failing.allocator, false);
        FUZZ_REQUIRE(starved.whole == plain.whole || !starved.whole);
    }
    if (fuzz_turn(input, 1, 4)) {
        check_anew(input, &plain);
    }
    if (fuzz_turn(input, 2, 4)) {
        check_named(input->text, &plain, input->text.len % 2 == 0);
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

// Whatever stands before the last "@" of an authority is masked, up to that "@".
static void require_authority(jrpc_slice masked)
{
    for (jrpc_slice rest = masked; rest.len > 0; rest = jrpc_slice_from(rest, 1)) {
        bool url = jrpc_slice_starts_with(rest, JRPC_SLICE("://"));
        size_t last = 0;
        for (size_t i = 3; url && i < rest.len && rest.ptr[i] > ' '; i++) {
            url = strchr("/?#'\"", rest.ptr[i]) == NULL;
            last = url && rest.ptr[i] == '@' ? i : last;
        }
        FUZZ_REQUIRE(last <= 3 || memcmp(rest.ptr + last - 3, "***", 3) == 0);
    }
}

// A name is what it was made of, but for secrets in it; there is none to mask any more.
static void require_masked(jrpc_slice whole, jrpc_slice name)
{
    jrpc_buffer once;
    jrpc_buffer twice;
    jrpc_buffer_init(&once, jrpc_allocator_heap(), ROOM);
    jrpc_buffer_init(&twice, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jck_mask_secrets(&once, whole) && jck_mask_secrets(&twice, name));
    FUZZ_REQUIRE(jrpc_slice_equal(jrpc_buffer_slice(&once), name));
    FUZZ_REQUIRE(jrpc_slice_equal(jrpc_buffer_slice(&twice), name));
    require_authority(name);
    // A secret ends where its word ends, so masking word by word gives the same. The space after a
    // word is kept with it, because a colon before a space does not belong to a secret.
    jrpc_buffer_clear(&twice);
    for (jrpc_slice rest = whole; rest.len != 0;) {
        const char *space = memchr(rest.ptr, ' ', rest.len);
        size_t len = space == NULL ? rest.len : (size_t)(space - rest.ptr) + 1;
        FUZZ_REQUIRE(jck_mask_secrets(&twice, jrpc_slice_of(rest.ptr, len)));
        rest = jrpc_slice_from(rest, len);
    }
    FUZZ_REQUIRE(jrpc_slice_equal(jrpc_buffer_slice(&twice), name));
    jrpc_buffer_done(&twice);
    jrpc_buffer_done(&once);
}

// What stands after "--" is the command, word for word, and the target is called like it.
static void check_command(const char *text)
{
    jck_target split;
    jck_target target;
    jrpc_error error = {.code = JRPC_OK};
    jck_target_init(&split);
    if (jck_target_set_start(&split, text, NULL)) {
        bool taken = jck_target_from_command(&target, split.start, &error);
        FUZZ_REQUIRE(taken == (split.start[0] != NULL && split.start[0][0] != '\0'));
        FUZZ_REQUIRE(taken == (error.code == JRPC_OK));
        jrpc_buffer name;
        jrpc_buffer_init(&name, jrpc_allocator_heap(), ROOM);
        for (size_t i = 0; taken && split.start[i] != NULL; i++) {
            FUZZ_REQUIRE(strcmp(target.command[i], split.start[i]) == 0);
            FUZZ_REQUIRE(jrpc_buffer_append_str(&name, i == 0 ? "" : " "));
            FUZZ_REQUIRE(jrpc_buffer_append_str(&name, split.start[i]));
        }
        require_masked(jrpc_buffer_slice(&name), target.name);
        jrpc_buffer_done(&name);
        jck_target_done(&target);
    }
    jck_target_done(&split);
}

// The first port and the last, one before and after each, and numbers that 16 or 32 bits would cut.
static void check_ports(void)
{
    static const struct {
        const char *port;
        bool good;
    } ports[] = {{"0", false},     {"1", true},           {"2", true},
                 {"65534", true},  {"65535", true},       {"65536", false},
                 {"65537", false}, {"131071", false},     {"00080", true},
                 {"-1", false},    {"4294967297", false}, {"18446744073709551617", false},
                 {"80x", false},   {"+80", false}};
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
        char url[64];
        jck_target target;
        jck_target_init(&target);
        (void)snprintf(url, sizeof url, "tcp://localhost:%s", ports[i].port);
        FUZZ_REQUIRE(jck_target_set_url(&target, url, NULL) == ports[i].good);
        jck_target_done(&target);
    }
}

// A description that is not there, or is a folder, is reported with its name.
static void check_unreadable(void)
{
    const char *const paths[] = {"/nowhere/at/all.json", fuzz_folder()};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        jck_target target;
        jrpc_error error = {.code = JRPC_OK};
        jck_target_init(&target);
        FUZZ_REQUIRE(!jck_target_read_file(&target, paths[i], NULL, &error));
        FUZZ_REQUIRE(error.code == JRPC_ERROR_SYSTEM && strcmp(error.source, paths[i]) == 0);
        jck_target_done(&target);
    }
}

static bool ends_like_a_file(const char *word)
{
    size_t len = strlen(word);
    return len >= 5 && strcmp(word + len - 5, ".json") == 0;
}

// A word of the command line is a URL, a file, or a name, and else it is refused with the forms.
static void check_word(const char *word)
{
    if (ends_like_a_file(word) || strchr(word, '/') != NULL) {
        return; // whatever stands in the file system
    }
    static bool laid;
    if (!laid) {
        const jrpc_slice known = JRPC_SLICE("{\"schema\":1,\"command\":[\"a\"]}");
        fuzz_folder_put("known/target.json", known);
        fuzz_folder_put(".hidden/target.json", known);
        laid = true;
    }
    jck_target target;
    jrpc_error error = {.code = JRPC_OK};
    bool found = jck_target_load(&target, word, fuzz_folder(), &error);
    FUZZ_REQUIRE(found == (error.code == JRPC_OK));
    if (strncmp(word, "unix:", 5) != 0 && strcmp(word, "given") != 0) {
        FUZZ_REQUIRE(found == (strcmp(word, "known") == 0));
        FUZZ_REQUIRE(found || error.code == JRPC_ERROR_USAGE);
    }
    FUZZ_REQUIRE(found || error.message[0] != '\0');
    jck_target_done(&target);
    error.code = JRPC_OK;
    found = jck_target_load(&target, word, NULL, &error);
    FUZZ_REQUIRE(!found || strncmp(word, "unix:", 5) == 0);
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
    FUZZ_REQUIRE(jck_target_add_header(&target, "X-Behind: it", NULL));
    require_list(target.headers, ":");
    FUZZ_REQUIRE(strcmp(target.headers[added ? 1 : 0], "X-Behind: it") == 0);
    FUZZ_REQUIRE(target.headers[added ? 2 : 1] == NULL);
    require_offers(&target, text);
    jck_target_done(&target);
    check_words(text);
}

// The first lines of the text, as they stand on a command line.
static void check_lines(const fuzz_input *input)
{
    jrpc_slice rest = input->text;
    jrpc_slice text;
    for (unsigned n = 0; n < 2 && jrpc_slice_take_line(&rest, &text); n++) {
        char line[WORD_BYTES + 1] = {0};
        memcpy(line, text.ptr, text.len < WORD_BYTES ? text.len : WORD_BYTES);
        check_line(line);
        if (fuzz_turn(input, n, 4)) {
            check_command(line);
        }
        if (fuzz_turn(input, 2 + n, 4)) {
            check_word(line);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    // What begins like a description is one; anything else is a file now and then.
    bool object = input.text.len != 0 && input.text.ptr[0] == '{';
    if (object || fuzz_turn(&input, 0, 8)) {
        check_file(&input);
    }
    if (!object || fuzz_turn(&input, 0, 8)) {
        check_lines(&input);
    }
    if (fuzz_turn(&input, 1, 8)) {
        check_prelude(input.text);
    }
    if (fuzz_turn(&input, 1, 64)) {
        check_unreadable();
        check_ports();
    }
    return 0;
}
