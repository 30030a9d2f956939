/* Load on a foot as a force plate reports it: force, centre of pressure and free moment.
 *
 * The forces and couples of all points of the foot are reduced to the ground plane. With M the moment about a point O
 * of the plane, COP = O + n x M / (n . F); the remainder is the free moment about the normal n. */
#ifndef KANE_CONTACT_FOOT_LOAD_H
#define KANE_CONTACT_FOOT_LOAD_H

#include "analysis/clip/contact.h"
#include "analysis/clip/joint_kinematics.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"

/* FOOT_LEFT or FOOT_RIGHT for ankle and toe, FOOT_COUNT for a segment elsewhere on the body. */
int foot_of_segment(Role segment);

/* The joint that heel and ball of a foot move with: the parent of the toe joint, which in a model with a subtalar joint
 * lies below the ankle; else the ankle. -1: there is none. */
int foot_sole_joint(const Skeleton *skeleton, int foot);

/* Whether a force is large enough for a meaningful centre of pressure; otherwise foot_cop and foot_free_moment are
 * zero. */
int foot_has_pressure_centre(Vec3 force, Vec3 normal);

/* Fills foot_force, foot_cop and foot_free_moment from force, moment and the ground plane of c. Points of any joint
 * whose segment is an ankle or a toe count for that foot. */
void foot_summarize(const Skeleton *skeleton, const Kinematics *kinematics, Contact *c);

#endif
