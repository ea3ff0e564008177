// Requests of RO-JRPC: what a client wrote, compared with its driver's command.
#include "harness/judge/client_view.h"
#include "reference/json/equal.h"

static bool has(jrpc_json object, const char *name)
{
    return jrpc_json_exists(jrpc_json_get(object, name));
}

// How the members of a Request contradict each other; NULL: they do not.
static const char *contradiction(jrpc_json object)
{
    if (!has(object, "resource")) {
        return has(object, "subresource") || has(object, "parent")
                   ? "subresource or parent without resource"
                   : NULL;
    }
    return has(object, "parent") && !has(object, "subresource") ? "parent without subresource"
           : !has(object, "verb")                               ? "resource without verb"
                                                                : NULL;
}

// Whether the method consists of resource, subresource and verb.
static bool method_agrees(jrpc_arena *arena, jrpc_json object)
{
    static const char *const parts[] = {"resource", "subresource", "verb"};
    jrpc_slice method;
    if (!has(object, "resource") || !has(object, "verb") ||
        !jrpc_json_string(jrpc_json_get(object, "method"), arena, &method)) {
        return true; // nothing to compare, or the method is not a String: reported elsewhere
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        jrpc_slice part;
        bool last = i + 1 == sizeof parts / sizeof *parts;
        if (!has(object, parts[i])) {
            continue;
        }
        if (!jrpc_json_string(jrpc_json_get(object, parts[i]), arena, &part) ||
            !jrpc_slice_starts_with(method, part)) {
            return false;
        }
        method = jrpc_slice_from(method, part.len);
        if (!last && (method.len == 0 || method.ptr[0] != '.')) {
            return false;
        }
        method = jrpc_slice_from(method, last ? 0 : 1);
    }
    return method.len == 0;
}

void jck_judge_routing(jck_trial *trial, int step, jrpc_json routing, jrpc_json object)
{
    jck_findings *findings = trial->findings;
    const char *wrong = contradiction(object);
    if (wrong != NULL || !method_agrees(trial->arena, object)) {
        jck_add_finding(findings, step, JCK_ROLE_REQUEST_ROUTING_FORM, "the Request has %s: %s",
                        wrong != NULL ? wrong
                                      : "a method that does not match its resource and verb",
                        jck_shown(trial, object));
    }
    if (contradiction(routing) != NULL) {
        return; // no Request can be written as commanded: what the client writes is its choice
    }
    for (const char *const *name = jck_routing_members(); *name != NULL; name++) {
        jrpc_json wanted = jrpc_json_get(routing, *name);
        jrpc_json got = jrpc_json_get(object, *name);
        if (jrpc_json_exists(wanted) != jrpc_json_exists(got) ||
            (jrpc_json_exists(wanted) && !jrpc_json_equal(wanted, got))) {
            jck_add_finding(findings, step, JCK_ROLE_REQUEST_ROUTING,
                            "asked for the %s %s; the Request has %s", *name,
                            jrpc_json_exists(wanted) ? jck_shown(trial, wanted) : "none",
                            jrpc_json_exists(got) ? jck_shown(trial, got) : "none");
        }
    }
}
