/* formats/opensim under libFuzzer: a model, a line "=", and its motion. No input crashes it; accepted files are a tree,
 * finite and of unit rotations. */
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

static void check_dofs(const Take *take)
{
    const Dofs *d = &take->dof;
    require(dofs_check(d, take->skeleton.joint_count, NULL) == STATUS_OK);
    for (int f = 0; f < d->frame_count; f++)
        for (int i = 0; i < d->count; i++) {
            size_t at = dofs_index(d, f, i);
            require(isfinite(d->position[at]) && (d->kind[i] != DOF_CUSTOM || is_finite(d->moving_velocity[at])));
        }
}

static void check_take(const Take *take)
{
    const Skeleton *s = &take->skeleton;
    const Motion *m = &take->motion;
    require(s->joint_count > 0 && s->joint_count <= FEW_JOINTS && m->frame_count > 0 && m->frame_count <= FEW_FRAMES);
    for (int j = 0; j < s->joint_count; j++)
        require(s->parent[j] < j && s->parent[j] >= (j ? 0 : -1) && is_finite(s->offset[j]));
    for (int e = 0; e < s->end_count; e++)
        require(s->end_parent[e] < s->joint_count && is_finite(s->end_offset[e]));
    for (int f = 0; f < m->frame_count; f++) {
        require(is_finite(m->root_position[f]));
        for (int j = 0; j < s->joint_count; j++) {
            Quat q = m->rotation[motion_index(m, f, j)];
            require(fabs(quat_dot(q, q) - 1) < 1e-12);
        }
    }
    require(take->body.total_mass > 0 && m->frame_time >= 0);
    check_dofs(take);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    require(text != NULL);
    memcpy(text, data, size);
    text[size] = 0;
    const char *mark = memmem(text, size, "\n=\n", 3);
    size_t model = mark ? (size_t)(mark - text) : size, motion = mark ? model + 3 : size;
    SourceFile osim = {.path = "model.osim", .bytes = text, .size = model};
    SourceFile mot = {.path = "walk.mot", .bytes = text + motion, .size = size - motion, .companion = &osim,
                      .companion_count = mark != NULL};
    SourceDef def = source_default_def();
    Take take = {0};
    Error err = {0};
    def.max_joints = FEW_JOINTS;
    def.max_frames = FEW_FRAMES;
    def.tolerant = (int)(size % 2);
    (void)source_opensim.begins(mot.bytes, mot.size);
    (void)source_opensim.holds_motion(mot.bytes, mot.size);
    if (source_opensim.read(&mot, 1, &def, &take, &err) == STATUS_OK)
        check_take(&take);
    else
        require(err.status != STATUS_OK && err.text[0]);
    take_free(&take);
    free(text);
    return 0;
}
