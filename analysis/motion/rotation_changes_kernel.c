/* Differences of the rotations of a block of frames, LANES joints at a time (rotation_changes.h). */
#include "analysis/math/lanes.h"
#include "analysis/math/quat.h"
#include "analysis/motion/rotation_changes.h"

/* A joint's latest rotation from frame to frame, and its differences. */
typedef struct LaneRotations {
    LaneVec3 rotation, second, third;
    Lane size; /* of third */
} LaneRotations;

_Static_assert(sizeof(LaneRotations) == ROTATION_VALUES * sizeof(Lane), "the caller allocates the turns");

/* Twice the sine of the half angle along the axis: near the rotation vector of a small rotation, and bounded. */
LANE_INLINE LaneVec3 lane_rotation(LaneQuat now, LaneQuat last)
{
    LaneQuat q = lane_quat_mul(now, lane_quat_conjugate(last));
    Lane two = lane_set(2);
    return lane_vec3_scale((LaneVec3){q.x, q.y, q.z}, lane_select(lane_less(q.w, lane_set(0)), -two, two));
}

LANE_INLINE LaneRotations lane_next_rotations(const LaneRotations *t, LaneVec3 rotation)
{
    LaneVec3 second = lane_vec3_sub(rotation, t->rotation), third = lane_vec3_sub(second, t->second);
    return (LaneRotations){rotation, second, third, lane_sqrt(lane_vec3_dot(third, third))};
}

static void visit_joints(const RotationChangesView *v, size_t j)
{
    size_t joints = v->joint_count;
    const Quat *row = v->rotation + v->first * joints + j;
    Lane value[ROTATION_VALUES], second = lane_set(0), fourth = second, reversed = second;
    LaneRotations t;
    for (size_t k = 0; k < ROTATION_VALUES; k++)
        value[k] = lane_load_row(v->before + k * joints + j);
    memcpy(&t, value, sizeof t);
    LaneQuat last = lane_load4(row - joints, 1);
    for (size_t i = 0; i < v->length; i++) {
        LaneQuat q = lane_load4(row + i * joints, 1);
        LaneRotations now = lane_next_rotations(&t, lane_rotation(q, last));
        LaneVec3 change = lane_vec3_sub(now.third, t.third);
        LaneMask opposed = lane_less(lane_vec3_dot(now.third, t.third), lane_set(-v->opposite) * now.size * t.size);
        second += lane_vec3_dot(now.second, now.second);
        fourth += lane_vec3_dot(change, change);
        reversed += lane_select(opposed, lane_set(1), lane_set(0));
        lane_store_row(v->size + i * joints + j, now.size);
        last = q;
        t = now;
    }
    memcpy(value, &t, sizeof t);
    for (size_t k = 0; k < ROTATION_VALUES; k++)
        lane_store_row(v->after + k * joints + j, value[k]);
    lane_store_row(v->second + j, second);
    lane_store_row(v->fourth + j, fourth);
    lane_store_row(v->reversed + j, reversed);
}

void LANE_NAME(rotation_changes)(const RotationChangesView *v)
{
    for (size_t j = 0; j < v->joint_count; j += LANES)
        visit_joints(v, lane_block(j, v->joint_count));
}
