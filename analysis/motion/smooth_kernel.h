/* Quaternions made unit again, several at once. One twin an instruction set. */
#ifndef KANE_MOTION_SMOOTH_KERNEL_H
#define KANE_MOTION_SMOOTH_KERNEL_H

#include <stddef.h>

#include "analysis/math/quat.h"

void quats_normalize_avx512(Quat *q, size_t count);
void quats_normalize_avx2(Quat *q, size_t count);
void quats_normalize_sse2(Quat *q, size_t count);
void quats_normalize_scalar(Quat *q, size_t count);

#endif
