/* A container as the table kane_frames sees it: what is the same for all rows of a frame or of a joint. */
#ifndef KANE_FORMATS_FRAME_SOURCE_H
#define KANE_FORMATS_FRAME_SOURCE_H

#include "analysis/clip/coordinate.h"
#include "formats/container/container_reader.h"

/* What all scans of one file share. */
typedef struct FrameSource {
    int users;
    ContainerReader *reader; /* owned */
    int frame_count, joint_count, point_count;
    double *time;            /* [frame] s, increasing; owned */
    const char **name;       /* [joint] the reader's; the list is owned */
    Role *role;              /* [joint] owned */
    double *point_joint;     /* [point] joint that carries it; owned, NULL without points */
    unsigned char *is_base;  /* [joint] joint_carries_residual; owned */
    int coordinate_count;    /* of /anatomy, 0 without */
    int *first_coordinate;   /* [joint] place of the first of its three; -1: none; owned */
} FrameSource;

/* One user, the caller. On failure *out is NULL. */
Status frame_source_open(const char *path, FrameSource **out, Error *err);

/* Takes a user away, and with the last one the source; NULL is accepted. */
void frame_source_release(FrameSource *source);

#endif
