/* The scene file of kane track. */
#ifndef KANE_STAGES_TRACK_SCENE_H
#define KANE_STAGES_TRACK_SCENE_H

#include "analysis/control/scene_reference.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/track_options.h"

/* Reads the scene file and samples its reference at steps of dt. */
Status track_read_scene(const TrackOptions *given, SceneReference *out, Notes *notes, Error *err);

#endif
