/* kane retarget: transfers the motion to another skeleton. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/quality/trust_carry.h"
#include "formats/tables/retarget_tables.h"
#include "formats/tables/rig_map.h"
#include "formats/tables/score_limits.h"
#include "pipeline/stages/hand_holds.h"
#include "pipeline/stages/import.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/retarget_options.h"
#include "pipeline/stages/retarget_residual.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

#define DOUBTFUL 20.0 /* degrees between left and right limbs at rest; a standing subject is more symmetric */

_Static_assert(sizeof(RetargetOptions) <= sizeof(OptionValues), "a stage's options have their place");

static const char *const flights[] = {"scaled", "g", NULL};
static const char *const plants[] = {"keep", "lock", "none", NULL};
static const char *const scores[] = {"motion", "all", NULL};
static const char *const reaches[] = {"rotation", "body", "world", "auto", NULL};

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

static const char *const root_choices[] = {"auto", "keep", "travel", "in-place", "hips", NULL}; /* 1 + RootMotion */

#define FIELD(member) offsetof(RetargetOptions, member)
static const Option options[] = {
    {.name = "to",
     .argument = "FILE",
     .help = "Target skeleton: a motion or clip file",
     .kind = &option_file,
     .offset = FIELD(to)},
    {.name = "target-unit",
     .argument = "m|dm|cm|mm|inch|cmu|METRES",
     .help = "Length unit of the target's motion file (default: detected)",
     .kind = &option_unit,
     .offset = FIELD(target_unit)},
    {.name = "target-up",
     .argument = "X|Y|Z|-X|-Y|-Z",
     .help = "Up axis of the target's motion file (default: detected)",
     .kind = &option_up,
     .offset = FIELD(target_up)},
    {.name = "target-root",
     .argument = "NAME|NUMBER|all",
     .help = "Which of several ROOTs of the target's motion file to read, as import's --root",
     .kind = &option_text,
     .offset = FIELD(target_root)},
    {.name = "map",
     .argument = "FILE.tsv",
     .help = "Joint map, columns target source weight; or presets of --save-map, of which that of both skeletons is "
             "used (default: from roles and names)",
     .kind = &option_file,
     .offset = FIELD(map)},
    {.name = "plant",
     .argument = "keep|lock|none",
     .help = "Feet in contact: keep = scaled source path along the ground, lock = no motion, none = no foot planting",
     .kind = &option_choice,
     .offset = FIELD(plant),
     .choices = plants},
    {.name = "plant-strength",
     .argument = "0..1",
     .help = "Strength of foot planting",
     .kind = &option_real,
     .offset = FIELD(strength)},
    {.name = "flight",
     .argument = "scaled|g",
     .help = "Vertical motion in flight: scaled from the source, or ballistic with g",
     .kind = &option_choice,
     .offset = FIELD(free_fall),
     .choices = flights},
    {.name = "contacts",
     .argument = "FILE.tsv",
     .help = "Table of foot contacts, columns foot part from to mode (default: detected)",
     .kind = &option_file,
     .offset = FIELD(contacts)},
    {.name = "hands",
     .argument = "rotation|body|world|auto",
     .help = "Hands: keep their rotation, position relative to the body, world position, or auto = contacts with "
             "ground, other arm, trunk, head, legs or props",
     .kind = &option_choice,
     .offset = FIELD(hands),
     .choices = reaches},
    {.name = "hold",
     .argument = "HAND=JOINT,...",
     .help = "Hands of the clip and joints that they hold in every frame, such as LeftHand=Sword",
     .kind = &option_text,
     .offset = FIELD(hold)},
    {.name = "limits",
     .argument = "FILE.tsv",
     .help = "Table of joint limits in degrees, columns role roll_min roll_max pitch_min pitch_max yaw_min yaw_max",
     .kind = &option_file,
     .offset = FIELD(limits)},
    {.name = "root-motion",
     .argument = "auto|keep|travel|in-place|hips",
     .help = "Path over the ground on a target whose root is above the hips: auto = as its root does in its own file; "
             "keep = height and tilt on the root, too; others as in kane loop",
     .kind = &option_choice,
     .offset = FIELD(root),
     .choices = root_choices},
    {.name = "score-limits",
     .argument = "FILE.tsv",
     .help = "Table of upper bounds on the metrics of /retarget, columns metric, max; exit code 1 if one is exceeded",
     .kind = &option_file,
     .offset = FIELD(score_limits)},
    {.name = "score",
     .argument = "motion|all",
     .help = "Metrics to compute: all, or motion (no forces; three times faster)",
     .kind = &option_choice,
     .offset = FIELD(score),
     .choices = scores},
    {.name = "rest",
     .argument = "auto|zero|frame:N",
     .help = "Rest pose of the clip; auto = the zero pose if it is upright, else an upright frame",
     .kind = &option_rest,
     .offset = FIELD(rest)},
    {.name = "target-rest",
     .argument = "auto|zero|frame:N",
     .help = "Rest pose of the target",
     .kind = &option_rest,
     .offset = FIELD(target_rest)},
    {0},
};

static void defaults(OptionValues *values)
{
    RetargetDef def = retarget_default_def();
    *(RetargetOptions *)values =
        (RetargetOptions){.rest = def.source_rest, .target_rest = def.target_rest, .hands = def.hands,
                            .plant = def.plant, .strength = def.feet.strength};
}

static Status check_options(OptionValues *values, const Clip *clip, Error *err)
{
    const RetargetOptions *given = (const RetargetOptions *)values;
    (void)clip;
    if (!(given->strength >= 0 && given->strength <= 1))
        return error_set(err, STATUS_USAGE, "--plant-strength: expected 0 to 1, found %g", given->strength);
    if (given->hold && (given->hands != HANDS_AUTO || given->plant == PLANT_NONE))
        return error_set(err, STATUS_USAGE, "--hold: only with --hands auto, and not with --plant none");
    return given->to ? STATUS_OK : error_set(err, STATUS_USAGE, "expected --to FILE, the target skeleton");
}

/* Replaces character options of import in a message by the retarget option, or command, that sets them. */
static void name_character_options(const char *text, size_t length, char *out, size_t size)
{
    static const char *const named[][2] = {
        {"import's --unit", "retarget's --target-unit with its motion file"},
        {"import's --fps", "its clip file, made by kane import with --fps"},
        {"import's --root all keeps them, import's --root NAME reads another",
         "retarget's --target-root all keeps them"},
    };
    const char *at = NULL;
    size_t i = 0, count = sizeof named / sizeof *named;
    while (i < count && !(at = memmem(text, length, named[i][0], strlen(named[i][0]))))
        i++;
    if (!at) {
        snprintf(out, size, "%.*s", (int)length, text);
        return;
    }
    const char *behind = at + strlen(named[i][0]);
    snprintf(out, size, "%.*s%s%.*s", (int)(at - text), text, named[i][1], (int)(text + length - behind), behind);
}

static Status error_of_character(const char *path, Status status, Error *err)
{
    char text[sizeof err->text];
    if (status && err) {
        name_character_options(err->text, strlen(err->text), text, sizeof text);
        snprintf(err->text, sizeof err->text, "%s", text);
    }
    return error_of_file(err, path, status);
}

Status retarget_read_character(const RetargetOptions *given, Clip *out, Notes *notes, Error *err)
{
    ImportOptions import = import_defaults();
    import.guess.meters_per_unit = given->target_unit;
    import.guess.up = given->target_up;
    import.limits.still = 1;
    import.limits.root = given->target_root;
    return error_of_character(given->to, import_open(&import, given->to, out, notes, err), err);
}

/* Rejects characters with hinges or slides: joints get unconstrained rotations of the clip, which these axes do not
 * permit. */
static Status check_axes(const Clip *character, Error *err)
{
    const Dofs *d = &character->dof;
    int count = 0, first = -1;
    for (int i = 0; character->has_dof && i < d->count; i++)
        if (d->kind[i] != DOF_BALL && !(d->kind[i] == DOF_FREE && d->joint[i] == 0)) {
            first = first < 0 ? i : first;
            count++;
        }
    if (!count)
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT,
                     "%d of its %d degrees of freedom (\"%.60s\", ...) are hinges or slides, and retarget turns joints "
                     "freely: make a character of free joints with kane export FILE.h5 -o FILE.bvh, which has neither "
                     "the axes nor the masses of the model", count, d->count, d->name[first]);
}

/* Reads the character of a call and checks that it can take any motion. */
static Status open_character(const RetargetOptions *given, Clip *out, Error *err)
{
    Status status = retarget_read_character(given, out, NULL, err);
    return status ? status : error_of_character(given->to, check_axes(out, err), err);
}

Status retarget_check_character(const RetargetOptions *given, Error *err)
{
    Clip character = {0};
    Status status = open_character(given, &character, err);
    clip_free(&character);
    return status;
}

/* What retargeting a clip requires. */
typedef struct Workplace {
    Clip target;
    Clip seen;         /* the clip with estimated contacts, if it had none */
    JointMap map;
    JointLimits limits;
    ContactEdits contacts;
    HandHold hold[MAX_PROPS];
    RetargetDef def;
    RetargetOptions given; /* with the settings of a preset */
    int has_map;           /* 1: the table of --map has rows for the skeletons */
    int has_pose[2];       /* 1: the file of the clip, the target has the standing pose that is compared */
} Workplace;

static void workplace_free(Workplace *w)
{
    clip_free(&w->target);
    clip_free(&w->seen);
    joint_map_free(&w->map);
    joint_limits_free(&w->limits);
    contact_edits_free(&w->contacts);
}

/* Options that a preset of --save-map contains, if they differ from the defaults. */
static const char *const settings[] = {"target-unit", "target-up", "rest", "target-rest", "plant", "plant-strength",
                                       "flight", "hands", "root-motion"};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* The text of an option among given values and as default; 1 if they differ. */
static int is_set(const RetargetOptions *given, const Option *option, char text[OPTION_TEXT_SIZE])
{
    char standard[OPTION_TEXT_SIZE];
    OptionValues values;
    defaults(&values);
    option->kind->format(option, (const char *)&values + option->offset, standard, sizeof standard);
    option->kind->format(option, (const char *)given + option->offset, text, OPTION_TEXT_SIZE);
    return strcmp(standard, text) != 0;
}

/* Applies a setting of a preset unless the option is given. */
static Status apply_setting(void *context, const char *name, const char *value, Error *err)
{
    RetargetOptions *given = context;
    char text[OPTION_TEXT_SIZE];
    for (int i = 0; i < SETTINGS; i++)
        if (!strcmp(settings[i], name)) {
            const Option *option = option_find(options, name);
            return is_set(given, option, text)
                       ? STATUS_OK : option->kind->parse(option, value, (char *)given + option->offset, err);
        }
    return error_set(err, STATUS_BAD_INPUT, "\"--%s\" is no setting of a preset", name);
}

/* Reads map and settings for the skeletons; a character whose unit or axis they state is read again. */
static Status read_preset(Workplace *w, const Clip *clip, Error *err)
{
    char rig[RIG_NAME_SIZE];
    RetargetOptions before = w->given;
    const char *path = w->given.map;
    rig_name(&w->target.skeleton, &clip->skeleton, rig);
    Status status = error_of_file(err, path, rig_settings_read(path, rig, apply_setting, &w->given, err));
    if (!status && (w->given.target_unit != before.target_unit || w->given.target_up != before.target_up)) {
        clip_free(&w->target);
        status = open_character(&w->given, &w->target, err);
    }
    if (!status)
        status = error_of_file(err, path, joint_map_read(path, &w->target.skeleton, &clip->skeleton, &w->map, err));
    w->has_map = !status && w->map.row_count > 0;
    return status;
}

static Status workplace_init(Workplace *w, const RetargetOptions *options_given, const Clip *clip, Error *err)
{
    *w = (Workplace){.def = retarget_default_def(), .given = *options_given};
    const RetargetOptions *given = &w->given;
    Status status = stage_lanes(&w->def.lanes, err);
    if (!status)
        status = open_character(given, &w->target, err);
    if (!status && given->map)
        status = read_preset(w, clip, err);
    if (!status && given->limits)
        status = error_of_file(err, given->limits, joint_limits_read(given->limits, &w->limits, err));
    if (!status && given->contacts)
        status = error_of_file(err, given->contacts, contact_edits_read(given->contacts, &w->contacts, err));
    if (!status && given->hold)
        status = hand_holds_parse(given->hold, &clip->skeleton, w->hold, &w->def.hold_count, err);
    w->def.hold = w->hold;
    w->has_pose[0] = given->rest == REFERENCE_AUTO && clip->skeleton.standing;
    w->has_pose[1] = given->target_rest == REFERENCE_AUTO && w->target.skeleton.standing;
    w->def.source_rest = given->rest;
    w->def.target_rest = given->target_rest;
    w->def.plant = given->plant;
    w->def.feet.strength = given->strength;
    w->def.feet.free_fall = given->free_fall;
    w->def.contacts = given->contacts ? &w->contacts : NULL;
    w->def.hands = given->hands;
    w->def.root = given->root - 1;
    w->def.limits = given->limits ? &w->limits : NULL;
    w->def.score_mirror = given->score == SCORE_ALL;
    if (status)
        workplace_free(w);
    return status;
}

/* Appends "hands by 3.2 cm"; nothing if the value is NaN. */
static void add_metric(char *text, size_t size, const char *name, double value, const char *unit)
{
    size_t used = strlen(text);
    if (!isnan(value))
        snprintf(text + used, size - used, "%s%s %.4g%s", used ? ", " : "", name, value + 0.0, unit);
}

static void name_rest(char *text, size_t size, double frame, int is_kept)
{
    if (frame < 0)
        snprintf(text, size, is_kept ? "the standing pose" : "the zero pose");
    else
        snprintf(text, size, "frame %.0f", frame);
}

/* Notes which rest poses were compared unless both are zero poses; warns if one is asymmetric. */
static Status note_rest(const RetargetScore *s, const int has_pose[2], Clip *clip, Notes *notes, Error *err)
{
    char text[256], own[32], other[32];
    int is_doubtful = s->rest_asymmetry_deg > DOUBTFUL;
    if (!is_doubtful && s->source_rest_frame < 0 && s->target_rest_frame < 0)
        return STATUS_OK;
    name_rest(own, sizeof own, s->source_rest_frame, has_pose[0]);
    name_rest(other, sizeof other, s->target_rest_frame, has_pose[1]);
    if (is_doubtful)
        snprintf(text, sizeof text,
                 "rest poses (%s of the clip, %s of the target) differ by up to %.0f degrees between left and right "
                 "limbs: check knees and elbows, or set retarget's --rest and --target-rest", own, other,
                 s->rest_asymmetry_deg);
    else
        snprintf(text, sizeof text, "rest poses: %s of the clip, %s of the target", own, other);
    return is_doubtful ? notes_warn(notes, clip, "rest", text, err)
                       : notes_add(notes, (Note){NOTE_DECISION, 0, 0, text}, err);
}

/* Bounds on what a viewer sees; a score beyond one is a warning. */
static const struct {
    size_t score; /* member of RetargetScore */
    double max;
    const char *kind, *text; /* format of the score and the bound */
} bounds[] = {
#define FACING(name, max, what) \
    {offsetof(RetargetScore, name), max, "facing", \
     what " %.0f degrees off the clip's (more than %.0f): set retarget's --rest and --target-rest"}
    FACING(facing_pelvis_deg, 30, "the pelvis faces"),
    FACING(facing_chest_deg, 45, "the chest faces"),
    FACING(facing_head_deg, 60, "the head faces"),
    FACING(facing_thigh_deg, 45, "a thigh faces"),
    FACING(facing_forearm_deg, 60, "a forearm faces"),
    FACING(facing_hand_deg, 75, "a hand faces"),
    {offsetof(RetargetScore, sink_increase_cm), 2, "sink",
     "a foot is %.1f cm deeper below the floor than the clip's (more than %.0f): look at heels and toes"},
    {offsetof(RetargetScore, root_height_cm), 30, "root",
     "the root is up to %.0f cm higher or lower than it belongs (more than %.0f): set retarget's --root-motion"},
    {offsetof(RetargetScore, root_path_cm), 50, "root",
     "the root is up to %.0f cm off the clip's path (more than %.0f): set retarget's --root-motion"},
    {offsetof(RetargetScore, girdle_width_change), 0.15, "girdle",
     "the shoulders' distance over its rest is off the clip's by %.2f (more than %.2f): look at the clavicles"},
};

static Status warn_of_score(const RetargetScore *s, Clip *clip, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    char text[256];
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds && !status; i++) {
        double value = *(const double *)((const char *)s + bounds[i].score);
        if (!(value > bounds[i].max))
            continue;
        snprintf(text, sizeof text, bounds[i].text, value, bounds[i].max);
        status = notes_warn(notes, clip, bounds[i].kind, text, err);
    }
    return status;
}

static Status note_score(const RetargetScore *s, Notes *notes, Error *err)
{
    char text[512] = "";
    add_metric(text, sizeof text, "scale", s->scale, "");
    add_metric(text, sizeof text, "contact preserved", 100 * s->contact_kept, " %");
    add_metric(text, sizeof text, "foot slide increase", round(1e3 * s->slide_increase_cm_s) / 1e3, " cm/s");
    add_metric(text, sizeof text, "penetration increase", round(1e3 * s->penetration_increase_cm) / 1e3, " cm");
    add_metric(text, sizeof text, "bone direction error", round(1e3 * s->bone_direction_deg) / 1e3, " degrees");
    add_metric(text, sizeof text, "leg direction error", round(1e3 * s->leg_direction_deg) / 1e3, " degrees");
    add_metric(text, sizeof text, "knee acceleration ratio", round(1e3 * s->knee_acceleration) / 1e3, "");
    add_metric(text, sizeof text, "left-right difference", round(1e3 * s->mirror_cm) / 1e3, " cm");
    add_metric(text, sizeof text, "residual", round(1e3 * s->residual_after_bw) / 1e3, " BW");
    add_metric(text, sizeof text, "before", round(1e3 * s->residual_before_bw) / 1e3, " BW");
    add_metric(text, sizeof text, "hand distance", round(1e3 * s->hand_reach_cm) / 1e3, " cm");
    add_metric(text, sizeof text, "limits hit", s->limits_hit, "");
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

/* Replaces degrees of freedom and masses of the clip by those of the character's model, if any. */
static void take_model(Clip *clip, Clip *character)
{
    dofs_free(&clip->dof);
    body_free(&clip->body);
    clip->has_dof = character->has_dof;
    clip->has_body = character->has_dof && character->has_body;
    if (!character->has_dof)
        return;
    clip->dof = character->dof;
    clip->body = character->body;
    character->dof = (Dofs){0};
    character->body = (Body){0};
}

/* Gives the clip the character's skeleton and the new motion, and carries its flags over by joint. */
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
    take_model(clip, &w->target);
    clip->motion = *motion;
    return status;
}

/* Copies the import warnings of the character to the clip. */
static Status warn_of_character(const Clip *character, Clip *clip, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (const char *line = character->provenance.warnings; line && *line && !status;) {
        char text[400], said[380];
        size_t length = strcspn(line, "\n");
        name_character_options(line, length, said, sizeof said);
        snprintf(text, sizeof text, "target: %s", said);
        status = notes_warn(notes, clip, "character", text, err);
        line += length + (line[length] == '\n');
    }
    return status;
}

/* Leaves the residual NaN if forces cannot be computed for the body. */
static Status score_residual(Clip *clip, const Clip *seen, Error *err)
{
    Clip moved;
    Error none = {0};
    RetargetScore *score = &clip->retarget;
    Status status = retarget_run_pipeline(clip, PIPELINE_TO_TORQUE, &moved, &none);
    score->residual_before_bw = retarget_residual(seen, &seen->trust, NULL);
    if (!status)
        score->residual_after_bw =
            retarget_residual(&moved, &seen->trust, &score->worst_frame[WORST_residual_after_bw]);
    clip_free(&moved);
    return status == STATUS_NO_MEMORY ? error_no_memory(err) : STATUS_OK;
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const RetargetOptions *given = (const RetargetOptions *)values;
    Workplace w;
    Motion motion;
    Status status = workplace_init(&w, given, clip, err);
    if (status)
        return status;
    *(RetargetOptions *)values = w.given; /* the history has the settings of a preset */
    int is_seen = clip->has_contact && clip->has_kinematics, with_forces = given->score == SCORE_ALL;
    const Clip *seen = is_seen ? clip : &w.seen;
    if (!is_seen || with_forces)
        status = retarget_run_pipeline(clip, with_forces ? PIPELINE_TO_TORQUE : PIPELINE_TO_CONTACT, &w.seen, err);
    RetargetJob job = {.target = clip_view(&w.target), .source = clip_view(clip), .contact = &seen->contact,
                       .map = w.has_map ? &w.map : NULL};
    job.source.kinematics = &seen->kinematics;
    if (!status)
        status = retarget_motion(&job, &w.def, &motion, &clip->retarget, err);
    if (!status)
        status = retarget_keep_pose(&job, &w.def, &w.target.skeleton, err);
    if (!status)
        status = take_over(clip, &w, &motion, err);
    if (!status && with_forces)
        status = score_residual(clip, &w.seen, err);
    if (!status)
        status = warn_of_character(&w.target, clip, notes, err);
    if (!status && given->map && !w.has_map)
        status = notes_add(notes, (Note){NOTE_DECISION, 0, 0, "no preset of --map has these skeletons: map from roles "
                                                              "and names"}, err);
    if (!status)
        status = note_rest(&clip->retarget, w.has_pose, clip, notes, err);
    if (!status)
        status = note_score(&clip->retarget, notes, err);
    if (!status)
        status = warn_of_score(&clip->retarget, clip, notes, err);
    if (!status && given->score_limits)
        status = score_limits_check(given->score_limits, &clip->retarget, with_forces, err);
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
    if (!w.has_map)
        status = retarget_map(&job, &w.def, &made, err);
    if (!status)
        status = joint_map_write(w.has_map ? &w.map : &made, &w.target.skeleton, &clip->skeleton, stream, err);
    joint_map_free(&made);
    workplace_free(&w);
    return status;
}

Status retarget_write_preset(const RetargetOptions *given, const Clip *clip, const char *path, FILE *stream,
                             Error *err)
{
    Workplace w;
    JointMap made = {0};
    char lines[SETTINGS * 64] = "", text[OPTION_TEXT_SIZE];
    Status status = workplace_init(&w, given, clip, err);
    if (status)
        return status;
    for (int i = 0; i < SETTINGS; i++)
        if (is_set(&w.given, option_find(options, settings[i]), text))
            snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "--%s\t%.40s\n", settings[i], text);
    RetargetJob job = {.target = clip_view(&w.target), .source = clip_view(clip)};
    if (!w.has_map)
        status = retarget_map(&job, &w.def, &made, err);
    RigPreset preset = {&w.target.skeleton, &clip->skeleton, w.has_map ? &w.map : &made, lines};
    if (!status)
        status = error_of_file(err, path, rig_preset_write(path, &preset, stream, err));
    joint_map_free(&made);
    workplace_free(&w);
    return status;
}

Status retarget_write_contacts(const RetargetOptions *given, const Clip *clip, FILE *stream, Error *err)
{
    Workplace w;
    ContactEdits rows = {0};
    Status status = workplace_init(&w, given, clip, err);
    if (status)
        return status;
    const Clip *seen = clip->has_contact && clip->has_kinematics ? clip : &w.seen;
    if (seen == &w.seen)
        status = retarget_run_pipeline(clip, PIPELINE_TO_CONTACT, &w.seen, err);
    RetargetJob job = {.source = clip_view(clip), .contact = &seen->contact};
    job.source.kinematics = &seen->kinematics;
    if (!status)
        status = retarget_contacts(&job, &w.def, &rows, err);
    if (!status)
        status = contact_edits_write(&rows, stream, err);
    contact_edits_free(&rows);
    workplace_free(&w);
    return status;
}

const Stage stage_retarget = {
    .command = {
        .name = "retarget",
        .group = COMMANDS_EDIT,
        .summary = "Transfer motion to another skeleton with foot planting",
        .arguments = "[FILE.h5|{motion-files}...]",
        .description = "Keeps bone directions, scales the path by leg length, and moves feet in contact along the "
                       "ground as in the clip. Uses the contacts of the clip, or estimates them. Joint limits take "
                       "precedence over feet and hands. Prints quality metrics and stores them in /retarget.",
        .example = "kane retarget walk.h5 --to hero.bvh -o hero.h5",
        .options = options,
    },
    .defaults = defaults,
    .fills = CLIP_SKELETON | CLIP_MOTION | CLIP_RETARGET,
    .reads_motion = 1,
    .adapts = CLIP_BODY,
    .check = check_options,
    .apply = apply,
};
