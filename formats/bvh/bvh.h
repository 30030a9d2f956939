/* BVH: hierarchy and motion of a motion capture file in flat arrays, in the file's own units and axes; and clips from
 * them and as them.
 *
 * The parser reads from memory and prints nothing. Readable defects go into a list of findings; unreadable ones are
 * errors with line and column. Position channels of a child REPLACE its OFFSET. Whether a ROOT OFFSET is absolute or
 * added is detected later (clip_settle). */
#ifndef KANE_BVH_BVH_H
#define KANE_BVH_BVH_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/detect/take.h"
#include "analysis/math/euler.h"
#include "analysis/math/vec.h"
#include "formats/source/source.h"

/* Limit of lengths (file units) and angles (deg); larger values are an error with its line. */
#define BVH_LARGEST 1e9

typedef enum BvhChannel {
    BVH_XPOSITION,
    BVH_YPOSITION,
    BVH_ZPOSITION,
    BVH_XROTATION, /* deg */
    BVH_YROTATION,
    BVH_ZROTATION,
} BvhChannel;

/* Findings specific to BVH; those of all formats are in analysis/detect/take.h. */
typedef enum BvhError {
    BVH_ERROR_ENCODING = FINDING_KIND_COUNT,
    BVH_ERROR_NAME,
    BVH_ERROR_OFFSET,
    BVH_ERROR_ORIENTATION,
    BVH_ERROR_CHANNEL,
    BVH_ERROR_NO_BLANK,
    BVH_ERROR_FRAME_COUNT,
    BVH_ERROR_NUMBER,
    BVH_ERROR_ROW,
    BVH_ERROR_LAST_ROW,
    BVH_ERROR_COUNT
} BvhError;

typedef struct BvhLocation {
    int line, column; /* 1-based */
} BvhLocation;

typedef struct Bvh {
    int joint_count;
    int end_count;
    int channel_count;
    int frame_count;
    double frame_time;     /* s, as written */
    BvhLocation frame_time_location;
    char **name;           /* [joint] UTF-8, owned */
    int *parent;           /* [joint] parent[j] < j, root -1 */
    Vec3 *offset;          /* [joint] file units */
    Vec3 *orientation;     /* [joint] deg, from an OFFSET with six numbers: rest orientation relative to the parent
                              as angles about X, Y and Z, applied in the order of the joint's rotation channels;
                              NULL: no joint has one */
    int *first_channel;    /* [joint] index into channel and into a row of value */
    int *joint_channels;   /* [joint] 0..6 */
    BvhChannel *channel;   /* [channel] in file order */
    int *line;             /* [joint] 1-based line of its declaration */
    Vec3 *end_offset;      /* [end] */
    int *end_parent;       /* [end] */
    double *value;         /* [frame][channel] file units and deg; if tolerant, NaN for unreadable values */
    BvhLocation *location; /* [frame][channel] position of each value in the file; only if tolerant, else NULL */
    Findings findings;     /* ordered by position in the file; owned */
} Bvh;

/* Parses size bytes. On failure *out is empty; err has line and column, and for a limit the option that raises it. */
Status bvh_parse(const char *text, size_t size, const SourceDef *def, Bvh *out, Error *err);

/* Reads only the HIERARCHY (joints, channels and end sites), and no more of the file than needed. STATUS_IO if path is
 * not a regular file. */
Status bvh_read_head(const char *path, const SourceDef *def, Bvh *out, Error *err);

/* Writes a file that parses to the same doubles. STATUS_USAGE unless joints are in depth-first order. */
Status bvh_write(const Bvh *bvh, FILE *stream, Error *err);

void bvh_free(Bvh *bvh);

/* Adds a finding to bvh->findings. */
Status bvh_warn(Bvh *bvh, int kind, BvhLocation at, Error *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* ---- The channels of a joint, in file order, as one number ----
 *
 * Its decimal digits from left to right are the channels: 1 2 3 are X Y Z position, 4 5 6 X Y Z rotation. "Xposition
 * Yposition Zposition Zrotation Xrotation Yrotation" is 123645; 0 is a joint without channels. Skeleton.channels and
 * /skeleton/channels of a clip file contain these numbers. */

enum { BVH_MAX_CHANNELS = 6 };

static inline int bvh_is_rotation(BvhChannel channel)
{
    return channel >= BVH_XROTATION;
}

/* count 0 to BVH_MAX_CHANNELS. */
int bvh_channels_pack(const BvhChannel *channel, int count);

/* Returns their number, -1 if packed is not a list of channels. */
int bvh_channels_unpack(int packed, BvhChannel channel[BVH_MAX_CHANNELS]);

/* Channels that a list must contain. */
typedef struct BvhRequiredChannels {
    int positions; /* 1: all three */
    int rotations; /* 1: all three */
} BvhRequiredChannels;

/* Removes repeated channels and adds missing ones, in place: missing positions first, missing rotations last, in the
 * order Z X Y. Returns the number of channels. */
int bvh_channels_complete(BvhChannel channel[BVH_MAX_CHANNELS], int count, BvhRequiredChannels required);

/* Returns the position of a value in the file. Requires location. */
static inline BvhLocation bvh_location(const Bvh *bvh, int frame, int channel)
{
    return bvh->location[(size_t)frame * (size_t)bvh->channel_count + (size_t)channel];
}

/* Writes a clip as BVH in the space of another file with the same joints: with its HIERARCHY text, unit, up axis and
 * channels. */

/* Unit and axis are found by comparing offsets of the clip and the file; the meaning of the file's ROOT OFFSET is
 * detected as in import. STATUS_BAD_INPUT, with the joint, if joints or proportions differ, or if the motion needs
 * channels that the file does not list. */
Status bvh_write_like(const Clip *clip, const char *path, FILE *stream, Error *err);

/* Repair of a BVH file that was read with def.tolerant and inspected. */

/* Repairs every finding as bvh_repair_words describes, and sets `repaired` of those that bvh_write no longer writes. If
 * def has fps, it becomes the frame time; with meters_per_unit lengths are converted to centimetres; with up the motion
 * is rotated to +Y up exactly, by renaming channels and changing signs. After a failure *bvh can only be freed. */
Status bvh_repair(Bvh *bvh, const ImportGuessDef *def, Error *err);

/* Findings beyond syntax, and the meaning of each kind. */

/* Descriptions of the kinds specific to BVH. */
extern const FindingInfo bvh_own_findings[BVH_ERROR_COUNT - FINDING_KIND_COUNT];

/* Returns what bvh_repair does about a kind: "interpolates the row"; NULL: nothing. */
const char *bvh_repair_words(int kind);

/* Makes the take of a file that was read with def.tolerant: missing numbers are filled, rows and positions are those of
 * the file. *bvh must outlive *out. Free *out also after failure. */
Status take_of_tolerant_bvh(Bvh *bvh, Take *out, Error *err);

/* Sets values with artifacts that can be interpolated to NaN: teleports and flips that return, and frozen intervals.
 * clip: as import makes it of the file, without its first `dropped` rows. Requires location. */
Status bvh_forget_artifacts(Bvh *bvh, const Clip *clip, int dropped, Error *err);

/* Sets `repaired` of teleports, flips and frozen intervals that are no longer in the rows. clip: of the repaired
 * rows. */
Status bvh_mark_repaired_artifacts(Bvh *bvh, const Clip *clip, int dropped, Error *err);

/* Makes the clip that import would make of the file, with missing numbers filled in a copy. decision: includes whether
 * the first row was dropped. The caller frees the clip. */
Status bvh_whole_clip(const Bvh *bvh, const ImportGuessDef *def, Clip *out, ImportGuess *decision, Error *err);

/* Conversion between the arrays of a BVH file and a clip.
 *
 * Euler channels become quaternions in the order in which the file lists them. clip_settle (analysis/detect/take.h)
 * detects what the file does not state. */

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

#endif
