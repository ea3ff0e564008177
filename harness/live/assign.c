// Assigns as many Responses as possible (Kuhn's algorithm). Most targets answer in order, so a
// Response is first tried with the messages between those that were answered before it and after
// it. A message that does not need the Response gets it last: it must not hide that another message
// got no answer.
#include "harness/live/assign.h"

#include "harness/link/link.h"
#include "harness/live/scan.h"

// Whether a message may be refused with this code for what is odd about it (as in expect.c).
static bool is_refusal(const jck_due *due, int64_t code)
{
    bool request = jck_due_is_call(due) || due->form == JCK_FORM_INVALID;
    bool long_or_deep = (due->odd & (JCK_ODD_SIZE | JCK_ODD_DEPTH)) != 0;
    return request && (due->odd & ~(unsigned)JCK_ODD_ID) != 0 &&
           (long_or_deep || code == JRPC_INVALID_REQUEST || code == JRPC_INVALID_PARAMS ||
            code == JRPC_INTERNAL_ERROR || code == JRPC_PARSE_ERROR);
}

bool jck_code_is_due(const jck_due *due, int64_t code)
{
    if (is_refusal(due, code)) {
        return true;
    }
    if (due->code != 0) {
        bool scalar = due->form == JCK_FORM_SCALAR && code == JRPC_PARSE_ERROR;
        bool params = due->form == JCK_FORM_CALL && code == JRPC_INVALID_PARAMS &&
                      jrpc_json_exists(due->params);
        bool proper = due->form == JCK_FORM_CALL && code == JRPC_METHOD_NOT_FOUND;
        bool decorated = due->name == JCK_NAME_DECORATED && code == JRPC_INVALID_REQUEST;
        return code == due->code || proper || scalar || params || decorated;
    }
    if (due->form == JCK_FORM_KNOWN) {
        return code != JRPC_PARSE_ERROR && code != JRPC_METHOD_NOT_FOUND;
    }
    return true;
}

// How well a Response suits a message, the best first.
typedef enum suits {
    SUITS_DUE,     // such a Response is due
    SUITS_REFUSAL, // a Response with its id is due, but a limit may be the reason to refuse
    SUITS_ALLOWED, // such a Response may be sent, and so may none
    SUITS_NOT,
} suits;

static suits suits_single(const jck_due *due, const jck_unassigned *response)
{
    bool refusable = (due->odd & ~(unsigned)(JCK_ODD_FRACTION | JCK_ODD_ID)) != 0;
    bool null_result = response->result && (due->result || due->form == JCK_FORM_KNOWN);
    bool null_error = !response->result && jck_code_is_due(due, response->code);
    if (due->null_id && (null_result || null_error)) {
        return due->kind == JCK_DUE_ONE ? SUITS_DUE : SUITS_ALLOWED;
    }
    return !refusable || response->result ? SUITS_NOT
           : due->kind == JCK_DUE_ONE     ? SUITS_REFUSAL
                                          : SUITS_ALLOWED;
}

static suits suits_message(const jck_sent *sent, const jck_unassigned *response)
{
    const jck_due *due = &sent->due;
    if (sent->connection != response->connection) {
        return SUITS_NOT;
    }
    if (due->kind == JCK_DUE_ANY) {
        return response->valid ? SUITS_ALLOWED : SUITS_NOT;
    }
    if (!response->plain) {
        return SUITS_NOT;
    }
    if (due->kind == JCK_DUE_BATCH) { // a long one may be refused as a whole
        return !response->result && due->odd != 0 ? SUITS_REFUSAL : SUITS_NOT;
    }
    return suits_single(due, response);
}

// The messages between those that were answered before a Response and those answered after it. A
// message that allows any answer may have been given that of another one, so it says nothing; nor
// does a batch beside such messages, which may have been given the Array that answers one of them.
typedef struct between {
    size_t from, to;
} between;

static between find_between(const jck_account *account, const jck_unassigned *response)
{
    between range = {0, account->count};
    for (size_t i = 0; i < account->count; i++) {
        const jck_sent *sent = &account->sent[i];
        bool doubtful =
            sent->due.kind == JCK_DUE_ANY || (account->lenient && sent->due.kind == JCK_DUE_BATCH);
        if (!sent->answered || sent->connection != response->connection || doubtful) {
            continue;
        }
        if (sent->turn < response->turn) {
            range.from = i + 1;
        } else if (range.to > i) {
            range.to = i;
        }
    }
    return range;
}

typedef struct matching {
    const jck_account *account;
    size_t open[JCK_ACCOUNT_MOST]; // the messages that a Response without a usable id may answer
    size_t open_count;
    size_t response_of[JCK_ACCOUNT_MOST];
    size_t *message_of;
    between ranges[JCK_UNASSIGNED_MOST];
    size_t first_open[JCK_UNASSIGNED_MOST]; // the first in `open` that is in the range
    unsigned visited[JCK_ACCOUNT_MOST];     // the search that visited the message last
    unsigned search;
    size_t left; // Responses without a message
    suits worst; // of the assignments made now
    bool in_order;
} matching;

static bool needs_response(const jck_due *due)
{
    return due->kind == JCK_DUE_ONE || due->kind == JCK_DUE_BATCH;
}

// Tries the simplest assignment, in the order of both, which is right for most targets. Returns
// whether each Response has a message, and each message that needs a Response has one.
static bool assign_in_turn(matching *m)
{
    size_t next[JCK_CONNECTIONS_MAX] = {0}; // in `open`
    for (size_t r = 0; r < m->account->unassigned_count; r++) {
        const jck_unassigned *response = &m->account->unassigned[r];
        size_t *at = &next[response->connection - 'a'];
        for (; *at < m->open_count; (*at)++) {
            const jck_sent *sent = &m->account->sent[m->open[*at]];
            if (sent->connection == response->connection &&
                (needs_response(&sent->due) || suits_message(sent, response) != SUITS_NOT)) {
                break;
            }
        }
        if (*at == m->open_count || m->open[*at] < m->ranges[r].from ||
            m->open[*at] >= m->ranges[r].to ||
            suits_message(&m->account->sent[m->open[*at]], response) == SUITS_NOT) {
            return false;
        }
        m->message_of[r] = m->open[(*at)++];
    }
    for (size_t o = 0; o < m->open_count; o++) {
        const jck_sent *sent = &m->account->sent[m->open[o]];
        if (o >= next[sent->connection - 'a'] && needs_response(&sent->due)) {
            return false;
        }
    }
    return true;
}

static void find_open(matching *m)
{
    const jck_account *account = m->account;
    m->open_count = 0;
    for (size_t i = account->first; i < account->count; i++) {
        const jck_sent *sent = &account->sent[i];
        if (!sent->answered && sent->due.kind != JCK_DUE_NOTHING) {
            m->open[m->open_count++] = i;
        }
    }
}

static bool may_belong(const matching *m, size_t message, size_t response)
{
    return suits_message(&m->account->sent[message], &m->account->unassigned[response]) <= m->worst;
}

// Assigns a message to a Response, moving others if that makes room. Recursion is at most as deep
// as the number of messages.
static bool place(matching *m, size_t response)
{
    size_t to = m->in_order ? m->ranges[response].to : SIZE_MAX;
    for (size_t o = m->in_order ? m->first_open[response] : 0; o < m->open_count && m->open[o] < to;
         o++) {
        size_t i = m->open[o];
        if (m->visited[i] == m->search || !may_belong(m, i, response)) {
            continue;
        }
        m->visited[i] = m->search;
        if (m->response_of[i] == SIZE_MAX || place(m, m->response_of[i])) {
            m->response_of[i] = response;
            m->message_of[response] = i;
            return true;
        }
    }
    return false;
}

// Whether the answers to messages with ids of their own came in the order of the messages.
static bool came_in_order(const jck_account *account)
{
    size_t last[JCK_CONNECTIONS_MAX] = {0};
    for (size_t i = 0; i < account->count; i++) {
        const jck_sent *sent = &account->sent[i];
        size_t *turn = &last[sent->connection - 'a'];
        if (!sent->answered || sent->due.kind != JCK_DUE_ONE) {
            continue;
        }
        if (sent->turn < *turn) {
            return false;
        }
        *turn = sent->turn;
    }
    return true;
}

static void place_all(matching *m)
{
    for (size_t r = 0; r < m->account->unassigned_count && m->left > 0; r++) {
        if (m->message_of[r] == SIZE_MAX) {
            m->search++;
            m->left -= place(m, r) ? 1 : 0;
        }
    }
}

bool jck_assign(jck_account *account, size_t *ret_message_of)
{
    matching *m = jrpc_arena_alloc(&account->arena, sizeof *m);
    if (m == NULL) {
        return false;
    }
    m->account = account;
    m->message_of = ret_message_of;
    find_open(m);
    m->search = 0;
    m->left = account->unassigned_count;
    for (size_t i = 0; i < JCK_ACCOUNT_MOST; i++) {
        m->response_of[i] = SIZE_MAX;
        m->visited[i] = 0;
    }
    for (size_t r = 0; r < account->unassigned_count; r++) {
        m->message_of[r] = SIZE_MAX;
        m->ranges[r] = find_between(account, &account->unassigned[r]);
        m->first_open[r] = 0;
        while (m->first_open[r] < m->open_count && m->open[m->first_open[r]] < m->ranges[r].from) {
            m->first_open[r]++;
        }
    }
    if (assign_in_turn(m)) {
        return true;
    }
    for (size_t r = 0; r < account->unassigned_count; r++) {
        m->message_of[r] = SIZE_MAX;
    }
    for (int turn = came_in_order(account) ? 0 : 1; turn < 2; turn++) {
        m->in_order = turn == 0;
        for (int worst = SUITS_DUE; worst < SUITS_NOT; worst++) {
            m->worst = (suits)worst;
            place_all(m);
        }
    }
    return true;
}
