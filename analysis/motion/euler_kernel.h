/* Euler channels to quaternions, several frames at once. One twin an instruction set. */
#ifndef KANE_MOTION_EULER_KERNEL_H
#define KANE_MOTION_EULER_KERNEL_H

#include "analysis/motion/euler.h"

/* euler_to_quat for clips of at least as many frames as there are lanes. */
typedef void EulerKernel(const EulerTurns *turns, int joint_count, const double *value, size_t row_size,
                         int frame_count, Quat *rotation);

LANE_TWINS(EulerKernel, euler_to_quat);

#endif
