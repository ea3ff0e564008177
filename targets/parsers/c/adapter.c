// Adapter for the JSON parsers of C: cJSON, jansson, json-c, yajl, and those of jq and SQLite
//
// json-c and jansson share names of functions, so this file is built once for each, with -DWITH_NAME.
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads `text`, which ends with a NUL at text[len]. Returns what the library writes for the value, from malloc, or NULL if it
// refuses the text or cannot write the value. *why gets the reason of a refusal, or NULL if there is none.
static char *read_text(const char *text, size_t len, const char **why);

#if defined WITH_CJSON
#include <cjson/cJSON.h>
#define NAME "cJSON"
static const char *version(void)
{
    return cJSON_Version();
}
static char *read_text(const char *text, size_t len, const char **why)
{
    const char *end = NULL;
    cJSON *value = cJSON_ParseWithLengthOpts(text, len + 1, &end, 1);
    char *written = value == NULL ? NULL : cJSON_PrintUnformatted(value);
    *why = value == NULL ? "not read" : NULL;
    cJSON_Delete(value);
    return written;
}
#elif defined WITH_JANSSON
#include <jansson.h>
#define NAME "jansson"
static const char *version(void)
{
    return jansson_version_str();
}
static char *read_text(const char *text, size_t len, const char **why)
{
    static json_error_t error;
    json_t *value = json_loadb(text, len, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    char *written = value == NULL ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    *why = value == NULL ? error.text : NULL;
    json_decref(value);
    return written;
}
#elif defined WITH_JSON_C
#include <json-c/json.h>
#define NAME "json-c"
static const char *version(void)
{
    return json_c_version();
}
static char *read_text(const char *text, size_t len, const char **why)
{
    struct json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    // The NUL after the text says that no more comes.
    struct json_object *value = json_tokener_parse_ex(tokener, text, (int)len + 1);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    int rest = error == json_tokener_success && json_tokener_get_parse_end(tokener) < len;
    *why = error != json_tokener_success ? json_tokener_error_desc(error) : rest ? "more after the value" : NULL;
    char *written = *why == NULL ? strdup(json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN)) : NULL;
    json_object_put(value);
    json_tokener_free(tokener);
    return written;
}
#elif defined WITH_YAJL
#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>
#include <yajl/yajl_version.h>
#define NAME "yajl"
static const char *version(void)
{
    static char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", YAJL_MAJOR, YAJL_MINOR, YAJL_MICRO);
    return text;
}
// A generator that cannot write (it nests 128 deep) does not stop the parser.
static int unwritten;
#define GEN(call) return unwritten |= yajl_gen_##call != yajl_gen_status_ok, 1
static int on_null(void *gen) { GEN(null(gen)); }
static int on_boolean(void *gen, int value) { GEN(bool(gen, value)); }
static int on_number(void *gen, const char *text, size_t len) { GEN(number(gen, text, len)); }
static int on_string(void *gen, const unsigned char *text, size_t len) { GEN(string(gen, text, len)); }
static int on_start_map(void *gen) { GEN(map_open(gen)); }
static int on_end_map(void *gen) { GEN(map_close(gen)); }
static int on_start_array(void *gen) { GEN(array_open(gen)); }
static int on_end_array(void *gen) { GEN(array_close(gen)); }
static char *read_text(const char *text, size_t len, const char **why)
{
    static const yajl_callbacks callbacks = {on_null, on_boolean, NULL, NULL, on_number, on_string,
                                             on_start_map, on_string, on_end_map, on_start_array, on_end_array};
    yajl_gen gen = yajl_gen_alloc(NULL);
    unwritten = 0;
    yajl_handle parser = yajl_alloc(&callbacks, NULL, gen);
    yajl_status status = yajl_parse(parser, (const unsigned char *)text, len);
    status = status == yajl_status_ok ? yajl_complete_parse(parser) : status;
    const unsigned char *written = NULL;
    size_t written_len = 0;
    char *copy = NULL;
    *why = status != yajl_status_ok ? "parse error" : NULL;
    if (status == yajl_status_ok && !unwritten && yajl_gen_get_buf(gen, &written, &written_len) == yajl_gen_status_ok) {
        copy = strndup((const char *)written, written_len);
    }
    yajl_free(parser);
    yajl_gen_free(gen);
    return copy;
}
#elif defined WITH_JQ
#include <jv.h>
#define NAME "jq"
static const char *version(void)
{
    return ""; // the library does not tell
}
static char *read_text(const char *text, size_t len, const char **why)
{
    static char reason[1000];
    jv value = jv_parse_sized(text, (int)len);
    if (!jv_is_valid(value)) {
        jv said = jv_invalid_get_msg(value);
        snprintf(reason, sizeof reason, "%s", jv_get_kind(said) == JV_KIND_STRING ? jv_string_value(said) : "no value");
        jv_free(said);
        *why = reason;
        return NULL;
    }
    jv written = jv_dump_string(value, 0);
    char *copy = strdup(jv_string_value(written));
    jv_free(written);
    return copy;
}
#elif defined WITH_SQLITE
#include <sqlite3.h>
#define NAME "SQLite"
static const char *version(void)
{
    return sqlite3_libversion();
}
// SELECT json(?): what a text is to the functions about JSON, written by SQLite again.
static char *read_text(const char *text, size_t len, const char **why)
{
    static sqlite3 *database;
    static sqlite3_stmt *statement;
    static char reason[1000];
    if (database == NULL && (sqlite3_open(":memory:", &database) != SQLITE_OK ||
                             sqlite3_prepare_v2(database, "SELECT json(?1)", -1, &statement, NULL) != SQLITE_OK)) {
        exit(1);
    }
    sqlite3_bind_text64(statement, 1, text, len, SQLITE_STATIC, SQLITE_UTF8);
    const char *written = sqlite3_step(statement) == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    char *copy = written == NULL ? NULL : strdup(written);
    snprintf(reason, sizeof reason, "%s", sqlite3_errmsg(database));
    *why = written == NULL ? reason : NULL;
    sqlite3_reset(statement);
    return copy;
}
#endif

static void send_answer(char first, const char *body)
{
    size_t len = strlen(body);
    uint32_t size = (uint32_t)len + 1;
    const unsigned char head[] = {(unsigned char)(size >> 24), (unsigned char)(size >> 16), (unsigned char)(size >> 8),
                                  (unsigned char)size, (unsigned char)first};
    fwrite(head, 1, sizeof head, stdout);
    fwrite(body, 1, len, stdout);
    fflush(stdout);
}

int main(void)
{
    char identity[200];
    unsigned char head[4];
    const char *said = version();
    snprintf(identity, sizeof identity, "{\"name\":\"" NAME "\"%s%s%s,\"language\":\"C\"}", said[0] == '\0' ? "" : ",\"version\":\"", said,
             said[0] == '\0' ? "" : "\"");
    send_answer('I', identity);
    while (fread(head, 1, 4, stdin) == 4) {
        size_t len = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
        char *text = malloc(len + 1);
        if (text == NULL || fread(text, 1, len, stdin) != len) {
            return 1;
        }
        text[len] = '\0';
        const char *why = NULL;
        char *written = read_text(text, len, &why);
        if (why != NULL) {
            send_answer('R', why);
        } else {
            send_answer(written != NULL ? 'A' : 'a', written != NULL ? written : "");
        }
        free(written);
        free(text);
    }
    return 0;
}
