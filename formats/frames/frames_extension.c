/* Entry point of kane.so, which SQLite calls after `.load kane` or load_extension(). */
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "formats/frames/frames_table.h"

enum { OLDEST_SQLITE = 3031000 }; /* first version with SQLITE_VTAB_DIRECTONLY */

__attribute__((visibility("default"))) int sqlite3_kane_init(sqlite3 *db, char **message,
                                                             const sqlite3_api_routines *api);

/* The extension is loaded permanently, because libhdf5 cannot be unloaded from a running program. */
int sqlite3_kane_init(sqlite3 *db, char **message, const sqlite3_api_routines *api)
{
    SQLITE_EXTENSION_INIT2(api);
    if (sqlite3_libversion_number() < OLDEST_SQLITE) {
        *message = sqlite3_mprintf("kane needs SQLite 3.31 or newer, this is %s", sqlite3_libversion());
        return SQLITE_ERROR;
    }
    int code = frames_table_register(db);
    return code == SQLITE_OK ? SQLITE_OK_LOAD_PERMANENTLY : code;
}
