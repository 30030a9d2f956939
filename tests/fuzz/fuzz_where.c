/* formats/query under libFuzzer: for any expression, column list, order or SELECT, the index is unchanged and the
 * result is rows, no rows, or a usage error. The first byte selects the kind. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/query/query.h"
#include "tests/fuzz/small_index.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int is_true)
{
    if (!is_true)
        abort();
}

static QueryDef question(char place, const char *text)
{
    QueryDef def = query_default_def();
    def.time_limit = 0.01; /* otherwise endless queries would take most of the time */
    def.format = QUERY_JSON;
    switch (place & 3) {
    case 0:
        def.where = text[0] == '@' ? NULL : text; /* presets read files */
        break;
    case 1:
        def.columns = text;
        break;
    case 2:
        def.order = text;
        break;
    default:
        def.sql = text;
    }
    return def;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct sqlite3 *db; /* for all queries: opening the index takes ten times as long as most of them */
    static struct stat before;
    struct stat after;
    const char *path = small_index();
    if (!db) {
        must(query_open(path, &db, NULL) == STATUS_OK);
        must(stat(path, &before) == 0);
    }
    if (size < 1)
        return 0;
    char *text = strndup((const char *)data + 1, size - 1);
    FILE *out = fopen("/dev/null", "w");
    must(text && out);
    Error err = {0};
    QueryDef def = question((char)data[0], text);
    Status status = query_ask(db, path, &def, out, &err);
    must(status == STATUS_OK || status == STATUS_NO_RESULT || status == STATUS_USAGE || status == STATUS_LIMIT ||
         status == STATUS_NO_MEMORY);
    must(status == STATUS_OK || err.text[0]);
    must(stat(path, &after) == 0 && after.st_size == before.st_size && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec);
    fclose(out);
    free(text);
    return 0;
}
