/* Body tables: `joint mass com_x com_y com_z Ixx Iyy Izz Ixy Ixz Iyz`, SI, joint axes. */
#ifndef KANE_FORMATS_SEGMENTS_H
#define KANE_FORMATS_SEGMENTS_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/body.h"
#include "analysis/clip/skeleton.h"

/* Joints without a row weigh nothing. STATUS_BAD_INPUT for an unknown or repeated joint, a negative mass, an inertia
 * that is not positive semi-definite; it need not satisfy the triangle inequality. */
Status segments_read(const char *path, const Skeleton *skeleton, Body *out, Error *err);

/* A row a joint with a mass; what is read back is the same to the last digit. */
Status segments_write(const Skeleton *skeleton, const Body *body, FILE *stream, Error *err);

#endif
