#include "harness/judge/example.h"

const char *jck_example_word(jck_example_kind kind)
{
    static const char *const words[JCK_EXAMPLE_KINDS] = {"response", "batch", "nothing", "closed",
                                                         "message",  "http",  "alive"};
    return words[kind];
}

const char *jck_came_word(jck_came came)
{
    static const char *const words[JCK_CAME_KINDS] = {"nothing", "answer", "closed", "exited"};
    return words[came];
}
