/* What every accepted take of an animation file is: a tree, finite, of unit rotations. */
#ifndef KANE_TESTS_FUZZ_SCENE_TAKE_CHECK_H
#define KANE_TESTS_FUZZ_SCENE_TAKE_CHECK_H

#include <math.h>
#include <stdlib.h>

#include "analysis/detect/take.h"
#include "formats/base/source_format.h"

enum { FEW_JOINTS = 64, FEW_FRAMES = 256 }; /* a reader with limits as in use would mostly allocate */

static inline void require(int condition)
{
    if (!condition)
        abort();
}

static inline int is_finite_vector(Vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static inline SourceDef few_def(size_t size)
{
    SourceDef def = source_default_def();
    def.max_joints = FEW_JOINTS;
    def.max_frames = FEW_FRAMES;
    def.still = size % 3 == 0;
    def.root = size % 5 == 0 ? "all" : NULL;
    return def;
}

static inline void check_take(const Take *take)
{
    const Skeleton *s = &take->skeleton;
    const Motion *m = &take->motion;
    require(s->joint_count > 0 && s->joint_count <= FEW_JOINTS && m->frame_count > 0 && m->frame_count <= FEW_FRAMES);
    for (int j = 0; j < s->joint_count; j++)
        require(s->parent[j] < j && s->parent[j] >= (j ? 0 : -1) && s->name[j][0] && is_finite_vector(s->offset[j]));
    for (int e = 0; e < s->end_count; e++)
        require(s->end_parent[e] >= 0 && s->end_parent[e] < s->joint_count && is_finite_vector(s->end_offset[e]));
    for (int f = 0; f < m->frame_count; f++) {
        require(is_finite_vector(m->root_position[f]));
        for (int j = 0; j < s->joint_count; j++) {
            Quat q = m->rotation[motion_index(m, f, j)];
            require(fabs(quat_dot(q, q) - 1) < 1e-9);
            require(!m->translation || is_finite_vector(m->translation[motion_index(m, f, j)]));
        }
    }
    require(m->frame_time > 0 && isfinite(m->frame_time));
}

#endif
