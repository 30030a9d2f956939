/* Peak, RMS, percentile, work and range of one joint over a clip: a row of the table joint_stat.
 *
 * Every figure is NaN (the frame -1) where the clip has no frame to trust, but for those of all frames. The floating
 * base has no torque and no power of its own: what stands there is the residual. */
#ifndef KANE_STATS_PEAKS_H
#define KANE_STATS_PEAKS_H

#include <stddef.h>

#include "analysis/stats/joint_series.h"

/* A number of a struct by name: what the index makes columns of, so that a figure's name stands in one place. */
typedef struct Figure {
    const char *name;
    const char *unit, *meaning; /* for column_doc and docs/formats.md; unit "": none, NULL: as the name ends */
    size_t offset;  /* into its struct */
    int is_integer; /* an int (negative: unknown), else a double (NaN: unknown) */
} Figure;

typedef struct FigureList {
    const Figure *figure; /* [count], of static storage */
    int count;
} FigureList;

typedef struct JointPeaks {
    double torque_peak_nm;    /* Nm, largest |torque| */
    double torque_peak_nm_kg; /* Nm/kg of body mass */
    double torque_peak_sd_nm_kg; /* Nm/kg, standard deviation of the torque's size at the peak; NaN: nobody asked */
    double torque_peak_t;     /* s, source time */
    int torque_peak_frame;    /* frame of the clip, from 0; -1: none */
    double torque_peak_all_nm_kg; /* Nm/kg, of all valid frames, trusted or not */
    double torque_peak_all_t;     /* s */
    double torque_rms_nm_kg;
    double torque_p95_nm_kg;  /* Nm/kg: 95 % of the frames stay at or below it */
    double power_peak_w;      /* W, positive generates */
    double power_min_w;
    double work_pos_j;        /* J, integral of the positive power */
    double work_neg_j;        /* J, <= 0 */
    double speed_peak;        /* rad/s, of the joint relative to its parent */
    double accel_peak;        /* rad/s2, seen from the parent */
    double rom_rad;           /* rad, largest angle between two poses of the joint */
    double use_peak;          /* largest share of strength, of the coordinates that have one */
    double use_peak_t;        /* s, source time */
} JointPeaks;

/* Fills the peaks of joint j. scratch holds series->count doubles. mass <= 0: per-kg figures are NaN. */
void joint_peaks(const JointSeries *series, int joint, double mass, double *scratch, JointPeaks *out);

/* The figures of JointPeaks by name. */
FigureList peak_figures(void);

/* The smallest of count > 0 values that at least part (0..1) of them do not exceed (nearest rank). Reorders value, in
 * which no NaN may be. Linear expected time. */
double percentile(double *value, int count, double part);

#endif
