#include "reference/server/mcp_tools.h"

#include "reference/server/mcp.h"

#define TOOL(name, input, output)                                                                  \
    "{\"name\":\"" name                                                                            \
    "\",\"description\":\"Gives back what it gets\",\"inputSchema\":" input output "}"
#define MESSAGE                                                                                    \
    "{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\"}},"                     \
    "\"required\":[\"message\"]}"
#define GIVES_MESSAGE ",\"outputSchema\":" MESSAGE
#define ECHO_TOOL(input) TOOL("echo", input, GIVES_MESSAGE)
#define FAIL_TOOL                                                                                  \
    "{\"name\":\"fail\",\"description\":\"Fails\",\"inputSchema\":{\"type\":\"object\","           \
    "\"additionalProperties\":false}}"
#define STATUS_TOOL                                                                                \
    "{\"name\":\"status\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{"                 \
    "\"readOnlyHint\":true},\"outputSchema\":{\"type\":\"object\",\"properties\":{\"up\":{"        \
    "\"type\":\"boolean\"}},\"required\":[\"up\"]}}"
#define SMALL_TOOL(name) "," TOOL(name, "{\"type\":\"object\"}", GIVES_MESSAGE)
#define SMALL_TOOLS                                                                                \
    SMALL_TOOL("add")                                                                              \
    SMALL_TOOL("subtract")                                                                         \
    SMALL_TOOL("greet")                                                                            \
    SMALL_TOOL("hello")                                                                            \
    SMALL_TOOL("now")                                                                              \
    SMALL_TOOL("multiply")                                                                         \
    SMALL_TOOL("sum") SMALL_TOOL("get-structured-content")
#define MISFIT_OF_SECOND_PAGE "mcp-structured-misfit-of-second-page"

static const char *second(const jrpc_bend *bend)
{
    if (jrpc_mcp_errs(bend, MISFIT_OF_SECOND_PAGE)) {
        return FAIL_TOOL "," ECHO_TOOL(MESSAGE) SMALL_TOOLS;
    }
    return jrpc_mcp_errs(bend, "mcp-schema-of-second-page")
               ? TOOL("fail", "{\"type\":\"objekt\"}", "")
               : FAIL_TOOL;
}

bool jrpc_mcp_content_misfits(const jrpc_bend *bend)
{
    return jrpc_mcp_errs(bend, "mcp-structured-misfit") ||
           jrpc_mcp_errs(bend, MISFIT_OF_SECOND_PAGE);
}

const char *jrpc_mcp_tools(const jrpc_bend *bend, bool second_page)
{
    static const struct {
        const char *fault;
        const char *tools;
    } bad[] = {
        {"mcp-schema-null", ECHO_TOOL("null")},
        {"mcp-schema-type", ECHO_TOOL("{\"type\":\"objekt\"}")},
        {"mcp-schema-properties", ECHO_TOOL("{\"type\":\"object\",\"properties\":[]}")},
        {"mcp-tool-name-blank", TOOL("echo it", MESSAGE, "")},
        {"mcp-tool-name-twice", ECHO_TOOL(MESSAGE) "," ECHO_TOOL(MESSAGE)},
        {"mcp-structured-string", TOOL("echo", MESSAGE, "")},
        {"mcp-structured-misfit", ECHO_TOOL(MESSAGE) SMALL_TOOLS},
        {MISFIT_OF_SECOND_PAGE, TOOL("another", MESSAGE, "")},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad && !second_page; i++) {
        if (jrpc_mcp_errs(bend, bad[i].fault)) {
            return bad[i].tools;
        }
    }
    return second_page ? second(bend) : ECHO_TOOL(MESSAGE) "," STATUS_TOOL;
}
