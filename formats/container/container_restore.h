/* Computes again what a lean clip file leaves out. */
#ifndef KANE_CONTAINER_CONTAINER_RESTORE_H
#define KANE_CONTAINER_CONTAINER_RESTORE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Fills the arrays with SCHEMA_DERIVED of a checked clip by the options in its history: /kinematics, forces and powers
 * of /dynamics and all of /angles but its texts, each as the stage that first computed it. They differ from the
 * original by less than 1e-6 of the largest of each: contact forces and torques have been rounded to 32 bits.
 * STATUS_BAD_INPUT if the history does not state how. */
Status lean_restore(Clip *clip, Error *err);

#endif
