/* See size_doubt.h. */
#include "pipeline/stages/size_doubt.h"

#include <stdio.h>

#include "analysis/body/body_model.h"
#include "analysis/body/human_rest.h"

static const double min_mass = 1, greatest_mass = 500;   /* kg, of an animal */

/* Body mass index, kg/m2: severe thinness of adults is below 16, children of a year have 12 to 20, the third class of
 * obesity begins at 40 (WHO). */
static const double min_index = 10.5, greatest_index = 52, usual_index = 22;
static const double pound = 0.45359237; /* kg */

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

Status mass_doubt(Clip *clip, Notes *notes, Error *err)
{
    double mass = clip->body.total_mass;
    char text[240], pounds[60] = "";
    double stature = clip_stature(clip), square = stature * stature, index = square > 0 ? mass / square : 0;
    clip_drop_warnings(clip, "mass");
    if (!(stature > STATURE_MIN && stature < STATURE_GREATEST) || body_model_find(&clip->body) != BODY_DELEVA ||
        (index > min_index && index < greatest_index))
        return STATUS_OK;
    if (index > greatest_index && pound * index < greatest_index)
        snprintf(pounds, sizeof pounds, "; perhaps pounds: --mass %.3g", pound * mass);
    snprintf(text, sizeof text, "--mass %.4g: a person of %.2f m has %.0f to %.0f kg, mostly about %.0f%s", mass,
             stature, min_index * square, greatest_index * square, usual_index * square, pounds);
    return notes_warn(notes, clip, "mass", text, err);
}
