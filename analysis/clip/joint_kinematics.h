/* Pose, velocity and acceleration of every joint in the world: group /kinematics of a clip file.
 *
 * World axes, of the joint centre. Velocity and acceleration are computed from the root's and the angular ones along
 * the rigid segments (thesis 3.4, 3.7), so that each frame is consistent. */
#ifndef KANE_CLIP_JOINT_KINEMATICS_H
#define KANE_CLIP_JOINT_KINEMATICS_H

#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

typedef struct Kinematics {
    int frame_count;
    int joint_count;
    Vec3 *position;             /* [frame][joint] m */
    Quat *orientation;          /* [frame][joint] joint to world */
    Vec3 *angular_velocity;     /* [frame][joint] rad/s */
    Vec3 *angular_acceleration; /* [frame][joint] rad/s2 */
    Vec3 *velocity;             /* [frame][joint] m/s */
    Vec3 *acceleration;         /* [frame][joint] m/s2, without gravity */
    Vec3 *com;                  /* [frame] m, of the whole body; NULL: computed without a body */
    uint8_t *valid;             /* [frame] 0: too close to an edge, derivatives are not defined */
} Kinematics;

/* Allocates zeroed arrays; com only if has_com. */
Status kinematics_init(Kinematics *k, int frame_count, int joint_count, int has_com, Error *err);
/* The same with numbers of any value, for what fills all of them. */
Status kinematics_space(Kinematics *k, int frame_count, int joint_count, int has_com, Error *err);
void kinematics_free(Kinematics *k);

#endif
