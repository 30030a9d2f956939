/* What the stages behind import find out about a take, frame by frame. Each takes back its own bits first.
 *
 * Bounds: docs/formats.md, group /trust. */
#ifndef KANE_TRUST_TRUST_MARKS_H
#define KANE_TRUST_TRUST_MARKS_H

#include "analysis/clip/clip_view.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/dynamics.h"
#include "analysis/clip/trust.h"

/* s: the frames on either side of a fault whose differences, or filters, feel it. */
#define TRUST_FAULT_REACH 0.14

/* TRUST_EDGE where the kinematics are not valid, and within TRUST_FAULT_REACH of the source's faults: of the frame, or
 * of the joints that have one. Reads motion and kinematics. */
void trust_mark_edges(const ClipView *clip, Trust *trust);

#endif
