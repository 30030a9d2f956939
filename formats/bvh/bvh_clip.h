/* From the arrays of a BVH file to a clip, and back.
 *
 * Euler channels become quaternions in the order in which the file lists them; file units and axes are decided from
 * evidence (analysis/motion/evidence.h) unless the def fixes them. */
#ifndef KANE_FORMATS_BVH_CLIP_H
#define KANE_FORMATS_BVH_CLIP_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/motion/evidence.h"
#include "formats/bvh/bvh.h"

/* Fills skeleton (with roles), motion and the provenance fields frame_time, metres_per_unit, up_axis of *out;
 * title, source, sha256 and history are the caller's. decision tells what was decided, and how surely. */
Status clip_from_bvh(const Bvh *bvh, const EvidenceDef *def, Clip *out, Evidence *decision, Error *err);

/* The clip as BVH in centimetres, +Y up: root with six channels, others with three (six where joints translate),
 * rotations in Z X Y order, continuous Euler angles. The ROOT OFFSET is zero and the channels hold the whole position,
 * so that readers that add and readers that replace agree; the root's rest position is lost. Free with bvh_free. */
Status bvh_from_clip(const Clip *clip, Bvh *out, Error *err);

#endif
