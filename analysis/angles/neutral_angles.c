/* The neutral pose as numbers and as text (neutral_angles.h). */
#include "analysis/angles/neutral_angles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

#define TENTHS (2 * 1800 / PI) /* tenths of a degree of rotation per rad of half angle */

/* ---- Joints ---- */

static int is_listed(const Skeleton *s, int joint)
{
    for (int j = joint; j < s->joint_count; j++)
        if (s->role[j] != ROLE_NONE && skeleton_is_below(s, j, joint))
            return 1;
    return 0;
}

int neutral_angles_joints(const Skeleton *s, int *joint)
{
    int count = 0;
    for (int j = 0; j < s->joint_count; j++) {
        if (!is_listed(s, j))
            continue;
        if (count == NEUTRAL_JOINTS)
            return 0;
        joint[count++] = j;
    }
    return count;
}

Quat neutral_angles_rotation(const NeutralAngles *a, int i)
{
    return quat_exp(vec3(a->tenth[i][0] / TENTHS, a->tenth[i][1] / TENTHS, a->tenth[i][2] / TENTHS));
}

void neutral_angles_set(NeutralAngles *a, int i, Quat rotation)
{
    Vec3 tenths = vec3_scale(quat_log(rotation), TENTHS);
    a->tenth[i][0] = (int16_t)rint(tenths.x);
    a->tenth[i][1] = (int16_t)rint(tenths.y);
    a->tenth[i][2] = (int16_t)rint(tenths.z);
}

/* ---- Poses ---- */

NeutralAngles neutral_pose_angles(const NeutralPose *n)
{
    static const Quat left_up_front = {0.70710678118654752, 0, 0.70710678118654752, 0}; /* swaps left and front axes */
    const Skeleton *s = n->from.skeleton;
    int joint[NEUTRAL_JOINTS];
    NeutralAngles angles = {.count = (int16_t)(n->has_body ? neutral_angles_joints(s, joint) : 0)};
    Quat to_body = quat_conjugate(quat_mul(n->body, left_up_front));
    for (int i = 0; i < angles.count; i++) {
        Quat pose = quat_mul(n->swing[s->segment[joint[i]]], n->from.orientation[joint[i]]);
        neutral_angles_set(&angles, i, quat_normalize(quat_mul(to_body, pose)));
    }
    return angles;
}

Status neutral_pose_given(NeutralPose *n, const ClipView *clip, const NeutralAngles *angles, Arena *arena, Error *err)
{
    const Skeleton *s = clip->skeleton;
    int joint[NEUTRAL_JOINTS], count = neutral_angles_joints(s, joint), next = 0;
    Quat *rotation = arena_array(arena, (size_t)s->joint_count, 1, sizeof *rotation);
    if (arena->failed)
        return error_no_memory(err);
    if (count != angles->count)
        return error_set(err, STATUS_USAGE,
                         "--neutral-pose: found angles of %d joints, expected %d; copy it from the history of a clip "
                         "of the same skeleton (kane info)",
                         angles->count, count);
    for (int j = 0; j < s->joint_count; j++) {
        rotation[j] = s->parent[j] < 0 ? QUAT_IDENTITY : rotation[s->parent[j]];
        if (next < count && joint[next] == j)
            rotation[j] = neutral_angles_rotation(angles, next++);
    }
    return neutral_pose_of_orientations(n, clip, rotation, arena, err);
}

/* ---- Texts ---- */

void neutral_angles_print(const NeutralAngles *a, char text[NEUTRAL_TEXT_SIZE])
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < 3 * a->count; i++) {
        int tenths = a->tenth[i / 3][i % 3], size = abs(tenths);
        const char *before = i == 0 ? "" : i % 3 ? "," : "/";
        used += (size_t)snprintf(text + used, NEUTRAL_TEXT_SIZE - used, "%s%s%d", before, tenths < 0 ? "-" : "",
                                 size / 10);
        if (size % 10)
            used += (size_t)snprintf(text + used, NEUTRAL_TEXT_SIZE - used, ".%d", size % 10);
    }
}

/* Reads a number such as "-12.34" in tenths; returns the end of it, or NULL if there is no valid number. */
static const char *scan_tenths(const char *text, int16_t *out)
{
    int is_negative = *text == '-', tenths = 0, digits = 0;
    for (text += is_negative; *text >= '0' && *text <= '9' && digits < 3; text++, digits++)
        tenths = 10 * tenths + (*text - '0');
    tenths *= 10;
    if (digits > 0 && *text == '.' && text[1] >= '0' && text[1] <= '9') {
        tenths += text[1] - '0' + (text[2] >= '5' && text[2] <= '9');
        text += 2 + strspn(text + 2, "0123456789");
    }
    *out = (int16_t)(is_negative ? -tenths : tenths);
    return digits > 0 && tenths <= 1800 ? text : NULL;
}

int neutral_angles_scan(const char *text, NeutralAngles *out)
{
    *out = (NeutralAngles){0};
    for (int i = 0; i < 3 * NEUTRAL_JOINTS; i++) {
        text = scan_tenths(text, &out->tenth[i / 3][i % 3]);
        if (!text || (*text && *text != (i % 3 == 2 ? '/' : ',')))
            return 0;
        out->count = (int16_t)((i + 1) / 3);
        if (!*text++)
            return i % 3 == 2;
    }
    return 0;
}
