#include "reference/driver/fault.h"

#include "reference/driver/change.h"
#include "reference/json/read.h"

#include <string.h>

static const jrpc_client_fault_table *const tables[] = {
    &jrpc_client_faults_answer,  &jrpc_client_faults_match,     &jrpc_client_faults_request,
    &jrpc_client_faults_survive, &jrpc_client_faults_text,      &jrpc_client_faults_value,
    &jrpc_client_faults_wire,    &jrpc_client_faults_large,     &jrpc_client_faults_routing,
    &jrpc_client_faults_http,    &jrpc_client_faults_websocket,
};

#define FOR_EACH_FAULT(row)                                                                        \
    for (size_t table = 0; table < sizeof tables / sizeof *tables; table++)                        \
        for (const jrpc_client_fault *row = tables[table]->faults;                                 \
             (row) < tables[table]->faults + tables[table]->count; (row)++)

const jrpc_client_fault *jrpc_client_fault_find(const char *name)
{
    FOR_EACH_FAULT(row)
    {
        if (strcmp(row->name, name) == 0) {
            return row;
        }
    }
    return NULL;
}

void jrpc_client_fault_list(FILE *out)
{
    FOR_EACH_FAULT(row)
    {
        (void)fprintf(out, "%s\t%s\t%s\n", row->name, row->rule, row->description);
    }
}

// Calls the code that follows for every fault of the driver that has this function.
#define FOR_EACH(driver_, function, change)                                                        \
    jrpc_change change = {.driver = (driver_), .arena = &(driver_)->changes};                      \
    for (size_t i = 0; i < (driver_)->fault_count; i++)                                            \
        if ((change.fault = (driver_)->faults[i])->function != NULL)

static void on_request(void *context, const jrpc_call_parts *parts, jrpc_request *request)
{
    jrpc_driver *driver = context;
    jrpc_change_note_call(driver, request->id);
    FOR_EACH(driver, request, change)
    {
        change.fault->request(&change, parts, request);
    }
}

static void on_text(void *context, jrpc_slice *text)
{
    jrpc_driver *driver = context;
    jrpc_arena_clear(&driver->changes);
    driver->memory.batch_at = 0;
    driver->memory.base = driver->memory.under_way_count > 0 ? driver->memory.under_way[0] : 0;
    FOR_EACH(driver, incoming, change)
    {
        change.fault->incoming(&change, text);
    }
}

static void on_match(void *context, const jrpc_message *message, uint64_t *id)
{
    FOR_EACH((jrpc_driver *)context, match, change)
    {
        change.fault->match(&change, message, id);
    }
    ((jrpc_driver *)context)->memory.batch_at++;
}

static bool on_answer(void *context, const jrpc_message *message, jrpc_answer *answer)
{
    jrpc_driver *driver = context;
    bool over = true;
    FOR_EACH(driver, answer, change)
    {
        over = change.fault->answer(&change, message, answer) && over;
    }
    if (over) {
        jrpc_change_forget_call(driver, answer->id);
    }
    return over;
}

static jrpc_peer_event on_send(void *context, jrpc_peer *peer, jrpc_slice text, int64_t deadline_us,
                               jrpc_error *error)
{
    jrpc_driver *driver = context;
    {
        FOR_EACH(driver, outgoing, change)
        {
            change.fault->outgoing(&change, &text);
        }
    }
    FOR_EACH(driver, send, change)
    {
        return change.fault->send(&change, peer, text, deadline_us, error);
    }
    return jrpc_peer_send(peer, text, deadline_us, error);
}

jrpc_calls_hooks jrpc_client_fault_calls_hooks(jrpc_driver *driver)
{
    return (jrpc_calls_hooks){.context = driver,
                              .request = on_request,
                              .text = on_text,
                              .match = on_match,
                              .answer = on_answer};
}

jrpc_client_hooks jrpc_client_fault_client_hooks(jrpc_driver *driver)
{
    return (jrpc_client_hooks){.context = driver, .send = on_send};
}

bool jrpc_client_fault_command(jrpc_driver *driver, jrpc_command *command)
{
    bool goes_on = true;
    jrpc_arena_clear(&driver->changes);
    FOR_EACH(driver, command, change)
    {
        goes_on = change.fault->command(&change, command) && goes_on;
    }
    return goes_on;
}

void jrpc_client_fault_settled(const jrpc_outcome_line *line, jrpc_buffer *members)
{
    FOR_EACH(line->driver, settled, change)
    {
        change.fault->settled(&change, line, members);
    }
}

bool jrpc_client_fault_own(jrpc_driver *driver, const jrpc_message *message)
{
    bool told = true;
    FOR_EACH(driver, own, change)
    {
        told = change.fault->own(&change, message) && told;
    }
    return told;
}

void jrpc_client_fault_stray(jrpc_driver *driver, jrpc_stray_kind kind, jrpc_slice text)
{
    FOR_EACH(driver, stray, change)
    {
        change.fault->stray(&change, kind, text);
    }
}
