/* BVH: hierarchy and motion of a mocap file in flat arrays, in the file's own units and axes.
 *
 * Reads from memory; writes. Never prints: what is wrong but readable goes into a list of
 * warnings, what cannot be read is an error with line and column. Positions of a child REPLACE its OFFSET; whether
 * a ROOT OFFSET is absolute or added is decided by the importer (formats/bvh/bvh_clip.h), not here. */
#ifndef KANE_BVH_BVH_H
#define KANE_BVH_BVH_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/detect/take.h"
#include "analysis/math/vec.h"
#include "formats/source/source.h"

/* Larger lengths (file units) and angles (deg) are no motion of a body: an error that names the line. */
#define BVH_LARGEST 1e9

typedef enum BvhChannel {
    BVH_XPOSITION,
    BVH_YPOSITION,
    BVH_ZPOSITION,
    BVH_XROTATION, /* deg */
    BVH_YROTATION,
    BVH_ZROTATION,
} BvhChannel;

/* What can be wrong with a BVH file besides what can be wrong with any (analysis/detect/take.h). */
typedef enum BvhFault {
    BVH_FAULT_ENCODING = FINDING_KIND_COUNT,
    BVH_FAULT_NAME,
    BVH_FAULT_OFFSET,
    BVH_FAULT_ORIENTATION,
    BVH_FAULT_CHANNEL,
    BVH_FAULT_NO_BLANK,
    BVH_FAULT_FRAME_COUNT,
    BVH_FAULT_NUMBER,
    BVH_FAULT_ROW,
    BVH_FAULT_LAST_ROW,
    BVH_FAULT_COUNT
} BvhFault;

typedef struct BvhPlace {
    int line, column; /* 1-based */
} BvhPlace;

typedef struct Bvh {
    int joint_count;
    int end_count;
    int channel_count;
    int frame_count;
    double frame_time;     /* s, as written */
    BvhPlace frame_time_place;
    char **name;           /* [joint] UTF-8, owned */
    int *parent;           /* [joint] parent[j] < j, root -1 */
    Vec3 *offset;          /* [joint] file units */
    Vec3 *orientation;     /* [joint] deg, of an OFFSET with six numbers: angles about X, Y and Z, one after the other
                              in the order of the joint's rotation channels, that turn its axes at rest from its
                              parent's; NULL: no joint has one */
    int *first_channel;    /* [joint] index into channel and into a row of value */
    int *joint_channels;   /* [joint] 0..6 */
    BvhChannel *channel;   /* [channel] in file order */
    int *line;             /* [joint] 1-based line of its declaration */
    Vec3 *end_offset;      /* [end] */
    int *end_parent;       /* [end] */
    double *value;         /* [frame][channel] file units and deg; NaN where tolerant and unreadable */
    BvhPlace *place;       /* [frame][channel] position of each value in the file; only if tolerant, else NULL */
    Findings findings;     /* in order of place; owned */
} Bvh;

/* Parses size bytes. On failure *out is empty, err names line and column; for a limit it names the flag that raises
 * it. */
Status bvh_parse(const char *text, size_t size, const SourceDef *def, Bvh *out, Error *err);

/* Reads a stream to its end, then parses; the caller closes the stream. */

/* The HIERARCHY alone: joints, channels and ends, no frames. Reads no more of the file than that takes; STATUS_IO for
 * what is no regular file. */
Status bvh_read_head(const char *path, const SourceDef *def, Bvh *out, Error *err);

/* Writes so that reading gives the same doubles. STATUS_USAGE where joints are not in the order of a depth-first
 * walk. */
Status bvh_write(const Bvh *bvh, FILE *stream, Error *err);

void bvh_free(Bvh *bvh);

/* findings_add to bvh->findings. */
Status bvh_warn(Bvh *bvh, int kind, BvhPlace at, Error *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* ---- The channels of a joint in the order of its file, as one number ----
 *
 * Its decimal digits, from the left, are the channels: 1 2 3 are X Y Z position, 4 5 6 X Y Z rotation. "Xposition
 * Yposition Zposition Zrotation Xrotation Yrotation" is 123645; 0 is a joint without channels. Skeleton.channels and
 * /skeleton/channels of a container hold these numbers. */

enum { BVH_MAX_CHANNELS = 6 };

static inline int bvh_is_rotation(BvhChannel channel)
{
    return channel >= BVH_XROTATION;
}

/* count 0 to BVH_MAX_CHANNELS. */
int bvh_channels_pack(const BvhChannel *channel, int count);

/* Returns how many, -1 where the number is no list of channels. */
int bvh_channels_unpack(int packed, BvhChannel channel[BVH_MAX_CHANNELS]);

/* Which channels a list must have in the end. */
typedef struct BvhChannelNeed {
    int positions; /* 1: all three */
    int rotations; /* 1: all three */
} BvhChannelNeed;

/* The list without repetitions and with what it needs: positions that lack come first, rotations that lack last, in the
 * order Z X Y. In place; returns how many. */
int bvh_channels_complete(BvhChannel channel[BVH_MAX_CHANNELS], int count, BvhChannelNeed need);

/* Position of a value in the file, and of the first of a row. Requires place. */
static inline BvhPlace bvh_place(const Bvh *bvh, int frame, int channel)
{
    return bvh->place[(size_t)frame * (size_t)bvh->channel_count + (size_t)channel];
}

/* A clip as BVH in the space of another file with the same joints: its HIERARCHY to the last character, its unit, its
 * up axis, its channels. */

/* Unit and axis are found by comparing the clip's offsets with the file's; what the file's ROOT OFFSET means is decided
 * as import does. STATUS_BAD_INPUT, with the place, where joints or proportions are not the file's, or where the motion
 * needs channels that the file does not list. */
Status bvh_write_like(const Clip *clip, const char *path, FILE *stream, Error *err);

/* Repairs a BVH file that was read with def.tolerant and inspected (formats/bvh/bvh.h). */

/* Does what bvh_repair_words names for every finding, and sets `repaired` of those that bvh_write no longer writes.
 * From def: fps becomes the frame time; meters_per_unit given, lengths become centimetres; up given,
 * the motion is turned to +Y up, exactly: channels are renamed and change their sign. On failure *bvh can only be
 * freed. */
Status bvh_repair(Bvh *bvh, const ImportGuessDef *def, Error *err);

/* What is wrong with a BVH file beyond its syntax, and what every kind of finding means. */

/* What the kinds of BVH mean. */
extern const FindingInfo bvh_own_findings[BVH_FAULT_COUNT - FINDING_KIND_COUNT];

/* What bvh_repair does about a kind: "interpolates the row"; NULL: nothing. */
const char *bvh_repair_words(int kind);

/* The take of a file that was read with def.tolerant: missing numbers filled, with the file's rows and places. *bvh
 * must outlive it. *out is to be freed, also on failure. */
Status take_of_tolerant_bvh(Bvh *bvh, Take *out, Error *err);

/* Makes NaN of the values with artifacts that can be interpolated: teleports and flips that come back, and held
 * stretches. clip: of the file as import makes it, without its first `dropped` rows. Needs place. */
Status bvh_forget_motion_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err);

/* Sets `repaired` of the teleports, flips and held stretches that the rows do not show any more; clip: of the repaired
 * rows. */
Status bvh_mark_repaired_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err);

/* The clip that import would make of the file, missing numbers filled in a copy; whether the first row was dropped
 * stands in the decision. The caller frees the clip. */
Status bvh_whole_clip(const Bvh *bvh, const ImportGuessDef *def, Clip *out, ImportGuess *decision, Error *err);

#endif
