#include "harness/run/sight_resources.h"

#include "harness/run/question.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

#include <stdio.h>
#include <string.h>

#define RESULT_BYTES ((size_t)1 << 20)
enum { NAME_MAX_BYTES = 64, QUESTION_NUMBER = 900 };

// What stands under a name: the value of that member, the String that it is, or the Object that has
// it as its name.
static jrpc_json find_named(jrpc_json list, jrpc_slice word)
{
    static const char *const members[] = {"name", "resource", "subresource"};
    jrpc_json found =
        jrpc_json_is(list, JRPC_JSON_OBJECT) ? jrpc_json_member(list, word) : JRPC_JSON_ABSENT;
    for (jrpc_json_iterator it = jrpc_json_iterate(list);
         !jrpc_json_exists(found) && jrpc_json_step(&it);) {
        bool named = jrpc_json_string_is(it.value, word);
        for (size_t i = 0; i < sizeof members / sizeof *members && !named; i++) {
            named = jrpc_json_is(it.value, JRPC_JSON_OBJECT) &&
                    jrpc_json_string_is(jrpc_json_get(it.value, members[i]), word);
        }
        found = named ? it.value : found;
    }
    return found;
}

bool jck_describes_resource(jrpc_json described, jrpc_slice resource)
{
    char dotted[NAME_MAX_BYTES];
    jrpc_json listed = jrpc_json_is(described, JRPC_JSON_OBJECT)
                           ? jrpc_json_get(described, "resources")
                           : JRPC_JSON_ABSENT;
    jrpc_json resources = jrpc_json_exists(listed) ? listed : described;
    const char *slash = memchr(resource.ptr, '/', resource.len);
    if (jrpc_json_exists(find_named(resources, resource)) || resource.len >= sizeof dotted) {
        return jrpc_json_exists(find_named(resources, resource));
    }
    if (slash == NULL) {
        return false;
    }
    size_t at = (size_t)(slash - resource.ptr);
    memcpy(dotted, resource.ptr, resource.len);
    dotted[at] = '.';
    jrpc_json owner = find_named(resources, jrpc_slice_of(resource.ptr, at));
    jrpc_slice own = jrpc_slice_from(resource, at + 1);
    bool within = jrpc_json_is(owner, JRPC_JSON_OBJECT) &&
                  (jrpc_json_exists(find_named(owner, own)) ||
                   jrpc_json_exists(find_named(jrpc_json_get(owner, "subresources"), own)));
    return within || jrpc_json_exists(find_named(resources, jrpc_slice_of(dotted, resource.len)));
}

static void note(jck_target *target, jrpc_json described)
{
    for (const char *const *name = jck_resources(); *name != NULL; name++) {
        jrpc_slice resource = jrpc_slice_str(*name);
        char text[256];
        if (jck_target_mapping(target, resource) == NULL &&
            jck_describes_resource(described, resource)) {
            (void)snprintf(text, sizeof text,
                           "rpc.describe names a resource %s; add --method %s=%s to have it judged",
                           *name, *name, *name);
            (void)jck_target_add_sighting(target, resource, text);
        }
    }
}

void jck_sight_resources(jck_link *link)
{
    const jck_question asked = {.capability = "rpc.describe", .passing = JCK_PASSED_EITHER};
    jrpc_json_document document;
    jrpc_buffer result;
    jck_reply reply = JCK_REPLY_UNASKED;
    jrpc_buffer_init(&result, jrpc_allocator_heap(), RESULT_BYTES);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jck_asking asking = {.link = link, .result = &result};
    if (jck_ask(&asking, &asked, QUESTION_NUMBER, &reply) && reply == JCK_REPLY_OTHER &&
        jrpc_json_read(&document, jrpc_buffer_slice(&result), JRPC_LIMIT_DEPTH, NULL)) {
        note(link->target, jrpc_json_root(&document));
    }
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&result);
}
