// Executions that are not reported yet: a message that comes late is given to the one that it
// answers, and what is pending stands or goes when the run ends.
#include "harness/run/confirm.h"
#include "harness/run/held.h"
#include "harness/run/pending.h"
#include "tests/unit/run/scripted_run.h"

typedef struct fixture {
    scripted_run run;
    jck_ledger ledger;
    jck_plan plan;
    jck_worker worker;
} fixture;

static void begin(fixture *f)
{
    run_begin(&f->run, JRPC_TRANSPORT_TCP);
    f->plan = (jck_plan){0};
    assert_true(jck_ledger_init(&f->ledger, &f->run.options, &f->run.arena));
    jck_worker_init(&f->worker, &f->ledger, &f->plan);
}

static void end(fixture *f)
{
    jck_held_report(&f->worker, 0);
    jck_worker_done(&f->worker);
    jck_ledger_done(&f->ledger);
    run_end(&f->run);
}

static const jck_case *case_of(const char *id)
{
    for (size_t i = 0; i < jck_suite_case_count(run_suite); i++) {
        if (jrpc_slice_is(jck_suite_case(run_suite, i)->id, id)) {
            return jck_suite_case(run_suite, i);
        }
    }
    fail_msg("there is no case %s", id);
    return NULL;
}

#define ID_BYTES 64

// The id of the call in the first step of an attempt.
static const char *id_of(const jck_attempt *attempt, char id[ID_BYTES])
{
    (void)snprintf(id, ID_BYTES, "jck-%08x-%u-0", attempt->variables.nonce,
                   attempt->variables.serial);
    return id;
}

// Puts a message into the record of an attempt.
static void note(jck_attempt *attempt, jck_direction direction, jck_role_of_message role,
                 const char *text, bool own_id)
{
    assert_true(jck_evidence_add(&attempt->evidence, &(jck_message){.direction = direction,
                                                                    .role = role,
                                                                    .connection = 'a',
                                                                    .bytes = jrpc_slice_str(text),
                                                                    .true_len = strlen(text),
                                                                    .own_id = own_id}));
}

// An execution whose call had only that answer (NULL: none) before its fence was answered; its
// verdict is pending on the connection of that number (0: it stands).
static jck_execution *add(fixture *f, const char *id, uint64_t listening, const char *answer)
{
    const jck_case *test_case = case_of(id);
    jck_execution *execution = jck_execution_new(test_case, "case");
    jck_attempt *attempt = jck_ledger_attempt(&f->ledger, test_case);
    assert_non_null(execution);
    assert_non_null(attempt);
    char call[256];
    char own[ID_BYTES];
    (void)snprintf(call, sizeof call, "{\"jsonrpc\":\"2.0\",\"method\":\"nobody\",\"id\":\"%s\"}",
                   id_of(attempt, own));
    note(attempt, JCK_SENT, JCK_MESSAGE_OF_CASE, call, false);
    if (answer != NULL) {
        note(attempt, JCK_RECEIVED, JCK_MESSAGE_OF_CASE, answer, false);
    }
    attempt->evidence.settled[0] = JCK_FENCED;
    attempt->listening = listening;
    jck_worker_judge(&f->worker, test_case, attempt);
    jck_execution_decide(execution, attempt, JCK_WAY_COMPANY);
    execution->pending = listening > 0;
    jck_held_add(&f->worker, execution);
    return execution;
}

static jck_execution *add_unanswered(fixture *f, const char *id, uint64_t listening)
{
    jck_execution *execution = add(f, id, listening, NULL);
    assert_int_equal(execution->outcome, JCK_OUTCOME_FAIL);
    return execution;
}

// Another attempt, in which a Response of that id came.
static jck_attempt *hear(fixture *f, const char *id)
{
    jck_attempt *attempt = jck_ledger_attempt(&f->ledger, case_of("call/unknown-method"));
    assert_non_null(attempt);
    char text[256];
    (void)snprintf(
        text, sizeof text,
        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"m\"},\"id\":\"%s\"}", id);
    note(attempt, JCK_RECEIVED, JCK_MESSAGE_OF_SESSION, text, true);
    return attempt;
}

static void a_late_answer_is_given_to_the_execution_that_it_answers(void **state)
{
    (void)state;
    static fixture f;
    begin(&f);
    jck_execution *first = add_unanswered(&f, "call/unknown-method", 7);
    jck_execution *second = add_unanswered(&f, "call/unknown-method", 7);
    char id[ID_BYTES];
    jck_attempt *attempt = hear(&f, id_of(first->attempt, id));
    jck_confirm_strays(&f.worker, attempt, 0);
    jck_attempt_free(attempt);
    assert_int_equal(first->outcome, JCK_OUTCOME_PASS);
    assert_false(first->pending); // nothing is left to wait for
    assert_int_equal(second->outcome, JCK_OUTCOME_FAIL);
    assert_true(second->pending);
    assert_int_equal(second->attempt->listening, 7);
    // An answer to what nobody holds changes nothing.
    attempt = hear(&f, "jck-1234abcd-99-0");
    jck_confirm_strays(&f.worker, attempt, 0);
    jck_attempt_free(attempt);
    assert_int_equal(second->outcome, JCK_OUTCOME_FAIL);
    jck_held_settle(&f.worker, false);
    end(&f);
    expect_of(&f.run, "call/unknown-method", "fail", "");
}

// A refusal without an id may be the late answer to another case. It passes where it may be the
// answer to this one; once the case's own answer has come as well, that is no second answer yet.
static void with_an_answer_to_another_case_it_is_run_alone(void **state)
{
    (void)state;
    static fixture f;
    begin(&f);
    jck_execution *wide =
        add(&f, "security/wide-batch", 0,
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"m\"},\"id\":null}");
    assert_in_range(wide->outcome, JCK_OUTCOME_PASS, JCK_OUTCOME_OBSERVE);
    char id[ID_BYTES];
    jck_attempt *attempt = hear(&f, id_of(wide->attempt, id));
    jck_confirm_strays(&f.worker, attempt, attempt->evidence.count); // what came is known already
    assert_false(jck_attempt_has_finding(wide->attempt));
    jck_confirm_strays(&f.worker, attempt, 0);
    jck_attempt_free(attempt);
    assert_true(jck_attempt_has_finding(wide->attempt));
    assert_true(wide->pending);
    assert_true(jck_pending_settle(&f.worker, false));
    assert_in_range(wide->outcome, JCK_OUTCOME_PASS, JCK_OUTCOME_OBSERVE);
    assert_int_equal(wide->company.way, JCK_WAY_ONCE);
    end(&f);
}

static void what_spoke_can_no_longer_be_listened_to(void **state)
{
    (void)state;
    static fixture f;
    begin(&f);
    jck_execution *same = add_unanswered(&f, "call/unknown-method", 7);
    jck_execution *other = add_unanswered(&f, "call/unknown-method", 8);
    jck_held_doubt(&f.worker, 7);
    assert_int_equal(same->attempt->listening, 0);
    assert_int_equal(other->attempt->listening, 8);
    assert_true(same->pending && other->pending);
    assert_int_equal(jck_held_count(&f.worker), 2);
    assert_ptr_equal(jck_held_last(&f.worker), other);
    assert_ptr_equal(jck_held_of(&f.worker, other->test_case), other);
    assert_null(jck_held_of(&f.worker, case_of("batch/empty")));
    jck_held_settle(&f.worker, false);
    end(&f);
}

static void what_is_pending_stands_or_gets_no_verdict_at_the_end(void **state)
{
    (void)state;
    for (int ends = 0; ends <= 1; ends++) {
        static fixture f;
        begin(&f);
        (void)add_unanswered(&f, "call/unknown-method", 0);
        (void)add_unanswered(&f, "call/unknown-method", 7);
        jck_held_report(&f.worker, 0);
        assert_int_equal(f.run.count, 1); // what is pending is kept
        jck_held_settle(&f.worker, ends == 1);
        end(&f);
        assert_int_equal(f.run.count, ends == 1 ? 1 : 2);
    }
}

static void those_that_kept_silence_are_held_longer(void **state)
{
    (void)state;
    static fixture f;
    begin(&f);
    jck_execution *silent = add_unanswered(&f, "call/unknown-method", 0);
    silent->test_case = case_of("notification/unknown");
    silent->attempt->verdict.outcome = JCK_OUTCOME_PASS;
    jck_execution_conclude(silent);
    assert_true(jck_execution_kept_silence(silent));
    for (int i = 0; i <= JCK_RECENT_MAX; i++) {
        (void)add_unanswered(&f, "call/unknown-method", 0);
    }
    jck_held_report(&f.worker, JCK_RECENT_MAX);
    assert_int_equal(f.run.count, 1);
    assert_int_equal(jck_held_count(&f.worker), JCK_RECENT_MAX + 1);
    assert_ptr_equal(f.worker.held, silent);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_answer_is_given_to_the_execution_that_it_answers),
        cmocka_unit_test(with_an_answer_to_another_case_it_is_run_alone),
        cmocka_unit_test(what_spoke_can_no_longer_be_listened_to),
        cmocka_unit_test(what_is_pending_stands_or_gets_no_verdict_at_the_end),
        cmocka_unit_test(those_that_kept_silence_are_held_longer),
    };
    return cmocka_run_group_tests(tests, run_load_suite, run_free_suite);
}
