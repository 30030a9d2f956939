/* Limits of the verdict: data/verdict.tsv, compiled in, has the meaning, unit and source of each. */
#ifndef KANE_STATS_VERDICT_LIMITS_H
#define KANE_STATS_VERDICT_LIMITS_H

typedef struct VerdictLimits {
    double ground_short, ground_short_error, ground_long, ground_long_error, moment_long, moment_long_error;
    double yaw, yaw_error;
    double speed, speed_error, swing, swing_shank, swing_body, size_error, rail, rail_error;
    double rise_speed, run_speed, left_out, shaking, jitter, jitter_size;
} VerdictLimits;

extern const VerdictLimits verdict_limits;

#endif
