/* Contact points of a body that is no human: the ends of its bones, as thick as the capsules of body/capsules.h.
 *
 * A limb hangs on the trunk with no more than a quarter of the mass. Of the outer ends of a limb those that come to
 * rest at their lowest are its paw: they tell the level of the ground, whatever the skeleton draws below or beyond
 * them. All other ends (joints of the legs, trunk, head, tail) touch the common ground with their skin, so that a body
 * that lies is held too. What changes its distance from its parent, or sticks out of the trunk and leads nowhere, is a
 * marker or gear and no bone. */
#ifndef KANE_CONTACT_CREATURE_POINTS_H
#define KANE_CONTACT_CREATURE_POINTS_H

#include "analysis/base/status.h"
#include "analysis/clip/body.h"
#include "analysis/contact/contact_points.h"

/* Fills all of *out but its storage, which holds joint_count + end_count points and groups. */
Status creature_points_fill(const Skeleton *skeleton, const Body *body, const Kinematics *kinematics,
                            ContactPoints *out, Error *err);

#endif
