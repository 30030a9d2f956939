/* What the command line needs of the retarget stage beside the stage itself. */
#ifndef KANE_PIPELINE_RETARGET_OPTIONS_H
#define KANE_PIPELINE_RETARGET_OPTIONS_H

#include <stdio.h>

#include "analysis/clip/clip.h"
#include "analysis/retarget/retarget.h"
#include "pipeline/stages/notes.h"

typedef struct RetargetOptions {
    const char *to, *map, *limits;
    int rest, target_rest;
    HandReach hands;
    int no_plant;
} RetargetOptions;

/* The character of --to; notes: what was decided of a BVH file. err names the file. */
Status retarget_read_character(const RetargetOptions *given, Clip *out, Notes *notes, Error *err);

/* The table of joints that would be used for this clip, for --map. */
Status retarget_write_map(const RetargetOptions *given, const Clip *clip, FILE *stream, Error *err);

#endif
