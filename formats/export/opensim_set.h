/* The files with which OpenSim's inverse dynamics repeats a clip: coordinates, ground forces and the bodies that they
 * act on, a setup of its InverseDynamicsTool, and kane's own generalised forces to compare with.
 *
 * A clip of an OpenSim model has the coordinates and bodies of that model, in rad and m; other clips those of the
 * Rajagopal (2016) model, as far as they have anatomical coordinates. The force of a foot acts on its first loaded
 * body, such as calcn_r. All numbers are finite; the ground axes are kane's world: +Y up. */
#ifndef KANE_EXPORT_OPENSIM_SET_H
#define KANE_EXPORT_OPENSIM_SET_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

typedef enum OpensimFile {
    OPENSIM_COORDINATES, /* coordinates.mot */
    OPENSIM_FORCES,      /* grf.mot */
    OPENSIM_LOADS,       /* external_loads.xml: ExternalLoads */
    OPENSIM_MOMENTS,     /* moments.sto: generalised forces, each with its standard deviation if known */
    OPENSIM_SETUP,       /* id_setup.xml: InverseDynamicsTool */
    OPENSIM_FILE_COUNT
} OpensimFile;

/* Static storage. */
const char *opensim_set_name(OpensimFile file);

/* Writes one of the files. model: path of the model as the setup shall name it, relative to the folder. The caller
 * closes the stream. STATUS_BAD_INPUT if the clip lacks what the file needs, or a value is not known in a frame. */
Status opensim_set_write(const Clip *clip, OpensimFile file, const char *model, FILE *stream, Error *err);

#endif
