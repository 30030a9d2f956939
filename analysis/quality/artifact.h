/* A fault of a recording: where, what, how large. */
#ifndef KANE_QUALITY_ARTIFACT_H
#define KANE_QUALITY_ARTIFACT_H

#include <stddef.h>

#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/clip/trust.h"

enum { ARTIFACT_WHOLE_POSE = -1 };

typedef struct Artifact {
    TrustReason kind; /* one bit */
    int joint;        /* ARTIFACT_WHOLE_POSE: all of them; of exchanged limbs the left one's topmost */
    int first, last;  /* frames at fault; of a step for good: the frame behind it, twice */
    int stays;        /* 1: a step for good: the take goes on from the new place or pose */
    double size;      /* m of a teleport, rad of a flip, s of a stretch; of the others see what finds them */
} Artifact;

typedef struct Artifacts {
    int count, capacity;
    Artifact *fault; /* [count] owned */
} Artifacts;

Status faults_add(Artifacts *faults, Artifact fault, Error *err);
void faults_free(Artifacts *faults);

/* Longest chain of bones from the root, m: the measure of a body without
 * masses. 1 where it has no length. */
double artifact_body_size(const Skeleton *skeleton);

/* Limits of artifacts and of trust: data/trust.tsv, compiled in, has the meaning, unit and source of each. */
typedef struct TrustLimits {
    double path_step, path_reversal, turn_step, turn_reversal;
    double pair_step, pair_left;
    double quantum;
    double hold_pose, hold_joint, hold_abrupt, hold_resting, hold_leap;
    double fault_reach;
    double unexplained, unexplained_reach, unexplained_island;
    double needs_support, support_load, clear, support_speed, comes_down;
} TrustLimits;

extern const TrustLimits trust_limits;

/* Whether a place, or joint `joint` at frame f, repeats the one before to the last digit; joint_count: the root's path.
 * size: of the body, m. */
int artifact_repeats_place(Vec3 a, Vec3 b, double size);
int artifact_repeats_joint(const Motion *motion, int joint, int f, double size);

/* What the fault is, in words: `frames 12 to 40: joint "Hips" is held`. row: its first frame, as a person counts. */
void artifact_describe(const Skeleton *skeleton, const Motion *motion, const Artifact *fault, int row, char *text,
                       size_t size);

/* The topmost joint of the limb that the fault's limb is exchanged with; -1 of other faults. */
int artifact_other_limb(const Skeleton *skeleton, const Artifact *fault);

#endif
