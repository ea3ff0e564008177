// What a path names.
#ifndef JCK_CLI_FILE_H
#define JCK_CLI_FILE_H

typedef enum jck_file_kind {
    JCK_FILE_MISSING,
    JCK_FILE_PLAIN, // also pipes and devices: something to read from
    JCK_FILE_FOLDER,
} jck_file_kind;

jck_file_kind jck_file_kind_of(const char *path);

#endif
