/* From a scene in MJCF to a clip that was simulated: the first half of what `kane simulate` does. */
#ifndef KANE_PIPELINE_SIMULATE_H
#define KANE_PIPELINE_SIMULATE_H

#include "analysis/clip/clip.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/simulate_options.h"

/* Reads path ("-": standard input) and simulates it. Notes: what was left out of the file, and energies and contacts
 * of the run. STATUS_NO_RESULT where the scene flies apart: *out is then the clip until there, where it has frames. */
Status simulate_scene(const SimulateOptions *asked, const char *path, Clip *out, Notes *notes, Error *err);

#endif
