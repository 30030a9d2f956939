/* Controllers as the options of kane track define them. */
#ifndef KANE_STAGES_TRACK_GAINS_H
#define KANE_STAGES_TRACK_GAINS_H

#include "analysis/control/playback.h"
#include "pipeline/stages/track_options.h"

/* Reads --joint-gains for the simulated joints; the caller frees *gains. STATUS_BAD_INPUT for a joint that is rigidly
 * attached. */
Status track_read_gains(const TrackOptions *o, const Clip *clip, const Playback *p, JointGains **gains, Error *err);

/* gains: as read, must outlive the controller; NULL: none by joint. */
ControllerDef track_controller_def(const TrackOptions *o, ControllerKind kind, const JointGains *gains);

#endif
