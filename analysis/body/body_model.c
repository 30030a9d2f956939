/* The choice of the model of body masses (body_model.h). */
#include "analysis/body/body_model.h"

#include <math.h>
#include <string.h>

#include "analysis/body/anthropometry.h"
#include "analysis/body/capsules.h"
#include "analysis/body/roles.h"

BodyDef body_default_def(void) { return (BodyDef){.mass = 0, .sex = SEX_MEAN, .model = BODY_AUTO}; }

const char *const body_model_names[] = {"auto", "deleva", "capsules", "segments", NULL};

static Status build_deleva(const Skeleton *skeleton, const BodyDef *def, Body *out, Error *err)
{
    if (!roles_are_human(skeleton) && !roles_are_partly_human(skeleton))
        return error_set(err, STATUS_BAD_INPUT,
                         "the model deleva requires human roles: hips, both hip joints, a knee");
    return deleva_from_skeleton(skeleton, def->orientation, def->mass > 0 ? def->mass : BODY_HUMAN_MASS, def->sex, out,
                                err);
}

static Status build_capsules(const Skeleton *skeleton, const BodyDef *def, Body *out, Error *err)
{
    return capsules_from_skeleton(skeleton, def->mass, out, err);
}

static Status build_auto(const Skeleton *skeleton, const BodyDef *def, Body *out, Error *err)
{
    int is_person = roles_are_human(skeleton) || roles_are_partly_human(skeleton);
    return is_person ? build_deleva(skeleton, def, out, err) : build_capsules(skeleton, def, out, err);
}

static Status build_segments(const Skeleton *skeleton, const BodyDef *def, Body *out, Error *err)
{
    if (!def->segments || def->segments->joint_count != skeleton->joint_count)
        return error_set(err, STATUS_USAGE, "the model segments requires a table of the skeleton's joints");
    return body_copy(out, def->segments, err);
}

typedef Status BodyBuilder(const Skeleton *skeleton, const BodyDef *def, Body *out, Error *err);
static BodyBuilder *const builders[] = {build_auto, build_deleva, build_capsules, build_segments};

_Static_assert(sizeof body_model_names / sizeof *body_model_names == BODY_MODEL_COUNT + 1,
               "a name for every BodyModel, in its order");
_Static_assert(sizeof builders / sizeof *builders == BODY_MODEL_COUNT, "a builder for every BodyModel, in its order");

Status body_from_skeleton(const Skeleton *skeleton, const BodyDef *def, Body *out, Error *err)
{
    *out = (Body){0};
    if (!(def->mass >= 0) || !isfinite(def->mass))
        return error_set(err, STATUS_USAGE, "body mass out of range: %g kg", def->mass);
    return builders[def->model](skeleton, def, out, err);
}

BodyModel body_model_find(const Body *body)
{
    for (int m = BODY_DELEVA; m < BODY_MODEL_COUNT; m++)
        if (strncmp(body->model, body_model_names[m], strlen(body_model_names[m])) == 0)
            return (BodyModel)m;
    return BODY_AUTO;
}
