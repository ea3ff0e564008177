#include "reference/wire/bounds.h"

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static bool is_opening(char byte)
{
    return byte == '{' || byte == '[';
}

static jrpc_bound begin(jrpc_bounds *bounds, char byte)
{
    if (is_space(byte)) {
        return JRPC_BOUND_SPACE;
    }
    if (is_opening(byte)) {
        bounds->state = JRPC_BOUNDS_OPEN;
        bounds->depth = 1;
    } else if (byte == '"') {
        bounds->state = JRPC_BOUNDS_STRING;
    } else if ((byte >= '0' && byte <= '9') || byte == '-' || byte == 't' || byte == 'f' ||
               byte == 'n') {
        bounds->state = JRPC_BOUNDS_BARE;
    } else {
        bounds->state = JRPC_BOUNDS_NOISE;
    }
    return JRPC_BOUND_FIRST;
}

static bool ends_bare(char byte)
{
    return is_space(byte) || is_opening(byte) || byte == '}' || byte == ']' || byte == ',' ||
           byte == ':' || byte == '"';
}

static jrpc_bound close_one(jrpc_bounds *bounds)
{
    bounds->depth--;
    if (bounds->depth > 0) {
        return JRPC_BOUND_INSIDE;
    }
    bounds->state = JRPC_BOUNDS_BETWEEN;
    return JRPC_BOUND_LAST;
}

jrpc_bound jrpc_bounds_step(jrpc_bounds *bounds, char byte)
{
    switch (bounds->state) {
    case JRPC_BOUNDS_BETWEEN:
        return begin(bounds, byte);
    case JRPC_BOUNDS_BARE:
        if (ends_bare(byte)) {
            bounds->state = JRPC_BOUNDS_BETWEEN;
            return JRPC_BOUND_BEHIND;
        }
        return JRPC_BOUND_INSIDE;
    case JRPC_BOUNDS_OPEN:
        if (byte == '}' || byte == ']') {
            return close_one(bounds);
        }
        if (byte == '"') {
            bounds->state = JRPC_BOUNDS_STRING;
        } else if (is_opening(byte)) {
            bounds->depth++;
        }
        return JRPC_BOUND_INSIDE;
    case JRPC_BOUNDS_STRING:
        if (byte == '\\') {
            bounds->state = JRPC_BOUNDS_ESCAPE;
        } else if (byte == '"') {
            bounds->state = bounds->depth == 0 ? JRPC_BOUNDS_BETWEEN : JRPC_BOUNDS_OPEN;
            return bounds->depth == 0 ? JRPC_BOUND_LAST : JRPC_BOUND_INSIDE;
        }
        return JRPC_BOUND_INSIDE;
    case JRPC_BOUNDS_ESCAPE:
        bounds->state = JRPC_BOUNDS_STRING;
        return JRPC_BOUND_INSIDE;
    case JRPC_BOUNDS_NOISE:
        if (is_opening(byte)) {
            bounds->state = JRPC_BOUNDS_BETWEEN;
            return JRPC_BOUND_BEHIND;
        }
        return JRPC_BOUND_INSIDE;
    }
    return JRPC_BOUND_INSIDE;
}
