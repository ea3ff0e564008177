#include "harness/drive/reception.h"

#include "reference/base/file.h"
#include "reference/net/websocket_forms.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MESSAGE_BYTES ((size_t)24 << 20)
enum { LETTERS = 26 };
// The folder plus the name of a socket must fit into an address.
#define FOLDER_MAX 100

// Makes a folder for a socket that only this user may enter.
static bool make_folder(jck_reception *reception, jrpc_error *error)
{
    jrpc_file_temporary(reception->folder, FOLDER_MAX);
    if (mkdtemp(reception->folder) == NULL) {
        (void)jrpc_error_set_errno(error, errno, "cannot make the folder %s", reception->folder);
        reception->folder[0] = '\0';
        return false;
    }
    (void)snprintf(reception->path, sizeof reception->path, "%s/s", reception->folder);
    return true;
}

bool jck_reception_open(jck_reception *reception, const jck_target *target, const jrpc_clock *clock,
                        int interrupt_fd, jrpc_error *error)
{
    const jrpc_traits *traits = jck_target_traits(target);
    *reception = (jck_reception){
        .endpoint = {.transport = traits->is_child ? JRPC_TRANSPORT_UNIX : target->transport,
                     .role = JRPC_ROLE_SERVER,
                     .framing = target->framing,
                     .host = "127.0.0.1",
                     .port = "0",
                     .max_message = target->max_message > 0 ? target->max_message : MESSAGE_BYTES,
                     .interrupt_fd = interrupt_fd,
                     .allocator = jrpc_allocator_heap(),
                     .clock = clock}};
    bool path = jrpc_transport_traits(reception->endpoint.transport)->address == JRPC_ADDRESS_PATH;
    if (path && !make_folder(reception, error)) {
        return false;
    }
    reception->endpoint.path = reception->path;
    reception->endpoint.keys = &reception->keys;
    reception->acceptor = jrpc_acceptor_new(&reception->endpoint, error);
    return reception->acceptor != NULL;
}

void jck_reception_close(jck_reception *reception)
{
    jck_reception_drop_all(reception);
    jrpc_acceptor_free(reception->acceptor);
    reception->acceptor = NULL;
    if (reception->folder[0] != '\0') {
        (void)rmdir(reception->folder);
        reception->folder[0] = '\0';
    }
}

// The last letter is shared by all further connections.
static char next_letter(jck_reception *reception)
{
    size_t at = reception->letters < LETTERS ? reception->letters++ : LETTERS - 1;
    return (char)('a' + (int)at);
}

bool jck_reception_accept(jck_reception *reception, jrpc_error *error)
{
    for (size_t i = 0; i < JCK_CALLERS_MAX; i++) {
        jck_caller *caller = &reception->callers[i];
        if (caller->peer != NULL) {
            continue;
        }
        jrpc_error failure = {0};
        jrpc_peer *peer = jrpc_acceptor_take(reception->acceptor, &failure);
        if (peer == NULL) {
            return failure.code == JRPC_OK ||
                   jrpc_error_set(error, failure.code, "%s", failure.message);
        }
        // The connection has a copy. A client that fails it, as it must, may open another.
        if (jrpc_websocket_welcome_flaw(reception->endpoint.welcome, NULL) != NULL) {
            reception->endpoint.welcome = NULL;
        }
        *caller = (jck_caller){.peer = peer, .letter = next_letter(reception)};
    }
    return true;
}

jck_caller *jck_reception_find(jck_reception *reception, char letter)
{
    for (size_t i = 0; i < JCK_CALLERS_MAX; i++) {
        if (reception->callers[i].peer != NULL && reception->callers[i].letter == letter) {
            return &reception->callers[i];
        }
    }
    return NULL;
}

bool jck_reception_is_visited(const jck_reception *reception)
{
    bool any = false;
    for (size_t i = 0; i < JCK_CALLERS_MAX; i++) {
        any = any || reception->callers[i].peer != NULL;
    }
    return any;
}

void jck_reception_drop(jck_caller *caller)
{
    jrpc_peer_close(caller->peer, 0);
    *caller = (jck_caller){.peer = NULL};
}

void jck_reception_drop_all(jck_reception *reception)
{
    for (size_t i = 0; i < JCK_CALLERS_MAX; i++) {
        jck_reception_drop(&reception->callers[i]);
    }
}

void jck_reception_begin(jck_reception *reception)
{
    reception->letters = 0;
    reception->endpoint.welcome = NULL;
    for (size_t i = 0; i < JCK_CALLERS_MAX; i++) {
        if (reception->callers[i].peer != NULL) {
            reception->callers[i].letter = next_letter(reception);
        }
    }
}
