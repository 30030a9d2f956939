/* Limits of shaking in a rhythm: data/shaking.tsv, compiled in, has the meaning, unit and source of each. */
#ifndef KANE_QUALITY_SHAKING_LIMITS_H
#define KANE_QUALITY_SHAKING_LIMITS_H

typedef struct ShakingLimits {
    double line, min_line, max_line;
    double others, min_others, max_others;
    double mirror, paired;
    double amplitude, beyond, longer;
    double motion_2, motion_4, motion_8, motion_16, motion_45;
    double limit_2, limit_4, limit_8, limit_16, limit_45;
} ShakingLimits;

extern const ShakingLimits shaking_limits;

#endif
