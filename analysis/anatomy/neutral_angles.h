/* The neutral pose as numbers and as a text: "0,0,0/1.5,-20.1,0/...", a rotation vector per joint in degrees. */
#ifndef KANE_ANATOMY_NEUTRAL_ANGLES_H
#define KANE_ANATOMY_NEUTRAL_ANGLES_H

#include "analysis/anatomy/neutral_pose.h"
#include "analysis/clip/neutral_turns.h"

/* Joints whose rotations are stored, listed into joint[NEUTRAL_JOINTS]; 0: there are more. */
int neutral_angles_joints(const Skeleton *skeleton, int *joint);

/* Of a pose. count 0: the skeleton has too many joints, or neither hips nor shoulders. */
NeutralAngles neutral_angles_of(const NeutralPose *pose);

/* The turn of joint number i of the list. */
Quat neutral_angles_turn(const NeutralAngles *angles, int i);

/* The same of a turn. */
void neutral_angles_set(NeutralAngles *angles, int i, Quat turn);

/* The pose of these angles: trunk and feet as they say, legs and arms hanging. STATUS_USAGE where they are of another
 * number of joints. The arrays are taken from the arena. */
Status neutral_pose_given(NeutralPose *pose, const ClipView *clip, const NeutralAngles *angles, Arena *arena,
                          Error *err);

enum { NEUTRAL_TEXT_SIZE = 21 * NEUTRAL_JOINTS + 1 };
void neutral_angles_print(const NeutralAngles *angles, char text[NEUTRAL_TEXT_SIZE]);

/* 0: it is no such text. More digits than tenths of a degree are rounded. */
int neutral_angles_scan(const char *text, NeutralAngles *out);

#endif
