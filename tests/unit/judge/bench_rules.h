// The rules of the bench for the judge: of each role one, with the id that it has in the suites.
#ifndef TESTS_UNIT_JUDGE_BENCH_RULES_H
#define TESTS_UNIT_JUDGE_BENCH_RULES_H

#define RULE(id, level, more)                                                                      \
    "{\"id\":\"" id "\",\"level\":\"" level "\",\"section\":\"1\",\"title\":\"t\","                \
    "\"sentence\":\"s\",\"source\":\"s\"" more "}"
#define ROLE(name) ",\"roles\":[\"" name "\"]"
#define FORM ",\"about\":[\"form\"]"
#define CODE ",\"about\":[\"form\",\"code\"]"
#define OF_BATCHES ",\"about\":[\"batch\"]"
#define SILENT_BATCH ",\"about\":[\"silence\",\"batch\"]"
#define NOTIFICATION ",\"about\":[\"notification\"]"
#define SILENCE ",\"about\":[\"silence\",\"notification\"]"
#define JUDGED ",\"judge\":\"on every Response\",\"ground\":\"t/0\""

// What each specification of the bench says. "s" has rules of its own beside those of JSON-RPC 2.0.
static const struct {
    const char *specification;
    const char *rule;
} bench_rules[] = {
    // clang-format off
    {"s", RULE("J2-4a", "S", ",\"lenient\":true")},
    {"s", RULE("J2-4e", "M", ROLE("same-id") JUDGED)},
    {"s", RULE("J2-4k", "S", ROLE("id-in-doubles"))},
    {"s", RULE("J2-4.1a", "M", ROLE("notification-silent") SILENCE)},
    {"s", RULE("J2-4.1b", "M", ROLE("notification-silent-in-batch") SILENCE)},
    {"s", RULE("J2-4.1c", "M", ROLE("failing-notification-silent") SILENCE)},
    {"s", RULE("J2-4.1d", "M", ROLE("notification-effect") NOTIFICATION)},
    {"s", RULE("J2-4.2a", "M", ROLE("params-by-position"))},
    {"s", RULE("J2-5a", "M", ROLE("response-owed") FORM)},
    {"s", RULE("J2-5b", "M", ROLE("response-version") FORM JUDGED)},
    {"s", RULE("J2-5c", "M", ROLE("success-result") FORM)},
    {"s", RULE("J2-5d", "M", ROLE("no-result-beside-error") FORM JUDGED)},
    {"s", RULE("J2-5e", "M", ROLE("no-error-beside-result") FORM JUDGED)},
    {"s", RULE("J2-5f", "M", ROLE("response-id") FORM JUDGED)},
    {"s", RULE("J2-5g", "M", ROLE("unknown-id-null") FORM)},
    {"s", RULE("J2-5h", "M", ROLE("result-or-error") FORM JUDGED)},
    {"s", RULE("J2-5j", "M", ROLE("strict-json") FORM JUDGED)},
    {"s", RULE("J2-5k", "M", ROLE("error-object") FORM JUDGED)},
    {"s", RULE("J2-5l", "O", ROLE("unknown-members") FORM)},
    {"s", RULE("J2-5.1a", "M", ROLE("error-code") FORM JUDGED)},
    {"s", RULE("J2-5.1b", "M", ROLE("error-message") FORM JUDGED)},
    {"s", RULE("J2-5.1c", "S", ROLE("message-concise") FORM JUDGED)},
    {"s", RULE("J2-5.1d", "M", ROLE("parse-error") CODE ",\"ground\":\"t/1\"")},
    {"s", RULE("J2-5.1e", "M", ROLE("invalid-request") CODE)},
    {"s", RULE("J2-5.1f", "M", ROLE("method-not-found") CODE ",\"ground\":\"t/0\"")},
    {"s", RULE("J2-5.1g", "M", ROLE("invalid-params") CODE)},
    {"s", RULE("J2-5.1h", "S", ROLE("internal-error") CODE)},
    {"s", RULE("J2-5.1i", "M", ROLE("reserved-codes") CODE JUDGED)},
    {"s", RULE("J2-6a", "S", ROLE("batch-array") OF_BATCHES ",\"ground\":\"t/2\"")},
    {"s", RULE("J2-6b", "S", ROLE("batch-each-call") OF_BATCHES ",\"stands-on\":[\"J2-6a\"]")},
    {"s", RULE("J2-6d", "M", ROLE("batch-empty") OF_BATCHES)},
    {"s", RULE("J2-6e", "M", ROLE("batch-parse-error") OF_BATCHES)},
    {"s", RULE("J2-6f", "M", ROLE("batch-of-notifications") SILENT_BATCH ",\"stands-on\":[\"J2-6a\"]")},
    {"s", RULE("J2-6g", "M", ROLE("batch-invalid-elements") OF_BATCHES ",\"stands-on\":[\"J2-6a\"]")},
    {"s", RULE("J2-6i", "M", ROLE("batch-nested") OF_BATCHES)},
    {"s", RULE("J2-6h", "S", ROLE("batch-of-one") OF_BATCHES)},
    {"s", RULE("J2-7", "M", ROLE("printed-exchanges") SILENT_BATCH)},
    {"s", RULE("FR-a", "M", ROLE("one-line"))},
    {"s", RULE("FR-b", "M", ROLE("frame-head"))},
    {"s", RULE("FR-f", "S", ROLE("messages-only"))},
    {"s", RULE("SEC-b", "M", ROLE("survives-malformed"))},
    {"s", RULE("SEC-l", "M", ROLE("survives-valid"))},
    {"s", RULE("SEC-c", "S", ROLE("no-trace-in-message"))},
    {"s", RULE("SEC-j", "S", ROLE("no-trace-in-data"))},
    {"s", RULE("SEC-k", "O", ROLE("encryption"))},
    {"s", RULE("PUSH-a", "M", ROLE("originated-messages"))},
    {"jsonrpc-1.0", RULE("J1-a", "M", ROLE("response-version"))},
    {"jsonrpc-1.0", RULE("J1-b", "M", ROLE("result-or-error"))},
    {"ro-jrpc-1.0", RULE("RO-19b", "S", ROLE("result-form"))},
    {"ro-jrpc-1.0", RULE("RO-19c", "S", ROLE("result-status"))},
    {"ro-jrpc-1.0", RULE("RO-19d", "M", ROLE("result-final"))},
    {"ro-jrpc-1.0", RULE("RO-19e", "S", ROLE("result-request"))},
    {"ro-jrpc-1.0", RULE("RO-19i", "S", ROLE("result-status-of-verb"))},
    {"ro-jrpc-1.0", RULE("RO-19j", "O", ROLE("result-connection"))},
    {"s", RULE("CON-a", "M", ",\"about\":[\"company\"]")},
    {"s", RULE("J2-4d", "S", "")},
    {"s", RULE("J2-4f", "M", "")},
    {"s", RULE("X-must", "M", "")},
    {"own", RULE("OWN-must", "M", "")},
    {"own", RULE("OWN-id", "S", ROLE("response-id"))},
    {"s", RULE("X-should", "S", "")},
    {"s", RULE("X-open", "O", "")},
    // clang-format on
};

#endif
