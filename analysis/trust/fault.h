/* A fault of a recording: where, what, how large. */
#ifndef KANE_TRUST_FAULT_H
#define KANE_TRUST_FAULT_H

#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/clip/trust.h"

enum { FAULT_WHOLE_POSE = -1 };

typedef struct Fault {
    TrustReason kind; /* one bit */
    int joint;        /* FAULT_WHOLE_POSE: all of them */
    int first, last;  /* frames at fault; of a step for good: the frame behind it, twice */
    int stays;        /* 1: a step for good: the take goes on from the new place or pose */
    double size;      /* m of a teleport, rad of a flip, s of a stretch */
} Fault;

typedef struct Faults {
    int count, capacity;
    Fault *fault; /* [count] owned */
} Faults;

Status faults_add(Faults *faults, Fault fault, Error *err);
void faults_free(Faults *faults);

/* Longest chain of bones from the root, m: the measure of a body without
 * masses. 1 where it has no length. */
double fault_body_size(const Skeleton *skeleton);

#endif
