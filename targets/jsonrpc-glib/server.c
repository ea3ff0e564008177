// A jsonrpc-glib server on standard input and output: one "handle-call" and one "notification"
// handler, as its documentation shows. Params arrive as a GVariant: an Array as "av", an Object as
// "a{sv}", every number as a double or an int64.
#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <jsonrpc-glib.h>
#include <unistd.h>

static gint64 took = 0;

static gint64 integer_of(GVariant *value)
{
    if (g_variant_is_of_type(value, G_VARIANT_TYPE_INT64)) {
        return g_variant_get_int64(value);
    }
    return g_variant_is_of_type(value, G_VARIANT_TYPE_DOUBLE) ? (gint64)g_variant_get_double(value)
                                                              : 0;
}

static gint64 element(GVariant *params, gsize index)
{
    g_autoptr(GVariant) boxed = g_variant_get_child_value(params, index);
    g_autoptr(GVariant) value = g_variant_get_variant(boxed);
    return integer_of(value);
}

static gint64 member(GVariant *params, const char *name)
{
    g_autoptr(GVariant) value = g_variant_lookup_value(params, name, NULL);
    return value == NULL ? 0 : integer_of(value);
}

static gboolean is_array_of(GVariant *params, gsize count)
{
    return params != NULL && g_variant_is_of_type(params, G_VARIANT_TYPE("av")) &&
           g_variant_n_children(params) >= count;
}

static void subtract(JsonrpcClient *client, GVariant *id, GVariant *params)
{
    gint64 difference = 0;
    if (is_array_of(params, 2)) {
        difference = element(params, 0) - element(params, 1);
    } else if (params != NULL && g_variant_is_of_type(params, G_VARIANT_TYPE_VARDICT)) {
        difference = member(params, "minuend") - member(params, "subtrahend");
    } else {
        jsonrpc_client_reply_error_async(client, id, JSONRPC_CLIENT_ERROR_INVALID_PARAMS,
                                         "Invalid params", NULL, NULL, NULL);
        return;
    }
    jsonrpc_client_reply_async(client, id, g_variant_new_int64(difference), NULL, NULL, NULL);
}

static gboolean handle_call(JsonrpcServer *server, JsonrpcClient *client, const gchar *method,
                            GVariant *id, GVariant *params, gpointer data)
{
    (void)server;
    (void)data;
    if (g_strcmp0(method, "subtract") == 0) {
        subtract(client, id, params);
    } else if (g_strcmp0(method, "get_data") == 0) {
        GVariant *const items[] = {g_variant_new_variant(g_variant_new_string("hello")),
                                   g_variant_new_variant(g_variant_new_int64(5))};
        jsonrpc_client_reply_async(client, id, g_variant_new_array(NULL, items, 2), NULL, NULL,
                                   NULL);
    } else if (g_strcmp0(method, "echo") == 0) {
        jsonrpc_client_reply_async(client, id, params, NULL, NULL, NULL);
    } else if (g_strcmp0(method, "count") == 0) {
        jsonrpc_client_reply_async(client, id, g_variant_new_int64(took), NULL, NULL, NULL);
    } else {
        return FALSE;
    }
    return TRUE;
}

static void notification(JsonrpcServer *server, JsonrpcClient *client, const gchar *method,
                         GVariant *params, gpointer data)
{
    (void)server;
    (void)client;
    (void)params;
    (void)data;
    if (g_strcmp0(method, "update") == 0 || g_str_has_prefix(method, "notify_")) {
        took++;
    }
}

static void closed(JsonrpcServer *server, JsonrpcClient *client, gpointer loop)
{
    (void)server;
    (void)client;
    g_main_loop_quit(loop);
}

int main(void)
{
    g_autoptr(GMainLoop) loop = g_main_loop_new(NULL, FALSE);
    g_autoptr(GInputStream) input = g_unix_input_stream_new(STDIN_FILENO, FALSE);
    g_autoptr(GOutputStream) output = g_unix_output_stream_new(STDOUT_FILENO, FALSE);
    g_autoptr(GIOStream) stream = g_simple_io_stream_new(input, output);
    g_autoptr(JsonrpcServer) server = jsonrpc_server_new();
    g_signal_connect(server, "handle-call", G_CALLBACK(handle_call), NULL);
    g_signal_connect(server, "notification", G_CALLBACK(notification), NULL);
    g_signal_connect(server, "client-closed", G_CALLBACK(closed), loop);
    jsonrpc_server_accept_io_stream(server, stream);
    g_main_loop_run(loop);
    return 0;
}
