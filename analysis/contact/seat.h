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

/* Marks the frames in which a seat is there: seated[frame], which is the problem's, and the ground's level of the
 * points at the hips. Reads need, pressure and ground, before levers and penalties are told from them. Returns the
 * number of these frames. */
int seat_find(ContactProblem *problem);

/* What a seat carries in a frame, body weights: estimated forces at the hips where these are clear of the ground. */
double seat_load(const ClipView *clip, const Contact *contact, int frame);

#endif
