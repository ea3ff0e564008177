// A project file, or a description of a target: each simple member is loaded as it stands in the
// text, which is read a second time as a plain tree; a command has the words of the file; a URL
// that is accepted has no control characters; and the folder of a path is the one that dirname
// gives.
//
// A text that has the member "target" is a project file; another Object is a description; each line
// of anything else is a path and a URL.
#include "harness/suite/project.h"
#include "fuzz/folder.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/member.h"
#include "harness/suite/target_private.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 1 << 16, WORD_BYTES = 300 };

static void require_word(const tree *object, const char *name, jrpc_slice got)
{
    FUZZ_REQUIRE(jrpc_slice_equal(member_text(member_get(object, name)), got));
}

static void require_limit(const tree *object, const char *name, int64_t got)
{
    const tree *limits = member_get(object, "limits");
    FUZZ_REQUIRE(member_is_number(member_get(limits, name), got, 0));
}

static bool is_declared(const jck_target *target, const char *word)
{
    for (size_t i = 0; i < target->declare_count; i++) {
        if (jrpc_slice_is(target->declares[i], word)) {
            return true;
        }
    }
    return false;
}

// First come the words of this member, in order. The others come from other members.
static void require_declares(const tree *object, const jck_target *target)
{
    const tree *words = member_get(object, "declares");
    size_t own = member_count(words);
    size_t more = target->signer != NULL ? 1 : 0;
    more += target->streams_url != NULL ? 1 : 0;
    FUZZ_REQUIRE(target->declare_count == own + more);
    for (size_t i = 0; i < own; i++) {
        FUZZ_REQUIRE(jrpc_slice_equal(target->declares[i], member_text(words->items[i])));
    }
    FUZZ_REQUIRE(target->signer == NULL || is_declared(target, "engine"));
    FUZZ_REQUIRE(target->streams_url == NULL || is_declared(target, "streams"));
}

static bool has_variable(jrpc_slice text)
{
    return memchr(text.ptr, '$', text.len) != NULL || memchr(text.ptr, '\0', text.len) != NULL;
}

// A path that is not absolute stands below the folder of the file.
static void require_baseline(const tree *object, const jck_target *target)
{
    const tree *said = member_get(object, "baseline");
    FUZZ_REQUIRE((said == NULL) == (target->baseline == NULL));
    if (said == NULL || has_variable(said->content)) {
        return;
    }
    jrpc_slice path = said->content;
    size_t above = path.len > 0 && path.ptr[0] == '/' ? 0 : strlen(fuzz_folder()) + 1;
    FUZZ_REQUIRE(strlen(target->baseline) == above + path.len);
    FUZZ_REQUIRE(memcmp(target->baseline + above, path.ptr, path.len) == 0);
    FUZZ_REQUIRE(above == 0 || memcmp(target->baseline, fuzz_folder(), above - 1) == 0);
}

static void require_command(const tree *words, char *const *command)
{
    FUZZ_REQUIRE((words == NULL) == (command == NULL));
    FUZZ_REQUIRE(command == NULL || (command[0] != NULL && command[0][0] != '\0'));
    for (size_t i = 0; i < member_count(words); i++) {
        FUZZ_REQUIRE(command[i] != NULL);
        jrpc_slice said = words->items[i]->content;
        FUZZ_REQUIRE(has_variable(said) || jrpc_slice_is(said, command[i]));
    }
    FUZZ_REQUIRE(command == NULL || command[member_count(words)] == NULL);
}

static void require_statuses(const tree *object, const jck_target *target)
{
    const tree *statuses = member_get(object, "statuses");
    FUZZ_REQUIRE(target->orderly_status_count == member_count(statuses));
    for (size_t i = 0; i < target->orderly_status_count; i++) {
        FUZZ_REQUIRE(member_is_number(statuses->items[i], target->orderly_statuses[i], -1));
    }
}

// A String value of the document.
static bool is_given(const tree *value, jrpc_json got)
{
    return value == NULL ? !jrpc_json_exists(got)
                         : jrpc_slice_equal(jrpc_json_spelling(got), value->spelling);
}

static void require_members(const tree *object, const jck_target *target)
{
    const tree *software = member_get(object, "implementation");
    require_word(software, "name", target->implementation.name);
    require_word(software, "version", target->implementation.version);
    require_word(software, "language", target->implementation.language);
    require_limit(object, "message", (int64_t)target->max_message);
    require_limit(object, "depth", target->max_depth);
    require_limit(object, "async", target->async_ms);
    require_limit(object, "reply", target->reply_ms);
    require_declares(object, target);
    require_statuses(object, target);
    require_command(member_get(object, "command"), target->command);
    FUZZ_REQUIRE(is_given(member_get(object, "requests"), target->requests));
    FUZZ_REQUIRE(is_given(member_get(object, "request-params"), target->request_params));
    FUZZ_REQUIRE(member_get(object, "name") == NULL ||
                 jrpc_slice_equal(member_text(member_get(object, "name")), target->name));
    jrpc_slice line = member_text(member_get(member_get(object, "ready"), "line"));
    FUZZ_REQUIRE((target->ready == JCK_READY_LINE) == (line.len > 0));
    FUZZ_REQUIRE(line.len == 0 || jrpc_slice_equal(line, target->ready_text));
    const tree *methods = member_get(object, "methods");
    FUZZ_REQUIRE(target->mapping_count == (methods == NULL ? 0 : methods->count));
    for (size_t i = 0; i < target->mapping_count; i++) {
        FUZZ_REQUIRE(jrpc_slice_equal(target->mappings[i].capability, methods->names[i]->content));
    }
}

static void check_description(jrpc_slice text)
{
    tree_pool pool = {NULL};
    const tree *object = tree_read(&pool, text);
    char path[WORD_BYTES];
    jck_target target;
    fuzz_folder_put("given.json", text);
    (void)snprintf(path, sizeof path, "%s/given.json", fuzz_folder());
    jck_target_init(&target);
    if (jck_target_read_file(&target, path, "/nowhere", NULL)) {
        require_members(object, &target);
        require_baseline(object, &target);
        require_word(object, "profile", target.profile);
    }
    jck_target_done(&target);
    tree_pool_done(&pool);
}

// "FORMAT=PATH", where a relative path stands below the folder of the file.
static void require_reports(const tree *reports, const char *const *got)
{
    size_t count = member_count(reports);
    for (size_t i = 0; i < count; i++) {
        jrpc_slice said = reports->items[i]->content;
        size_t len = strlen(got[i]);
        size_t format = 0;
        while (format < said.len && said.ptr[format] != '=') {
            format++;
        }
        if (has_variable(said) || format == said.len) {
            continue;
        }
        jrpc_slice path = jrpc_slice_from(said, format + 1);
        bool below = !jrpc_slice_is(path, "-") && !jrpc_slice_starts_with(path, JRPC_SLICE("/"));
        FUZZ_REQUIRE(len == said.len + (below ? strlen(fuzz_folder()) + 1 : 0));
        FUZZ_REQUIRE(memcmp(got[i], said.ptr, format + 1) == 0);
        FUZZ_REQUIRE(memcmp(got[i] + len - path.len, path.ptr, path.len) == 0);
    }
    FUZZ_REQUIRE(got[count] == NULL);
}

static void check_project(jrpc_slice text)
{
    tree_pool pool = {NULL};
    const tree *object = tree_read(&pool, text);
    const tree *said = member_get(object, "target");
    char path[WORD_BYTES];
    jck_target target;
    jck_project project;
    fuzz_folder_put(JCK_PROJECT_FILE, text);
    (void)snprintf(path, sizeof path, "%s/%s", fuzz_folder(), JCK_PROJECT_FILE);
    if (jck_project_read(&target, path, "/nowhere", &project, NULL)) {
        if (said->kind == 'a') {
            FUZZ_REQUIRE(said->count > 0);
            require_command(said, target.command);
            FUZZ_REQUIRE(strcmp(target.directory, fuzz_folder()) == 0);
        }
        if (member_get(object, "profile") != NULL) {
            require_word(object, "profile", target.profile);
        }
        if (member_get(object, "baseline") != NULL) {
            require_baseline(object, &target);
        }
        require_reports(member_get(object, "reports"), project.reports);
    }
    jck_target_done(&target);
    // It is also found from a folder below.
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ROOM);
    fuzz_folder_put("below/x", JRPC_SLICE(""));
    (void)snprintf(path, sizeof path, "%s/below", fuzz_folder());
    const char *found = jck_project_find(&arena, path);
    FUZZ_REQUIRE(found != NULL && strstr(found, "/" JCK_PROJECT_FILE) != NULL);
    jrpc_arena_done(&arena);
    tree_pool_done(&pool);
}

// The text before the last slash; "/" if that is empty, and "." if there is no slash.
static void require_folder(const char *path)
{
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ROOM);
    const char *folder = jck_folder_of(&arena, path);
    size_t end = strlen(path);
    while (end > 0 && path[end - 1] != '/') {
        end--;
    }
    char wanted[WORD_BYTES + 1] = ".";
    if (end == 1) {
        wanted[0] = '/';
    } else if (end > 1) {
        memcpy(wanted, path, end - 1);
        wanted[end - 1] = '\0';
    }
    FUZZ_REQUIRE(strcmp(folder, wanted) == 0);
    jrpc_arena_done(&arena);
}

// Only a path may contain spaces.
static void require_visible(const char *word, bool spaces)
{
    for (const char *p = word; p != NULL && *p != '\0'; p++) {
        unsigned char byte = (unsigned char)*p;
        FUZZ_REQUIRE(byte != 0x7F && (byte > ' ' || (byte == ' ' && spaces)));
    }
}

static void check_lines(const fuzz_input *input)
{
    jrpc_slice rest = input->text;
    jrpc_slice text;
    for (unsigned n = 0; n < 4 && jrpc_slice_take_line(&rest, &text); n++) {
        char line[WORD_BYTES + 1] = {0};
        memcpy(line, text.ptr, text.len < WORD_BYTES ? text.len : WORD_BYTES);
        require_folder(line);
        jck_target target;
        jck_target_init(&target);
        if (jck_target_set_url(&target, line, NULL)) {
            require_visible(target.url, false);
            require_visible(target.host, false);
            require_visible(target.port, false);
            require_visible(target.path, true);
        }
        jck_target_done(&target);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    bool json = grammar_check(input.text, TREE_DEPTH).verdict == GRAMMAR_JSON;
    tree_pool pool = {NULL};
    const tree *object = json ? tree_read(&pool, input.text) : NULL;
    if (member_get(object, "target") != NULL) {
        check_project(input.text);
    } else if (json && object->kind == 'o') {
        check_description(input.text);
    } else {
        check_lines(&input);
    }
    tree_pool_done(&pool);
    return 0;
}
