/* Cutoff of a motion from its own noise, by the paths of the segments' centres of mass in the world.
 *
 * The density of a path counts by the fraction of the mass, since torques follow the accelerations of masses: a finger
 * that jitters moves no moment, the trunk does. Noise of every joint angle and of the root is in these paths, with the
 * levers that it has in the torques. Without a body, joints count equally. */
#ifndef KANE_MOTION_MOTION_CUTOFF_H
#define KANE_MOTION_MOTION_CUTOFF_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/signal/cutoff.h"

/* Chooses the cutoff of the unfiltered motion (cutoff_choose; units m and s). noise: density, m per square root of Hz,
 * 0: measured. stated: a cutoff, Hz, whose error is predicted, too; 0: none. A clip shorter than min_duration or at
 * rest gets cutoff_unknown. Errors: no memory, and those of forward_kinematics. */
Status motion_cutoff(const ClipView *clip, double noise, double stated, CutoffChoice *out, Error *err);

/* Standard deviation, rad, of the white noise of a joint angle in each frame that has this density, m per square root
 * of Hz. */
double cutoff_noise_angle(double noise, double rate);

#endif
