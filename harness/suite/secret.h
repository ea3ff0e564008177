// Masks secrets in text that is shown, written or kept, before it leaves the program.
#ifndef JCK_SUITE_SECRET_H
#define JCK_SUITE_SECRET_H

#include "reference/base/buffer.h"
#include "reference/base/slice.h"

// Replaces a secret.
#define JCK_MASK "***"

// Appends `text` with its secrets masked: the password (or the whole user information if it has no
// password) before the "@" of a URL, and the value after "=" if the name says that it is a secret
// (token, secret, password, api_key, …). False when the buffer is full.
bool jck_mask_secrets(jrpc_buffer *out, jrpc_slice text);
// Whether a header of this name may carry a secret: Authorization, Cookie, X-Api-Key, …
bool jck_is_secret_name(jrpc_slice name);
// Appends "Name: value" with the value masked if the name says that it is a secret, else masked as
// jck_mask_secrets does.
bool jck_mask_header(jrpc_buffer *out, jrpc_slice header);

#endif
