/* See size_doubt.h. */
#include "pipeline/stages/size_doubt.h"

#include <stdio.h>

#include "analysis/body/body_model.h"
#include "analysis/body/human_rest.h"

static const double min_mass = 1, greatest_mass = 500;   /* kg, of an animal */

Status size_doubt(Clip *clip, Notes *notes, Error *err)
{
    double stature = clip_stature(clip), mass = clip->has_body ? clip->body.total_mass : 0;
    int is_creature = clip->has_body && body_model_find(&clip->body) == BODY_CAPSULES;
    char text[200] = "";
    if (is_creature && (mass < min_mass || mass > greatest_mass))
        snprintf(text, sizeof text, "implausible mass %.3g kg: check import's --unit or body's --mass",
                 mass);
    if (stature > 0 && (stature < STATURE_MIN || stature > STATURE_GREATEST))
        snprintf(text, sizeof text, "implausible stature %.3g m: check import's --unit", stature);
    if (*text && clip_has_warning(clip, "size", text))
        return STATUS_OK;
    clip_drop_warnings(clip, "size");
    return *text ? notes_warn(notes, clip, "size", text, err) : STATUS_OK;
}
