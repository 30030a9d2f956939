/* Conclusions from estimated forces: unrecorded supports such as a seat or a handrail, and the part of the motion that
 * the forces do not explain. The same values appear as a note, as marks of /trust and in the index. */
#ifndef KANE_CONTACT_SUPPORT_H
#define KANE_CONTACT_SUPPORT_H

#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/contact/contact_problem.h"
#include "analysis/math/lane_width.h"

/* A seat: support of a body that sits on something unrecorded.
 *
 * Detected from pose and residual together. The thighs are level, and the hips are at rest, clear of the ground. For at
 * least SEAT_TIME, nothing that touches the ground can supply what the motion requires, because the required centre of
 * pressure is behind all of that. A squat, however deep, keeps it over the feet. While the hips stay at that position
 * the seat is under them: the points at the hips get a level of their own, and the program determines their load. */

#define SEAT_TIME 0.4 /* s */

/* Marks the frames with a seat, support[frame] of the problem, and sets the ground level of the points at the hips.
 * Reads wrench, pressure and ground, before levers and penalties are computed from them. Returns the number of these
 * frames. */
int seat_find(ContactProblem *problem);

/* A handrail: something unrecorded that a hand holds, such as a bar, a frame or the edge of a table.
 *
 * Detected from pose and residual together. The hand is at rest, clear of the ground, for at least RAIL_TIME. During
 * that time nothing that touches the ground can supply what the motion requires: its centre of pressure is beyond all
 * of that, to any side. A still hand over feet that support the body holds nothing; if nothing touches the ground, the
 * support is unknown (a saddle, a bar). A grip pulls as well as it pushes, so it has no friction cone
 * (TridiagonalQp.grip). It transmits no couple, and the program determines its force. There is no search for a rail
 * while a seat supports the body. */

#define RAIL_TIME 0.4 /* s */

/* Marks the frames in which a hand holds a rail, support[frame] of the problem, and sets the point of the hand to rest
 * at its own level. Reads wrench, pressure, levers and ground, after seat_find. Returns the number of these frames. */
int rail_find(ContactProblem *problem);

#define SUPPORT_LEAST_LOAD 0.05 /* body weights: a smaller load is not reported */

typedef enum SupportKind { SUPPORT_OF_HIPS = 0, SUPPORT_OF_HANDS, SUPPORT_KINDS } SupportKind;

/* "seat", "rail". */
const char *support_name(SupportKind kind);

/* Load in a frame, body weights: vertical force of a seat, magnitude of the force of a rail. These are estimated forces
 * on hips or hands well above the lowest joint; 0 if forces were measured. Reads skeleton, body and kinematics of the
 * clip. */
double support_load(const ClipView *clip, const Contact *contact, int frame, SupportKind kind);

/* 1 if one of them supports more than SUPPORT_LEAST_LOAD. */
int support_is_presumed(const ClipView *clip, const Contact *contact, int frame);

/* The part of a motion that contact forces do not explain: its size, and its reduction.
 *
 * Residual reduction changes the trunk's accelerations slightly, so that the momentum of the body and the contact
 * forces agree, after the method of OpenSim (Delp et al. 2007, IEEE Trans Biomed Eng 54:1940-1950).
 *
 * In each frame the whole body gets an additional linear acceleration, and the trunk an additional angular acceleration
 * about the joint at its base, with arms and head moving along. Poses and velocities stay. */

typedef struct ResidualReductionDef {
    double most_linear;  /* m/s2, bound of the additional linear acceleration; default 1 */
    double most_angular; /* rad/s2, bound of the additional angular acceleration; default 10 */
    LaneWidth lanes;     /* default LANES_AUTO */
} ResidualReductionDef;

ResidualReductionDef residual_reduction_default_def(void);

/* Changes acceleration and angular_acceleration of kinematics, which must be those of the clip, and sets
 * linear_reduction and angular_reduction (RMS of the additions) of contact. A body without a spine gets the linear part
 * alone. */
Status residual_reduce(const ClipView *clip, const ResidualReductionDef *def, Contact *contact, Kinematics *kinematics,
                       Error *err);

/* Sets confidence: 1 / (1 + 100 (f^2 + m^2)), with f the residual force at the floating base in body weights, and m the
 * residual moment about the COM in body weights times half the stature. It is 1/2 for a residual of a tenth of a body
 * weight. */
Status confidence_rate(const ClipView *clip, LaneWidth lanes, Contact *contact, Error *err);

#endif
