/* The mirror image of a motion: what the left side did the right side does, in the plane x = 0 of the world, or z = 0
 * where the rest pose is symmetric about that plane.
 *
 * A joint and its counterpart on the other side are paired from the root down: by role, by name (Left and Right, L and
 * R), else by their order among the children that are left. Each joint's axes are reflected by one of the four sign
 * changes of an odd number of axes that takes the offsets of its counterpart's children best to its own, so that a
 * symmetric skeleton stays as it is; of another one the body is mirrored with the motion. Signs are exact: mirrored
 * twice, a clip is what it was. */
#ifndef KANE_MOTION_MIRROR_H
#define KANE_MOTION_MIRROR_H

#include "analysis/clip/clip.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

typedef struct Mirror {
    int joint_count;
    int *pair;            /* [joint] the joint on the other side; itself in the midline */
    unsigned char *flip;  /* [joint] axes of its own whose sign changes: 1 x, 2 y, 4 z */
    unsigned world;       /* the same of the world: 1 or 4 */
    double asymmetry;     /* m: by how much the mirrored skeleton differs from the skeleton, 0 where it is kept */
    int asymmetric_joint; /* where it does most */
} Mirror;

/* STATUS_BAD_INPUT, with its name, for a joint of one side without a counterpart. Free with mirror_free. */
Status mirror_init(Mirror *out, const Skeleton *s, Error *err);
void mirror_free(Mirror *m);

/* Changes offsets and end sites; nothing where asymmetry is 0. */
Status mirror_skeleton(const Mirror *m, Skeleton *s, Error *err);

/* Fills *out: joint j of the skeleton moves as its pair did. */
Status mirror_motion(const Mirror *m, const Skeleton *s, const Motion *motion, Motion *out, Error *err);

/* Fills *out, without a COM: joint j is where its pair was, and moves as that did. */
Status mirror_kinematics(const Mirror *m, const Kinematics *k, Kinematics *out, Error *err);

/* The image of one frame's rotations (mirror_motion's `rotation`) at a joint: its own, as its pair's make it. */
Quat mirror_turn(const Mirror *m, const Skeleton *s, const Quat *rotation, int joint);

/* The image of a place in the axes of a joint, in those of its pair. */
Vec3 mirror_local(const Mirror *m, int joint, Vec3 place);

/* The image of a place of the world. */
Vec3 mirror_place(const Mirror *m, Vec3 place);

/* The mirror image of what was computed from a motion: body, kinematics, contact, torques and anatomy of a clip.
 *
 * Places, velocities and forces are polar: their image is the reflection of the vector. Rates of rotation and torques
 * are axial: their image is the reflection reversed. Each joint takes that of its pair, so that the result is what the
 * stages make of the mirrored motion. Signs are exact: mirrored twice, a clip is what it was. */

/* Every group that the clip has but /tracking, /simulation and /particles, in place. Where a coordinate of /anatomy has
 * no counterpart on the other side, the group is dropped. */
Status mirror_computed(const Mirror *m, Clip *clip, Error *err);

/* The same clip of a body of another size: geometric similarity, and dynamic similarity where time is scaled as well.
 *
 * Lengths scale by L, masses by m, times by T. Accelerations of the path then scale by L / T^2, and where T is the root
 * of L that is 1, as for gravity: all forces scale by m and all torques by m L (Froude's law; R. McN. Alexander, "The
 * gaits of bipedal and quadrupedal animals", Int. J. Robotics Research 3(2), 1984). m = L^3 gives torques of L^4. */

typedef struct ClipScale {
    double length; /* L, above 0 */
    double mass;   /* m, above 0 */
    double time;   /* T, above 0 */
} ClipScale;

/* Offsets and end sites of the skeleton, path and translations, the time axis; masses, centres of mass and inertias of
 * the segments where there is a body. What is computed from them is stale then, and not touched. */
void clip_scale(const ClipScale *scale, Clip *clip);

/* Measured forces of the surroundings grow with the weight, their points and couples with the body. */
void contact_scale(const ClipScale *scale, Contact *contact);

#endif
