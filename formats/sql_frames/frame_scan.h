/* One pass over the rows (frame, joint) of a container, frame by frame and joint by joint, in blocks of columns.
 *
 * Only the arrays behind the wanted columns are read, one read an array and block, and of them only the wanted frames.
 * Of a frame all joints are read, since they share its disk pages, and only the wanted ones are kept. */
#ifndef KANE_SQL_FRAMES_FRAME_SCAN_H
#define KANE_SQL_FRAMES_FRAME_SCAN_H

#include <stdint.h>

#include "analysis/clip/anatomy.h"
#include "formats/container/container_reader.h"

/* A container as the table kane_frames sees it: what is the same for all rows of a frame or of a joint. */

/* What all scans of one file share. */
typedef struct FrameSource {
    int users;
    ContainerReader *reader; /* owned */
    int frame_count, joint_count, point_count;
    double *time;            /* [frame] s, increasing; owned */
    const char **name;       /* [joint] the reader's; the list is owned */
    Role *role;              /* [joint] owned */
    double *point_joint;     /* [point] joint that it is fixed to; owned, NULL without points */
    unsigned char *is_base;  /* [joint] joint_carries_residual; owned */
    int coordinate_count;    /* of /anatomy, 0 without */
    int *first_coordinate;   /* [joint] place of the first of its three; -1: none; owned */
} FrameSource;

/* One user, the caller. On failure *out is NULL. */
Status frame_source_open(const char *path, FrameSource **out, Error *err);

/* Takes a user away, and with the last one the source; NULL is accepted. */
void frame_source_release(FrameSource *source);

/* Vectors in world axes, SI; the norm follows its components. */
typedef enum FrameColumn {
    FRAME_TIME, /* s, of the source */
    FRAME_NUMBER,
    FRAME_JOINT,
    FRAME_ROLE,
    FRAME_TORQUE_X, /* Nm */
    FRAME_TORQUE_Y,
    FRAME_TORQUE_Z,
    FRAME_TORQUE,
    FRAME_POWER,      /* W; torque and power of the floating base are NaN: it has a residual */
    FRAME_ANGULAR_X,  /* rad/s, of the segment */
    FRAME_ANGULAR_Y,
    FRAME_ANGULAR_Z,
    FRAME_ANGULAR,
    FRAME_CONTACT_X, /* N, sum over the contact points on the segment */
    FRAME_CONTACT_Y,
    FRAME_CONTACT_Z,
    FRAME_CONTACT,
    FRAME_VALID,    /* 0 or 1 */
    FRAME_TRUSTED,  /* 0 or 1, of the joint in the frame */
    FRAME_RESIDUAL, /* Nm, length, of the floating base; NaN of others */
    FRAME_PATH,
    /* Of the joint's three anatomical coordinates, in their order. */
    FRAME_COORDINATE, /* names */
    FRAME_ANGLE = FRAME_COORDINATE + COORDINATES_PER_JOINT, /* rad */
    FRAME_MOMENT = FRAME_ANGLE + COORDINATES_PER_JOINT,     /* Nm */
    FRAME_USE = FRAME_MOMENT + COORDINATES_PER_JOINT,       /* utilization of strength */
    FRAME_COLUMN_COUNT = FRAME_USE + COORDINATES_PER_JOINT
} FrameColumn;

typedef struct FrameScanDef {
    uint32_t columns;     /* bit 1 << FrameColumn: is wanted; FRAME_PATH stands for all of the coordinates */
    const char *joint;    /* joints of this name alone; NULL: any */
    const char *role;     /* the joint of this role alone; NULL: any */
    double time_from, time_to;   /* s, both inclusive */
    double frame_from, frame_to; /* both inclusive */
} FrameScanDef;

/* Every row, no column. */
FrameScanDef frame_scan_default_def(void);

typedef struct FrameScan {
    FrameSource *source; /* a user of it */
    uint32_t columns;
    int *joint;                         /* [joint_count] the wanted ones, in order; owned */
    int joint_count;
    int next, end;                      /* frames still to come */
    int first, row_count;               /* of the block: first frame; rows, joints within frames */
    int capacity;                       /* frames of a block */
    double *column[FRAME_COLUMN_COUNT]; /* [row] NULL: not wanted, not in the file, or no number; owned */
    double *raw;                        /* [frame][joint or point][xyz] of an array on its way; owned */
} FrameScan;

/* Stands before the first block. On failure *scan is zero. */
Status frame_scan_init(FrameScan *scan, FrameSource *source, const FrameScanDef *def, Error *err);
void frame_scan_free(FrameScan *scan);

/* Reads the next block; row_count 0 at the end. */
Status frame_scan_next(FrameScan *scan, Error *err);

#endif
