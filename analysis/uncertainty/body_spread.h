/* Effects of errors of the body on torques: joint centres, centres of mass, and part masses. */
#ifndef KANE_UNCERTAINTY_BODY_SPREAD_H
#define KANE_UNCERTAINTY_BODY_SPREAD_H

#include "analysis/math/lane_width.h"
#include "analysis/uncertainty/torque_covariance.h"

/* Bodies with heavier or lighter parts than in the table (data/segment_spread.tsv): groups of parts such that no joint
 * has two of one group beyond it. One part per group may change at once. */
enum { MASS_GROUPS = 4 };

/* Makes the parts of a group heavier by so many standard deviations (negative: lighter), with size[SPREAD_SIZE_COUNT];
 * the trunk compensates. */
void body_masses_change(const Skeleton *skeleton, int group, double deviations, const double *size, Body *body);

/* Adds the effects of errors of joint centres, centres of mass and part masses, by the spread of published tables, with
 * constant total mass. Groups of parts are varied one by one. Torques are linear in masses and inertias. */
Status body_terms_add(const SpreadCase *c, TorqueCovariance *out, Error *err);

/* Masses that change together: [joint]. */
typedef struct MassGroup {
    double *part;     /* fraction by which a segment's mass changes */
    uint8_t *carries; /* 1: there is such a segment at or beyond the joint */
} MassGroup;

/* Input of the kernel. Nothing is owned. */
typedef struct BodySpreadView {
    size_t frame_count, joint_count;
    const int *parent;                      /* [joint] before its children */
    const Vec3 *position, *force, *torque;  /* [frame][joint] m, N, Nm; world axes */
    const Loads *loads;                     /* all loads of the inverse dynamics */
    double joint_variance;                  /* m2, of a joint centre */
    const double *segment_variance;         /* [joint] m2, of the segment's centre of mass */
    const MassGroup *group;                 /* [group_count] */
    int group_count;
    double *scratch;                        /* [joint][BODY_SPREAD_VALUES][lanes], aligned to 64 bytes */
    Sym3 *covariance;                       /* [frame][joint] Nm2; effects are added */
} BodySpreadView;

enum { BODY_SPREAD_VALUES = 18 };

/* Adds the terms in whole blocks of lanes from the frame `first`; returns the first frame that is left. */
typedef size_t BodySpreadFrames(const BodySpreadView *view, size_t first);
LANE_TWINS(BodySpreadFrames, body_spread_frames);

#endif
