#include "reference/server/openrpc.h"

#include "reference/server/fault.h"

#include <string.h>

// Some methods of methods.c, as OpenRPC describes them.
static const char description[] =
    "{\"openrpc\":\"1.3.2\",\"info\":{\"title\":\"jrpc-reference\",\"version\":\"1.0\"},"
    "\"methods\":["
    "{\"name\":\"subtract\",\"paramStructure\":\"either\",\"params\":["
    "{\"name\":\"minuend\",\"required\":true,\"schema\":{\"$ref\":\"#/components/schemas/Term\"}},"
    "{\"name\":\"subtrahend\",\"required\":true,"
    "\"schema\":{\"$ref\":\"#/components/schemas/Term\"}}],"
    "\"result\":{\"name\":\"difference\",\"schema\":{\"type\":\"integer\"}},"
    "\"errors\":[{\"code\":1,\"message\":\"Too large\"},{\"code\":2,\"message\":\"Too small\"}],"
    "\"examples\":[{\"name\":\"two terms\",\"params\":["
    "{\"name\":\"minuend\",\"value\":42},{\"name\":\"subtrahend\",\"value\":23}],"
    "\"result\":{\"name\":\"difference\",\"value\":19}}]},"
    "{\"name\":\"optional\",\"params\":["
    "{\"name\":\"a\",\"required\":true,\"schema\":{}},{\"name\":\"b\",\"schema\":{}}],"
    "\"result\":{\"name\":\"both\",\"schema\":{\"type\":\"array\",\"minItems\":2}},"
    "\"examples\":[{\"name\":\"one of two\",\"params\":[{\"name\":\"a\",\"value\":1}],"
    "\"result\":{\"name\":\"both\",\"value\":[1,null]}}]},"
    "{\"name\":\"app_error\",\"paramStructure\":\"by-name\",\"params\":["
    "{\"name\":\"code\",\"required\":true,\"schema\":{\"$ref\":\"#/components/schemas/Term\"}}],"
    "\"result\":{\"name\":\"none\",\"schema\":{}},"
    "\"examples\":[{\"name\":\"an error\",\"params\":[{\"name\":\"code\",\"value\":7}],"
    "\"error\":{\"name\":\"error\",\"value\":{\"code\":7,\"message\":\"Application error\"}}}]},"
    "{\"name\":\"notify_hello\",\"paramStructure\":\"by-position\",\"params\":["
    "{\"name\":\"n\",\"required\":true,\"schema\":{\"$ref\":\"#/components/schemas/Term\"}}],"
    "\"examples\":[{\"name\":\"a notification\",\"params\":[{\"name\":\"n\",\"value\":7}]}]}],"
    "\"components\":{\"schemas\":{\"Term\":{\"type\":\"integer\"}}}}";

// A fault puts one text in the place of another.
static const struct {
    const char *fault, *right, *wrong;
} faults[] = {
    {"or-no-info", "\"info\":{\"title\":\"jrpc-reference\",\"version\":\"1.0\"},", ""},
    {"or-no-schema", "{\"name\":\"difference\",\"schema\":{\"type\":\"integer\"}}",
     "{\"name\":\"difference\"}"},
    {"or-method-twice", "\"name\":\"optional\"", "\"name\":\"subtract\""},
    {"or-param-twice", "{\"name\":\"subtrahend\",\"required\"",
     "{\"name\":\"minuend\",\"required\""},
    {"or-error-twice", "{\"code\":2,", "{\"code\":1,"},
    {"or-reference-nowhere", "\"Term\":", "\"term\":"},
    {"or-bad-schema", "\"minItems\":2", "\"minItems\":\"2\""},
    {"or-optional-first", "{\"name\":\"a\",\"required\":true,\"schema\":{}},{\"name\":\"b\",",
     "{\"name\":\"a\",\"schema\":{}},{\"name\":\"b\",\"required\":true,"},
    {"or-example-misfit", "{\"name\":\"minuend\",\"value\":42}",
     "{\"name\":\"minuend\",\"value\":\"42\"}"},
};

void jrpc_openrpc_response(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    jrpc_buffer out = jrpc_bend_buffer(bend);
    const char *from = description;
    if (!jrpc_bend_calls(bend, "\"rpc.discover\"")) {
        return;
    }
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const char *at = jrpc_fault_is_on(bend->connection, faults[i].fault)
                             ? strstr(from, faults[i].right)
                             : NULL;
        if (at != NULL) {
            (void)jrpc_buffer_append(&out, jrpc_slice_of(from, (size_t)(at - from)));
            (void)jrpc_buffer_append_str(&out, faults[i].wrong);
            from = at + strlen(faults[i].right);
        }
    }
    (void)jrpc_buffer_append_str(&out, from);
    response->code = response->message = response->data = (jrpc_slice){NULL, 0};
    response->result = jrpc_buffer_slice(&out);
}
