/* Anatomical axes of the simulated joints of a human, in which ranges and protective poses are given.
 *
 * A joint's rotation is zero in the neutral pose: standing, arms hanging (analysis/angles/neutral_pose.h); that of an
 * upper arm at 45 degrees of abduction, so that the decomposition stays regular between hanging and raised arms. It is
 * decomposed about the parent's right axis (flexion), the forward axis that moves with it (abduction), and the long
 * axis of the body (rotation). Flexion lifts thigh, forearm, upper arm and toes forwards and leans the trunk backwards;
 * a knee bends by negative angles. Abduction and rotation are positive away from the midline and outwards on either
 * side; of the trunk to the left. */
#ifndef KANE_CONTROL_ANATOMICAL_FRAMES_H
#define KANE_CONTROL_ANATOMICAL_FRAMES_H

#include "analysis/base/arena.h"
#include "analysis/clip/clip_view.h"
#include "analysis/control/lumped_body.h"
#include "analysis/math/euler.h"

typedef struct AnatomicalAngles {
    double flexion, abduction, rotation; /* rad */
} AnatomicalAngles;

typedef struct AnatomicalFrames {
    int joint_count;
    Role *role;         /* [joint of the lumped skeleton] ROLE_NONE: no axes, as of the root and of creatures */
    Quat *parent, *own; /* [joint] axes of the decomposition to those of the parent and of the body */
    Arena memory;       /* owns the arrays */
} AnatomicalFrames;

/* Reads skeleton and motion of the clip. */
Status anatomical_frames_init(AnatomicalFrames *f, const LumpedBody *lumped, const ClipView *clip, Error *err);
void anatomical_frames_free(AnatomicalFrames *f);

/* Angles of a joint as roll, pitch and yaw of its rotation between the axes, and back (docs/sources.md, notes 0.4). */
RollPitchYaw anatomical_to_turn(Role role, AnatomicalAngles angles);
AnatomicalAngles anatomical_from_turn(Role role, RollPitchYaw turn);

/* Rotation of a joint in its parent with these angles. */
Quat anatomical_rotation(const AnatomicalFrames *f, int joint, AnatomicalAngles angles);

/* Angles of a joint whose rotation in its parent is q. */
AnatomicalAngles anatomical_angles(const AnatomicalFrames *f, int joint, Quat q);

#endif
