/* The points of a body that is not human, at the ends of its bones (creature_points.c). */
#ifndef KANE_CONTACT_CONTACT_POINTS_INTERNAL_H
#define KANE_CONTACT_CONTACT_POINTS_INTERNAL_H

#include "analysis/base/status.h"
#include "analysis/clip/body.h"
#include "analysis/clip/joint_kinematics.h"
#include "analysis/clip/skeleton.h"
#include "analysis/contact/contact_points.h"

/* For contact_points_init: the points of a body that is not human, into storage for joint_count + end_count points and
 * groups; sets leg_length and level_spread. */
Status creature_points_fill(const Skeleton *skeleton, const Body *body, const Kinematics *kinematics,
                            ContactPoints *out, Error *err);

#endif
