/* kane body: mass, centre of mass and inertia of every segment. */
#include <string.h>

#include "analysis/body/anthropometry.h"
#include "formats/tables/segments.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/verbs.h"

/* Behind the models of anthropometry: the table of --segments. */
enum { BODY_SEGMENTS = BODY_CAPSULES + 1 };

typedef struct BodyOptions {
    BodyDef def;
    const char *segments;
} BodyOptions;

static const char *const sexes[] = {"mean", "male", "female", NULL};
static const char *const models[] = {"auto", "deleva", "capsules", "segments", NULL};

_Static_assert(sizeof(BodyOptions) <= sizeof(OptionValues), "a verb's options have their place");

#define FIELD(member) offsetof(BodyOptions, member)
#define TEXT(value) #value
#define TEXT_OF(macro) TEXT(macro)
static const Option options[] = {
    {.name = "model", .argument = "auto|deleva|capsules|segments",
     .help = "de Leva's humans, capsules of water density for any creature, or the table of --segments",
     .kind = &option_choice, .offset = FIELD(def.model), .choices = models},
    {.name = "mass", .argument = "KG",
     .help = "Total mass; " TEXT_OF(BODY_HUMAN_MASS) " for a human and that of its volume for a creature unless given",
     .kind = &option_positive, .offset = FIELD(def.mass), .with = "auto|deleva|capsules"},
    {.name = "sex", .argument = "male|female|mean",
     .help = "Whose segment proportions",
     .kind = &option_choice, .offset = FIELD(def.sex), .choices = sexes, .with = "auto|deleva"},
    {.name = "segments", .argument = "FILE.tsv",
     .help = "Masses, centres of mass and inertias from a table",
     .kind = &option_file, .offset = FIELD(segments)},
    {0},
};

static void defaults(OptionValues *values)
{
    *(BodyOptions *)values = (BodyOptions){.def = body_default_def()};
}

/* What "auto" became, for the history. */
static void resolve(BodyOptions *given, const Body *body)
{
    given->def.mass = body->total_mass;
    if (!given->segments)
        given->def.model = strncmp(body->model, "capsules", 8) ? BODY_DELEVA : BODY_CAPSULES;
}

static Status apply(OptionValues *values, Clip *clip, Error *err)
{
    BodyOptions *given = (BodyOptions *)values;
    const char *table = given->segments;
    if (table)
        given->def.model = (BodyModel)BODY_SEGMENTS;
    else if ((int)given->def.model == BODY_SEGMENTS)
        return error_set(err, STATUS_USAGE, "the model segments needs --segments FILE.tsv");
    clip_drop(clip, CLIP_BODY);
    Status status = table ? message_of_file(err, table, segments_read(table, &clip->skeleton, &clip->body, err))
                          : body_from_skeleton(&clip->skeleton, &given->def, &clip->body, err);
    if (status != STATUS_OK)
        return status;
    clip->has_body = 1;
    resolve(given, &clip->body);
    return STATUS_OK;
}

const Verb verb_body = {
    .name = "body",
    .summary = "Give every segment mass, centre of mass and inertia",
    .arguments = "[FILE.h5...]",
    .description = "Segment masses after de Leva (1996), scaled to the skeleton's own lengths and the total mass.",
    .options = options,
    .defaults = defaults,
    .apply = apply,
};
