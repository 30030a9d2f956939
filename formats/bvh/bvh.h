/* BVH: hierarchy and motion of a motion capture file in flat arrays, in the file's own units and axes. bvh_clip.h
 * converts them to clips.
 *
 * The parser reads from memory and prints nothing. Readable defects go into a list of findings; unreadable ones are
 * errors with line and column. Position channels of a child REPLACE its OFFSET. Whether a ROOT OFFSET is absolute or
 * added is detected later (clip_settle). */
#ifndef KANE_BVH_BVH_H
#define KANE_BVH_BVH_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/detect/findings.h"
#include "analysis/math/vec.h"
#include "formats/base/source_format.h"

/* Limit of lengths (file units) and angles (deg); larger values are an error with its line. */
#define BVH_LARGEST 1e9

typedef enum BvhChannel {
    BVH_XPOSITION,
    BVH_YPOSITION,
    BVH_ZPOSITION,
    BVH_XROTATION, /* deg */
    BVH_YROTATION,
    BVH_ZROTATION,
    BVH_XSCALE, /* only while a file is parsed (bvh_scale.h) */
    BVH_YSCALE,
    BVH_ZSCALE,
} BvhChannel;

/* Findings specific to BVH; those of all formats are in analysis/detect/findings.h. */
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
    BVH_ERROR_ROOTS,
    BVH_ERROR_SCALE,
    BVH_ERROR_JOINTS,
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
    unsigned char *gap;  /* [frame][channel] BvhGap, only while a tolerant file is parsed; NULL: none */
    int is_cut;            /* 1: joints or channels of the file were left out, or a root added */
    Findings findings;     /* ordered by position in the file; owned */
} Bvh;

/* Parses size bytes. Of several ROOTs one is chosen (bvh_roots.h), scale channels are removed (bvh_scale.h), and joints
 * that def names or that have no numbers are left out (bvh_gaps.h). On failure *out is empty; err has line and
 * column, and for a limit the option that raises it. */
Status bvh_parse(const char *text, size_t size, const SourceDef *def, Bvh *out, Error *err);

/* Reads only the HIERARCHY (joints, channels and end sites), and no more of the file than needed. STATUS_IO if path is
 * not a regular file. */
Status bvh_read_head(const char *path, const SourceDef *def, Bvh *out, Error *err);

/* Makes room for one more joint in all arrays; 0 without memory. */
int bvh_make_room_for_joint(Bvh *bvh);

/* Writes a file that parses to the same doubles. STATUS_USAGE unless joints are in depth-first order. */
Status bvh_write(const Bvh *bvh, FILE *stream, Error *err);

void bvh_free(Bvh *bvh);

/* Adds a finding to bvh->findings. */
Status bvh_warn(Bvh *bvh, int kind, BvhLocation at, Error *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The channels of a joint, in file order, as one number, whose decimal digits are: 1 2 3 X Y Z position, 4 5 6 X Y Z
 * rotation. "Xposition Yposition Zposition Zrotation Xrotation Yrotation" is 123645; 0 is a joint without channels.
 * Skeleton.channels and /skeleton/channels of a clip file contain these numbers. */
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

#endif
