// What Swift cannot import from sqlite3.h: variadic calls, cast constants, the layout of an open
// file.
#include <sqlite3.h>
#include <stdint.h>

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
