/* The frame rate that the motion shows, whatever the file states: free fall, the duration of steps of a given length,
 * and balance depend on time.
 *
 * A motion at a wrong rate has accelerations that are wrong by the square of the factor. In flights the centre of mass
 * falls with g. A step takes a time that leg length and step length determine within 10 % (Grieve and Gear 1966;
 * dimensionless form of Hof 1996). The zero-moment point stays on the supporting points (force_balance.h). */
#ifndef KANE_EVIDENCE_RATE_EVIDENCE_H
#define KANE_EVIDENCE_RATE_EVIDENCE_H

#include "analysis/base/status.h"
#include "analysis/evidence/body_track.h"
#include "analysis/evidence/evidence.h"
#include "analysis/math/vec.h"

typedef struct RateDef {
    Vec3 up;         /* unit vector */
    double metre;    /* units of the motion per metre; 0: from the leg, as that of an adult */
    int is_unstated; /* 1: the file states no rate; that of the track is one of many */
} RateDef;

typedef struct RateJudgement {
    double fps;          /* most probable rate, Hz */
    double factor;       /* fps over the labelled rate */
    int is_shown;        /* 1: the clip has flights or steps, without which the label is not contradicted */
    int is_contradicted; /* 1: the labelled rate is improbable */
    Evidence evidence;   /* for the labelled rate; confidence: its probability */
    double alternative;  /* probability of fps */
} RateJudgement;

Status rate_judge(const BodyTrack *track, const RateDef *def, RateJudgement *out, Error *err);

#endif
