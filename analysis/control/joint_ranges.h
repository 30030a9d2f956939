/* Ranges of a human's joints as hard stops of the simulated body.
 *
 * Passive ranges of healthy adults: Joint Motion, American Academy of Orthopaedic Surgeons (1965), divided between the
 * joints of trunk and neck; twist of forearm and shank acts at wrist and knee. A range is widened to what the clip
 * itself does: its skeleton may define joints in another way. */
#ifndef KANE_CONTROL_JOINT_RANGES_H
#define KANE_CONTROL_JOINT_RANGES_H

#include "analysis/control/anatomical_frames.h"
#include "analysis/control/simulated_limits.h"

/* reference: the motion of the simulated bodies. */
Status joint_ranges_init(SimulatedLimits *out, const AnatomicalFrames *frames, const Motion *reference, Error *err);

#endif
