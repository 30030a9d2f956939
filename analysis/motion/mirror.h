/* The mirror image of a motion: left and right sides are exchanged, about the plane x = 0 of the world, or z = 0 if the
 * rest pose is symmetric about that plane.
 *
 * A joint and its counterpart are paired from the root down: by role, by name (Left and Right, L and R), or by their
 * order among the remaining children. Each joint's axes are reflected by one of the four sign changes of an odd number
 * of axes, chosen so that the offsets of its counterpart's children map best to its own. Where several do, as for bones
 * that lie along an axis, the motion decides: its mean pose resembles its image. A symmetric skeleton is thus
 * unchanged; with another one the body is mirrored together with the motion. Only signs change, so that mirroring twice
 * restores a clip exactly. */
#ifndef KANE_MOTION_MIRROR_H
#define KANE_MOTION_MIRROR_H

#include "analysis/clip/clip.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"

typedef struct Mirror {
    int joint_count;
    int *pair;            /* [joint] the joint on the other side; itself on the midline */
    unsigned char *flip;  /* [joint] which of its axes change sign: 1 x, 2 y, 4 z */
    unsigned world;       /* the same for the world axes: 1 or 4 */
    double asymmetry;     /* m: largest change of the skeleton by mirroring; 0 if it is unchanged */
    int asymmetric_joint; /* the joint with that change */
} Mirror;

/* Pairs the joints. motion: of the skeleton, or NULL. STATUS_BAD_INPUT, with its name, for a joint of one side without
 * a counterpart. Free with mirror_free. */
Status mirror_init(Mirror *out, const Skeleton *s, const Motion *motion, Error *err);
void mirror_free(Mirror *m);

/* The joint on the other side, by role, by name or, without either, by the counterpart of its parent; -1: none. */
int mirror_counterpart(const Skeleton *s, int joint);

/* Mirrors offsets and end sites; of a symmetric skeleton (asymmetry 0) only the root's offset. */
Status mirror_skeleton(const Mirror *m, Skeleton *s, Error *err);

/* Fills *out: joint j of the skeleton moves as its pair did. */
Status mirror_motion(const Mirror *m, const Skeleton *s, const Motion *motion, Motion *out, Error *err);

/* Fills *out, without a COM: joint j has the mirrored position and motion of its pair. */
Status mirror_kinematics(const Mirror *m, const Kinematics *k, Kinematics *out, Error *err);

/* The mirrored rotation of a joint, from its pair's in one frame's rotations (Motion.rotation). */
Quat mirror_rotation(const Mirror *m, const Skeleton *s, const Quat *rotation, int joint);

/* The image, in the joint's axes, of a point given in the axes of its pair. */
Vec3 mirror_local(const Mirror *m, int joint, Vec3 point);

/* The image of a point in world axes. */
Vec3 mirror_point(const Mirror *m, Vec3 point);

/* The mirror image of what was computed from a motion: body, kinematics, contact, torques and angles of a clip.
 * Positions, velocities and forces are polar: their image is the reflected vector. Angular velocities and torques are
 * axial: their image is the negated reflection. Each joint takes those of its pair, so that the result is what the
 * stages compute from the mirrored motion. Only signs change, so that mirroring twice restores a clip exactly.
 *
 * Mirrors every group of the clip in place except /tracking, /simulation and /particles. Drops /angles if one of its
 * coordinates has no counterpart on the other side. */
Status mirror_computed(const Mirror *m, Clip *clip, Error *err);

#endif
