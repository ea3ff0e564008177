#include "harness/report/matrix.h"

#include "reference/base/limits.h"

bool jck_matrix_init(jck_matrix *matrix)
{
    *matrix = (jck_matrix){0};
    jrpc_arena_init(&matrix->arena, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    jck_rulebook_init(&matrix->book, &matrix->arena);
    matrix->runs = jrpc_arena_array(&matrix->arena, JCK_MATRIX_RUNS_MAX, sizeof(void *));
    matrix->cases = jrpc_arena_array(&matrix->arena, JCK_MATRIX_CASES_MAX, sizeof(void *));
    matrix->questions = jrpc_arena_array(&matrix->arena, JCK_MATRIX_QUESTIONS_MAX, sizeof(void *));
    return matrix->runs != NULL && matrix->cases != NULL && matrix->questions != NULL;
}

void jck_matrix_done(jck_matrix *matrix)
{
    jrpc_arena_done(&matrix->arena);
}

static bool keep(jck_matrix *matrix, jrpc_slice *text)
{
    return jrpc_arena_copy(&matrix->arena, *text, text);
}

bool jck_matrix_begin(jck_matrix *matrix, const jck_reading_start *start)
{
    if (matrix->run_count == JCK_MATRIX_RUNS_MAX) {
        matrix->run_left_out = true;
        matrix->left_out++;
        return true;
    }
    jck_matrix_run *run = jrpc_arena_alloc(&matrix->arena, sizeof *run);
    if (run == NULL) {
        return false;
    }
    *run = (jck_matrix_run){.start = *start};
    run->cells = jrpc_arena_array(&matrix->arena, JCK_RULINGS_MAX, sizeof *run->cells);
    run->outcomes = jrpc_arena_array(&matrix->arena, JCK_MATRIX_CASES_MAX, 1);
    matrix->expected_case = 0;
    // Incomplete data is not kept: a report that fails is still closed.
    if (run->cells == NULL || run->outcomes == NULL ||
        !jck_reading_keep_start(&run->start, &matrix->arena)) {
        return false;
    }
    matrix->runs[matrix->run_count++] = run;
    return true;
}

// The current run; NULL if there was no room for it.
static jck_matrix_run *present(jck_matrix *matrix)
{
    return matrix->run_left_out || matrix->run_count == 0 ? NULL
                                                          : matrix->runs[matrix->run_count - 1];
}

// *ret_index is JCK_MATRIX_MANY if there is no room.
static bool find_case(jck_matrix *matrix, const jck_reading_case *test_case, size_t *ret_index)
{
    for (size_t i = 0; i < matrix->case_count; i++) {
        size_t at = (matrix->expected_case + i) % matrix->case_count;
        if (jrpc_slice_equal(matrix->cases[at]->id, test_case->id)) {
            matrix->expected_case = at + 1;
            *ret_index = at;
            return true;
        }
    }
    *ret_index = JCK_MATRIX_MANY;
    if (matrix->case_count == JCK_MATRIX_CASES_MAX) {
        matrix->left_out++;
        return true;
    }
    jck_matrix_case *made = jrpc_arena_alloc(&matrix->arena, sizeof *made);
    if (made == NULL) {
        return false;
    }
    *made = (jck_matrix_case){.id = test_case->id, .title = test_case->title};
    if (!keep(matrix, &made->id) || !keep(matrix, &made->title)) {
        return false;
    }
    *ret_index = matrix->case_count;
    matrix->cases[matrix->case_count++] = made;
    return true;
}

static void count_rules(jck_matrix *matrix, jck_matrix_run *run, const jck_reading_case *test_case)
{
    for (size_t i = 0; i < test_case->rule_count + test_case->finding_count; i++) {
        jrpc_slice id = i < test_case->rule_count
                            ? test_case->rules[i]
                            : test_case->findings[i - test_case->rule_count].rule;
        bool again = false;
        for (size_t k = 0; k < i && !again; k++) {
            again = jrpc_slice_equal(id, k < test_case->rule_count
                                             ? test_case->rules[k]
                                             : test_case->findings[k - test_case->rule_count].rule);
        }
        const jck_ruling *ruling = again ? NULL : jck_rulebook_find(&matrix->book, id);
        jck_standing standing =
            ruling == NULL ? JCK_STANDING_UNTESTED : jck_standing_of(test_case, id);
        if (standing != JCK_STANDING_UNTESTED) {
            jck_matrix_cell *cell = &run->cells[ruling->index];
            cell->judged++;
            cell->broken += standing >= JCK_STANDING_SHOULD;
            cell->worst = standing > cell->worst ? standing : cell->worst;
        }
    }
}

static bool find_question(jck_matrix *matrix, jrpc_slice name, size_t test_case,
                          jck_matrix_question **ret_question)
{
    for (size_t i = 0; i < matrix->question_count; i++) {
        *ret_question = matrix->questions[i];
        if ((*ret_question)->test_case == test_case &&
            jrpc_slice_equal((*ret_question)->name, name)) {
            return true;
        }
    }
    *ret_question = NULL;
    if (matrix->question_count == JCK_MATRIX_QUESTIONS_MAX) {
        return true;
    }
    jck_matrix_question *made = jrpc_arena_alloc(&matrix->arena, sizeof *made);
    if (made == NULL) {
        return false;
    }
    *made = (jck_matrix_question){.name = name, .test_case = test_case};
    made->end = &made->first;
    if (!keep(matrix, &made->name)) {
        return false;
    }
    matrix->questions[matrix->question_count++] = made;
    *ret_question = made;
    return true;
}

static bool answer(jck_matrix *matrix, jck_matrix_question *question, jrpc_slice value)
{
    size_t run = matrix->run_count - 1;
    size_t values = 0;
    for (jck_matrix_answer *at = question->first; at != NULL; at = at->next) {
        if (at->run == run && jrpc_slice_equal(at->value, value)) {
            at->count++;
            return true;
        }
        values += at->run == run;
    }
    jck_matrix_answer *made = jrpc_arena_alloc(&matrix->arena, sizeof *made);
    if (made == NULL || values > 16) {
        return made != NULL;
    }
    *made = (jck_matrix_answer){.run = run, .value = value, .count = 1};
    if (!keep(matrix, &made->value)) {
        return false;
    }
    *question->end = made;
    question->end = &made->next;
    return true;
}

bool jck_matrix_take_case(jck_matrix *matrix, const jck_reading_case *test_case)
{
    jck_matrix_run *run = present(matrix);
    size_t index;
    if (test_case->ground || run == NULL) {
        return true;
    }
    if (!jck_rulebook_read(&matrix->book, test_case) || !find_case(matrix, test_case, &index)) {
        return false;
    }
    count_rules(matrix, run, test_case);
    if (index == JCK_MATRIX_MANY) {
        return true;
    }
    run->outcomes[index] = (unsigned char)(test_case->outcome + 1);
    for (size_t i = 0; i < test_case->observation_count; i++) {
        const jck_reading_observation *seen = &test_case->observations[i];
        bool one = jck_rulebook_find(&matrix->book, seen->name) != NULL;
        jck_matrix_question *question;
        if (!find_question(matrix, seen->name, one ? index : JCK_MATRIX_MANY, &question) ||
            (question != NULL && !answer(matrix, question, seen->value))) {
            return false;
        }
    }
    return true;
}

void jck_matrix_end(jck_matrix *matrix, const jck_tally *tally)
{
    jck_matrix_run *run = present(matrix);
    if (run != NULL) {
        for (int i = 0; i < JCK_OUTCOME_COUNT; i++) {
            run->counts[i] = tally->counts[i];
        }
        run->cases = tally->cases;
        run->musts = jck_tally_broken_at_all(tally, JCK_LEVEL_MUST);
        run->shoulds = jck_tally_broken_at_all(tally, JCK_LEVEL_SHOULD);
        run->complete = jck_tally_complete(tally);
    }
}
