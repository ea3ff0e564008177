#include "harness/cli/file.h"

#include <sys/stat.h>

jck_file_kind jck_file_kind_of(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return JCK_FILE_MISSING;
    }
    return S_ISDIR(status.st_mode) ? JCK_FILE_FOLDER : JCK_FILE_PLAIN;
}
