/* A seat: support of a body that sits on something unrecorded.
 *
 * Detected from pose and residual together. The hips are bent and at rest, clear of the ground, and the thighs level.
 * For at least SEAT_TIME, nothing that touches the ground can supply what the motion requires, because the required
 * centre of pressure is behind all of that. A squat, however deep, keeps it over the feet. While the hips stay at that
 * position the seat is under them: the points at the hips get a level of their own, and the program determines their
 * load. */
#ifndef KANE_CONTACT_SEAT_H
#define KANE_CONTACT_SEAT_H

#include "analysis/contact/contact_problem.h"

#define SEAT_TIME 0.4 /* s */

/* Marks the frames with a seat, support[frame] of the problem, and sets the ground level of the points at the hips.
 * Reads wrench, pressure and ground, before levers and penalties are computed from them. Returns the number of these
 * frames. */
int seat_find(ContactProblem *problem);

#endif
