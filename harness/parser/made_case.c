#include "harness/parser/made_case.h"

#include <stdio.h>

void jck_made_case_fill_sum(jck_made_case *made, const char *id, const char *title,
                            const jck_rule *rule)
{
    *made = (jck_made_case){.rule = rule->id};
    (void)snprintf(made->id, sizeof made->id, "%s", id);
    (void)snprintf(made->title, sizeof made->title, "%s", title);
    made->test_case = (jck_case){
        .id = jrpc_slice_str(made->id),
        .title = jrpc_slice_str(made->title),
        .suite = rule->specification,
        .side = JCK_SIDE_PARSER,
        .section = rule->section,
        .rules = &made->rule,
        .rule_count = 1,
    };
}

void jck_made_case_fill(jck_made_case *made, const char *group, const char *what, jck_class class,
                        size_t number, const jck_rule *rule, jrpc_slice text, jck_parser_owes owes)
{
    char id[sizeof made->id];
    char title[sizeof made->title];
    (void)snprintf(id, sizeof id, "%s/%s-%zu", group, jck_class_name(class), number);
    (void)snprintf(title, sizeof title, "%s (%s: %s)", what, jck_class_topic(class),
                   jck_class_word(class));
    jck_made_case_fill_sum(made, id, title, rule);
    made->step = (jck_step){
        .kind = JCK_STEP_SEND,
        .connection = 'a',
        .payload = {.kind = JCK_PAYLOAD_BYTES, .text = text},
        .expect = {.kind = JCK_EXPECT_PARSER, .parser = owes},
    };
    made->test_case.steps = &made->step;
    made->test_case.step_count = 1;
}
