/* A handrail: something unrecorded that a hand holds, such as a bar, a frame or the edge of a table.
 *
 * Detected from pose and residual together. The hand is at rest, clear of the ground, for at least RAIL_TIME. During
 * that time nothing that touches the ground can supply what the motion requires: its centre of pressure is beyond all
 * of that, to any side. A still hand over feet that support the body holds nothing; if nothing touches the ground, the
 * support is unknown (a saddle, a bar). A grip pulls as well as it pushes, so it has no friction cone
 * (TridiagonalQp.grip). It transmits no couple, and the program determines its force. There is no search for a rail
 * while a seat supports the body. */
#ifndef KANE_CONTACT_RAIL_H
#define KANE_CONTACT_RAIL_H

#include "analysis/contact/contact_problem.h"

#define RAIL_TIME 0.4 /* s */

/* Marks the frames in which a hand holds a rail, support[frame] of the problem, and sets the point of the hand to rest
 * at its own level. Reads wrench, pressure, levers and ground, after seat_find. Returns the number of these frames. */
int rail_find(ContactProblem *problem);

#endif
