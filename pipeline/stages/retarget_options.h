/* Parts of the retarget stage that the command line uses directly. */
#ifndef KANE_STAGES_RETARGET_OPTIONS_H
#define KANE_STAGES_RETARGET_OPTIONS_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/detect/up_axis.h"
#include "analysis/retarget/retarget.h"
#include "pipeline/stages/notes.h"

typedef enum ScoreExtent { SCORE_MOTION = 0, SCORE_ALL } ScoreExtent;

typedef struct RetargetOptions {
    const char *to, *map, *limits, *contacts, *score_limits, *hold, *target_root;
    int rest, target_rest;
    HandReach hands;
    int root; /* 0: auto; 1 + RootMotion */
    double target_unit; /* m per unit; 0: detected */
    UpAxis target_up;
    PlantMode plant;
    double strength;
    int free_fall; /* 1: flight phases with g; 0: with scaled gravity */
    ScoreExtent score;
} RetargetOptions;

/* Reads the character of --to; notes: what was detected in a motion file. err names the file. */
Status retarget_read_character(const RetargetOptions *given, Clip *out, Notes *notes, Error *err);

/* Reads the character and drops it. STATUS_BAD_INPUT if the clip's rotations do not fit its joints. */
Status retarget_check_character(const RetargetOptions *given, Error *err);

/* Writes the contacts used for this clip as a table for --contacts. */
Status retarget_write_contacts(const RetargetOptions *given, const Clip *clip, FILE *stream, Error *err);

/* Writes the joint map used for this clip as a table for --map. */
Status retarget_write_map(const RetargetOptions *given, const Clip *clip, FILE *stream, Error *err);

/* Writes the table of presets at `path` with the map and the settings of this clip's and the target's skeletons. */
Status retarget_write_preset(const RetargetOptions *given, const Clip *clip, const char *path, FILE *stream,
                             Error *err);

#endif
