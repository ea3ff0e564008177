// Cases joined to one: what some of them send first, and then the last one, which is judged.
#ifndef JCK_SUITE_JOIN_H
#define JCK_SUITE_JOIN_H

#include "harness/suite/case.h"
#include "reference/base/arena.h"

// Makes one case of `count` cases (at least one), in `arena`: their steps one after the other, each
// with what it expects. Id, title, rules and levels are those of the last one; needed is what any
// of them needs. An id that is made up by a name is the same in all of them. False when memory is
// out.
bool jck_case_join(jrpc_arena *arena, const jck_case *const *cases, size_t count,
                   jck_case *ret_case);

#endif
