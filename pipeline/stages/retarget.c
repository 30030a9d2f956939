/* kane retarget: a clip's motion on another skeleton, feet planted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/retarget/retarget.h"
#include "formats/base/bytes.h"
#include "formats/container/container.h"
#include "formats/tables/retarget_tables.h"
#include "pipeline/cli/bvh_source.h"
#include "pipeline/cli/environment.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/map.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/sink.h"

typedef struct RetargetOptions {
    const char *to, *map, *limits;
    int rest, target_rest;
    HandReach hands;
    int no_plant, print_map;
} RetargetOptions;

_Static_assert(sizeof(RetargetOptions) <= sizeof(OptionValues), "a verb's options have their place");

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
     .help = "The character: a BVH file or a container, of which the skeleton counts (a container where the unit of the "
             "file is to be given: kane import --unit)",
     .kind = &option_file,
     .offset = FIELD(to)},
    {.name = "map",
     .argument = "FILE.tsv",
     .help = "Which joints turn which: target source weight; from roles and names unless given",
     .kind = &option_file,
     .offset = FIELD(map)},
    {.name = "print-map",
     .help = "Print that table and do nothing else",
     .kind = &option_flag,
     .offset = FIELD(print_map),
     .unrecorded = 1},
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

/* The character: a container by its first bytes, else BVH. report: of a BVH file, may be NULL. */
static Status read_target(const char *path, Clip *out, ImportReport *report, Error *err)
{
    static const char signature[] = "\211HDF\r\n\032\n";
    char *bytes = NULL;
    size_t size = 0;
    OptionValues import;
    if (!path)
        return error_set(err, STATUS_USAGE, "expected --to FILE: the character");
    Status status = bytes_read_path(path, &bytes, &size, err);
    if (status == STATUS_OK && size >= sizeof signature - 1 && !memcmp(bytes, signature, sizeof signature - 1)) {
        ContainerImage image = {(unsigned char *)bytes, size};
        status = container_decode_guarded(&image, out, NULL, 0, err);
    } else if (status == STATUS_OK) {
        verb_defaults(&verb_import, &import);
        status = bvh_source_read(&import, path, out, report, err);
    }
    free(bytes);
    return message_of_file(err, path, status);
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
    Status status = environment_lanes(&w->def.lanes, err);
    if (!status)
        status = read_target(given->to, &w->target, NULL, err);
    if (!status && given->map)
        status = message_of_file(err, given->map,
                                 joint_map_read(given->map, &w->target.skeleton, &clip->skeleton, &w->map, err));
    if (!status && given->limits)
        status = message_of_file(err, given->limits, joint_limits_read(given->limits, &w->limits, err));
    w->def.source_rest = given->rest;
    w->def.target_rest = given->target_rest;
    w->def.plant = !given->no_plant;
    w->def.hands = given->hands;
    w->def.limits = given->limits ? &w->limits : NULL;
    if (status)
        workplace_free(w);
    return status;
}

static Status copy_motion(const Motion *from, Motion *to, Error *err)
{
    size_t frames = (size_t)from->frame_count, joints = (size_t)from->joint_count;
    Status status =
        motion_init(to, from->frame_count, from->joint_count, from->frame_time, from->translation != NULL, err);
    if (status)
        return status;
    memcpy(to->time, from->time, frames * sizeof *to->time);
    memcpy(to->root_position, from->root_position, frames * sizeof *to->root_position);
    memcpy(to->rotation, from->rotation, frames * joints * sizeof *to->rotation);
    if (from->translation)
        memcpy(to->translation, from->translation, frames * joints * sizeof *to->translation);
    return STATUS_OK;
}

/* Contacts of a clip that has none yet: body, smooth, diff and contact with their defaults, on a copy. */
static Status find_contacts(const Clip *clip, Clip *seen, Error *err)
{
    enum { STAGES = 4 };
    static const Verb *const stages[STAGES] = {&verb_body, &verb_smooth, &verb_diff, &verb_contact};
    Status status = skeleton_copy(&seen->skeleton, &clip->skeleton, err);
    if (!status)
        status = copy_motion(&clip->motion, &seen->motion, err);
    for (int i = 0; i < STAGES && !status; i++) {
        OptionValues values;
        verb_defaults(stages[i], &values);
        status = stages[i]->apply(&values, seen, err);
    }
    return status;
}

/* " hands 3.2 cm,"; nothing for a figure that is not known. */
static void add_figure(char *text, size_t size, const char *name, double value, const char *unit)
{
    size_t used = strlen(text);
    if (!isnan(value))
        snprintf(text + used, size - used, "%s %s %.4g%s", used ? "," : "", name, value, unit);
}

static void tell_score(const Clip *clip)
{
    const RetargetScore *s = &clip->retarget;
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
    message_note("retarget", NULL, "%s:%s", clip->provenance.title ? clip->provenance.title : "", text);
}

/* The clip takes the character's skeleton and the new motion; what was computed from the old ones goes. */
static void take_over(Clip *clip, Workplace *w, Motion *motion)
{
    clip_drop(clip, CLIP_BODY);
    skeleton_free(&clip->skeleton);
    motion_free(&clip->motion);
    clip->skeleton = w->target.skeleton;
    w->target.skeleton = (Skeleton){0};
    clip->motion = *motion;
    clip->has_retarget = 1;
}

static Status apply(OptionValues *values, Clip *clip, Error *err)
{
    const RetargetOptions *given = (const RetargetOptions *)values;
    Workplace w;
    Motion motion;
    Status status = workplace_init(&w, given, clip, err);
    if (status)
        return status;
    RetargetBody target = {&w.target.skeleton, &w.target.motion}, source = {&clip->skeleton, &clip->motion};
    const Clip *seen = clip->has_contact && clip->has_kinematics ? clip : &w.seen;
    if (seen == &w.seen)
        status = find_contacts(clip, &w.seen, err);
    if (!status)
        status = retarget_motion(&target, &source, given->map ? &w.map : NULL, &seen->contact, &seen->kinematics,
                                 &w.def, &motion, &clip->retarget, err);
    if (!status) {
        take_over(clip, &w, &motion);
        tell_score(clip);
    }
    workplace_free(&w);
    return status;
}

static Status print_map(void *context, const char *path, Clip *clip, Error *err)
{
    const RetargetOptions *given = context;
    Workplace w;
    JointMap made = {0};
    (void)path;
    Status status = workplace_init(&w, given, clip, err);
    if (status)
        return status;
    RetargetBody target = {&w.target.skeleton, &w.target.motion}, source = {&clip->skeleton, &clip->motion};
    if (!given->map)
        status = retarget_map(&target, &source, &w.def, &made, err);
    if (!status)
        status = joint_map_write(given->map ? &w.map : &made, &w.target.skeleton, &clip->skeleton, stdout, err);
    joint_map_free(&made);
    workplace_free(&w);
    return status;
}

/* Tells what was decided about the character, once for all clips; a character that cannot be read ends the command. */
static int tell_target(const Verb *verb, const char *path)
{
    Clip target = {0};
    ImportReport report = {0};
    Error err = {0};
    Status status = read_target(path, &target, &report, &err);
    if (!status && *report.decision)
        message_note(verb->name, path, "%s", report.decision);
    clip_free(&target);
    import_report_free(&report);
    return status ? message_error(verb->name, NULL, &err) : 0;
}

static int retarget_main(const Verb *verb, int argc, char **argv)
{
    OptionValues values;
    SinkOptions sink = sink_defaults();
    int first;
    verb_defaults(verb, &values);
    OptionGroup groups[] = {{NULL, verb->options, &values}, {NULL, sink_output_options, &sink},
                            {NULL, sink_storage_options, &sink.container}};
    options_parse("kane retarget", verb->arguments, verb->description, groups, 3, argc, argv, &first);
    const char *to = ((RetargetOptions *)&values)->to;
    if (!to || !strcmp(to, "-"))
        return message_usage(verb->name, "expected --to FILE: the character");
    struct stat kind;
    if (!stat(to, &kind) && S_ISFIFO(kind.st_mode)) /* it is read anew for every clip */
        return message_usage(verb->name, "--to %s: expected a file, found a pipe", to);
    int code = tell_target(verb, to);
    if (code)
        return code;
    if (((RetargetOptions *)&values)->print_map)
        return clips_visit(verb->name, argv + first, argc - first, print_map, &values);
    return map_main(verb, argc, argv);
}

const Verb verb_retarget = {
    .name = "retarget",
    .summary = "Put a clip's motion on another skeleton, feet planted",
    .arguments = "[FILE.h5...]",
    .description =
        "Gives the clip the character's skeleton. Bones point as those of the clip do, the path is scaled by leg "
        "length, "
        "and each foot that stands keeps its place on the ground. Contacts are those of the clip if it holds them, "
        "else they are estimated. Joint limits hold, even where feet or hands would need more. What it cost is told in one line and stored in /retarget.",
    .options = options,
    .defaults = defaults,
    .apply = apply,
    .main = retarget_main,
};
