/* The two clips of a blend, made comparable. */
#ifndef KANE_STAGES_BLEND_SIDES_H
#define KANE_STAGES_BLEND_SIDES_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/transition/blend.h"
#include "pipeline/stages/blend_options.h"
#include "pipeline/stages/notes.h"

/* (BlendSides){0} is empty. */
typedef struct BlendSides {
    Clip other;   /* the second clip, at the rate of the first */
    Clip seen[2]; /* with estimated contacts */
    StandingFeet feet[2];
    PoseFeatures features[2];
    BlendSide side[2];
    Arena arena;
} BlendSides;

/* Reads the second clip of the options, gives it the frame rate of the first, and finds feet and features of both. Adds
 * translations to the first if the second has some. Errors name the second clip's file: a skeleton that differs. Free
 * with blend_sides_free, also after failure; the clip must outlive *p. */
Status blend_sides_init(BlendSides *p, const BlendOptions *given, Clip *clip, Notes *notes, Error *err);
void blend_sides_free(BlendSides *p);

#endif
