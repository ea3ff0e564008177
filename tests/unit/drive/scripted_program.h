// A client that runs by itself, scripted: its process, and what it writes.
#ifndef JCK_TEST_SCRIPTED_PROGRAM_H
#define JCK_TEST_SCRIPTED_PROGRAM_H

#include "tests/unit/drive/scripted_client.h"

typedef struct program program;

// The program that is the client. Each start of it is a connection of the script.
struct program {
    stage stage; // first: what the script leads to
    scripted *process;
    unsigned starts;
    char words[4][64]; // it was started with
    void (*begin)(program *p);
    void (*hear)(program *p, scripted *caller, const char *text); // NULL: end with status 0
};

static inline program *program_of(script *side)
{
    return (program *)(void *)side->context; // the stage is its first member
}

static inline void program_hear(scripted *c, const char *text, bool is_fence)
{
    program *p = program_of(c->of);
    (void)is_fence;
    if (p->hear != NULL) {
        p->hear(p, c, text);
    } else {
        script_end(p->process, 1, JRPC_END_EXITED, 0);
    }
}

static inline jrpc_peer *program_start(const jrpc_endpoint *endpoint, int64_t deadline_us,
                                       jrpc_error *error)
{
    program *p = program_of(endpoint->dial_context);
    jrpc_peer *peer = scripted_dial(endpoint, deadline_us, error);
    if (peer != NULL) {
        p->process = scripted_of(peer);
        p->starts++;
        for (size_t i = 0; i < 4 && endpoint->argv[i] != NULL; i++) {
            (void)snprintf(p->words[i], sizeof p->words[i], "%s", endpoint->argv[i]);
        }
        p->begin(p);
    }
    return peer;
}

static inline void program_begin(program *p, void (*first)(program *p))
{
    static char name[] = "program";
    static char url[] = "--server={url}";
    static char parts[] = "{host}/{port}/{port}";
    static char *const words[] = {name, url, parts, NULL};
    memset(p, 0, sizeof *p);
    stage_begin(&p->stage, NULL);
    p->begin = first;
    p->stage.side.on_message = program_hear;
    p->stage.side.on_idle = NULL;
    p->stage.target.dial = program_start;
    p->stage.target.command = words;
    p->stage.client.options.undriven = true;
}

static inline jck_client_status program_run(program *p, const char *steps)
{
    jck_client_status status = stage_run(&p->stage, steps);
    assert_null(p->stage.client.driver.peer); // whatever came, it does not run on
    return status;
}

static inline const char *program_sent(const program *p, size_t i)
{
    return i < p->stage.side.sent_count ? p->stage.side.sent[i] : "";
}

#define PLAIN "{'serve':[{'answer':{'jsonrpc':'2.0','result':'${result}','id':'${call}'}}]"
#define SERVE PLAIN "}"
#define REVERSED PLAIN ",'reversed':true}"
#define CALL_1 "{\"jsonrpc\":\"2.0\",\"method\":\"subtract\",\"params\":[42,23],\"id\":1}"
#define CALL_2 "{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"params\":[\"x\"],\"id\":\"b\"}"
#define NOTIFICATION "{\"jsonrpc\":\"2.0\",\"method\":\"update\"}"
#define ANSWER_1 "{\"jsonrpc\":\"2.0\",\"result\":19,\"id\":1}"
#define ANSWER_2 "{\"jsonrpc\":\"2.0\",\"result\":[\"x\"],\"id\":\"b\"}"

static inline void call_once(program *p)
{
    script_say(stage_connect(&p->stage), 1, CALL_1);
}

#endif
