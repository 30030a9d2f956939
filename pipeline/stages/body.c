/* kane body: mass, centre of mass and inertia of every segment. */
#include <stdio.h>

#include "analysis/anatomy/clip_body.h"
#include "formats/tables/segments.h"
#include "pipeline/stages/size_doubt.h"
#include "pipeline/stages/stage.h"

typedef struct BodyOptions {
    BodyDef def;
    const char *segments;
} BodyOptions;

_Static_assert(sizeof(BodyOptions) <= sizeof(OptionValues), "a stage's options have their place");

#define FIELD(member) offsetof(BodyOptions, member)
#define TEXT(value) #value
#define TEXT_OF(macro) TEXT(macro)
static const Option options[] = {
    {.name = "model", .argument = "auto|deleva|capsules|segments",
     .help = "de Leva's humans, capsules of water density for any creature, or the table of --segments",
     .kind = &option_choice, .offset = FIELD(def.model), .choices = body_model_names},
    {.name = "mass", .argument = "KG",
     .help = "Total mass; " TEXT_OF(BODY_HUMAN_MASS) " for a human and that of its volume for a creature unless given",
     .kind = &option_positive, .offset = FIELD(def.mass), .with = "auto|deleva|capsules"},
    {.name = "sex", .argument = "male|female|mean",
     .help = "Whose segment proportions",
     .kind = &option_choice, .offset = FIELD(def.sex), .choices = sex_names, .with = "auto|deleva"},
    {.name = "segments", .argument = "FILE.tsv",
     .help = "Masses, centres of mass and inertias from a table",
     .kind = &option_file, .offset = FIELD(segments)},
    {0},
};

static void defaults(OptionValues *values)
{
    *(BodyOptions *)values = (BodyOptions){.def = body_default_def()};
}

static Status check(OptionValues *values, const Clip *clip, Error *err)
{
    BodyOptions *given = (BodyOptions *)values;
    (void)clip;
    if (given->segments)
        given->def.model = BODY_SEGMENTS;
    else if (given->def.model == BODY_SEGMENTS)
        return error_set(err, STATUS_USAGE, "the model segments needs --segments FILE.tsv");
    return STATUS_OK;
}

/* What "auto" became, for the history. */
static void resolve(BodyOptions *given, const Body *body)
{
    given->def.mass = body->total_mass;
    given->def.model = body_model_of(body);
}

/* A motion that does not show the body standing leaves open where its masses lie. */
static Status doubt_pose(const NeutralDoubt *doubt, Clip *clip, Notes *notes, Error *err)
{
    char text[200];
    clip_drop_warnings(clip, "neutral");
    neutral_pose_warn(doubt, text, sizeof text);
    return *text ? notes_warn(notes, clip, "neutral", text, err) : STATUS_OK;
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    BodyOptions *given = (BodyOptions *)values;
    const char *table = given->segments;
    Body segments = {0};
    Status status = STATUS_OK;
    if (table)
        status = error_of_file(err, table, segments_read(table, &clip->skeleton, &segments, err));
    given->def.segments = &segments;
    ClipView view = clip_view(clip);
    NeutralDoubt doubt;
    if (status == STATUS_OK)
        status = body_from_clip(&view, &given->def, &clip->body, &doubt, err);
    given->def.segments = NULL;
    body_free(&segments);
    if (status != STATUS_OK)
        return status;
    resolve(given, &clip->body);
    clip->has_body = 1;
    status = doubt_pose(&doubt, clip, notes, err);
    return status == STATUS_OK ? size_doubt(clip, notes, err) : status;
}

const Stage stage_body = {
    .command = {
        .name = "body",
        .summary = "Give every segment mass, centre of mass and inertia",
        .arguments = "[FILE.h5...]",
        .description = "Segment masses after de Leva (1996), scaled to the skeleton's own lengths and the total mass.",
        .options = options,
    },
    .defaults = defaults,
    .fills = CLIP_BODY,
    .check = check,
    .apply = apply,
};
