/* A container as rows of (frame, joint): what all scans of one file share. */
#ifndef KANE_FORMATS_FRAME_SOURCE_H
#define KANE_FORMATS_FRAME_SOURCE_H

#include "analysis/clip/role.h"
#include "formats/container/container_reader.h"

typedef struct FrameSource {
    int users;
    ContainerReader *reader; /* owned */
    int frame_count, joint_count, point_count;
    double *time;            /* [frame] s, increasing; owned */
    const char **name;       /* [joint] the reader's; the list is owned */
    Role *role;              /* [joint] owned */
    double *point_joint;     /* [point] joint that carries it; owned, NULL without points */
} FrameSource;

/* One user, the caller. On failure *out is NULL. */
Status frame_source_open(const char *path, FrameSource **out, Error *err);

/* Takes a user away, and with the last one the source; NULL is accepted. */
void frame_source_release(FrameSource *source);

#endif
