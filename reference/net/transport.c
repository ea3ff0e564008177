#include "reference/net/transport.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const jrpc_traits all[JRPC_TRANSPORT_COUNT] = {
    [JRPC_TRANSPORT_STDIO] =
        {
            .name = "stdio",
            .address = JRPC_ADDRESS_COMMAND,
            .byte_stream = true,
            .carries_raw = true,
            .can_push = true,
            .is_child = true,
        },
    [JRPC_TRANSPORT_TCP] =
        {
            .name = "tcp",
            .schemes = {"tcp://"},
            .address = JRPC_ADDRESS_PORT,
            .byte_stream = true,
            .carries_raw = true,
            .can_push = true,
            .can_reconnect = true,
        },
    [JRPC_TRANSPORT_UNIX] =
        {
            .name = "unix",
            .schemes = {"unix:"},
            .address = JRPC_ADDRESS_PATH,
            .byte_stream = true,
            .carries_raw = true,
            .can_push = true,
            .can_reconnect = true,
        },
    [JRPC_TRANSPORT_HTTP] =
        {
            .name = "http",
            .schemes = {"http://", "https://"},
            .address = JRPC_ADDRESS_URL,
            .exchanges = true,
            .can_reconnect = true,
            .is_web = true,
        },
    [JRPC_TRANSPORT_WEBSOCKET] =
        {
            .name = "websocket",
            .schemes = {"ws://", "wss://"},
            .address = JRPC_ADDRESS_URL,
            .carries_raw = true,
            .can_push = true,
            .can_reconnect = true,
            .text_is_utf8 = true,
            .is_web = true,
            .upgrades = true,
        },
};

const jrpc_traits *jrpc_transport_traits(jrpc_transport transport)
{
    return &all[transport];
}

bool jrpc_transport_from_name(jrpc_slice name, jrpc_transport *ret_transport)
{
    for (size_t i = 0; i < JRPC_TRANSPORT_COUNT; i++) {
        if (jrpc_slice_is(name, all[i].name)) {
            *ret_transport = (jrpc_transport)i;
            return true;
        }
    }
    return false;
}

void jrpc_transport_names(char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < JRPC_TRANSPORT_COUNT && used < size; i++) {
        int len = snprintf(out + used, size - used, "%s%s", i > 0 ? ", " : "", all[i].name);
        used += len > 0 ? (size_t)len : 0;
    }
}

bool jrpc_transport_from_address(const char *address, jrpc_transport *ret_transport,
                                 const char **ret_rest)
{
    for (size_t i = 0; i < JRPC_TRANSPORT_COUNT; i++) {
        for (const char *const *scheme = all[i].schemes; *scheme != NULL; scheme++) {
            size_t len = strlen(*scheme);
            if (strncasecmp(address, *scheme, len) == 0) {
                *ret_transport = (jrpc_transport)i;
                *ret_rest = address + len;
                return true;
            }
        }
    }
    return false;
}
