/* Sets up the problem of ground contact for a clip: the ground, possible contact points, the force and moment that the
 * motion requires, unrecorded seats and rails, and the cost of each contact. */
#ifndef KANE_CONTACT_CONTACT_SETUP_H
#define KANE_CONTACT_CONTACT_SETUP_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/contact/contact_problem.h"
#include "analysis/contact/ground.h"
#include "analysis/math/lane_width.h"

/* Without points (a body without height, or a mechanism that hangs from a fixed root) only `points` is set. *clip, with
 * body and kinematics, must outlive *out. Free with contact_problem_free. */
Status contact_setup(const ClipView *clip, const ContactConstants *constants, const GroundDef *ground, LaneWidth lanes,
                     ContactProblem *out, Error *err);
void contact_problem_free(ContactProblem *p);

/* Frees what only the solution requires. Points, axes, levers, penalties and the ground plane stay. */
void contact_problem_solved(ContactProblem *p);

#endif
