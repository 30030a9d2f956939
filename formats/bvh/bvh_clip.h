/* From the arrays of a BVH file to a clip, and back.
 *
 * Euler channels become quaternions in the order in which the file lists them; what the file does not state,
 * clip_settle decides (analysis/detect/take.h). */
#ifndef KANE_BVH_BVH_CLIP_H
#define KANE_BVH_BVH_CLIP_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/detect/take.h"
#include "analysis/math/quat.h"
#include "formats/bvh/bvh.h"

/* The skeleton in file units and axes, without roles. *out is to be freed, also on failure. */
Status bvh_skeleton(const Bvh *bvh, Skeleton *out, Error *err);

/* The take of a file, without rows, places and findings, which are the caller's. *out is to be freed, also on
 * failure. */
Status take_from_bvh(const Bvh *bvh, Take *out, Error *err);

/* take_from_bvh and clip_settle: fills skeleton (with roles), motion and the provenance fields frame_time,
 * meters_per_unit, up_axis of *out; title, source, sha256 and history are the caller's. decision receives what was
 * decided, and how surely. */
Status clip_from_bvh(const Bvh *bvh, const ImportGuessDef *def, Clip *out, ImportGuess *decision, Error *err);

/* The clip as BVH in centimetres, +Y up, with continuous Euler angles. A joint has the channels of its file, in that
 * order, and those that its motion needs besides (bvh_channels_complete); without a file the root has six, others
 * three, or six where they translate, with rotations in Z X Y order. The ROOT OFFSET is zero and the channels hold the
 * whole position, so that readers that add and readers that replace agree; the root's rest position is lost. Free with
 * bvh_free. */
Status bvh_from_clip(const Clip *clip, Bvh *out, Error *err);

/* The rows of a file with their turns; *turns is owned by the caller (free). rows->value belongs to bvh. */
Status bvh_channel_rows(const Bvh *bvh, ChannelRows *rows, EulerTurns **turns, Error *err);

/* The longest OFFSET of a child, file units; 0 where there is none. */
double bvh_longest_offset(const Bvh *bvh);

#endif
