/* Table formats under libFuzzer: segments, external forces and limits (docs/formats/input_tables.md). The first byte
 * selects the format. Rejected tables have a message; accepted ones are finite and satisfy the format. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/index/index.h"
#include "formats/query/query.h"
#include "formats/tables/external_table.h"
#include "formats/tables/body_table.h"
#include "tests/fuzz/small_index.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static int is_finite(Vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static void make_skeleton(Skeleton *s)
{
    static const char *const names[] = {"Hips", "LeftUpLeg", "LeftLeg"};
    require(skeleton_init(s, 3, 0, NULL) == STATUS_OK);
    for (int j = 0; j < 3; j++) {
        require(skeleton_set_name(s, j, names[j], NULL) == STATUS_OK);
        s->parent[j] = j - 1;
        s->offset[j] = vec3(0, j ? -0.4 : 1, 0);
    }
}

static Status try_segments(const char *path, const Skeleton *s, Error *err)
{
    Body body;
    Status status = segments_read(path, s, &body, err);
    for (int j = 0; j < 3 && !status; j++)
        require(isfinite(body.mass[j]) && body.mass[j] >= 0 && is_finite(body.com[j]) && isfinite(body.inertia[j].xx));
    require(status || body.total_mass > 0);
    body_free(&body);
    return status;
}

static Status try_external(const char *path, const Skeleton *s, Error *err)
{
    ExternalRows rows;
    Loads loads = {0};
    Motion motion = {0};
    Status status = external_read(path, s, &rows, err);
    if (status)
        return status;
    require(motion_init(&motion, 10, 3, 0.01, 0, NULL) == STATUS_OK);
    for (int i = 0; i < rows.row_count; i++)
        require(isfinite(rows.time[i]) && rows.joint[i] >= 0 && rows.joint[i] < 3 && is_finite(rows.force[i]));
    status = loads_from_external(&rows, &motion, &loads, err);
    for (int i = 0; i < loads.load_count; i++)
        require(loads.joint[i] >= 0 && loads.joint[i] < 3 && (i == 0 || loads.joint[i] > loads.joint[i - 1]));
    loads_free(&loads);
    motion_free(&motion);
    external_rows_free(&rows);
    return status;
}

static Status try_limits(const char *path, Error *err)
{
    static FILE *nowhere;
    QueryDef def = query_default_def();
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    require(nowhere != NULL);
    def.where = "@within";
    def.argument = path;
    def.time_limit = 0.5;
    Status status = query_run(small_index(), &def, nowhere, err);
    return status == STATUS_NO_RESULT ? STATUS_OK : status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    Skeleton s;
    Error err = {0};
    int file = memfd_create("form", MFD_CLOEXEC);
    if (size < 1 || file < 0)
        return file < 0 ? 0 : close(file);
    require(write(file, data + 1, size - 1) == (ssize_t)(size - 1));
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    make_skeleton(&s);
    Status status = data[0] % 3 == 0   ? try_segments(path, &s, &err)
                    : data[0] % 3 == 1 ? try_external(path, &s, &err)
                                       : try_limits(path, &err);
    require(status == STATUS_OK || err.text[0]);
    require(status != STATUS_INTERNAL);
    skeleton_free(&s);
    close(file);
    return 0;
}
