// Many runs side by side: what each shows about each rule, and about each question that the
// specification leaves open. Filled run by run; the matrix report writes it at the end.
#ifndef JCK_REPORT_MATRIX_H
#define JCK_REPORT_MATRIX_H

#include "harness/report/page.h"
#include "harness/report/rulebook.h"

// What one run shows about one rule.
typedef struct jck_matrix_cell {
    unsigned broken, judged; // cases
    jck_standing worst;
} jck_matrix_cell;

// A case that some run has, reported once.
typedef struct jck_matrix_case {
    jrpc_slice id, title;
    bool asked; // an observation was made in it
} jck_matrix_case;

// A value that was observed, and in how many cases (1, if the question is one case).
typedef struct jck_matrix_answer {
    size_t run;
    jrpc_slice value;
    size_t count;
    struct jck_matrix_answer *next;
} jck_matrix_answer;

// If the name of an observation is a rule, each case is a question of its own; any other name is
// one question asked in many cases.
typedef struct jck_matrix_question {
    jrpc_slice name;
    size_t test_case; // index, or JCK_MATRIX_MANY
    jck_matrix_answer *first;
    jck_matrix_answer **end;
} jck_matrix_question;

#define JCK_MATRIX_MANY SIZE_MAX

typedef struct jck_matrix_run {
    jck_reading_start start;
    size_t counts[JCK_OUTCOME_COUNT];
    size_t cases, musts, shoulds;
    bool complete;
    jck_matrix_cell *cells;  // JCK_RULINGS_MAX, by jck_ruling.index
    unsigned char *outcomes; // JCK_MATRIX_CASES_MAX, by case: the outcome + 1, 0 where it has none
} jck_matrix_run;

#define JCK_MATRIX_RUNS_MAX 256
#define JCK_MATRIX_CASES_MAX 4096
#define JCK_MATRIX_QUESTIONS_MAX 2048

typedef struct jck_matrix {
    jrpc_arena arena;
    jck_rulebook book;
    jck_matrix_run **runs;
    size_t run_count;
    jck_matrix_case **cases;
    size_t case_count;
    size_t expected_case; // runs report their cases in much the same order
    jck_matrix_question **questions;
    size_t question_count;
    size_t left_out;   // runs and cases for which there was no room
    bool run_left_out; // the current run is one of them
} jck_matrix;

bool jck_matrix_init(jck_matrix *matrix);
void jck_matrix_done(jck_matrix *matrix);
// Begins a column. False if out of memory, as for the others.
bool jck_matrix_begin(jck_matrix *matrix, const jck_reading_start *start);
bool jck_matrix_take_case(jck_matrix *matrix, const jck_reading_case *test_case);
void jck_matrix_end(jck_matrix *matrix, const jck_tally *tally);

// The two tables: implementations × rules, and what the specification leaves open.
bool jck_matrix_rules_write(jrpc_buffer *out, const jck_matrix *matrix, bool links);
bool jck_matrix_open_write(jrpc_buffer *out, const jck_matrix *matrix);

#endif
