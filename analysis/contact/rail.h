/* A hand rail: what a hand holds that nobody recorded, such as a bar, a frame or the edge of a table.
 *
 * Told from pose and residual together. The hand stays where it is, clear of the ground, for RAIL_TIME at least, and
 * all the while what the motion asks for can be borne by nothing that touches the ground: its centre of pressure lies
 * beyond all of that, to whatever side. A hand that is held still over feet that bear the body holds nothing, and
 * where nothing touches the ground nobody knows what bears (a saddle, a bar). A grip pulls as well as it pushes, so
 * that no friction cone binds it (ChainQp.grip); it carries no couple, and the program decides what it carries. Where
 * a seat bears (seat.h) no rail is looked for. */
#ifndef KANE_CONTACT_RAIL_H
#define KANE_CONTACT_RAIL_H

#include "analysis/contact/contact_problem.h"

#define RAIL_TIME 0.4 /* s */

/* Marks the frames in which a hand holds a rail, support[frame] of the problem, and puts the point at the hand there at
 * rest at a level of its own. Reads need, pressure, levers and ground, after seat_find. Returns the number of these
 * frames. */
int rail_find(ContactProblem *problem);

#endif
