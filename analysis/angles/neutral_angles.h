/* The neutral pose as numbers and as text: "0,0,0/1.5,-20.1,0/...", a rotation vector per joint in degrees. */
#ifndef KANE_ANGLES_NEUTRAL_ANGLES_H
#define KANE_ANGLES_NEUTRAL_ANGLES_H

#include "analysis/angles/neutral_pose.h"
#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"

/* Lists the joints whose rotations are stored in joint[NEUTRAL_JOINTS]; returns their number, 0 if there are too
 * many. */
int neutral_angles_joints(const Skeleton *skeleton, int *joint);

/* The angles of a pose. count 0: the skeleton has too many joints, or neither hips nor shoulders. */
NeutralAngles neutral_pose_angles(const NeutralPose *pose);

/* The rotation of joint number i of the list. */
Quat neutral_angles_rotation(const NeutralAngles *angles, int i);

/* Sets the rotation of joint number i, rounded to tenths of a degree. */
void neutral_angles_set(NeutralAngles *angles, int i, Quat rotation);

/* The pose with these angles: trunk and feet as given, legs and arms hanging. STATUS_USAGE if the number of joints
 * differs. Allocates in the arena. */
Status neutral_pose_given(NeutralPose *pose, const ClipView *clip, const NeutralAngles *angles, Arena *arena,
                          Error *err);

enum { NEUTRAL_TEXT_SIZE = 21 * NEUTRAL_JOINTS + 1 };
void neutral_angles_print(const NeutralAngles *angles, char text[NEUTRAL_TEXT_SIZE]);

/* Returns 0 if the text is invalid. Rounds to tenths of a degree. */
int neutral_angles_scan(const char *text, NeutralAngles *out);

#endif
