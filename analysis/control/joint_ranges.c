/* See joint_ranges.h. */
#include "analysis/control/joint_ranges.h"

#include <math.h>

#include "analysis/math/elementary.h"

#define DEGREE (PI / 180)
#define BEYOND_CLIP (3 * DEGREE)       /* between the clip's own extreme and the stop */
#define REGULAR (85 * DEGREE)          /* of abduction: beyond it flexion and rotation are not distinct */

typedef struct JointRange {
    Role role; /* on the left or in the midline */
    double min[3], max[3]; /* degrees: flexion, abduction, rotation; abduction of an upper arm from 45 degrees on */
} JointRange;

static const JointRange ranges[] = {
    {ROLE_SPINE, {-45, -20, -25}, {20, 20, 25}},
    {ROLE_CHEST, {-35, -20, -25}, {15, 20, 25}},
    {ROLE_NECK, {-30, -25, -35}, {30, 25, 35}},
    {ROLE_HEAD, {-25, -20, -35}, {25, 20, 35}},
    {ROLE_LEFT_SHOULDER, {-60, -75, -90}, {170, 80, 90}},
    {ROLE_LEFT_ELBOW, {-5, -15, -30}, {150, 15, 30}},
    {ROLE_LEFT_WRIST, {-80, -30, -80}, {80, 30, 80}},
    {ROLE_LEFT_HIP, {-30, -30, -45}, {125, 50, 45}},
    {ROLE_LEFT_KNEE, {-145, -10, -25}, {5, 10, 25}},
    {ROLE_LEFT_ANKLE, {-55, -30, -30}, {30, 30, 30}},
};

static const JointRange *find_range(Role role)
{
    Role own = role >= ROLE_RIGHT_CLAVICLE ? role_mirror(role) : role;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (ranges[i].role == own)
            return &ranges[i];
    return NULL;
}

static void widen(double min[3], double max[3], const AnatomicalAngles *a)
{
    const double angle[3] = {a->flexion, a->abduction, a->rotation};
    for (int k = 0; k < 3; k++) {
        min[k] = fmin(min[k], angle[k] - BEYOND_CLIP);
        max[k] = fmax(max[k], angle[k] + BEYOND_CLIP);
    }
}

/* Limits of one joint. Returns 0 if the clip itself leaves the angles' regular part. */
static int set_limits(const AnatomicalFrames *f, int joint, const Motion *reference, AngleLimits *out)
{
    const JointRange *range = find_range(f->role[joint]);
    double min[3], max[3];
    for (int k = 0; k < 3; k++) {
        min[k] = range->min[k] * DEGREE;
        max[k] = range->max[k] * DEGREE;
    }
    for (int t = 0; t < reference->frame_count; t++) {
        AnatomicalAngles a = anatomical_angles(f, joint, reference->rotation[motion_index(reference, t, joint)]);
        widen(min, max, &a);
    }
    RollPitchYaw a = anatomical_to_turn(f->role[joint], (AnatomicalAngles){min[0], min[1], min[2]});
    RollPitchYaw b = anatomical_to_turn(f->role[joint], (AnatomicalAngles){max[0], max[1], max[2]});
    RollPitchYaw low = {a.roll, fmin(a.pitch, b.pitch), fmin(a.yaw, b.yaw)};
    RollPitchYaw high = {b.roll, fmax(a.pitch, b.pitch), fmax(a.yaw, b.yaw)};
    *out = (AngleLimits){.min = angle_limits_bounds(low), .max = angle_limits_bounds(high),
                         .parent = f->parent[joint], .child = f->own[joint]};
    return fmax(-min[1], max[1]) < REGULAR;
}

Status joint_ranges_init(SimulatedLimits *out, const AnatomicalFrames *f, const Motion *reference, Error *err)
{
    size_t room = (size_t)f->joint_count;
    *out = (SimulatedLimits){0};
    out->joint = arena_array(&out->memory, room, 1, sizeof *out->joint);
    out->limit = arena_array(&out->memory, room, 1, sizeof *out->limit);
    if (out->memory.failed)
        return error_no_memory(err);
    for (int j = 0; j < f->joint_count; j++) {
        if (!find_range(f->role[j]) || !set_limits(f, j, reference, &out->limit[out->count]))
            continue;
        out->joint[out->count++] = j;
    }
    return STATUS_OK;
}
