// A parser that is a program started anew for each text, which it gets on its standard input or in
// a file whose name replaces {} in the command. Exit status 0 means accepted, 1 to 123 refused,
// everything else a crash.
#ifndef JCK_PARSER_EACH_H
#define JCK_PARSER_EACH_H

#include "harness/parser/adapter.h"

// As jck_adapter_ask. The program's output is read and discarded.
jck_ask_status jck_each_ask(const jck_adapter_options *options, const jck_questions *questions,
                            jrpc_error *error);

#endif
