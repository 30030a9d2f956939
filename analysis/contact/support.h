/* What estimated forces state of a clip: presumed supports that nobody recorded, a seat or a handrail,
 * and what the forces leave unexplained of the motion. A note, a mark of /trust and a figure of the index say the
 * same. */
#ifndef KANE_CONTACT_SUPPORT_H
#define KANE_CONTACT_SUPPORT_H

#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/contact/contact_problem.h"
#include "analysis/math/lane_width.h"

/* A seat: the support of a body that sits on something unrecorded.
 *
 * Detected from pose and residual together. The thighs are level, the hips stay where they are, clear of the ground;
 * and nothing that touches the ground can supply what the motion requires, since its centre of pressure lies behind all
 * of that, for SEAT_TIME at least. A squat, however deep, keeps it over the feet. As long as the hips are in that place
 * the seat is under them: the points at the hips get a level of their own, and the program decides what they carry. */

#define SEAT_TIME 0.4 /* s */

/* Marks the frames in which a seat is there, support[frame] of the problem, and sets the ground's level of the points
 * at the hips. Reads need, pressure and ground, before levers and penalties follow from them. Returns the number of
 * these frames. */
int seat_find(ContactProblem *problem);

/* A handrail: what a hand holds that nobody recorded, such as a bar, a frame or the edge of a table.
 *
 * Detected from pose and residual together. The hand stays where it is, clear of the ground, for RAIL_TIME at least,
 * and all the while nothing that touches the ground can supply what the motion requires: its centre of pressure lies
 * beyond all of that, to whatever side. A hand that is held still over feet that support the body grips nothing, and
 * where nothing touches the ground the support is unknown (a saddle, a bar). A grip pulls as well as it pushes, so that
 * no friction cone binds it (TridiagonalQp.grip); it carries no couple, and the program decides what it carries. Where
 * a seat supports (support.h) no rail is sought. */

#define RAIL_TIME 0.4 /* s */

/* Marks the frames in which a hand holds a rail, support[frame] of the problem, and puts the point at the hand there at
 * rest at a level of its own. Reads need, pressure, levers and ground, after seat_find. Returns the number of these
 * frames. */
int rail_find(ContactProblem *problem);

#define SUPPORT_LEAST_LOAD 0.05 /* body weights: less is not reported */

typedef enum SupportKind { SUPPORT_OF_HIPS = 0, SUPPORT_OF_HANDS, SUPPORT_KINDS } SupportKind;

/* "seat", "rail". */
const char *support_name(SupportKind kind);

/* What it carries in a frame, body weights: of a seat the vertical force, of a rail the force whatever its direction.
 * Estimated forces on hips or hands well above the lowest joint; 0 where forces were measured. Reads skeleton, body and
 * kinematics of the clip. */
double support_load(const ClipView *clip, const Contact *contact, int frame, SupportKind kind);

/* 1: any of them carries more than SUPPORT_LEAST_LOAD. */
int support_is_presumed(const ClipView *clip, const Contact *contact, int frame);

/* What contact forces leave unexplained of a motion: how little that is, and how to make it less.
 *
 * Residual reduction: small changes of the trunk's accelerations so that the momentum of the body and the contact
 * forces agree, after the residual reduction of OpenSim (Delp et al. 2007, IEEE Trans Biomed Eng 54:1940-1950).
 *
 * In each frame the whole body takes one more linear acceleration and the trunk one more angular acceleration, about
 * the joint at its base, arms and head riding on it. Poses and velocities stay. */

typedef struct ResidualReductionDef {
    double most_linear;  /* m/s2, bound of the added linear acceleration; default 1 */
    double most_angular; /* rad/s2, bound of the added angular acceleration; default 10 */
    LaneWidth lanes;     /* default LANES_AUTO */
} ResidualReductionDef;

ResidualReductionDef residual_reduction_default_def(void);

/* Changes acceleration and angular_acceleration of kinematics, which is that of the clip, and fills linear_reduction
 * and angular_reduction (RMS of what was added) of contact. A body without a spine takes the linear part alone. */
Status residual_reduce(const ClipView *clip, const ResidualReductionDef *def, Contact *contact, Kinematics *kinematics,
                       Error *err);

/* Fills confidence: 1 / (1 + 100 (f^2 + m^2)), f the force in body weights and m the moment about the COM in body
 * weights times half a stature that inverse dynamics with these forces leaves to the floating base. So it is 1/2 where
 * a tenth of a body weight stays unexplained. */
Status confidence_rate(const ClipView *clip, LaneWidth lanes, Contact *contact, Error *err);

#endif
