// Faults of the process rather than of its answers: it crashes, hangs, or takes ever longer.
#ifndef JRPC_ADAPTER_BEHAVE_H
#define JRPC_ADAPTER_BEHAVE_H

#include "reference/adapter/fault.h"
#include "reference/base/slice.h"

// Does what the fault does with such a text; returns if it survives.
void jrpc_behave(jrpc_parser_fault fault, jrpc_slice text);
// How deep the text nests, not counting brackets in strings.
unsigned jrpc_depth_of(jrpc_slice text);

#endif
