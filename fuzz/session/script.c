#include "fuzz/session/script.h"

#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "fuzz/session/right.h"

enum {
    SENT_BYTES = 1 << 12,
    LONG_BYTES = 1 << 18,
    TEXT_BYTES = 1 << 16,
    BROKEN_MAX = 4,
    MESSAGES_MAX = 64
};

typedef struct player {
    exchange *e;
    jck_message message;
    size_t step;
    jrpc_buffer head; // of the next message
    jrpc_slice text;
    size_t more; // bytes that were not kept
    bool is_fact;
    bool is_head;
    bool echo;
    bool right;
    unsigned choice;
    jrpc_slice broken[BROKEN_MAX];
} player;

static uint32_t hash(jrpc_slice text)
{
    uint32_t sum = 2166136261u;
    for (size_t i = 0; i < text.len; i++) {
        sum = (sum ^ (unsigned char)text.ptr[i]) * 16777619u;
    }
    return sum;
}

// The index of a word among names, any index for another word.
static unsigned choose(jrpc_slice word, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (jrpc_slice_is(word, names[i])) {
            return (unsigned)i;
        }
    }
    return hash(word) % (unsigned)count;
}
#define CHOOSE(word, names) choose(word, names, sizeof(names) / sizeof *(names))

static int64_t number(jrpc_slice word)
{
    bool negative = word.len > 0 && word.ptr[0] == '-';
    int64_t sum = 0;
    for (size_t i = negative ? 1 : 0; i < word.len && sum < 1 << 24; i++) {
        sum = sum * 10 + (unsigned char)word.ptr[i] % 16 % 10;
    }
    return negative ? -sum : sum;
}

static void take_role(player *p, jrpc_slice word, int role)
{
    (void)word;
    p->message.role = (jck_role_of_message)role;
    p->message.why = role == JCK_MESSAGE_NOISE ? "no frame" : NULL;
}

static void take_sent(player *p, jrpc_slice word, int unused)
{
    (void)word, (void)unused;
    p->message.direction = JCK_SENT;
}

static void take_http(player *p, jrpc_slice word, int unused)
{
    (void)unused;
    p->message.http_status = (int)number(word);
}

static void take_type(player *p, jrpc_slice word, int unused)
{
    (void)unused;
    jrpc_buffer_append_str(&p->head, "Content-Type: ");
    jrpc_buffer_append(&p->head, word);
    jrpc_buffer_append_str(&p->head, "\r\n");
}

static void take_mark(player *p, jrpc_slice word, int which)
{
    (void)word;
    bool *marks[] = {&p->message.http_reused, &p->message.broken, &p->echo};
    *marks[which] = true;
}

static void take_cut(player *p, jrpc_slice word, int unused)
{
    (void)unused;
    p->more = (size_t)(number(word) & 0xFFFFFF) + 1;
}

static void take_head(player *p, jrpc_slice word, int unused)
{
    (void)word, (void)unused;
    p->is_head = true;
}

static void take_right(player *p, jrpc_slice word, int unused)
{
    (void)unused;
    p->right = true;
    p->choice = (unsigned)number(word);
}

static void take_nothing(player *p, jrpc_slice word, int unused)
{
    (void)word, (void)unused;
    p->is_fact = true;
}

static void take_settled(player *p, jrpc_slice word, int unused)
{
    static const char *const names[] = {"not-run", "settled", "fenced", "transport",
                                        "mute",    "gone",    "unsent", "flooded"};
    (void)unused;
    p->is_fact = true;
    p->e->evidence.settled[p->step] = (jck_settled)CHOOSE(word, names);
}

static void take_end(player *p, jrpc_slice word, int unused)
{
    static const char *const names[] = {"open", "closed", "reset", "exited", "signaled", "close"};
    (void)unused;
    p->is_fact = true;
    p->e->evidence.end.kind = (jrpc_end_kind)CHOOSE(word, names);
}

static void take_muteness(player *p, jrpc_slice word, int unused)
{
    static const char *const names[] = {"not", "stuck", "hung"};
    (void)unused;
    p->is_fact = true;
    p->e->evidence.muteness = (jck_muteness)CHOOSE(word, names);
}

static void take_number(player *p, jrpc_slice word, int which)
{
    p->is_fact = true;
    if (which == 0) {
        p->e->evidence.end.value = (int)number(word);
    } else {
        p->e->evidence.flood_messages = (size_t)(number(word) & 0xFFFFFF);
        p->e->evidence.flood_bytes = p->e->evidence.flood_messages * 9;
    }
}

static void take_flag(player *p, jrpc_slice word, int which)
{
    (void)word;
    bool *flags[] = {&p->e->evidence.process_gone, &p->e->evidence.orderly,
                     &p->e->evidence.params_wanted};
    *flags[which] = true;
    p->is_fact = true;
}

static void take_rule(player *p, jrpc_slice word, int unused)
{
    (void)unused;
    jck_calibration *known = &p->e->calibration;
    p->is_fact = true;
    if (known->broken_count < BROKEN_MAX) {
        p->broken[known->broken_count++] = word;
    }
}

// How an unknown method is answered, when not with -32601.
static void take_absent(player *p, jrpc_slice word, int unused)
{
    (void)unused;
    jck_calibration *known = &p->e->calibration;
    p->is_fact = true;
    known->absent_answers = !jrpc_slice_is(word, "silent");
    known->absent_gives_result = jrpc_slice_is(word, "result");
    known->absent_code_differs = known->absent_answers && !known->absent_gives_result;
    known->absent_code = known->absent_code_differs ? number(word) : 0;
}

static void take_refusal(player *p, jrpc_slice word, int which)
{
    jck_refusal *refusal = which == 0 ? &p->e->calibration.positional : &p->e->calibration.named;
    p->is_fact = true;
    refusal->silent = jrpc_slice_is(word, "silent");
    refusal->code = refusal->silent ? 0 : number(word);
}

static const struct word {
    const char *name;
    void (*take)(player *p, jrpc_slice word, int which);
    int which;
} words[] = {
    {"case", take_nothing, 0},
    {"profile", take_nothing, 0},
    {"long", take_nothing, 0},
    {"noise", take_role, JCK_MESSAGE_NOISE},
    {"fence", take_role, JCK_MESSAGE_OF_FENCE},
    {"session", take_role, JCK_MESSAGE_OF_SESSION},
    {"sent", take_sent, 0},
    {"http", take_http, 0},
    {"type", take_type, 0},
    {"head", take_head, 0},
    {"reused", take_mark, 0},
    {"broken", take_mark, 1},
    {"echo", take_mark, 2},
    {"cut", take_cut, 0},
    {"right", take_right, 0},
    {"settled", take_settled, 0},
    {"end", take_end, 0},
    {"mute", take_muteness, 0},
    {"status", take_number, 0},
    {"flood", take_number, 1},
    {"gone", take_flag, 0},
    {"orderly", take_flag, 1},
    {"params", take_flag, 2},
    {"rule", take_rule, 0},
    {"absent", take_absent, 0},
    {"positional", take_refusal, 0},
    {"named", take_refusal, 1},
};

// Cuts the word "@NAME=VALUE" and the space after it from a text. False if none begins it.
static bool next_word(jrpc_slice *text, jrpc_slice *ret_name, jrpc_slice *ret_value)
{
    if (text->len < 2 || text->ptr[0] != '@') {
        return false;
    }
    const char *space = memchr(text->ptr, ' ', text->len);
    size_t len = space == NULL ? text->len : (size_t)(space - text->ptr);
    const char *equals = memchr(text->ptr, '=', len);
    size_t name = equals == NULL ? len : (size_t)(equals - text->ptr);
    *ret_name = jrpc_slice_of(text->ptr + 1, name - 1);
    *ret_value = jrpc_slice_of(text->ptr + name + (equals != NULL), len - name - (equals != NULL));
    *text = jrpc_slice_from(*text, len + 1);
    return true;
}

static bool take_word(player *p, jrpc_slice name, jrpc_slice value)
{
    if (name.len > 0 && name.ptr[0] >= '0' && name.ptr[0] <= '9') {
        p->step = (size_t)number(name) % p->e->evidence.step_count;
        p->message.step = (int)p->step;
        p->message.connection = p->e->test_case->steps[p->step].connection;
        return true;
    }
    if (name.len == 1) {
        p->message.connection = name.ptr[0];
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (jrpc_slice_is(name, words[i].name)) {
            words[i].take(p, value, words[i].which);
            return true;
        }
    }
    return false;
}

// Appends the text with the variables of the case in place.
static void put_text(player *p, jrpc_slice text, jrpc_buffer *out)
{
    while (text.len > 0) {
        const char *dollar = memchr(text.ptr, '$', text.len);
        size_t plain = dollar == NULL ? text.len : (size_t)(dollar - text.ptr);
        jrpc_buffer_append(out, jrpc_slice_of(text.ptr, plain));
        text = jrpc_slice_from(text, plain);
        bool opens = jrpc_slice_starts_with(text, JRPC_SLICE("${"));
        const char *end = opens ? memchr(text.ptr, '}', text.len) : NULL;
        size_t len = end == NULL ? 0 : (size_t)(end - text.ptr);
        jrpc_slice spelling;
        if (end != NULL && jck_variables_resolve(&p->e->variables,
                                                 jrpc_slice_of(text.ptr + 2, len - 2), &spelling)) {
            jrpc_buffer_append(out, spelling);
            text = jrpc_slice_from(text, len + 1);
        } else if (text.len > 0) {
            jrpc_buffer_append_char(out, '$');
            text = jrpc_slice_from(text, 1);
        }
    }
}

static void add_message(player *p, jrpc_slice text)
{
    jrpc_buffer bytes;
    jrpc_buffer_init(&bytes, jrpc_allocator_heap(), TEXT_BYTES);
    jck_variables_set_step(&p->e->variables, (int)p->step);
    if (p->right) {
        (void)right_answer(p->e, p->step, p->choice, &bytes);
    }
    put_text(p, text, &bytes);
    p->message.bytes = p->echo ? exchange_sent(p->e, p->step) : jrpc_buffer_slice(&bytes);
    p->message.true_len = p->message.bytes.len + p->more;
    p->message.http_headers = jrpc_buffer_slice(&p->head);
    if (p->e->evidence.count < MESSAGES_MAX) {
        exchange_add(p->e, &p->message);
    }
    jrpc_buffer_clear(&p->head);
    jrpc_buffer_done(&bytes);
}

static void play_line(player *p, jrpc_slice line)
{
    jrpc_slice name;
    jrpc_slice value;
    jrpc_slice text = line;
    p->step = 0;
    p->message = exchange_answer(p->e, 0, line);
    p->is_fact = p->is_head = p->echo = p->right = false;
    p->more = 0;
    while (next_word(&text, &name, &value) && take_word(p, name, value)) {
        line = text;
    }
    if (p->is_head) {
        jrpc_buffer_append(&p->head, line);
        jrpc_buffer_append_str(&p->head, "\r\n");
    } else if (!p->is_fact) {
        add_message(p, line);
    }
}

static jrpc_slice next_line(jrpc_slice *rest)
{
    jrpc_slice line = *rest;
    (void)jrpc_slice_take_line(rest, &line);
    return line;
}

void script_begin(exchange *ret_exchange, jrpc_slice text)
{
    jrpc_slice line = next_line(&text);
    jrpc_slice name;
    jrpc_slice value;
    jrpc_slice wanted = line;
    // Those that accept answers, change levels, or take rules out.
    static const char *const profiles[] = {"mcp", "kotlinx-rpc", "strict"};
    const jck_suite *suite = fuzz_suite();
    while (next_word(&line, &name, &value)) {
        if (jrpc_slice_is(name, "profile")) {
            suite = fuzz_suite_under(profiles[CHOOSE(value, profiles)]);
        } else if (jrpc_slice_is(name, "case")) {
            wanted = value;
        }
    }
    const jck_case *test_case = jck_suite_find_case(suite, wanted);
    size_t at = hash(wanted) % jck_suite_case_count(suite);
    while (test_case == NULL || test_case->side == JCK_SIDE_PARSER) {
        test_case = jck_suite_case(suite, at); // what a parser is asked is asked of no server
        at = (at + 1) % jck_suite_case_count(suite);
    }
    exchange_begin(ret_exchange, suite, fuzz_target(), test_case);
}

void script_play(exchange *e, jrpc_slice text)
{
    player *p = jrpc_arena_alloc(&e->arena, sizeof *p); // the rules in it live on
    FUZZ_REQUIRE(p != NULL);
    p->e = e;
    e->calibration.broken = p->broken;
    jrpc_buffer_init(&p->head, jrpc_allocator_heap(), TEXT_BYTES);
    bool whole = jrpc_slice_starts_with(text, JRPC_SLICE("@long "));
    for (size_t i = 0; i < e->test_case->step_count; i++) {
        (void)exchange_send(e, i, whole ? LONG_BYTES : SENT_BYTES);
    }
    while (text.len > 0) {
        jrpc_slice line = next_line(&text);
        if (line.len > 0) {
            play_line(p, line);
        }
    }
    jrpc_buffer_done(&p->head);
}
