// Whose certificates are trusted. libcurl knows one place, that of the system it was built on; a
// program that is carried to other systems has to look.
#include "reference/net/http_private.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const variables[] = {"CURL_CA_BUNDLE", "SSL_CERT_FILE"};

static const char *const places[] = {
    "/etc/ssl/certs/ca-certificates.crt", // Debian, Ubuntu, Alpine, Arch, Gentoo
    "/etc/pki/tls/certs/ca-bundle.crt",   // Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",             // openSUSE
    "/etc/ssl/cert.pem",                  // the default of OpenSSL
};

static bool knows_a_place(void)
{
    const curl_version_info_data *library = curl_version_info(CURLVERSION_NOW);
    return (library->cainfo != NULL && access(library->cainfo, R_OK) == 0) ||
           (library->capath != NULL && access(library->capath, R_OK) == 0);
}

const char *jrpc_http_authorities(const jrpc_endpoint *endpoint)
{
    if (endpoint->ca_file != NULL) {
        return endpoint->ca_file;
    }
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *named = getenv(variables[i]);
        if (named != NULL && named[0] != '\0') {
            return named;
        }
    }
    if (knows_a_place()) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (access(places[i], R_OK) == 0) {
            return places[i];
        }
    }
    // It is missing, which is what the library will report.
    return places[0];
}
