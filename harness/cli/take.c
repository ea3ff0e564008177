#include "harness/cli/take.h"

#include "harness/cli/number.h"

#include <string.h>

static void *member_of(const jck_option *option, jck_options *options)
{
    return (char *)options + option->member;
}

bool jck_take_flag(const jck_option *option, jck_options *options, const char *value,
                   jrpc_error *error)
{
    (void)value;
    (void)error;
    *(bool *)member_of(option, options) = true;
    return true;
}

// Given twice, it asks for more.
bool jck_take_more(const jck_option *option, jck_options *options, const char *value,
                   jrpc_error *error)
{
    (void)value;
    (void)error;
    (*(unsigned *)member_of(option, options))++;
    return true;
}

bool jck_take_word(const jck_option *option, jck_options *options, const char *value,
                   jrpc_error *error)
{
    if (value[0] == '\0') {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "--%s is empty; write --%s %s", option->name,
                              option->name, option->value);
    }
    *(const char **)member_of(option, options) = value;
    return true;
}

// No list is longer than argv, so room is allocated once.
bool jck_take_words(const jck_option *option, jck_options *options, const char *value,
                    jrpc_error *error)
{
    jck_words *words = member_of(option, options);
    if (value[0] == '\0') {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "--%s is empty; write --%s %s", option->name,
                              option->name, option->value);
    }
    words->items[words->count++] = value;
    return true;
}

bool jck_take_count(const jck_option *option, jck_options *options, const char *value,
                    jrpc_error *error)
{
    uint64_t number;
    if (!jck_number(value, option->least, option->most, &number)) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "--%s '%.60s' is not a whole number from %u to %u", option->name,
                              value, option->least, option->most);
    }
    *(unsigned *)member_of(option, options) = (unsigned)number;
    return true;
}

bool jck_take_examples(const jck_option *option, jck_options *options, const char *value,
                       jrpc_error *error)
{
    options->max_examples_given = true;
    return jck_take_count(option, options, value, error);
}

bool jck_take_framing(const jck_option *option, jck_options *options, const char *value,
                      jrpc_error *error)
{
    (void)option;
    options->framing_given = true;
    return jrpc_framing_from_name(jrpc_slice_str(value), &options->framing) ||
           jrpc_error_set(error, JRPC_ERROR_USAGE,
                          "there is no framing '%.60s'; choose line, content-length, concatenated "
                          "or length32",
                          value);
}

bool jck_take_color(const jck_option *option, jck_options *options, const char *value,
                    jrpc_error *error)
{
    static const char *const names[] = {"auto", "always", "never"};
    (void)option;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(value, names[i]) == 0) {
            options->color = (jck_color)i;
            return true;
        }
    }
    return jrpc_error_set(error, JRPC_ERROR_USAGE,
                          "--color '%.60s' is not known; choose auto, always or never", value);
}

bool jck_take_shard(const jck_option *option, jck_options *options, const char *value,
                    jrpc_error *error)
{
    (void)option;
    const char *slash = strchr(value, '/');
    char index[16];
    size_t len = slash == NULL ? sizeof index : (size_t)(slash - value);
    uint64_t part;
    uint64_t parts;
    if (len < sizeof index) {
        memcpy(index, value, len);
        index[len] = '\0';
        if (jck_number(slash + 1, 1, 100000, &parts) && jck_number(index, 1, parts, &part)) {
            options->shard_index = (unsigned)part;
            options->shard_count = (unsigned)parts;
            return true;
        }
    }
    return jrpc_error_set(error, JRPC_ERROR_USAGE,
                          "--shard '%.60s' is not a shard; write I/N with I from 1 to N, "
                          "such as 2/4",
                          value);
}

bool jck_take_transport(const jck_option *option, jck_options *options, const char *value,
                        jrpc_error *error)
{
    (void)option;
    char names[80];
    jrpc_transport_names(names, sizeof names);
    options->transport_given = true;
    return jrpc_transport_from_name(jrpc_slice_str(value), &options->transport) ||
           jrpc_error_set(error, JRPC_ERROR_USAGE,
                          "there is no transport '%.60s'; choose one of %s", value, names);
}

bool jck_take_shuffle(const jck_option *option, jck_options *options, const char *value,
                      jrpc_error *error)
{
    (void)option;
    options->shuffle = true;
    return jck_number(value, 0, UINT64_MAX, &options->seed) ||
           jrpc_error_set(error, JRPC_ERROR_USAGE,
                          "--shuffle '%.60s' is not a seed; a seed is a whole number, and a run "
                          "prints the one it used",
                          value);
}

bool jck_take_seed(const jck_option *option, jck_options *options, const char *value,
                   jrpc_error *error)
{
    (void)option;
    options->seeded = true;
    return jck_number(value, 0, UINT64_MAX, &options->seed) ||
           jrpc_error_set(
               error, JRPC_ERROR_USAGE,
               "--seed '%.60s' is not a seed; a seed is a whole number, and a run prints "
               "the one it used",
               value);
}

// Reads "90", "500ms", "60s", "10m" or "2h" into whole units of `unit_ms` milliseconds. A plain
// number is in that unit.
static bool read_duration(const char *text, unsigned unit_ms, const jck_option *option,
                          unsigned *ret)
{
    const struct {
        const char *suffix;
        unsigned ms;
    } units[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}, {"", unit_ms}};
    char digits[16];
    size_t len = strspn(text, "0123456789");
    size_t at = 0;
    while (strcmp(units[at].suffix, text + len) != 0) {
        if (units[at++].suffix[0] == '\0') {
            return false;
        }
    }
    uint64_t number;
    if (len >= sizeof digits) {
        return false;
    }
    memcpy(digits, text, len);
    digits[len] = '\0';
    if (!jck_number(digits, 1, UINT32_MAX, &number) || number * units[at].ms % unit_ms != 0) {
        return false;
    }
    uint64_t whole = number * units[at].ms / unit_ms;
    *ret = (unsigned)whole;
    return whole >= option->least && whole <= option->most;
}

static bool take_time(const jck_option *option, jck_options *options, const char *value,
                      unsigned unit_ms, const char *hint, jrpc_error *error)
{
    unsigned time;
    if (!read_duration(value, unit_ms, option, &time)) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "--%s '%.60s' is not a duration; write %s",
                              option->name, value, hint);
    }
    *(unsigned *)member_of(option, options) = time;
    return true;
}

bool jck_take_duration(const jck_option *option, jck_options *options, const char *value,
                       jrpc_error *error)
{
    return take_time(option, options, value, 1000, "30s, 10m or 2h, at most a week", error);
}

bool jck_take_milliseconds(const jck_option *option, jck_options *options, const char *value,
                           jrpc_error *error)
{
    return take_time(option, options, value, 1,
                     "a number of milliseconds, or 500ms, 5s or 2m; at most an hour", error);
}
