/* When a foot is on the ground. */
#ifndef KANE_STATS_CONTACT_PHASE_H
#define KANE_STATS_CONTACT_PHASE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Frames first to last. */
typedef struct FrameSpan {
    int first, last;
} FrameSpan;

typedef struct ContactPhases {
    int count;
    FrameSpan *span; /* [count] in order; owned */
} ContactPhases;

/* What touches the ground at a frame, a contact being the state of a point above one half: bit k for foot k
 * (FOOT_LEFT, FOOT_RIGHT), bit FOOT_COUNT for the rest of the body. The clip must have /contact. */
unsigned contact_touching(const Clip *clip, int frame);

/* The spans in which a foot is down; a gap shorter than least_gap (s) does not end one. None where the clip has no
 * contact points. */
Status contact_phases_init(ContactPhases *phases, const Clip *clip, int foot, double least_gap, Error *err);
void contact_phases_free(ContactPhases *phases);

#endif
