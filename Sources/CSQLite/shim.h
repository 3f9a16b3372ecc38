// What Swift cannot import from sqlite3.h: variadic calls, cast constants, the layout of an open
// file.
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

// An open file of a StorageMedium. SQLite allocates it and knows only the base.
typedef struct MediumFile {
    sqlite3_file base;
    void *vfs;
    uint32_t number;
    uint32_t nameIsUnsynced;
} MediumFile;

// Memory statistics put one lock around every allocation: two threads then gain nothing.
// Must come before anything else is asked of SQLite.
static inline int csqlite_switch_memory_statistics_off(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// SQLite copies the text; SQLITE_TRANSIENT is a cast that is not imported.
static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}

// The names of a machine's files, for which SQLite has no call: 0, or the number of the error.
static inline int csqlite_rename(const char *path, const char *new_path) {
    return rename(path, new_path) == 0 ? 0 : errno;
}

static inline int csqlite_remove(const char *path) { return unlink(path) == 0 ? 0 : errno; }

static inline int csqlite_exists(const char *path) { return access(path, F_OK) == 0; }

// All of a file, in memory to be freed by SQLite; NULL if it cannot be read.
static inline unsigned char *csqlite_contents(const char *path, long *count) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    unsigned char *bytes = NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (*count = ftell(file)) > 0) {
        rewind(file);
        bytes = (unsigned char *)sqlite3_malloc64((sqlite3_uint64)*count);
        if (bytes && fread(bytes, 1, (size_t)*count, file) != (size_t)*count) {
            sqlite3_free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    return bytes;
}

static inline int csqlite_sync_directory(const char *path) {
    int directory = open(path, O_RDONLY);
    if (directory < 0) return errno;
    int error = fsync(directory) == 0 ? 0 : errno;
    close(directory);
    return error;
}
