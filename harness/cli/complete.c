#include "harness/cli/complete.h"

#include "harness/cli/commands.h"
#include "harness/cli/data.h"
#include "harness/report/report.h"
#include "harness/report/safe.h"
#include "harness/suite/file.h"

typedef struct typing {
    jck_options *options;
    FILE *out;
    jrpc_slice before; // part of the word that is not completed: "--only="
    jrpc_slice word;   // what has been typed after that
} typing;

typedef void offers(const typing *self);

static void offer(const typing *self, jrpc_slice word, jrpc_slice meaning)
{
    if (jrpc_slice_starts_with(word, self->word)) {
        (void)fwrite(self->before.ptr, 1, self->before.len, self->out);
        (void)jck_print_safe(self->out, word);
        (void)fputc('\t', self->out);
        (void)jck_print_safe(self->out, meaning);
        (void)fputc('\n', self->out);
    }
}

static void offer_str(const typing *self, const char *word, const char *meaning)
{
    offer(self, jrpc_slice_str(word), jrpc_slice_str(meaning));
}

static void files(const typing *self)
{
    (void)fputs(":files\n", self->out);
}

static void folders(const typing *self)
{
    (void)fputs(":folders\n", self->out);
}

static void programs(const typing *self)
{
    (void)fputs(":commands\n", self->out);
}

static jck_suite *load_suite(const typing *self)
{
    jrpc_error error = {0};
    const char *folder = jck_data_cases(self->options, &error);
    return folder == NULL ? NULL : jck_data_load(self->options, folder, NULL, NULL, &error);
}

static void suites_of(const typing *self, const jck_suite *suite)
{
    for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
        jrpc_slice name = jck_suite_case(suite, i)->suite;
        if (i == 0 || !jrpc_slice_equal(name, jck_suite_case(suite, i - 1)->suite)) {
            offer(self, name, JRPC_SLICE("suite"));
        }
    }
}

static void cases_of(const typing *self, const jck_suite *suite)
{
    for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
        const jck_case *test_case = jck_suite_case(suite, i);
        offer(self, test_case->id, test_case->title);
    }
}

static void rules_of(const typing *self, const jck_suite *suite)
{
    for (size_t i = 0; i < jck_suite_rule_count(suite); i++) {
        const jck_rule *rule = jck_suite_rule(suite, i);
        offer(self, rule->id, rule->title);
    }
}

static void suites(const typing *self)
{
    jck_suite *suite = load_suite(self);
    if (suite != NULL) {
        suites_of(self, suite);
    }
    jck_suite_free(suite);
}

static void cases(const typing *self)
{
    jck_suite *suite = load_suite(self);
    if (suite != NULL) {
        cases_of(self, suite);
    }
    jck_suite_free(suite);
}

static void rules_and_cases(const typing *self)
{
    jck_suite *suite = load_suite(self);
    if (suite != NULL) {
        rules_of(self, suite);
        cases_of(self, suite);
    }
    jck_suite_free(suite);
}

// The names in a folder of the data; none if there is no such folder.
static size_t names_in(const typing *self, const char *folder, const char ***ret_names)
{
    size_t count = 0;
    return folder != NULL && jck_file_list(folder, &self->options->arena, ret_names, &count, NULL)
               ? count
               : 0;
}

static void targets(const typing *self)
{
    const char *folder = jck_data_targets(self->options);
    const char **names;
    size_t count = names_in(self, folder, &names);
    for (size_t i = 0; i < count; i++) {
        const char *path =
            jrpc_arena_printf(&self->options->arena, "%s/%s/target.json", folder, names[i]);
        if (path != NULL && jck_file_kind_of(path) == JCK_FILE_PLAIN) {
            offer_str(self, names[i], "target");
        }
    }
    files(self);
}

// NAME for each cases/profiles/NAME.json.
static void profiles(const typing *self)
{
    jrpc_error error = {0};
    const char *cases_folder = jck_data_cases(self->options, &error);
    const char *folder = cases_folder == NULL ? NULL
                                              : jrpc_arena_printf(&self->options->arena,
                                                                  "%s/profiles", cases_folder);
    const char **names;
    size_t count = names_in(self, folder, &names);
    for (size_t i = 0; i < count; i++) {
        const char *end = strrchr(names[i], '.');
        if (end != NULL && strcmp(end, ".json") == 0) {
            offer(self, jrpc_slice_of(names[i], (size_t)(end - names[i])), JRPC_SLICE("profile"));
        }
    }
    files(self);
}

static void formats(const typing *self)
{
    for (const jck_report_format *const *format = jck_report_formats(); *format != NULL; format++) {
        offer_str(self, (*format)->name, (*format)->summary);
    }
}

static void framings(const typing *self)
{
    static const jrpc_framing all[] = {JRPC_FRAMING_LINE, JRPC_FRAMING_CONTENT_LENGTH,
                                       JRPC_FRAMING_CONCATENATED, JRPC_FRAMING_LENGTH32};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        offer_str(self, jrpc_framing_name(all[i]), "framing");
    }
}

static void colors(const typing *self)
{
    offer_str(self, "auto", "where the output is a terminal");
    offer_str(self, "always", "colours");
    offer_str(self, "never", "no colours");
}

static void commands(const typing *self)
{
    for (const jck_command *command = jck_command_table(); command->name != NULL; command++) {
        offer_str(self, command->name, command->summary);
    }
}

// Values that are neither a FILE nor a DIR; every other option's value is the user's own.
static const struct {
    const char *option;
    offers *values;
} values_table[] = {
    {"suite", suites},     {"only", rules_and_cases}, {"skip", rules_and_cases},
    {"framing", framings}, {"profile", profiles},     {"report", formats},
    {"color", colors},     {"start", programs},       {"after", cases},
};

// What the first operand is, and what the others are.
static const struct {
    jck_commands command;
    offers *first, *others;
} operands_table[] = {
    {JCK_COMMAND_RUN, targets, NULL},    {JCK_COMMAND_COMPARE, targets, targets},
    {JCK_COMMAND_REPRO, cases, targets}, {JCK_COMMAND_SHRINK, cases, targets},
    {JCK_COMMAND_REPORT, files, files},  {JCK_COMMAND_EXPLAIN, rules_and_cases, NULL},
    {JCK_COMMAND_LINT, files, files},    {JCK_COMMAND_HELP, commands, NULL},
};

static void complete_value(typing *self, const jck_option *option)
{
    // FORMAT=PATH: a file after the equals sign.
    if (self->word.len > 0 && memchr(self->word.ptr, '=', self->word.len) != NULL) {
        files(self);
        return;
    }
    for (size_t i = 0; i < sizeof values_table / sizeof *values_table; i++) {
        if (strcmp(values_table[i].option, option->name) == 0) {
            values_table[i].values(self);
            return;
        }
    }
    if (strcmp(option->value, "FILE") == 0) {
        files(self);
    } else if (strcmp(option->value, "DIR") == 0) {
        folders(self);
    }
}

static void complete_option(const typing *self, const jck_command *command)
{
    for (const jck_option *option = jck_option_table(); option->name != NULL; option++) {
        char dashed[48];
        int len = snprintf(dashed, sizeof dashed, "--%s", option->name);
        if ((option->commands & command->bit) != 0 && len > 0) {
            offer(self, jrpc_slice_of(dashed, (size_t)len), jrpc_slice_str(option->help));
        }
    }
}

static void complete_operand(const typing *self, const jck_command *command, size_t place)
{
    for (size_t i = 0; i < sizeof operands_table / sizeof *operands_table; i++) {
        if (operands_table[i].command == command->bit) {
            offers *these = place == 0 ? operands_table[i].first : operands_table[i].others;
            if (these != NULL) {
                these(self);
            }
        }
    }
}

static const jck_option *option_of(const char *word)
{
    jrpc_slice all = jrpc_slice_of(word, strcspn(word, "="));
    return jrpc_slice_starts_with(all, JRPC_SLICE("--"))
               ? jck_option_named(jrpc_slice_from(all, strlen("--")))
               : NULL;
}

static void complete_last(typing *self, const jck_command *command, size_t operands,
                          const char *last)
{
    const char *sign = strchr(last, '=');
    const jck_option *option = option_of(last);
    if (option != NULL && option->value != NULL && sign != NULL) {
        size_t len = (size_t)(sign - last) + 1;
        self->before = jrpc_slice_of(last, len);
        self->word = jrpc_slice_str(last + len);
        complete_value(self, option);
    } else if (last[0] == '-') {
        complete_option(self, command);
    } else {
        complete_operand(self, command, operands);
    }
}

void jck_complete(jck_options *options, char *const *words, FILE *out)
{
    size_t count = 0;
    while (words[count] != NULL) {
        count++;
    }
    const char *last = count == 0 ? "" : words[count - 1];
    typing self = {options, out, JRPC_SLICE(""), jrpc_slice_str(last)};
    const jck_command *command = count < 2 ? NULL : jck_command_named(words[0]);
    size_t at = command == NULL ? 0 : 1;
    if (command == NULL) {
        command = jck_command_table();
    }
    if (count < 2 && last[0] != '-') {
        commands(&self);
    }
    size_t operands = 0;
    for (; at + 1 < count; at++) {
        const jck_option *option = option_of(words[at]);
        bool apart = option != NULL && option->value != NULL && strchr(words[at], '=') == NULL;
        if (strcmp(words[at], "--") == 0) {
            // The target's own command line: its program, then the program's arguments.
            (at + 2 == count ? programs : files)(&self);
            return;
        }
        if (apart && at + 2 == count) {
            complete_value(&self, option);
            return;
        }
        if (option != NULL && strcmp(option->name, "cases") == 0) {
            const char *sign = strchr(words[at], '=');
            options->cases = sign != NULL ? sign + 1 : words[at + 1];
        }
        operands += words[at][0] != '-' || words[at][1] == '\0' ? 1 : 0;
        at += apart ? 1 : 0;
    }
    complete_last(&self, command, operands, last);
}
