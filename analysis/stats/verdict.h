/* Whether a person can do a motion, and where it fails first.
 *
 * Every finding is a factor: what the motion asks of a joint, over what the 99th percentile of trained people have
 * (STRENGTH_STRONG), or the force that no ground explains, over its limit (data/verdict.tsv). It has the half width of
 * a 90 % band. Frames whose recording is bad (TRUST_RECORDING) are left out; all others count. The factor of a clip is
 * that with the largest lower end. */
#ifndef KANE_STATS_VERDICT_H
#define KANE_STATS_VERDICT_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/stats/raw_speed.h"
#include "analysis/stats/verdict_limits.h"

typedef enum Verdict {
    VERDICT_UNKNOWN,    /* no dynamics, strength or mass; or a bad recording */
    VERDICT_POSSIBLE,
    VERDICT_HARD,       /* over an average person's strength beyond the band, or over 1 within it */
    VERDICT_IMPOSSIBLE, /* over 1 beyond the band */
} Verdict;

extern const char *const verdict_names[]; /* "unknown" and so on; ends with NULL */

typedef enum VerdictCause {
    VERDICT_NOTHING, /* unknown */
    VERDICT_TORQUE,  /* of one anatomical axis */
    VERDICT_ANY_AXIS, /* torque about any axis, over the largest of the joint's curves */
    VERDICT_SPEED,
    VERDICT_FORCE,   /* on the centre of mass, without contact that could exert it */
    VERDICT_MOMENT,  /* about the centre of mass */
    VERDICT_PACE,    /* speed of the centre of mass, upward or along the ground */
} VerdictCause;

enum { VERDICT_TEXT_SIZE = 160 };

typedef struct ClipVerdict {
    Verdict verdict;
    VerdictCause cause;
    int joint, frame;         /* -1: unknown; of a force the root, of a moment the ankle with more load */
    double t;                 /* s, source time; NaN: unknown, as are the following */
    double factor, band;      /* factor and half width of its 90 % band */
    double average;           /* largest lower end of utilization of average strength */
    char why[VERDICT_TEXT_SIZE]; /* one sentence */
} ClipVerdict;

/* Likewise of one frame. */
typedef struct FrameVerdict {
    Verdict verdict; /* VERDICT_UNKNOWN: its recording is bad */
    int joint;       /* -1: unknown */
    double factor, band, average;
    double largest;  /* factor of any finding */
} FrameVerdict;

/* raw: of the same frames; NULL: not known. frames[frame of kinematics] receives the verdict of each frame, all unknown
 * if the clip has no torques; NULL: not wanted. Cost: twice that of strength_compute. */
Status clip_verdict_find(const Clip *clip, const RawSpeed *raw, FrameVerdict *frames, ClipVerdict *out, Error *err);

#endif
