#include "harness/suite/credential.h"

static const char *const words[JCK_CREDENTIAL_COUNT] = {
    [JCK_CREDENTIAL_RIGHT] = "right",     [JCK_CREDENTIAL_NONE] = "none",
    [JCK_CREDENTIAL_FORGED] = "forged",   [JCK_CREDENTIAL_EXPIRED] = "expired",
    [JCK_CREDENTIAL_FOREIGN] = "foreign", [JCK_CREDENTIAL_UNSIGNED] = "unsigned",
    [JCK_CREDENTIAL_OTHER] = "other",
};

const char *jck_credential_word(jck_credential credential)
{
    return words[credential];
}

bool jck_credential_from_word(jrpc_slice word, jck_credential *ret_credential)
{
    for (int i = JCK_CREDENTIAL_RIGHT + 1; i < JCK_CREDENTIAL_COUNT; i++) {
        if (jrpc_slice_is(word, words[i])) {
            *ret_credential = (jck_credential)i;
            return true;
        }
    }
    return false;
}
