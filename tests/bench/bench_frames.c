/* One aggregate over all frames of a long clip, 31 joints: kane_frames on a contiguous clip file, compared with the
 * same numbers in an SQLite table. Rows `name value unit`. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/container/container_store.h"
#include "formats/frames/frames_table.h"
#include "tests/bench/stopwatch.h"
#include "tests/support/sample_clip.h"

enum { JOINTS = 31, FRAMES = 50000, ROUNDS = 5 };

static int save(const char *path)
{
    Clip clip;
    ContainerDef def = container_default_def();
    int done = sample_clip(&clip, FRAMES, JOINTS, 0) == 0 && container_store(&clip, &def, path, NULL) == STATUS_OK;
    clip_free(&clip);
    return done;
}

/* Million rows per second of CPU time, the median of several runs; 0 on failure. */
static double rate(sqlite3 *db, const char *sql)
{
    double spent[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        double start = processor_seconds();
        if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) {
            fprintf(stderr, "bench: %s: %s\n", sql, sqlite3_errmsg(db));
            return 0;
        }
        spent[i] = processor_seconds() - start;
    }
    return 1e-6 * FRAMES * JOINTS / median(spent, ROUNDS);
}

static int bench(sqlite3 *db, const char *path)
{
    static const struct {
        const char *name, *column;
    } questions[] = {{"max_torque", "max(torque)"}, {"sum_power", "sum(power)"}};
    char sql[256];
    snprintf(sql, sizeof sql, "CREATE TEMP TABLE t AS SELECT frame, joint, torque, power FROM kane_frames('%s')", path);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return 0;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        snprintf(sql, sizeof sql, "SELECT %s FROM kane_frames('%s')", questions[i].column, path);
        double frames = rate(db, sql);
        snprintf(sql, sizeof sql, "SELECT %s FROM t", questions[i].column);
        double table = rate(db, sql);
        if (frames <= 0 || table <= 0)
            return 0;
        printf("frames_%s %.1f Mrows/s\n", questions[i].name, frames);
        printf("frames_%s_vs_table %.2f times\n", questions[i].name, frames / table);
    }
    snprintf(sql, sizeof sql, "SELECT max(torque) FROM kane_frames('%s') WHERE role = 'left_knee'", path);
    printf("frames_one_role %.1f Mrows/s\n", rate(db, sql)); /* of the file; one row in 31 is returned */
    return 1;
}

int main(void)
{
    char folder[] = "/dev/shm/kane-bench-XXXXXX", path[64];
    sqlite3 *db = NULL;
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/long.h5", folder);
    int done = save(path) && sqlite3_open(":memory:", &db) == SQLITE_OK && frames_table_register(db) == SQLITE_OK &&
               bench(db, path);
    sqlite3_close(db);
    unlink(path);
    rmdir(folder);
    return done ? 0 : 1;
}
