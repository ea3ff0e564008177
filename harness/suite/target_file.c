// Target description files.
#include "harness/suite/load.h"
#include "harness/suite/target_private.h"

#include <stdlib.h>

static const char *const file_members[] = {
    "schema",   "name",     "title",   "implementation", "install",     "command",  "start",
    "url",      "cwd",      "env",     "ready",          "transport",   "framing",  "headers",
    "prelude",  "postlude", "methods", "profile",        "limits",      "requests", "baseline",
    "declares", "statuses", "events",  "request-params", "credentials", "streams",  NULL};

// The state while a description is read.
typedef struct description {
    jck_reader reader;
    jck_target *target;
    jck_places places;
    jrpc_json root;
} description;

// The String with its places filled in; NULL after a diagnostic.
static const char *filled(description *d, jrpc_json value, const char *name, bool environment)
{
    const char *text;
    if (!jck_read_string_value(&d->reader, value, name, &text)) {
        return NULL;
    }
    jrpc_error error = {0};
    const char *result = jck_places_fill(&d->places, text, environment, &error);
    if (result == NULL) {
        (void)jck_reader_refuse(&d->reader, value, name, &error);
    }
    return result;
}

// A list of Strings as argv; NULL if the member is absent or wrong.
static char *const *load_words(description *d, const char *name)
{
    jrpc_json value = jrpc_json_get(d->root, name);
    if (!jrpc_json_exists(value) || !jck_read_kind(&d->reader, value, name, JRPC_JSON_ARRAY)) {
        return NULL;
    }
    char **words = jck_reader_array(&d->reader, (size_t)jrpc_json_count(value) + 1, sizeof *words);
    size_t count = 0;
    jrpc_json_iterator elements = jrpc_json_iterate(value);
    while (words != NULL && jrpc_json_step(&elements)) {
        const char *word = filled(d, elements.value, name, true);
        if (word == NULL) {
            return NULL;
        }
        // The arena's bytes are writable: argv of a new program is not const.
        words[count++] = (char *)(uintptr_t)word;
    }
    if (words != NULL && (count == 0 || words[0][0] == '\0')) {
        (void)jck_wrong(&d->reader, value, "%s names no program", name);
        return NULL;
    }
    return words;
}

// "env": NAME → value as "NAME=value".
static const char *const *load_environment(description *d)
{
    jrpc_json value = jrpc_json_get(d->root, "env");
    if (!jrpc_json_exists(value) || !jck_read_kind(&d->reader, value, "env", JRPC_JSON_OBJECT)) {
        return NULL;
    }
    const char **pairs =
        jck_reader_array(&d->reader, (size_t)jrpc_json_count(value) + 1, sizeof *pairs);
    size_t count = 0;
    jrpc_json_iterator members = jrpc_json_iterate(value);
    while (pairs != NULL && jrpc_json_step(&members)) {
        const char *key;
        const char *text = filled(d, members.value, "env", true);
        if (text == NULL || !jck_read_string_value(&d->reader, members.key, "env", &key)) {
            continue;
        }
        if (key[0] == '\0' || strpbrk(key, "=:\r\n") != NULL || strpbrk(text, "\r\n") != NULL) {
            (void)jck_wrong(
                &d->reader, members.key,
                "env: a name must not be empty or contain '=' or ':'; a value must be one line");
            continue;
        }
        pairs[count] = jrpc_arena_printf(d->reader.arena, "%s=%s", key, text);
        if (pairs[count++] == NULL) {
            (void)jck_reader_starve(&d->reader);
            return NULL;
        }
    }
    return pairs;
}

// Where it is: a command, or a url with or without a command to start first.
static void load_place(description *d)
{
    jrpc_json url = jrpc_json_get(d->root, "url");
    jrpc_json command = jrpc_json_get(d->root, "command");
    jrpc_json start = jrpc_json_get(d->root, "start");
    d->target->command = load_words(d, "command");
    d->target->start = load_words(d, "start");
    if (jrpc_json_exists(url) == jrpc_json_exists(command)) {
        (void)jck_wrong(&d->reader, d->root,
                        "a target has either command (a child process on stdio) or url, not %s",
                        jrpc_json_exists(url) ? "both" : "neither");
    } else if (jrpc_json_exists(command) && jrpc_json_exists(start)) {
        (void)jck_wrong(&d->reader, start, "start goes with url; a command is started anyway");
    }
    if (jrpc_json_exists(url)) {
        jrpc_error error = {0};
        const char *word = filled(d, url, "url", true);
        if (word != NULL && !jck_target_set_url(d->target, word, &error)) {
            (void)jck_wrong(&d->reader, url, "%s", error.message);
        }
    }
    d->target->environment = load_environment(d);
    jrpc_json cwd = jrpc_json_get(d->root, "cwd");
    if (jrpc_json_exists(cwd)) {
        d->target->directory = filled(d, cwd, "cwd", true);
    }
}

static void load_ready(description *d)
{
    static const char *const members[] = {"port", "line", "probe", NULL};
    jrpc_json ready = jrpc_json_get(d->root, "ready");
    if (!jrpc_json_exists(ready) || !jck_read_object(&d->reader, ready, "ready", members)) {
        return;
    }
    if (jrpc_json_count(ready) != 1) {
        (void)jck_wrong(&d->reader, ready, "ready has exactly one of port, line and probe");
        return;
    }
    bool flag = true;
    (void)jck_read_flag(&d->reader, ready, "port", &flag);
    (void)jck_read_flag(&d->reader, ready, "probe", &flag);
    if (!flag) {
        (void)jck_wrong(&d->reader, ready, "port and probe take true");
    }
    if (jck_read_word(&d->reader, ready, "line", false, &d->target->ready_text)) {
        d->target->ready = JCK_READY_LINE;
    }
}

static void load_speech(description *d)
{
    jrpc_slice name;
    jrpc_transport transport;
    if (jck_read_text(&d->reader, d->root, "transport", false, &name)) {
        jrpc_json at = jrpc_json_get(d->root, "transport");
        if (!jrpc_transport_from_name(name, &transport)) {
            char known[80];
            jrpc_transport_names(known, sizeof known);
            (void)jck_wrong(&d->reader, at, "unknown transport \"%.*s\"; known are %s",
                            JCK_WORD(name), known);
        } else if (transport != d->target->transport) {
            (void)jck_wrong(&d->reader, at, "the transport is %.*s, but %s means %s",
                            JCK_WORD(name), d->target->command != NULL ? "a command" : "the url",
                            jck_target_traits(d->target)->name);
        }
    }
    jck_read_framing(&d->reader, d->root, &d->target->framing_given, &d->target->framing);
    jck_scope scope = {0};
    jrpc_json prelude = jrpc_json_get(d->root, "prelude");
    jrpc_json postlude = jrpc_json_get(d->root, "postlude");
    if (jrpc_json_exists(prelude)) {
        (void)jck_load_steps(&d->reader, &scope, prelude, &d->target->prelude,
                             &d->target->prelude_count);
    }
    d->places.later = scope.captured;
    d->places.later_count = scope.captured_count;
    jck_header_lists headers;
    jck_load_headers(&d->reader, &d->places, jrpc_json_get(d->root, "headers"), &headers);
    d->target->headers = headers.plain;
    d->target->session_headers = headers.session;
    d->target->mirrors = headers.mirrors;
    d->target->mirror_count = headers.mirror_count;
    jck_load_credentials(&d->reader, &d->places, jrpc_json_get(d->root, "credentials"), d->target);
    jrpc_json params = jrpc_json_get(d->root, "request-params");
    if (jrpc_json_exists(params) &&
        jck_read_kind(&d->reader, params, "request-params", JRPC_JSON_OBJECT)) {
        d->target->request_params = params;
    }
    d->places.later = NULL;
    d->places.later_count = 0;
    jck_load_methods(&d->reader, &scope, jrpc_json_get(d->root, "methods"), &d->target->mappings,
                     &d->target->mapping_count);
    if (jrpc_json_exists(postlude)) {
        (void)jck_load_steps(&d->reader, &scope, postlude, &d->target->postlude,
                             &d->target->postlude_count);
    }
}

// The URL of a path on the target's server. NULL after a diagnostic.
static const char *path_to_url(description *d, const char *path)
{
    const char *server = strstr(d->target->url, "://") + strlen("://");
    size_t len = (size_t)(server - d->target->url) + strcspn(server, "/?#");
    const char *url = jrpc_arena_printf(d->reader.arena, "%.*s%s", (int)len, d->target->url, path);
    if (url == NULL) {
        (void)jck_reader_starve(&d->reader);
    }
    return url;
}

// A member that is a path on the target's server; `url_itself`: true means the url itself. *ret_url
// stays empty if the member is absent or after a diagnostic.
static void load_path(description *d, const char *member, bool url_itself, const char **ret_url)
{
    jrpc_json value = jrpc_json_get(d->root, member);
    const char *path = NULL;
    if (!jrpc_json_exists(value)) {
        return;
    }
    if (!jck_target_traits(d->target)->exchanges || d->target->url == NULL) {
        (void)jck_wrong(&d->reader, value, "%s goes with a url of HTTP", member);
    } else if (url_itself && jrpc_json_is(value, JRPC_JSON_TRUE)) {
        *ret_url = d->target->url;
    } else if (!jrpc_json_is(value, JRPC_JSON_STRING) ||
               !jck_read_string_value(&d->reader, value, member, &path) || path[0] != '/') {
        (void)jck_wrong(&d->reader, value, "%s takes %sa path that begins with a slash", member,
                        url_itself ? "true (GET at the url) or " : "");
    } else {
        *ret_url = path_to_url(d, path);
    }
}

static void load_limits(description *d)
{
    static const char *const members[] = {"message", "depth", "async", "reply", NULL};
    jrpc_json limits = jrpc_json_get(d->root, "limits");
    int64_t message = 0;
    if (!jrpc_json_exists(limits) || !jck_read_object(&d->reader, limits, "limits", members)) {
        return;
    }
    (void)jck_read_integer(&d->reader, limits, "message", false, 1, INT32_MAX, &message);
    (void)jck_read_integer(&d->reader, limits, "depth", false, 1, INT32_MAX, &d->target->max_depth);
    (void)jck_read_integer(&d->reader, limits, "async", false, 1, INT32_MAX, &d->target->async_ms);
    (void)jck_read_integer(&d->reader, limits, "reply", false, 1, INT32_MAX, &d->target->reply_ms);
    d->target->max_message = (size_t)message;
}

static void load_implementation(description *d)
{
    static const char *const members[] = {"name", "version", "language", "url", NULL};
    jrpc_json about = jrpc_json_get(d->root, "implementation");
    jck_implementation *implementation = &d->target->implementation;
    if (jrpc_json_exists(about) && jck_read_object(&d->reader, about, "implementation", members)) {
        (void)jck_read_word(&d->reader, about, "name", false, &implementation->name);
        (void)jck_read_word(&d->reader, about, "version", false, &implementation->version);
        (void)jck_read_word(&d->reader, about, "language", false, &implementation->language);
    }
}

static void load_rest(description *d)
{
    jck_target *target = d->target;
    jrpc_json requests = jrpc_json_get(d->root, "requests");
    jrpc_json baseline = jrpc_json_get(d->root, "baseline");
    jrpc_slice title;
    load_implementation(d);
    (void)jck_read_word(&d->reader, d->root, "name", false, &target->name);
    (void)jck_read_word(&d->reader, d->root, "title", false, &title);
    (void)jck_read_word(&d->reader, d->root, "profile", false, &target->profile);
    (void)jck_read_words(&d->reader, d->root, "declares", false, &target->declares,
                         &target->declare_count);
    if ((target->signer != NULL && !jck_target_declare(target, JRPC_SLICE("engine"))) ||
        (target->streams_url != NULL && !jck_target_declare(target, JRPC_SLICE("streams")))) {
        (void)jck_reader_starve(&d->reader);
    }
    if (jrpc_json_exists(requests) &&
        jck_read_kind(&d->reader, requests, "requests", JRPC_JSON_OBJECT)) {
        target->requests = requests;
    }
    if (jrpc_json_exists(baseline)) {
        const char *path = filled(d, baseline, "baseline", true);
        // A path that is not absolute is relative to the folder of the file.
        target->baseline = path == NULL || path[0] == '/'
                               ? path
                               : jrpc_arena_printf(d->reader.arena, "%s/%s", d->places.here, path);
    }
}

// Where ${zoo} is: JRPCHECK_ZOO, or .zoo beside the folder of targets.
static const char *find_zoo(jrpc_arena *arena, const char *here, const char *targets_directory)
{
    const char *given = getenv("JRPCHECK_ZOO");
    if (given != NULL && given[0] != '\0') {
        return jck_absolute(arena, given);
    }
    const char *targets = targets_directory == NULL ? jck_folder_of(arena, here)
                                                    : jck_absolute(arena, targets_directory);
    const char *parent = targets == NULL ? NULL : jck_folder_of(arena, targets);
    return parent == NULL ? NULL : jrpc_arena_printf(arena, "%s/.zoo", parent);
}

bool jck_target_read_members(jck_target *target, jck_reader *reader, jrpc_json object,
                             const char *targets_directory)
{
    if (!jck_read_object(reader, object, "a target file", file_members)) {
        return false;
    }
    description d = {.reader = *reader, .target = target, .root = object};
    const char *absolute = jck_absolute(&target->arena, reader->file);
    const char *here = absolute == NULL ? NULL : jck_folder_of(&target->arena, absolute);
    target->file = d.reader.file;
    d.places = (jck_places){.arena = &target->arena, .here = here};
    d.places.zoo = here == NULL ? NULL : find_zoo(&target->arena, here, targets_directory);
    if (d.places.zoo == NULL) {
        return jck_reader_starve(reader);
    }
    load_place(&d);
    load_ready(&d);
    load_speech(&d);
    // Where a GET opens a stream of events: without a call, and with a call in its query.
    load_path(&d, "events", true, &d.target->events_url);
    load_path(&d, "streams", false, &d.target->streams_url);
    load_limits(&d);
    jck_read_statuses(&d.reader, d.root, &d.target->orderly_statuses,
                      &d.target->orderly_status_count);
    load_rest(&d);
    target->own_port = d.places.port;
    target->port_claim = d.places.claim;
    *reader = d.reader;
    return d.reader.wrong == 0;
}

bool jck_target_read_file(jck_target *target, const char *file, const char *targets_directory,
                          jrpc_error *error)
{
    jck_reader reader;
    jrpc_json root;
    jck_reader_init(&reader, &target->arena, NULL, NULL, error);
    if (!jck_reader_open(&reader, file, &root) ||
        !jck_target_read_members(target, &reader, root, targets_directory)) {
        return false;
    }
    jck_read_schema(&reader, root);
    return reader.wrong == 0;
}
