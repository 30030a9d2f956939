/* Roll, pitch and yaw of an orientation (docs/sources.md, notes 0.4): a turn by roll about z, then by pitch about the
 * new y', then by yaw about the final x''. Singular where the cosine of the pitch is zero. */
#ifndef KANE_MATH_ROLL_PITCH_YAW_H
#define KANE_MATH_ROLL_PITCH_YAW_H

#include "analysis/math/quat.h"

typedef struct RollPitchYaw {
    double roll, pitch, yaw; /* rad; roll and yaw within a half turn, pitch within a quarter */
} RollPitchYaw;

/* R = R_z(roll) R_y(pitch) R_x(yaw); at a pitch of a quarter turn the yaw is 0. */
RollPitchYaw roll_pitch_yaw_from_quat(Quat q);
Quat roll_pitch_yaw_to_quat(RollPitchYaw angles);

/* The rows of (0.2): rates of the angles = rows . angular velocity of the child relative to the parent, in the
 * parent's axes. */
Mat3 roll_pitch_yaw_rows(RollPitchYaw angles);

#endif
