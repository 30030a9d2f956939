/* The faults of a source, as import finds them before anything is smoothed, and what they speak against.
 *
 * Reference for the kinds: docs/formats.md, group /trust. */
#ifndef KANE_TRUST_SOURCE_FAULTS_H
#define KANE_TRUST_SOURCE_FAULTS_H

#include "analysis/trust/fault.h"

/* Teleports, flips, held and interpolated stretches in order of their first frame. *faults = (Faults){0} before. */
Status source_faults_find(const Skeleton *skeleton, const Motion *motion, Faults *faults, Error *err);

/* Adds their bits to *trust: to the frames and to the joints at fault. Where all that the joint carries is light the
 * frame keeps its trust and the joints that feel the fault lose theirs: its ancestors and what hangs on it get
 * TRUST_NEIGHBOUR. */
Status source_faults_mark(const Skeleton *skeleton, const Faults *faults, Trust *trust, Error *err);

#endif
