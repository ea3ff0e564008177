// Texts of cases and of messages that many tables of the bench for the judge use.
#ifndef TESTS_UNIT_JUDGE_BENCH_TEXTS_H
#define TESTS_UNIT_JUDGE_BENCH_TEXTS_H

// A row of a case of the project: its id, the verdict, and what came.
#define IN(id, verdict, ...) NULL, {__VA_ARGS__}, verdict, .test_case = id

// Members of cases that many tables use.
#define SEND(rules, send, expect) "\"rules\":[" rules "],\"send\":" send ",\"expect\":" expect
#define SEND_TEXT(rules, text, expect)                                                             \
    "\"rules\":[" rules "],\"send-text\":\"" text "\",\"expect\":" expect
#define ON_CALL(expect) SEND("\"X-must\"", CALL, expect)
#define CALL "{\"jsonrpc\":\"2.0\",\"method\":\"${absent}\",\"id\":7}"
#define UNKNOWN "{\"error\":{\"code\":-32601}}"
#define OK_ERROR "\"error\":{\"code\":-32601,\"message\":\"no\"}"
#define ANSWER "{\"jsonrpc\":\"2.0\"," OK_ERROR ",\"id\":7}"
#define ERROR_CODE(code) "\"error\":{\"code\":" code ",\"message\":\"no\"}"
#define ERROR_ANSWER(code, id) "{\"jsonrpc\":\"2.0\"," ERROR_CODE(code) ",\"id\":" id "}"
#define NOT_FOUND(id) ERROR_ANSWER("-32601", id)

#endif
