#include "pipeline/stages/retarget_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trust/trust_carry.h"
#include "formats/tables/retarget_tables.h"
#include "pipeline/stages/stage_chain.h"
#include "pipeline/stages/stage.h"

_Static_assert(sizeof(RetargetOptions) <= sizeof(OptionValues), "a stage's options have their place");

static const char *const reaches[] = {"rotation", "body", "world", NULL};

static Status rest_parse(const Option *option, const char *text, void *value, Error *err)
{
    char *end;
    long frame = strncmp(text, "frame:", 6) ? -1 : strtol(text + 6, &end, 10);
    int *rest = value;
    if (!strcmp(text, "auto") || !strcmp(text, "zero"))
        *rest = *text == 'a' ? REFERENCE_AUTO : REFERENCE_REST;
    else if (frame >= 0 && frame < 1000000000 && end != text + 6 && !*end)
        *rest = (int)frame;
    else
        return error_set(err, STATUS_USAGE, "expected %s, found \"%s\"", option->argument, text);
    return STATUS_OK;
}

static void rest_format(const Option *option, const void *value, char *text, size_t size)
{
    int rest = *(const int *)value;
    (void)option;
    if (rest >= 0)
        snprintf(text, size, "frame:%d", rest);
    else
        snprintf(text, size, "%s", rest == REFERENCE_AUTO ? "auto" : "zero");
}

static const OptionKind option_rest = {rest_parse, rest_format};

#define FIELD(member) offsetof(RetargetOptions, member)
static const Option options[] = {
    {.name = "to",
     .argument = "FILE",
     .help = "The character: a BVH file or a container, of which the skeleton counts (a container where the unit of "
             "the file is to be given: kane import --unit)",
     .kind = &option_file,
     .offset = FIELD(to)},
    {.name = "map",
     .argument = "FILE.tsv",
     .help = "Which joints turn which: target source weight; from roles and names unless given",
     .kind = &option_file,
     .offset = FIELD(map)},
    {.name = "no-plant",
     .help = "Copy rotations only; feet may slide",
     .kind = &option_flag,
     .offset = FIELD(no_plant)},
    {.name = "hands",
     .argument = "rotation|body|world",
     .help = "What hands keep: their rotations, their reach from the shoulders, their place in the scaled world",
     .kind = &option_choice,
     .offset = FIELD(hands),
     .choices = reaches},
    {.name = "limits",
     .argument = "FILE.tsv",
     .help = "Joint limits in degrees: role roll_min roll_max pitch_min pitch_max yaw_min yaw_max",
     .kind = &option_file,
     .offset = FIELD(limits)},
    {.name = "rest",
     .argument = "auto|zero|frame:N",
     .help = "Pose of the clip that stands at rest; auto: the zero pose if it stands, else the frame that does",
     .kind = &option_rest,
     .offset = FIELD(rest)},
    {.name = "target-rest",
     .argument = "auto|zero|frame:N",
     .help = "The same for the character",
     .kind = &option_rest,
     .offset = FIELD(target_rest)},
    {0},
};

static void defaults(OptionValues *values)
{
    RetargetDef def = retarget_default_def();
    *(RetargetOptions *)values =
        (RetargetOptions){.rest = def.source_rest, .target_rest = def.target_rest, .hands = def.hands};
}

static Status check(OptionValues *values, const Clip *clip, Error *err)
{
    const RetargetOptions *given = (const RetargetOptions *)values;
    (void)clip;
    return given->to ? STATUS_OK : error_set(err, STATUS_USAGE, "expected --to FILE: the character");
}

Status retarget_read_character(const RetargetOptions *given, Clip *out, Notes *notes, Error *err)
{
    StageChain chain = stage_chain_defaults();
    return error_of_file(err, given->to, stage_chain_open(&chain, given->to, out, notes, err));
}

/* What one clip needs beside itself. */
typedef struct Workplace {
    Clip target;
    Clip seen;         /* the clip as the contact stage sees it, where it has not been there */
    JointMap map;
    JointLimits limits;
    RetargetDef def;
} Workplace;

static void workplace_free(Workplace *w)
{
    clip_free(&w->target);
    clip_free(&w->seen);
    joint_map_free(&w->map);
    joint_limits_free(&w->limits);
}

static Status workplace_init(Workplace *w, const RetargetOptions *given, const Clip *clip, Error *err)
{
    *w = (Workplace){.def = retarget_default_def()};
    Status status = stage_lanes(&w->def.lanes, err);
    if (!status)
        status = retarget_read_character(given, &w->target, NULL, err);
    if (!status && given->map)
        status = error_of_file(err, given->map,
                               joint_map_read(given->map, &w->target.skeleton, &clip->skeleton, &w->map, err));
    if (!status && given->limits)
        status = error_of_file(err, given->limits, joint_limits_read(given->limits, &w->limits, err));
    w->def.source_rest = given->rest;
    w->def.target_rest = given->target_rest;
    w->def.plant = !given->no_plant;
    w->def.hands = given->hands;
    w->def.limits = given->limits ? &w->limits : NULL;
    if (status)
        workplace_free(w);
    return status;
}

/* Contacts of a clip that has none yet: the chain up to them with its defaults, on a copy. */
static Status find_contacts(const Clip *clip, Clip *seen, Error *err)
{
    StageChain chain = stage_chain_defaults();
    stage_chain_end_with(&chain, &stage_contact);
    Status status = skeleton_copy(&seen->skeleton, &clip->skeleton, err);
    if (!status)
        status = motion_copy(&seen->motion, &clip->motion, err);
    if (!status && clip->has_trust)
        status = trust_carry_frames(&clip->trust, &clip->motion, &clip->motion, &seen->trust, err);
    seen->has_trust = !status && clip->has_trust;
    return status ? status : stage_chain_run(&chain, seen, NULL, err);
}

/* "hands by 3.2 cm" behind the others; nothing for a figure that is not known. */
static void add_figure(char *text, size_t size, const char *name, double value, const char *unit)
{
    size_t used = strlen(text);
    if (!isnan(value))
        snprintf(text + used, size - used, "%s%s %.4g%s", used ? ", " : "", name, value, unit);
}

static Status note_score(const RetargetScore *s, Notes *notes, Error *err)
{
    char text[512] = "";
    add_figure(text, sizeof text, "scale", s->scale, "");
    add_figure(text, sizeof text, "contact kept", 100 * s->contact_kept, " %");
    add_figure(text, sizeof text, "slide", round(1e3 * s->slide_cm_s) / 1e3, " cm/s");
    add_figure(text, sizeof text, "in one contact", round(1e3 * s->slide_cm) / 1e3, " cm");
    add_figure(text, sizeof text, "penetration", round(1e3 * s->penetration_cm) / 1e3, " cm");
    add_figure(text, sizeof text, "bones off by", round(1e3 * s->direction_deg) / 1e3, " degrees");
    add_figure(text, sizeof text, "legs by", round(1e3 * s->leg_direction_deg) / 1e3, " degrees");
    add_figure(text, sizeof text, "hands by", round(1e3 * s->hand_reach_cm) / 1e3, " cm");
    add_figure(text, sizeof text, "limits hit", s->limits_hit, "");
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

/* The clip takes the character's skeleton and the new motion, and keeps what speaks against its frames. */
static Status take_over(Clip *clip, Workplace *w, Motion *motion, Error *err)
{
    Trust trust = {0};
    Status status = STATUS_OK;
    if (clip->has_trust)
        status = trust_carry_joints(&clip->trust, &clip->skeleton, &w->target.skeleton, &trust, err);
    trust_free(&clip->trust);
    clip->trust = trust;
    skeleton_free(&clip->skeleton);
    motion_free(&clip->motion);
    clip->skeleton = w->target.skeleton;
    w->target.skeleton = (Skeleton){0};
    clip->motion = *motion;
    return status;
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const RetargetOptions *given = (const RetargetOptions *)values;
    Workplace w;
    Motion motion;
    Status status = workplace_init(&w, given, clip, err);
    if (status)
        return status;
    const Clip *seen = clip->has_contact && clip->has_kinematics ? clip : &w.seen;
    if (seen == &w.seen)
        status = find_contacts(clip, &w.seen, err);
    RetargetJob job = {.target = clip_view(&w.target), .source = clip_view(clip), .contact = &seen->contact,
                       .map = given->map ? &w.map : NULL};
    job.source.kinematics = &seen->kinematics;
    if (!status)
        status = retarget_motion(&job, &w.def, &motion, &clip->retarget, err);
    if (!status)
        status = take_over(clip, &w, &motion, err);
    if (!status)
        status = note_score(&clip->retarget, notes, err);
    workplace_free(&w);
    return status;
}

Status retarget_write_map(const RetargetOptions *given, const Clip *clip, FILE *stream, Error *err)
{
    Workplace w;
    JointMap made = {0};
    Status status = workplace_init(&w, given, clip, err);
    if (status)
        return status;
    RetargetJob job = {.target = clip_view(&w.target), .source = clip_view(clip)};
    if (!given->map)
        status = retarget_map(&job, &w.def, &made, err);
    if (!status)
        status = joint_map_write(given->map ? &w.map : &made, &w.target.skeleton, &clip->skeleton, stream, err);
    joint_map_free(&made);
    workplace_free(&w);
    return status;
}

const Stage stage_retarget = {
    .command = {
        .name = "retarget",
        .summary = "Put a clip's motion on another skeleton, feet planted",
        .arguments = "[FILE.h5...]",
        .description = "Gives the clip the character's skeleton. Bones point as those of the clip do, the path is "
                       "scaled by leg length, and each foot that stands keeps its place on the ground. Contacts are "
                       "those of the clip if it holds them, else they are estimated. Joint limits hold, even where "
                       "feet or hands would need more. What it cost is told in one line and stored in /retarget.",
        .options = options,
    },
    .defaults = defaults,
    .fills = CLIP_SKELETON | CLIP_MOTION | CLIP_RETARGET,
    .check = check,
    .apply = apply,
};
