/* Limits for artifacts and trust: data/trust.tsv, compiled in, has the meaning, unit and source of each. */
#ifndef KANE_QUALITY_TRUST_LIMITS_H
#define KANE_QUALITY_TRUST_LIMITS_H

/* Limits for artifacts and trust: data/trust.tsv, compiled in, has the meaning, unit and source of each. */
typedef struct TrustLimits {
    double path_step, path_reversal, turn_step, turn_reversal;
    double pair_step, pair_left;
    double quantum;
    double hold_pose, hold_joint, hold_abrupt, hold_resting, hold_leap;
    double fault_reach, aftermath;
    double unexplained, unexplained_reach, unexplained_min;
    double needs_support, support_load, clear, support_speed, comes_down;
} TrustLimits;

extern const TrustLimits trust_limits;

#endif
