#include "harness/parser/adapter.h"

#include "harness/parser/adapter_process.h"
#include "harness/parser/each.h"

#include <stdlib.h>

struct jck_adapter {
    jck_adapter_options options;
    jck_adapter_process process;
    size_t only_in_company;
};

// One call of jck_adapter_ask.
typedef struct asking {
    jck_adapter *adapter;
    const jck_questions *questions;
    size_t careful_until; // texts before this one are sent one at a time
    size_t suspect;       // failed in company and is being sent alone; SIZE_MAX: none
    size_t answered;
} asking;

jck_adapter *jck_adapter_open(const jck_adapter_options *options)
{
    jck_adapter *adapter = calloc(1, sizeof *adapter);
    if (adapter != NULL) {
        adapter->options = *options;
        jck_adapter_process_init(&adapter->process, &adapter->options);
    }
    return adapter;
}

void jck_adapter_close(jck_adapter *adapter)
{
    if (adapter != NULL) {
        jck_adapter_process_done(&adapter->process);
        free(adapter);
    }
}

jck_adapter_facts jck_adapter_know(const jck_adapter *adapter)
{
    return (jck_adapter_facts){
        .identity = jrpc_buffer_slice(&adapter->process.identity),
        .only_in_company = adapter->only_in_company,
        .starts = adapter->process.starts,
    };
}

static bool give(asking *self, const jck_reply *reply)
{
    if (self->suspect == self->answered) {
        self->adapter->only_in_company += jck_reply_fails(reply) ? 0 : 1;
        self->suspect = SIZE_MAX;
    }
    return self->questions->take(self->questions->context, self->answered++, reply);
}

static bool take(void *context, const jck_reply *reply)
{
    return give(context, reply);
}

// The process failed with texts in flight. True if the first of them caused it.
static bool is_confirmed(const jck_pass *pass)
{
    return pass->asked_before == 0 && pass->under_way == 1;
}

static void ask_again(asking *self, const jck_pass *pass)
{
    if (pass->under_way > 1) {
        size_t until = self->answered + pass->under_way;
        self->careful_until = until > self->careful_until ? until : self->careful_until;
    } else {
        self->suspect = self->answered;
    }
}

static jck_ask_status ask_many(asking *self, jrpc_error *error)
{
    const jck_questions *questions = self->questions;
    while (self->answered < questions->count) {
        bool careful = questions->alone || self->answered < self->careful_until;
        size_t end = careful && !questions->alone ? self->careful_until : questions->count;
        jck_pass pass = {
            .texts = questions->texts + self->answered,
            .count = end - self->answered,
            .one_by_one = careful,
            .measure = questions->alone,
            .take = take,
            .context = self,
        };
        switch (jck_adapter_process_pass(&self->adapter->process, &pass, error)) {
        case JCK_PASS_DONE:
            break;
        case JCK_PASS_FAILED:
            if (self->answered == questions->count) {
                // It wrote more than it was asked for, together with the last answer.
                (void)jrpc_error_set(error, JRPC_ERROR_INVALID, "%s", pass.failure.why);
                return JCK_ASK_UNOPENED;
            }
            if (!is_confirmed(&pass)) {
                ask_again(self, &pass);
            } else if (!give(self, &pass.failure)) {
                return JCK_ASK_STOPPED;
            }
            break;
        case JCK_PASS_STOPPED:
            return JCK_ASK_STOPPED;
        case JCK_PASS_UNOPENED:
            return JCK_ASK_UNOPENED;
        case JCK_PASS_INTERRUPTED:
            return JCK_ASK_INTERRUPTED;
        case JCK_PASS_FAULT:
            return JCK_ASK_FAULT;
        }
    }
    return JCK_ASK_DONE;
}

jck_ask_status jck_adapter_ask(jck_adapter *adapter, const jck_questions *questions,
                               jrpc_error *error)
{
    if (adapter->options.each) {
        return jck_each_ask(&adapter->options, questions, error);
    }
    asking self = {.adapter = adapter, .questions = questions, .suspect = SIZE_MAX};
    return ask_many(&self, error);
}

void jck_adapter_renew(jck_adapter *adapter)
{
    jck_adapter_process_end(&adapter->process);
}

bool jck_adapter_finish(jck_adapter *adapter, jrpc_error *error)
{
    return adapter->options.each || jck_adapter_process_finish(&adapter->process, error);
}
