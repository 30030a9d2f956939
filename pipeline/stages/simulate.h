/* Simulation of an MJCF scene to a clip. */
#ifndef KANE_STAGES_SIMULATE_H
#define KANE_STAGES_SIMULATE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/simulate_options.h"

/* Reads a scene from path ("-": standard input) and simulates it. Notes: what was ignored in the file, energies and
 * contacts. STATUS_NO_RESULT if the scene flies apart: *out then ends there, and is empty if no frame was written. */
Status simulate_scene(const SimulateOptions *asked, const char *path, Clip *out, Notes *notes, Error *err);

#endif
