/* kane body: mass, centre of mass and inertia of every segment. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "analysis/angles/clip_body.h"
#include "analysis/angles/neutral_angles.h"
#include "analysis/body/missing_parts.h"
#include "analysis/clip/clip.h"
#include "analysis/evidence/judgement.h"
#include "formats/tables/body_table.h"
#include "pipeline/stages/body_family.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/size_doubt.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

typedef struct BodyOptions {
    BodyDef def;
    const char *segments;
    NeutralAngles neutral;
    const NeutralAngles *family; /* neutral pose of the clips with this skeleton; NULL: none */
    const NeutralVote *own;      /* of the clip; NULL: to be measured */
} BodyOptions;

_Static_assert(sizeof(BodyOptions) <= sizeof(OptionValues), "a stage's options have their place");

static Status neutral_parse(const Option *option, const char *text, void *value, Error *err)
{
    if (!neutral_angles_scan(text, value))
        return error_set(err, STATUS_USAGE, "expected %s, three angles per joint, found \"%.40s\"", option->argument,
                         text);
    return STATUS_OK;
}

static void neutral_format(const Option *option, const void *value, char *text, size_t size)
{
    char angles[NEUTRAL_TEXT_SIZE];
    (void)option;
    neutral_angles_print(value, angles);
    snprintf(text, size, "%s", angles);
}

_Static_assert((int)NEUTRAL_TEXT_SIZE <= (int)OPTION_TEXT_SIZE, "the text of a pose has its place");

static const OptionKind option_neutral = {neutral_parse, neutral_format};

#define FIELD(member) offsetof(BodyOptions, member)
#define TEXT(value) #value
#define TEXT_OF(macro) TEXT(macro)
static const Option options[] = {
    {.name = "model", .argument = "auto|deleva|capsules|segments",
     .help = "Body model: deleva (human), capsules of water density (any creature), or segments (table of --segments)",
     .kind = &option_choice, .offset = FIELD(def.model), .choices = body_model_names},
    {.name = "mass", .argument = "KG",
     .help = "Total mass in kg (default: " TEXT_OF(BODY_HUMAN_MASS) " for a human, from the volume for a creature)",
     .kind = &option_positive, .offset = FIELD(def.mass), .with = "auto|deleva|capsules"},
    {.name = "sex", .argument = "male|female|mean",
     .help = "Sex for the segment proportions",
     .kind = &option_choice, .offset = FIELD(def.sex), .choices = sex_names, .with = "auto|deleva"},
    {.name = "segments", .argument = "FILE.tsv",
     .help = "Table of segment masses, centres of mass and inertias",
     .kind = &option_file, .offset = FIELD(segments)},
    {.name = "neutral-pose", .argument = "X,Y,Z/X,Y,Z/...",
     .help = "Neutral standing pose, one rotation vector in degrees per joint, as stored by batch (default: from the "
             "motion)",
     .kind = &option_neutral, .offset = FIELD(neutral), .with = "auto|deleva"},
    {0},
};

static void defaults(OptionValues *values)
{
    *(BodyOptions *)values = (BodyOptions){.def = body_default_def()};
}

/* Returns whether the body is that of a scene or robot, whose masses come from its model. */
static int has_own_body(const Clip *clip)
{
    return clip->has_body && (clip->has_dof || strcmp(clip->body.model, "scene") == 0);
}

static Status check_options(OptionValues *values, const Clip *clip, Error *err)
{
    BodyOptions *given = (BodyOptions *)values;
    if (given->segments)
        given->def.model = BODY_SEGMENTS;
    else if (given->def.model == BODY_SEGMENTS)
        return error_set(err, STATUS_USAGE, "--model segments requires --segments FILE.tsv");
    if (clip && has_own_body(clip) && given->def.model == BODY_AUTO && given->def.mass > 0)
        return error_set(err, STATUS_USAGE, "--mass: the clip has the masses of its model (%.4g kg): give "
                         "--model deleva or capsules to replace them", clip->body.total_mass);
    return STATUS_OK;
}

/* Keeps the masses of a model, which are better than any estimate from bone lengths, unless --model is given. */
static int keeps(const OptionValues *values, const Clip *clip, char *why, size_t size)
{
    int stays = has_own_body(clip) && ((const BodyOptions *)values)->def.model == BODY_AUTO;
    if (stays)
        snprintf(why, size, "keeps the masses of its model, %.4g kg: --model deleva or capsules would replace them",
                 clip->body.total_mass);
    return stays;
}

/* Replaces "auto" by what was chosen, for the history. */
static void resolve(BodyOptions *given, const Body *body)
{
    given->def.mass = body->total_mass;
    given->def.model = body_model_find(body);
}

/* Warns if the motion does not show the subject standing, so that the neutral pose, and with it the centres of mass, is
 * uncertain. */
static Status doubt_pose(const NeutralDoubt *doubt, Clip *clip, Notes *notes, Error *err)
{
    char text[200];
    clip_drop_warnings(clip, "neutral");
    neutral_pose_warn(doubt, text, sizeof text);
    return *text ? notes_warn(notes, clip, "neutral", text, err) : STATUS_OK;
}

/* Names the parts that the skeleton lacks: "trunk, left forearm". Returns their number. */
static int name_missing(const Clip *clip, char *text, size_t size)
{
    MissingPart part[MISSING_PARTS_MAX];
    int count = body_model_find(&clip->body) == BODY_DELEVA ? missing_parts_list(&clip->skeleton, part) : 0;
    size_t used = 0;
    *text = '\0';
    for (int i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", part[i].name);
    return count;
}

static Status warn_missing(Clip *clip, Notes *notes, Error *err)
{
    char list[160], text[240];
    clip_drop_warnings(clip, "missing-part");
    if (!name_missing(clip, list, sizeof list))
        return STATUS_OK;
    snprintf(text, sizeof text, "the skeleton lacks %s: the body keeps their mass, at rest", list);
    return notes_warn(notes, clip, "missing-part", text, err);
}

/* Records the model and why: roles of a person, or none. is_asked: by an option. */
static Status record_model(int is_asked, Clip *clip, Error *err)
{
    char list[160];
    Judgement roles, out = {.subject = JUDGED_BODY, .confidence = is_asked ? 1 : NAN};
    int is_person = body_model_find(&clip->body) == BODY_DELEVA, lacks = name_missing(clip, list, sizeof list);
    const char *why = is_person ? "roles of a person" : "no roles of a person";
    if (!is_asked && judgement_recall(&clip->provenance, JUDGED_ROLES, &roles)) {
        int is_animal = strcmp(roles.value, ROLES_OF_AN_ANIMAL) == 0;
        if (is_person || is_animal) {
            out.confidence = roles.confidence;
            out.evidence = roles.evidence;
        }
        why = is_animal ? "an animal" : why;
    }
    snprintf(out.value, sizeof out.value, "%s%s%s%s", clip->body.model, is_asked ? "" : ": ", is_asked ? "" : why,
             lacks ? ", without " : "");
    size_t used = strlen(out.value);
    snprintf(out.value + used, sizeof out.value - used, "%s", list);
    return judgement_record(&clip->provenance, &out, err);
}

static Status note_dissent(double confidence, Clip *clip, Notes *notes, Error *err)
{
    char text[160];
    snprintf(text, sizeof text,
             "neutral pose (confidence %.2g) kept: pelvis, trunk or a foot is tilted relative to the other clips of "
             "its skeleton",
             confidence);
    return notes_warn(notes, clip, "dissent", text, err);
}

static Status own_pose(const BodyOptions *given, const ClipView *clip, NeutralVote *out, Error *err)
{
    if (!given->own)
        return neutral_vote_cast(clip, out, err);
    *out = *given->own;
    return STATUS_OK;
}

/* Replaces the clip's own neutral pose by that of its family (clips with the same skeleton), unless the clip
 * confidently contradicts it or both are equal. */
static Status follow_family(BodyOptions *given, Clip *clip, Notes *notes, Error *err)
{
    ClipView view = clip_view(clip);
    NeutralVote own;
    int is_asked = given->family && given->neutral.count == 0 && body_is_measured(&view, &given->def);
    Status status = is_asked ? own_pose(given, &view, &own, err) : STATUS_OK;
    if (!is_asked || status || own.angles.count != given->family->count)
        return status;
    double contradiction = neutral_family_contradiction(&own, given->family);
    if (contradiction >= FAMILY_DISSENT)
        return note_dissent(contradiction, clip, notes, err);
    if (neutral_vote_has_doubt(&own) || memcmp(&own.angles, given->family, sizeof own.angles) != 0)
        given->neutral = *given->family;
    return STATUS_OK;
}

void body_follow(OptionValues *values, const NeutralAngles *family, const NeutralVote *own)
{
    ((BodyOptions *)values)->family = family;
    ((BodyOptions *)values)->own = own;
}

int body_follows(const OptionValues *values)
{
    const BodyOptions *given = (const BodyOptions *)values;
    int is_human = given->def.model == BODY_AUTO || given->def.model == BODY_DELEVA;
    return is_human && !given->segments && given->neutral.count == 0;
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    BodyOptions *given = (BodyOptions *)values;
    const char *table = given->segments;
    int is_asked = given->def.model != BODY_AUTO;
    Body segments = {0};
    Status status = follow_family(given, clip, notes, err);
    if (table && !status)
        status = error_of_file(err, table, segments_read(table, &clip->skeleton, &segments, err));
    given->def.segments = &segments;
    given->def.neutral = given->neutral.count > 0 ? &given->neutral : NULL;
    ClipView view = clip_view(clip);
    NeutralDoubt doubt;
    if (!status)
        status = body_from_clip(&view, &given->def, &clip->body, &doubt, err);
    given->def.segments = NULL;
    body_free(&segments);
    if (status)
        return status;
    resolve(given, &clip->body);
    clip->has_body = 1;
    if ((status = doubt_pose(&doubt, clip, notes, err)) || (status = warn_missing(clip, notes, err)) ||
        (status = record_model(is_asked, clip, err)) || (status = mass_doubt(clip, notes, err)))
        return status;
    return size_doubt(clip, notes, err);
}

const Stage stage_body = {
    .command = {
        .name = "body",
        .group = COMMANDS_PIPELINE,
        .summary = "Assign segment masses and inertias",
        .arguments = "[FILE.h5...]",
        .description = "Fills /body: mass, centre of mass and inertia of each segment, after de Leva (1996), scaled "
                       "to the segment lengths of the skeleton and to the total mass. A clip of a scene or robot keeps "
                       "the masses of its model, unless --model is given.",
        .example = "kane body walk.h5 --mass 62 -o walk_body.h5",
        .options = options,
    },
    .defaults = defaults,
    .fills = CLIP_BODY,
    .check = check_options,
    .keeps = keeps,
    .apply = apply,
};
