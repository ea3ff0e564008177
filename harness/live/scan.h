// The parts of a message that JSON readers may read differently, so that neither reading is a
// finding.
#ifndef JCK_LIVE_SCAN_H
#define JCK_LIVE_SCAN_H

#include "reference/json/value.h"

// What was seen, one bit each.
typedef enum jck_oddity {
    JCK_ODD_NUMBER = 1,     // beyond the range or precision of a double, or with a long exponent
    JCK_ODD_STRING = 2,     // U+0000 or a lone surrogate
    JCK_ODD_TWICE = 4,      // an Object has a duplicate member
    JCK_ODD_DEPTH = 8,      // nested deeper than some readers go
    JCK_ODD_SIZE = 16,      // longer or wider than some servers accept
    JCK_ODD_MEMBER = 32,    // a message with a member that the specification does not name
    JCK_ODD_REQUEST = 64,   // … with a duplicate of a member that it does name
    JCK_ODD_ID = 128,       // an id that may come back as another value
    JCK_ODD_FRACTION = 256, // a Number spelled with a fraction or an exponent
    JCK_ODD_TWINS = 512     // a batch in which two calls have the same id
} jck_oddity;

// What is unusual about a value, anywhere in it.
unsigned jck_scan_value(jrpc_json value);
// The same for one message, and what is unusual about its members.
unsigned jck_scan_message(jrpc_json message);

#endif
