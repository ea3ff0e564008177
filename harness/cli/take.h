// The functions that take the value of an option: jck_option.take in the table of options.c.
#ifndef JCK_CLI_TAKE_H
#define JCK_CLI_TAKE_H

#include "harness/cli/options.h"

bool jck_take_flag(const jck_option *option, jck_options *options, const char *value,
                   jrpc_error *error);
bool jck_take_more(const jck_option *option, jck_options *options, const char *value,
                   jrpc_error *error);
bool jck_take_word(const jck_option *option, jck_options *options, const char *value,
                   jrpc_error *error);
bool jck_take_words(const jck_option *option, jck_options *options, const char *value,
                    jrpc_error *error);
bool jck_take_count(const jck_option *option, jck_options *options, const char *value,
                    jrpc_error *error);
bool jck_take_examples(const jck_option *option, jck_options *options, const char *value,
                       jrpc_error *error);
bool jck_take_framing(const jck_option *option, jck_options *options, const char *value,
                      jrpc_error *error);
bool jck_take_color(const jck_option *option, jck_options *options, const char *value,
                    jrpc_error *error);
bool jck_take_shard(const jck_option *option, jck_options *options, const char *value,
                    jrpc_error *error);
bool jck_take_transport(const jck_option *option, jck_options *options, const char *value,
                        jrpc_error *error);
bool jck_take_shuffle(const jck_option *option, jck_options *options, const char *value,
                      jrpc_error *error);
bool jck_take_seed(const jck_option *option, jck_options *options, const char *value,
                   jrpc_error *error);
// A duration such as 30s, 10m or 2h. jck_take_duration reads a plain number as seconds,
// jck_take_milliseconds as milliseconds; the latter also reads 500ms.
bool jck_take_duration(const jck_option *option, jck_options *options, const char *value,
                       jrpc_error *error);
bool jck_take_milliseconds(const jck_option *option, jck_options *options, const char *value,
                           jrpc_error *error);

#endif
