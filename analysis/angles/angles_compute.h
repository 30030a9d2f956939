/* Everything of /angles from the other groups of a clip: axes, neutral pose, angles, moments and strength. */
#ifndef KANE_ANGLES_ANGLES_COMPUTE_H
#define KANE_ANGLES_ANGLES_COMPUTE_H

#include "analysis/angles/strength.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/math/lane_width.h"

typedef enum KneeAxis { KNEE_AUTO, KNEE_GEOMETRY, KNEE_FUNCTIONAL } KneeAxis;
extern const char *const knee_axis_names[]; /* "auto"; ends with NULL */

typedef struct AnglesDef {
    KneeAxis knee_axis;   /* default KNEE_AUTO: functional if both knees are hinges */
    int keep_axes;        /* default 0 */
    int has_strength;     /* default 1; 0: without capacity and utilization */
    StrengthDef strength;
    LaneWidth lanes;      /* every width gives bitwise equal results */
} AnglesDef;

AnglesDef angles_default_def(void);

/* What is printed for a user. */
typedef struct AnglesRemark {
    int is_pose_built;   /* 1: the neutral pose is not the rest pose; its text is in the angles */
    double roles;        /* confidence of roles that are too improbable for angles; 0: they are not */
} AnglesRemark;

/* Fills *out, which is empty; the caller frees it, also after failure. The clip has /body, /kinematics and /dynamics.
 * Without stature or mass the angles have no strength. */
Status angles_compute(const AnglesDef *def, const Clip *clip, JointAngles *out, AnglesRemark *remark, Error *err);

#endif
