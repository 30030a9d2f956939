/* Conversion between the arrays of a BVH file and a clip.
 *
 * Euler channels become quaternions in the order in which the file lists them. clip_settle (analysis/detect/take.h)
 * detects what the file does not state. */
#ifndef KANE_BVH_BVH_CLIP_H
#define KANE_BVH_BVH_CLIP_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/detect/import_guess.h"
#include "analysis/detect/take.h"
#include "formats/base/source_file.h"
#include "formats/bvh/bvh.h"

/* The skeleton in file units and axes, without roles. Free *out also after failure. */
Status bvh_skeleton(const Bvh *bvh, Skeleton *out, Error *err);

/* The take of a file; the caller sets rows, positions and findings. Free *out also after failure. */
Status take_from_bvh(const Bvh *bvh, Take *out, Error *err);

/* Combines take_from_bvh and clip_settle: fills skeleton (with roles), motion and the provenance fields frame_time,
 * meters_per_unit, up_axis of *out; the caller sets title, source, sha256 and history. *decision receives the
 * detections with confidences. */
Status clip_from_bvh(const Bvh *bvh, const ImportGuessDef *def, Clip *out, ImportGuess *decision, Error *err);

/* Converts a clip to BVH in centimetres, +Y up, with continuous Euler angles. A joint has the channels of its source
 * file, in their order, and those that its motion also requires (bvh_channels_complete). Without a source file the root
 * has six channels, other joints three, or six if they translate, with rotations in Z X Y order. The ROOT OFFSET is
 * zero and the channels contain the whole position, so that readers that add the offset and readers that replace it
 * agree; the root's rest position is lost. Free with bvh_free. */
Status bvh_from_clip(const Clip *clip, Bvh *out, Error *err);

/* Returns the rows of a file and their rotation channels; the caller frees *rotations. rows->value belongs to bvh. */
Status bvh_channel_rows(const Bvh *bvh, ChannelRows *rows, EulerChannels **rotations, Error *err);

/* Returns the length of the longest OFFSET of a child, file units; 0 without children. */
double bvh_longest_offset(const Bvh *bvh);

/* Writes a clip as BVH in the space of another file with the same joints: with its HIERARCHY text, unit, up axis and
 * channels. file: a BVH file.
 *
 * Unit and axis are found by comparing offsets of the clip and the file; the meaning of the file's ROOT OFFSET is
 * detected as in import. STATUS_BAD_INPUT, with the joint, if joints or proportions differ, or if the motion needs
 * channels that the file does not list. */
Status bvh_write_like(const Clip *clip, const SourceFile *file, FILE *stream, Error *err);

#endif
