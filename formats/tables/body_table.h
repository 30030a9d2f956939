/* Body tables: `joint mass com_x com_y com_z Ixx Iyy Izz Ixy Ixz Iyz`, SI, joint axes. */
#ifndef KANE_TABLES_SEGMENT_TABLE_H
#define KANE_TABLES_SEGMENT_TABLE_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/body.h"
#include "analysis/clip/skeleton.h"

/* Reads a body table; joints without a row are massless. STATUS_BAD_INPUT for an unknown or repeated joint, a negative
 * mass, or an inertia that is not positive semi-definite; the triangle inequality is not required. */
Status segments_read(const char *path, const Skeleton *skeleton, Body *out, Error *err);

/* Writes one row per joint with mass; numbers parse to the same doubles. */
Status segments_write(const Skeleton *skeleton, const Body *body, FILE *stream, Error *err);

#endif
