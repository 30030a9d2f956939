/* What is taken to bear a body though nobody recorded it: a seat (support.h), a hand rail (support.h).
 *
 * Told from a container's estimated forces, so that a note, a mark of /trust and a figure of the index say the same. */
#ifndef KANE_CONTACT_SUPPORT_H
#define KANE_CONTACT_SUPPORT_H

#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/contact/contact_problem.h"

/* A seat: what bears a body that sits on something which nobody recorded.
 *
 * Told from pose and residual together. The thighs are level, the hips stay where they are, clear of the ground; and
 * what the motion asks for can be borne by nothing that touches the ground, since its centre of pressure lies behind
 * all of that, for SEAT_TIME at least. A squat, however deep, keeps it over the feet. As long as the hips are in that
 * place the seat is under them: the points at the hips get a level of their own, and the program decides what they
 * carry. */

#define SEAT_TIME 0.4 /* s */

/* Marks the frames in which a seat is there, support[frame] of the problem, and sets the ground's level of the points
 * at the hips. Reads need, pressure and ground, before levers and penalties are told from them. Returns the number of
 * these frames. */
int seat_find(ContactProblem *problem);

/* A hand rail: what a hand holds that nobody recorded, such as a bar, a frame or the edge of a table.
 *
 * Told from pose and residual together. The hand stays where it is, clear of the ground, for RAIL_TIME at least, and
 * all the while what the motion asks for can be borne by nothing that touches the ground: its centre of pressure lies
 * beyond all of that, to whatever side. A hand that is held still over feet that bear the body holds nothing, and
 * where nothing touches the ground nobody knows what bears (a saddle, a bar). A grip pulls as well as it pushes, so
 * that no friction cone binds it (TridiagonalQp.grip); it carries no couple, and the program decides what it carries.
 * Where a seat bears (support.h) no rail is looked for. */

#define RAIL_TIME 0.4 /* s */

/* Marks the frames in which a hand holds a rail, support[frame] of the problem, and puts the point at the hand there at
 * rest at a level of its own. Reads need, pressure, levers and ground, after seat_find. Returns the number of these
 * frames. */
int rail_find(ContactProblem *problem);

#define SUPPORT_LEAST_LOAD 0.05 /* body weights: less is not told */

typedef enum SupportKind { SUPPORT_OF_HIPS = 0, SUPPORT_OF_HANDS, SUPPORT_KINDS } SupportKind;

/* "seat", "rail". */
const char *support_name(SupportKind kind);

/* What it carries in a frame, body weights: of a seat the vertical force, of a rail the force whatever its direction.
 * Estimated forces on hips or hands well above the lowest joint; 0 where forces were measured. Reads skeleton, body and
 * kinematics of the clip. */
double support_load(const ClipView *clip, const Contact *contact, int frame, SupportKind kind);

/* 1: any of them carries more than SUPPORT_LEAST_LOAD. */
int support_is_presumed(const ClipView *clip, const Contact *contact, int frame);

#endif
