/* What a clip makes of the problem of ground contact: the ground, where contacts could act, what the motion needs,
 * seats and rails that nobody recorded, what each contact would cost. */
#ifndef KANE_CONTACT_CONTACT_SETUP_H
#define KANE_CONTACT_CONTACT_SETUP_H

#include "analysis/contact/contact_problem.h"

/* Without points (a body without height, a mechanism that hangs from a root that stays in place) nothing else is
 * filled. *clip, with body and kinematics, must outlive *out. Free with contact_problem_free. */
Status contact_setup(const ClipView *clip, const ContactConstants *constants, const GroundDef *ground, LaneWidth lanes,
                     ContactProblem *out, Error *err);

#endif
