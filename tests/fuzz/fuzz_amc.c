/* formats/amc under libFuzzer: an ASF file, a line "=", and its AMC file. No input crashes it; accepted files are a
 * tree, finite and of unit rotations. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/source/source_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FEW_JOINTS = 64, FEW_FRAMES = 256 }; /* a reader with limits as in use would mostly allocate */

static void require(int condition)
{
    if (!condition)
        abort();
}

static int is_finite(Vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static void check_take(const Take *take)
{
    const Skeleton *s = &take->skeleton;
    const Motion *m = &take->motion;
    require(s->joint_count > 0 && s->joint_count <= FEW_JOINTS && m->frame_count > 0 && m->frame_count <= FEW_FRAMES);
    for (int j = 0; j < s->joint_count; j++)
        require(s->parent[j] < j && s->parent[j] >= (j ? 0 : -1) && s->name[j][0] && is_finite(s->offset[j]));
    for (int e = 0; e < s->end_count; e++)
        require(s->end_parent[e] > 0 && s->end_parent[e] < s->joint_count && is_finite(s->end_offset[e]));
    for (int f = 0; f < m->frame_count; f++) {
        require(is_finite(m->root_position[f]));
        for (int j = 0; j < s->joint_count; j++) {
            Quat q = m->rotation[motion_index(m, f, j)];
            require(fabs(quat_dot(q, q) - 1) < 1e-12);
        }
    }
    require(isfinite(take->meters_per_unit) && m->frame_time >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    require(text != NULL);
    memcpy(text, data, size);
    text[size] = 0;
    const char *mark = memmem(text, size, "\n=\n", 3);
    size_t skeleton = mark ? (size_t)(mark - text) : size, motion = mark ? skeleton + 3 : size;
    SourceFile asf = {.path = "walk.asf", .bytes = text, .size = skeleton};
    SourceFile amc = {.path = "walk.amc", .bytes = text + motion, .size = size - motion, .companion = &asf,
                      .companion_count = mark != NULL};
    SourceDef def = source_default_def();
    SourceHead head = {amc.bytes, amc.size, (double)amc.size};
    SourceSize measured;
    Take take = {0};
    Error err = {0};
    def.max_joints = FEW_JOINTS;
    def.max_frames = FEW_FRAMES;
    def.tolerant = (int)(size % 2);
    (void)source_amc.begins(amc.bytes, amc.size);
    source_amc.measure(&head, &measured);
    require(isfinite(measured.frames) && measured.joints >= 1);
    if (source_amc.read(&amc, 1, &def, &take, &err) == STATUS_OK)
        check_take(&take);
    else
        require(err.status != STATUS_OK && err.text[0]);
    take_free(&take);
    free(text);
    return 0;
}
