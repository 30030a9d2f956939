/* A seat: what bears a body that sits on something which nobody recorded.
 *
 * Told from pose and residual together. The thighs are level, the hips stay where they are, clear of the ground; and
 * what the motion asks for can be borne by nothing that touches the ground, since its centre of pressure lies behind
 * all of that, for SEAT_TIME at least. A squat, however deep, keeps it over the feet. As long as the hips are in that
 * place the seat is under them: the points at the hips get a level of their own, and the program decides what they
 * carry. */
#ifndef KANE_CONTACT_SEAT_H
#define KANE_CONTACT_SEAT_H

#include "analysis/contact/contact_problem.h"

#define SEAT_TIME 0.4 /* s */

/* Marks the frames in which a seat is there, support[frame] of the problem, and sets the ground's level of the points
 * at the hips. Reads need, pressure and ground, before levers and penalties are told from them. Returns the number of
 * these frames. */
int seat_find(ContactProblem *problem);

#endif
