/* Skeletons for tests, written as tables of joints. */
#ifndef KANE_TESTS_SKELETON_ROWS_H
#define KANE_TESTS_SKELETON_ROWS_H

#include <string.h>

#include "analysis/clip/skeleton.h"

/* parent: name of an earlier row, NULL for the root; end: whether the joint has an end site at end_offset. */
typedef struct JointRow {
    const char *name, *parent;
    Vec3 offset;
    int has_end;
    Vec3 end_offset;
} JointRow;

static inline int row_index(const JointRow *rows, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return i;
    return -1;
}

static inline void skeleton_from_rows(Skeleton *s, const JointRow *rows, int count)
{
    int ends = 0, end = 0;
    for (int i = 0; i < count; i++)
        ends += rows[i].has_end;
    assert_int_equal(skeleton_init(s, count, ends, NULL), STATUS_OK);
    for (int i = 0; i < count; i++) {
        s->parent[i] = rows[i].parent ? row_index(rows, i, rows[i].parent) : -1;
        s->offset[i] = rows[i].offset;
        assert_int_equal(skeleton_set_name(s, i, rows[i].name, NULL), STATUS_OK);
        if (rows[i].has_end) {
            s->end_parent[end] = i;
            s->end_offset[end++] = rows[i].end_offset;
        }
    }
}

/* A human of 1.75 m in T-pose, +Y up, facing +Z. */
#define HUMANOID_LIMBS(side, x)                                                              \
    {side "Shoulder", "Spine2", {x * 0.03, 0.14, 0.01}, 0, {0, 0, 0}},                      \
    {side "Arm", side "Shoulder", {x * 0.15, 0, 0}, 0, {0, 0, 0}},                          \
    {side "ForeArm", side "Arm", {x * 0.28, 0, 0}, 0, {0, 0, 0}},                           \
    {side "Hand", side "ForeArm", {x * 0.265, 0, 0}, 1, {x * 0.18, 0, 0}},                  \
    {side "UpLeg", "Hips", {x * 0.09, -0.06, 0}, 0, {0, 0, 0}},                             \
    {side "Leg", side "UpLeg", {0, -0.425, 0}, 0, {0, 0, 0}},                               \
    {side "Foot", side "Leg", {0, -0.415, 0}, 0, {0, 0, 0}},                                \
    {side "ToeBase", side "Foot", {0, -0.06, 0.14}, 1, {0, -0.02, 0.06}}

static const JointRow humanoid_rows[] = {
    {"Hips", NULL, {0, 0.98, 0}, 0, {0, 0, 0}},
    {"Spine", "Hips", {0, 0.10, -0.01}, 0, {0, 0, 0}},
    {"Spine1", "Spine", {0, 0.12, 0}, 0, {0, 0, 0}},
    {"Spine2", "Spine1", {0, 0.12, 0}, 0, {0, 0, 0}},
    {"Neck", "Spine2", {0, 0.18, 0}, 0, {0, 0, 0}},
    {"Head", "Neck", {0, 0.10, 0.02}, 1, {0, 0.15, 0}},
    HUMANOID_LIMBS("Left", 1),
    HUMANOID_LIMBS("Right", -1),
};

enum { HUMANOID_JOINTS = sizeof humanoid_rows / sizeof *humanoid_rows };

#endif
