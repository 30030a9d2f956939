/* One pass over the rows (frame, joint) of a clip file, frame by frame, in blocks of columns.
 *
 * Only arrays of wanted columns and wanted frames are read, with one read per array and block. All joints of a frame
 * are read, because they share disk pages; the wanted ones are kept. */
#ifndef KANE_FRAMES_FRAMES_SCAN_H
#define KANE_FRAMES_FRAMES_SCAN_H

#include <stdint.h>

#include "formats/container/container_reader.h"

/* A clip file as the source of the table kane_frames: data per file, frame or joint, shared by all scans of it. */
typedef struct FramesSource {
    int users;
    ContainerReader *reader; /* owned */
    int frame_count, joint_count, point_count;
    double *time;            /* [frame] s, increasing; owned */
    const char **name;       /* [joint] owned by the reader; the list is owned */
    Role *role;              /* [joint] owned */
    double *point_joint;     /* [point] joint of the contact point; owned, NULL without points */
    unsigned char *is_base;  /* [joint] joint_carries_residual; owned */
    int coordinate_count;    /* of /angles; 0 without it */
    int *first_coordinate;   /* [joint] index of the first of its three; -1: none; owned */
} FramesSource;

/* Opens a source with one user, the caller. On failure *out is NULL. */
Status frames_source_open(const char *path, FramesSource **out, Error *err);

/* Removes a user, and frees the source with the last one; accepts NULL. */
void frames_source_release(FramesSource *source);

/* Columns of the table; vectors in world axes, SI, followed by their norm. */
typedef enum FrameColumn {
    FRAME_TIME, /* s, source time */
    FRAME_NUMBER,
    FRAME_JOINT,
    FRAME_ROLE,
    FRAME_TORQUE_X, /* N m */
    FRAME_TORQUE_Y,
    FRAME_TORQUE_Z,
    FRAME_TORQUE,
    FRAME_POWER,      /* W; torque and power of the floating base are NaN, because its load is a residual */
    FRAME_ANGULAR_X,  /* rad/s, of the segment */
    FRAME_ANGULAR_Y,
    FRAME_ANGULAR_Z,
    FRAME_ANGULAR,
    FRAME_CONTACT_X, /* N, sum of the contact forces on the segment */
    FRAME_CONTACT_Y,
    FRAME_CONTACT_Z,
    FRAME_CONTACT,
    FRAME_VALID,    /* 0 or 1 */
    FRAME_TRUSTED,  /* 0 or 1, of the joint in the frame */
    FRAME_RESIDUAL, /* N m, norm for the floating base; NaN for others */
    FRAME_PATH,
    /* of the joint's three anatomical coordinates, in order */
    FRAME_COORDINATE, /* names */
    FRAME_ANGLE = FRAME_COORDINATE + COORDINATES_PER_JOINT, /* rad */
    FRAME_MOMENT = FRAME_ANGLE + COORDINATES_PER_JOINT,     /* N m */
    FRAME_USE = FRAME_MOMENT + COORDINATES_PER_JOINT,       /* utilization of strength */
    FRAME_COLUMN_COUNT = FRAME_USE + COORDINATES_PER_JOINT
} FrameColumn;

typedef struct FramesScanDef {
    uint32_t columns;     /* bit 1 << FrameColumn: wanted; FRAME_PATH stands for all coordinates */
    const char *joint;    /* only joints of this name; NULL: any */
    const char *role;     /* only the joint with this role; NULL: any */
    double time_from, time_to;   /* s, both inclusive */
    double frame_from, frame_to; /* both inclusive */
} FramesScanDef;

/* Selects all rows and no column. */
FramesScanDef frames_scan_default_def(void);

typedef struct FramesScan {
    FramesSource *source; /* is a user of it */
    uint32_t columns;
    int *joint;                         /* [joint_count] wanted joints, in order; owned */
    int joint_count;
    int next, end;                      /* remaining frames */
    int first, row_count;               /* current block: first frame, number of rows (joints within frames) */
    int capacity;                       /* frames per block */
    double *column[FRAME_COLUMN_COUNT]; /* [row]; NULL: not wanted, not in the file, or not numeric; owned */
    double *raw;                        /* [frame][joint or point][xyz] buffer of the array being read; owned */
} FramesScan;

/* Positions a scan before the first block. On failure *scan is zero. */
Status frames_scan_init(FramesScan *scan, FramesSource *source, const FramesScanDef *def, Error *err);
void frames_scan_free(FramesScan *scan);

/* Reads the next block; row_count is 0 at the end. */
Status frames_scan_next(FramesScan *scan, Error *err);

#endif
