/* C3D: markers, analogue channels and force plates of a motion laboratory (C3D user guide, c3d.org).
 *
 * Integers and floats; Intel, DEC and SGI. Times begin at the first frame of the file. */
#ifndef KANE_C3D_C3D_H
#define KANE_C3D_C3D_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/math/vec.h"
#include "formats/c3d/c3d_parameters.h"

enum { C3D_LABEL_SIZE = 64, C3D_UNIT_SIZE = 8 };

typedef struct C3d {
    const unsigned char *bytes; /* [size] not owned */
    size_t size;
    C3dParameters parameters;
    int is_float;
    int point_count, frame_count, first_frame;
    int channel_count, samples_per_frame; /* analogue channels, and their samples per frame */
    double rate;                          /* frames per second */
    double scale;                         /* file units per step of an integer coordinate */
    double metres_per_unit;
    char unit[C3D_UNIT_SIZE]; /* "mm" */
    size_t data, frame_size;  /* first byte of the data; bytes per frame */
    char (*label)[C3D_LABEL_SIZE]; /* [point] owned */
    unsigned char *is_marker; /* [point] owned; 0: an angle, force or other result that is stored as a point */
} C3d;

/* Returns 1 if the first bytes are of a C3D file. */
int c3d_begins(const char *front, size_t size);

/* Opens a file of these bytes, which must outlive *out. STATUS_BAD_INPUT names the byte, or the parameter. On failure
 * *out is empty. */
Status c3d_open(const char *bytes, size_t size, C3d *out, Error *err);
void c3d_close(C3d *c3d);

/* A point in m, axes of the file; NaN: not seen. */
Vec3 c3d_point(const C3d *c3d, int frame, int point);

static inline int c3d_sample_count(const C3d *c3d) { return c3d->frame_count * c3d->samples_per_frame; }

/* Scale and offset of an analogue channel, from 0, and its values. */
typedef struct C3dChannel {
    int number, is_unsigned;
    double scale, offset;
} C3dChannel;

C3dChannel c3d_channel(const C3d *c3d, int number);

/* (recorded value - offset) scale. */
double c3d_sample(const C3d *c3d, const C3dChannel *channel, int sample);

/* Writes an element of an array of texts that continues in NAME2, NAME3 (more than 255 elements). */
void c3d_long_text(const C3d *c3d, const char *group, const char *name, int index, char *text, size_t size);

#endif
