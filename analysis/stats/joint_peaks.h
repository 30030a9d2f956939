/* Peak, RMS, percentile, work and range of one joint: a row of the table joint_stat.
 *
 * Without a trusted frame every statistic is NaN (the frame -1) except those of all valid frames. The floating base
 * has no torque or power of its own, only the residual. */
#ifndef KANE_STATS_JOINT_PEAKS_H
#define KANE_STATS_JOINT_PEAKS_H

#include "analysis/stats/joint_series.h"
#include "analysis/stats/metric.h"

typedef struct JointPeaks {
    double torque_peak_nm;    /* N m, largest |torque| */
    double torque_peak_nm_kg; /* N m/kg of body mass */
    double torque_peak_sd_nm_kg; /* N m/kg, standard deviation of the torque's magnitude at the peak; NaN: not
                                    computed */
    double torque_peak_low_nm_kg; /* N m/kg, torque_low of the peak */
    double torque_peak_t;     /* s, source time */
    int torque_peak_frame;    /* frame of the clip, from 0; -1: none */
    double torque_peak_all_nm_kg; /* N m/kg, over all valid frames, trusted or not */
    int torque_peak_all_frame;    /* frame of the clip, from 0; -1: none */
    double torque_rms_nm_kg;
    double torque_p95_nm_kg;  /* N m/kg: 95 % of the frames are at or below it */
    double power_peak_w;      /* W, positive generates */
    double power_min_w;
    double work_pos_j;        /* J, integral of the positive power */
    double work_neg_j;        /* J, <= 0 */
    double speed_peak;        /* rad/s, relative to the parent */
    double accel_peak;        /* rad/s2, relative to the parent */
    double rom_rad;           /* rad, largest angle between two poses of the joint */
    double utilization_peak;          /* largest strength utilization of the joint's coordinates */
    double utilization_peak_sd;   /* NaN: unknown */
    double utilization_peak_t;        /* s, source time */
} JointPeaks;

/* Lower end of the 90 % band of a torque, at least 0; without a standard deviation (NaN, < 0) the torque itself. */
double torque_low(double torque, double sd);

/* Fills the peaks of a joint. scratch: [series->count]. mass <= 0: per-kg statistics are NaN. */
void joint_peaks(const JointSeries *series, int joint, double mass, double *scratch, JointPeaks *out);

/* The statistics of JointPeaks by name. */
MetricList peak_metrics(void);

/* The smallest of count > 0 values that at least the fraction `part` (0..1) of them do not exceed (nearest rank).
 * Reorders value, which must not contain NaN. Linear expected time. */
double percentile(double *value, int count, double part);

#endif
