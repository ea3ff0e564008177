#include "fuzz/model/grammar.h"

#include "fuzz/fuzz.h"

#include <stdlib.h>

typedef enum state {
    VALUE,         // a value must come
    FIRST_ELEMENT, // a value or `]`
    FIRST_NAME,    // a name or `}`
    NAME,          // a name
    COLON,
    BEHIND, // a value is complete
    STRING,
    ESCAPE,
    HEX,     // `left` digits to come
    TRAIL,   // `left` continuation bytes to come, the next within low..high
    LITERAL, // `rest` to come
    MINUS,
    ZERO,
    DIGITS,
    POINT,
    FRACTION,
    E,
    E_SIGN,
    EXPONENT,
} state;

typedef struct automaton {
    state now;
    bool naming; // the string that is open is a name
    unsigned left;
    unsigned char low, high;
    const char *rest;
    char *stack; // the open brackets: `few`, or owned
    size_t depth;
    char few[1024];
} automaton;

static bool in(unsigned char byte, unsigned char low, unsigned char high)
{
    return byte >= low && byte <= high;
}

static bool is_space(unsigned char byte)
{
    return byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D;
}

static bool go(automaton *a, state next)
{
    a->now = next;
    return true;
}

static bool open_bracket(automaton *a, unsigned char byte)
{
    a->stack[a->depth++] = (char)byte;
    return go(a, byte == '[' ? FIRST_ELEMENT : FIRST_NAME);
}

static bool close_bracket(automaton *a, unsigned char byte)
{
    if (a->depth == 0 || a->stack[a->depth - 1] != (byte == ']' ? '[' : '{')) {
        return false;
    }
    a->depth--;
    return go(a, BEHIND);
}

static bool open_string(automaton *a, bool naming)
{
    a->naming = naming;
    return go(a, STRING);
}

static bool begin_value(automaton *a, unsigned char byte)
{
    switch (byte) {
    case '[':
    case '{':
        return open_bracket(a, byte);
    case '"':
        return open_string(a, false);
    case '-':
        return go(a, MINUS);
    case '0':
        return go(a, ZERO);
    case 't':
        a->rest = "rue";
        return go(a, LITERAL);
    case 'f':
        a->rest = "alse";
        return go(a, LITERAL);
    case 'n':
        a->rest = "ull";
        return go(a, LITERAL);
    default:
        return in(byte, '1', '9') && go(a, DIGITS);
    }
}

static bool behind_value(automaton *a, unsigned char byte)
{
    if (byte == ',' && a->depth != 0) {
        return go(a, a->stack[a->depth - 1] == '[' ? VALUE : NAME);
    }
    return (byte == ']' || byte == '}') && close_bracket(a, byte);
}

static bool trail(automaton *a, unsigned left, unsigned char low, unsigned char high)
{
    a->left = left;
    a->low = low;
    a->high = high;
    return go(a, TRAIL);
}

static bool in_string(automaton *a, unsigned char byte)
{
    if (byte == '"') {
        return go(a, a->naming ? COLON : BEHIND);
    }
    if (byte == '\\') {
        return go(a, ESCAPE);
    }
    if (byte < 0x80) {
        return byte >= 0x20;
    }
    // The table of RFC 3629, section 4.
    switch (byte) {
    case 0xE0:
        return trail(a, 2, 0xA0, 0xBF);
    case 0xED:
        return trail(a, 2, 0x80, 0x9F);
    case 0xF0:
        return trail(a, 3, 0x90, 0xBF);
    case 0xF4:
        return trail(a, 3, 0x80, 0x8F);
    default:
        break;
    }
    if (in(byte, 0xC2, 0xDF)) {
        return trail(a, 1, 0x80, 0xBF);
    }
    if (in(byte, 0xE1, 0xEF)) {
        return trail(a, 2, 0x80, 0xBF);
    }
    return in(byte, 0xF1, 0xF3) && trail(a, 3, 0x80, 0xBF);
}

static bool in_escape(automaton *a, unsigned char byte)
{
    if (byte == 'u') {
        a->left = 4;
        return go(a, HEX);
    }
    return byte != 0 && strchr("\"\\/bfnrt", byte) != NULL && go(a, STRING);
}

static bool is_hex(unsigned char byte)
{
    return in(byte, '0', '9') || in(byte, 'a', 'f') || in(byte, 'A', 'F');
}

// A number ends where a byte does not continue it; that byte then comes after a value.
static bool behind_number(automaton *a, unsigned char byte)
{
    a->now = BEHIND;
    return is_space(byte) || behind_value(a, byte);
}

static bool in_number(automaton *a, unsigned char byte)
{
    bool digit = in(byte, '0', '9');
    bool e = byte == 'e' || byte == 'E';
    switch (a->now) {
    case MINUS:
        return byte == '0' ? go(a, ZERO) : digit && go(a, DIGITS);
    case ZERO:
    case DIGITS:
        if (digit && a->now == DIGITS) {
            return true;
        }
        if (byte == '.') {
            return go(a, POINT);
        }
        return e ? go(a, E) : behind_number(a, byte);
    case POINT:
        return digit && go(a, FRACTION);
    case FRACTION:
        if (digit) {
            return true;
        }
        return e ? go(a, E) : behind_number(a, byte);
    case E:
        if (byte == '+' || byte == '-') {
            return go(a, E_SIGN);
        }
        return digit && go(a, EXPONENT);
    case E_SIGN:
        return digit && go(a, EXPONENT);
    default:
        return digit || behind_number(a, byte);
    }
}

// Whether the text may go on with this byte.
static bool take(automaton *a, unsigned char byte)
{
    switch (a->now) {
    case VALUE:
        return is_space(byte) || begin_value(a, byte);
    case FIRST_ELEMENT:
        return is_space(byte) || (byte == ']' ? close_bracket(a, byte) : begin_value(a, byte));
    case FIRST_NAME:
        return is_space(byte) ||
               (byte == '}' ? close_bracket(a, byte) : byte == '"' && open_string(a, true));
    case NAME:
        return is_space(byte) || (byte == '"' && open_string(a, true));
    case COLON:
        return is_space(byte) || (byte == ':' && go(a, VALUE));
    case BEHIND:
        return is_space(byte) || behind_value(a, byte);
    case STRING:
        return in_string(a, byte);
    case ESCAPE:
        return in_escape(a, byte);
    case HEX:
        return is_hex(byte) && go(a, --a->left == 0 ? STRING : HEX);
    case TRAIL:
        if (!in(byte, a->low, a->high)) {
            return false;
        }
        a->low = 0x80;
        a->high = 0xBF;
        return go(a, --a->left == 0 ? STRING : TRAIL);
    case LITERAL:
        if (byte != (unsigned char)*a->rest) {
            return false;
        }
        a->rest++;
        return go(a, *a->rest == '\0' ? BEHIND : LITERAL);
    case MINUS:
    case ZERO:
    case DIGITS:
    case POINT:
    case FRACTION:
    case E:
    case E_SIGN:
    case EXPONENT:
        return in_number(a, byte);
    }
    return false;
}

static grammar_place place_of(const automaton *a)
{
    switch (a->now) {
    case VALUE:
    case FIRST_ELEMENT:
    case FIRST_NAME:
    case NAME:
    case COLON:
        return GRAMMAR_BETWEEN;
    case BEHIND:
        return a->depth == 0 ? GRAMMAR_BEHIND : GRAMMAR_BETWEEN;
    case STRING:
        return GRAMMAR_STRING;
    case ESCAPE:
    case HEX:
        return GRAMMAR_ESCAPE;
    case TRAIL:
        return GRAMMAR_UTF8;
    case LITERAL:
        return GRAMMAR_LITERAL;
    case MINUS:
    case ZERO:
    case DIGITS:
    case POINT:
    case FRACTION:
    case E:
    case E_SIGN:
    case EXPONENT:
        return GRAMMAR_NUMBER;
    }
    return GRAMMAR_BETWEEN;
}

static bool may_end(const automaton *a)
{
    return a->depth == 0 && (a->now == BEHIND || a->now == ZERO || a->now == DIGITS ||
                             a->now == FRACTION || a->now == EXPONENT);
}

static void begin(automaton *a, size_t len)
{
    a->naming = false;
    a->now = VALUE;
    a->depth = 0;
    a->stack = len < sizeof a->few ? a->few : malloc(len + 1);
    FUZZ_REQUIRE(a->stack != NULL);
}

static void end(automaton *a)
{
    if (a->stack != a->few) {
        free(a->stack);
    }
}

grammar_result grammar_check(jrpc_slice text, uint32_t max_depth)
{
    automaton a;
    begin(&a, text.len);
    grammar_result result = {GRAMMAR_UNFINISHED, text.len, GRAMMAR_BETWEEN};
    size_t i = 0;
    for (; i < text.len; i++) {
        result.place = place_of(&a);
        if (!take(&a, (unsigned char)text.ptr[i])) {
            result.verdict = GRAMMAR_WRONG;
            result.offset = i;
            break;
        }
        if (a.depth > max_depth) {
            result.verdict = GRAMMAR_DEEP;
            result.offset = i;
            break;
        }
    }
    if (i == text.len && may_end(&a)) {
        result.verdict = GRAMMAR_JSON;
    }
    end(&a);
    return result;
}

size_t grammar_first_value(jrpc_slice text)
{
    automaton a;
    begin(&a, text.len);
    size_t len = 0;
    for (size_t i = 0; i < text.len && len == 0 && take(&a, (unsigned char)text.ptr[i]); i++) {
        if (a.now == BEHIND && a.depth == 0 && strchr("]}\"", text.ptr[i]) != NULL) {
            len = i + 1;
        }
    }
    end(&a);
    return len;
}
