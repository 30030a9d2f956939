/* From the options of kane track and a clip to a Playback (analysis/control/playback.h): definition and tables. */
#ifndef KANE_STAGES_TRACK_PLAYBACK_H
#define KANE_STAGES_TRACK_PLAYBACK_H

#include "pipeline/stages/track_options.h"

/* The definition without tables and scene. STATUS_BAD_INPUT for a clip without what the options require. */
Status track_playback_def(const TrackOptions *o, const Clip *clip, PlaybackDef *def, Error *err);

/* Initialises the playback with loads, springs and limits of the clip, which it copies. */
Status track_init_playback(const TrackOptions *o, const Clip *clip, PlaybackDef def, Playback *playback, Error *err);

#endif
