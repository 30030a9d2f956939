/* Quaternions made unit again, several at once. One twin an instruction set. */
#ifndef KANE_MOTION_SMOOTH_KERNEL_H
#define KANE_MOTION_SMOOTH_KERNEL_H

#include <stddef.h>

#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"

typedef void QuatsNormalize(Quat *q, size_t count);
LANE_TWINS(QuatsNormalize, quats_normalize);

#endif
