#include "harness/cli/show.h"

#include "harness/report/safe.h"
#include "reference/base/plural.h"
#include "reference/json/write.h"

#include <stdio.h>

#define LABEL_WIDTH 10
#define LINE_WIDTH 100
#define SHOWN_BYTES 400
#define LINE_BYTES ((size_t)64 << 10)

// Takes the first word off *text.
static jrpc_slice take_word(jrpc_slice *text)
{
    size_t begin = 0;
    while (begin < text->len && text->ptr[begin] == ' ') {
        begin++;
    }
    size_t end = begin;
    while (end < text->len && text->ptr[end] != ' ') {
        end++;
    }
    jrpc_slice word = jrpc_slice_of(text->ptr + begin, end - begin);
    *text = jrpc_slice_from(*text, end);
    return word;
}

void jck_show_text(const char *label, jrpc_slice text)
{
    if (text.len == 0) {
        return;
    }
    (void)printf("  %-*s", LABEL_WIDTH, label);
    size_t column = LABEL_WIDTH + 2;
    bool first = true;
    for (jrpc_slice rest = text, word; (word = take_word(&rest)).len > 0; first = false) {
        if (!first && column + 1 + word.len > LINE_WIDTH) {
            (void)printf("\n%*s", LABEL_WIDTH + 2, "");
            column = LABEL_WIDTH + 2;
        } else if (!first) {
            (void)putchar(' ');
            column++;
        }
        (void)jck_print_safe(stdout, word);
        column += word.len;
    }
    (void)putchar('\n');
}

void jck_show_words(const char *label, const jrpc_slice *words, size_t count)
{
    jrpc_buffer joined;
    jrpc_buffer_init(&joined, jrpc_allocator_heap(), LINE_BYTES);
    for (size_t i = 0; i < count; i++) {
        (void)jrpc_buffer_append_str(&joined, i == 0 ? "" : ", ");
        (void)jrpc_buffer_append(&joined, words[i]);
    }
    jck_show_text(label, jrpc_buffer_slice(&joined));
    jrpc_buffer_done(&joined);
}

void jck_show_bytes(jrpc_slice bytes, size_t max)
{
    jrpc_buffer line;
    jrpc_buffer_init(&line, jrpc_allocator_heap(), LINE_BYTES);
    if (jck_safe_append_capped(&line, JCK_SAFE_PLAIN, bytes, max, bytes.len)) {
        (void)fwrite(line.ptr, 1, line.len, stdout);
    }
    (void)putchar('\n');
    jrpc_buffer_done(&line);
}

static void show_pattern(jrpc_json pattern)
{
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), JCK_SAMPLE_PAYLOAD_BYTES);
    if (jrpc_json_compact(&text, pattern)) {
        jck_show_bytes(jrpc_buffer_slice(&text), SHOWN_BYTES);
    } else {
        (void)putchar('\n');
    }
    jrpc_buffer_done(&text);
}

static void show_parser(const jck_expect *expect)
{
    switch (expect->parser) {
    case JCK_PARSER_ACCEPTS:
        (void)puts("the parser accepts the text and keeps what it says");
        break;
    case JCK_PARSER_REFUSES:
        (void)puts("the parser refuses the text");
        break;
    case JCK_PARSER_CHOOSES:
        (void)printf("either; what the parser does is noted as ");
        (void)jck_print_safe(stdout, expect->observation);
        (void)putchar('\n');
        break;
    }
}

static void show_alternative(const jck_expect *expect);

static void show_expect(const jck_expect *expect)
{
    switch (expect->kind) {
    case JCK_EXPECT_UNSTATED:
        (void)puts("what a later step says");
        break;
    case JCK_EXPECT_ANYTHING:
        (void)puts("anything that is well formed");
        break;
    case JCK_EXPECT_NOTHING:
        (void)puts("nothing");
        break;
    case JCK_EXPECT_CLOSED:
        if (expect->with_status) {
            (void)printf("the process ends with status %d\n", expect->status);
        } else {
            (void)puts("the connection is closed");
        }
        break;
    case JCK_EXPECT_RESPONSE:
    case JCK_EXPECT_BATCH:
        show_pattern(expect->pattern);
        break;
    case JCK_EXPECT_REJECTED:
        (void)printf("-32600; served: a warning of ");
        (void)jck_print_safe(stdout, expect->rule);
        (void)putchar('\n');
        break;
    case JCK_EXPECT_OWED:
        (void)puts("what the specification requires for it");
        break;
    case JCK_EXPECT_PARSER:
        show_parser(expect);
        break;
    case JCK_EXPECT_ANY_OF:
        (void)puts("one of");
        for (size_t i = 0; i < expect->alternative_count; i++) {
            show_alternative(&expect->alternatives[i]);
        }
        break;
    }
}

static void show_alternative(const jck_expect *expect)
{
    (void)printf("%*s", LABEL_WIDTH + 4, "");
    switch (expect->taken_as) {
    case JCK_TAKEN_AS_PASS:
        break;
    case JCK_TAKEN_AS_WARN:
        (void)printf("(a warning) ");
        break;
    case JCK_TAKEN_AS_OBSERVE:
    case JCK_TAKEN_AS_ENOUGH:
        (void)printf("(observed as ");
        (void)jck_print_safe(stdout, expect->observation);
        (void)printf(expect->taken_as == JCK_TAKEN_AS_ENOUGH ? ", and nothing more is asked) "
                                                             : ") ");
        break;
    }
    show_expect(expect);
}

static void show_label(const char *label, char connection)
{
    if (connection == 'a') {
        (void)printf("  %-*s", LABEL_WIDTH, label);
    } else {
        (void)printf("  %s (%c)%*s", label, connection, (int)(LABEL_WIDTH - strlen(label) - 4), "");
    }
}

static void show_send(jck_sample *sample, const jck_step *step, size_t index)
{
    jrpc_buffer bytes;
    jrpc_error error = {0};
    jrpc_buffer_init(&bytes, jrpc_allocator_heap(), JCK_SAMPLE_PAYLOAD_BYTES);
    show_label(step->payload.raw ? "raw" : "send", step->connection);
    if (jck_sample_bytes(sample, step, index, &bytes, &error)) {
        jck_show_bytes(jrpc_buffer_slice(&bytes), SHOWN_BYTES);
    } else {
        (void)printf("(%s)\n", error.message);
    }
    jrpc_buffer_done(&bytes);
    show_label("expect", 'a');
    show_expect(&step->expect);
    for (size_t i = 0; i < step->expect.accepted_count; i++) {
        (void)printf("%s", i == 0 ? "  or, as the profile allows, one of\n" : "");
        show_alternative(&step->expect.accepted[i]);
    }
}

static void show_payload(const jck_payload *payload)
{
    switch (payload->kind) {
    case JCK_PAYLOAD_JSON:
        show_pattern(payload->json);
        break;
    case JCK_PAYLOAD_TEXT:
    case JCK_PAYLOAD_BYTES:
        jck_show_bytes(payload->text, SHOWN_BYTES);
        break;
    case JCK_PAYLOAD_REPEAT:
        jck_show_bytes(payload->prefix, SHOWN_BYTES / 4);
        (void)printf("%*s%zu time%s ", LABEL_WIDTH + 2, "", payload->times,
                     jrpc_plural(payload->times));
        jck_show_bytes(payload->unit, SHOWN_BYTES / 4);
        break;
    }
}

static void show_command(const jck_driver_command *command)
{
    (void)printf("%s", jck_driver_action_name(command->action));
    for (size_t i = 0; i < command->request_count; i++) {
        const jck_request *request = &command->requests[i];
        (void)printf("%s%s ", i == 0 ? " " : "\n              ",
                     request->notify && command->action == JCK_ACTION_BATCH ? "(notify)" : "");
        (void)jck_print_safe(stdout, jrpc_json_spelling(request->method));
        (void)putchar(' ');
        (void)jck_print_safe(stdout, jrpc_json_spelling(request->params));
    }
    (void)putchar('\n');
}

// A run of a client that makes its own calls: the response to each of them.
static void show_serve(const jck_step *step)
{
    for (size_t i = 0; i < step->reply_count; i++) {
        const jck_step *reply = &step->replies[i];
        show_label(i == 0 ? step->reversed ? "in reverse" : "serve" : "", 'a');
        if (reply->kind == JCK_STEP_LEAVE) {
            (void)puts("the end of the connection");
        } else {
            show_payload(&reply->payload);
        }
    }
    if (step->reply_count == 0) {
        show_label("serve", 'a');
        (void)puts("nothing");
    }
}

static void show_step(jck_sample *sample, const jck_case *test_case, size_t index)
{
    const jck_step *step = &test_case->steps[index];
    switch (step->kind) {
    case JCK_STEP_SEND:
        show_send(sample, step, index);
        break;
    case JCK_STEP_RECEIVE:
        show_label("receive", step->connection);
        show_pattern(step->patterns);
        break;
    case JCK_STEP_REPLY:
        show_label("reply", step->connection);
        show_pattern(step->reply);
        break;
    case JCK_STEP_FENCE:
        show_label("fence", step->connection);
        (void)puts(test_case->side == JCK_SIDE_CLIENT
                       ? "a notification that the driver reports once the client has read it"
                       : "a call that must be answered");
        break;
    case JCK_STEP_CLOSE:
        show_label("close", step->connection);
        (void)puts(step->half ? "our writing side" : "the connection");
        break;
    case JCK_STEP_DO:
        show_label("driver", 'a');
        show_command(&step->command);
        break;
    case JCK_STEP_HEAR:
        jck_show_words("hear", step->names, step->name_count);
        break;
    case JCK_STEP_ANSWER:
        show_label("answer", 'a');
        show_payload(&step->payload);
        break;
    case JCK_STEP_OUTCOME:
        show_label("outcome", 'a');
        show_expect(&step->expect);
        break;
    case JCK_STEP_LEAVE:
        show_label("close", 'a');
        (void)puts(step->half ? "our writing side" : "the connection");
        break;
    case JCK_STEP_SERVE:
        show_serve(step);
        break;
    }
}

void jck_show_steps(jck_sample *sample, const jck_case *test_case)
{
    jrpc_error error = {0};
    sample->of = test_case;
    if (!jck_sample_turn(sample, test_case->steps, test_case->step_count, &error)) {
        (void)printf("  (%s)\n", error.message);
        return;
    }
    for (size_t i = 0; i < test_case->step_count; i++) {
        show_step(sample, test_case, i);
    }
}
