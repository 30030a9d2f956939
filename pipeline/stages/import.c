/* See import.h. */
#include "pipeline/stages/import.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/detect/take.h"
#include "analysis/detect/unit.h"
#include "analysis/detect/up_axis.h"
#include "analysis/quality/artifacts.h"
#include "analysis/quality/take_findings.h"
#include "formats/container/container.h"
#include "formats/source/source_table.h"
#include "formats/tables/role_table.h"
#include "pipeline/stages/history.h"
#include "pipeline/stages/import_warnings.h"
#include "pipeline/stages/size_doubt.h"

static Status unit_parse(const Option *option, const char *text, void *value, Error *err)
{
    double metres = unit_from_text(text);
    if (!(metres > 0) || !isfinite(metres))
        return error_set(err, STATUS_USAGE, "expected %s, found \"%s\"", option->argument, text);
    *(double *)value = metres;
    return STATUS_OK;
}

static void unit_format(const Option *option, const void *value, char *text, size_t size)
{
    double metres = *(const double *)value;
    const char *name = metres > 0 ? unit_name(metres) : "";
    if (name)
        snprintf(text, size, "%s", name);
    else
        option_real.format(option, value, text, size);
}

static Status up_parse(const Option *option, const char *text, void *value, Error *err)
{
    UpAxis up = up_axis_from_text(text);
    if (up == UP_AUTO)
        return error_set(err, STATUS_USAGE, "expected %s, found \"%s\"", option->argument, text);
    *(UpAxis *)value = up;
    return STATUS_OK;
}

static void up_format(const Option *option, const void *value, char *text, size_t size)
{
    (void)option;
    snprintf(text, size, "%s", up_axis_name(*(const UpAxis *)value));
}

static Status positions_parse(const Option *option, const char *text, void *value, Error *err)
{
    for (PositionMeaning meaning = POSITIONS_LOCAL; meaning <= POSITIONS_WORLD; meaning++)
        if (strcmp(text, position_meaning_name(meaning)) == 0) {
            *(PositionMeaning *)value = meaning;
            return STATUS_OK;
        }
    return error_set(err, STATUS_USAGE, "expected %s, found \"%s\"", option->argument, text);
}

static void positions_format(const Option *option, const void *value, char *text, size_t size)
{
    (void)option;
    snprintf(text, size, "%s", position_meaning_name(*(const PositionMeaning *)value));
}

static Status repair_parse(const Option *option, const char *text, void *value, Error *err)
{
    return option_choice.parse(option, text, value, err);
}

/* The first choice leaves the file as it is and is not recorded. */
static void repair_format(const Option *option, const void *value, char *text, size_t size)
{
    *text = '\0';
    if (*(const int *)value != 0)
        option_choice.format(option, value, text, size);
}

static Status take_parse(const Option *option, const char *text, void *value, Error *err)
{
    return option_text.parse(option, text, value, err);
}

/* The take is part of the clip's source, and not recorded again. */
static void take_format(const Option *option, const void *value, char *text, size_t size)
{
    (void)option, (void)value, (void)size;
    *text = '\0';
}

static const OptionKind option_take = {take_parse, take_format};
static const OptionKind option_repair = {repair_parse, repair_format};
static const OptionKind option_positions = {positions_parse, positions_format};
const OptionKind option_unit = {unit_parse, unit_format};
const OptionKind option_up = {up_parse, up_format};
static const char *const root_offsets[] = {"auto", "add", "replace", NULL};

static const char *const levels[] = {"keep", "auto", NULL};
static const char *const handednesses[] = {"right", "left", NULL};

#define FIELD(member) offsetof(ImportOptions, member)
static const Option options[] = {
    {.name = "unit", .argument = "m|dm|cm|mm|inch|cmu|METRES",
     .help = "Length unit of the file (default: detected from the skeleton's size)",
     .kind = &option_unit, .offset = FIELD(guess.meters_per_unit)},
    {.name = "up", .argument = "X|Y|Z|-X|-Y|-Z",
     .help = "Up axis of the file (default: detected from the pose)",
     .kind = &option_up, .offset = FIELD(guess.up)},
    {.name = "fps", .argument = "N",
     .help = "Frame rate in Hz (default: from Frame Time)",
     .kind = &option_positive, .offset = FIELD(guess.fps)},
    {.name = "root-offset", .argument = "auto|add|replace",
     .help = "Root positions: added to the ROOT OFFSET, or replacing it",
     .kind = &option_choice, .offset = FIELD(guess.root_offset), .choices = root_offsets},
    {.name = "positions", .argument = "local|added|world",
     .help = "Position channels below the root: local position, position added to the OFFSET, or world position "
             "(default: detected from bone lengths)",
     .kind = &option_positions, .offset = FIELD(guess.positions)},
    {.name = "level", .argument = "keep|auto",
     .help = "A world that leans: kept with a warning, or levelled (default: keep)",
     .kind = &option_repair, .offset = FIELD(guess.level), .choices = levels},
    {.name = "handedness", .argument = "right|left",
     .help = "Handedness of the file's axes (default: right)",
     .kind = &option_repair, .offset = FIELD(guess.handedness), .choices = handednesses},
    {.name = "swap-sides",
     .help = "Exchange left and right in the names of joints",
     .kind = &option_flag, .offset = FIELD(guess.swap_sides)},
    {.name = "roles", .argument = "FILE.tsv",
     .help = "Table of the roles of joints, as --print-map prints (default: detected from names, shape and motion)",
     .kind = &option_file, .offset = FIELD(roles)},
    {.name = "keep-belt",
     .help = "Leave a walk on a treadmill without the path over the ground",
     .kind = &option_flag, .offset = FIELD(guess.keep_belt)},
    {.name = "keep-first-frame",
     .help = "Keep a leading T-pose frame",
     .kind = &option_flag, .offset = FIELD(guess.keep_first_frame)},
    {.name = "root", .argument = "NAME|NUMBER|all",
     .help = "Which of several ROOTs to read; all joins them: an object becomes a joint beside the body (default: the "
             "body's)",
     .kind = &option_text, .offset = FIELD(limits.root)},
    {.name = "drop-joints", .argument = "auto|NAME,...",
     .help = "Leave joints out, with all below them; auto: leaves without numbers in any row",
     .kind = &option_text, .offset = FIELD(limits.drop_joints)},
    {.name = "take", .argument = "NAME|N",
     .help = "Which of several takes of a file to read (default: all, a clip for each)",
     .kind = &option_take, .offset = FIELD(limits.take)},
    {.name = "model", .argument = "FILE.osim",
     .help = "Model of an OpenSim motion (default: the only .osim file in its folder, .., ../Model or ../Models)",
     .kind = &option_file, .offset = FIELD(limits.model)},
    {.name = "skeleton", .argument = "FILE.asf",
     .help = "Skeleton of an AMC motion (default: x.asf of x_01.amc, else the only ASF file in the folder)",
     .kind = &option_file, .offset = FIELD(limits.skeleton)},
    {0},
};

const Option import_limit_options[] = {
    {.name = "max-depth", .argument = "N",
     .help = "Maximum depth of the joint hierarchy",
     .kind = &option_count, .offset = offsetof(SourceDef, max_depth), .unrecorded = 1},
    {.name = "max-joints", .argument = "N",
     .help = "Maximum number of joints",
     .kind = &option_count, .offset = offsetof(SourceDef, max_joints), .unrecorded = 1},
    {.name = "max-frames", .argument = "N",
     .help = "Maximum number of frames",
     .kind = &option_count, .offset = offsetof(SourceDef, max_frames), .unrecorded = 1},
    {0},
};

const Command import_command = {
    .name = "import",
    .group = COMMANDS_PIPELINE,
    .summary = "Read motion files ({motion}); detect unit, axes and frame rate",
    .arguments = "{motion-files}...",
    .description = "Detects unit, up axis, frame rate, ROOT OFFSET handling and a leading T-pose frame, and prints "
                   "the confidence of each; override with the options below.",
    .example = "kane import walk.bvh --unit cm -o walk.h5",
    .options = options,
};

ImportOptions import_defaults(void)
{
    return (ImportOptions){.guess = import_guess_default_def(), .limits = source_default_def()};
}

/* Whether import reports it in words of its own: among the decisions, or with its evidence and remedy. */
static int has_own_words(int kind)
{
    static const FindingKind kinds[] = {FINDING_UNIT,      FINDING_UP,        FINDING_FIRST_FRAME, FINDING_RATE,
                                        FINDING_POSITIONS, FINDING_ROOT_PATH, FINDING_LEAN,        FINDING_SIDES,
                                        FINDING_ROLES,     FINDING_LOCOMOTION, FINDING_NO_FEET};
    int i = 0, count = (int)(sizeof kinds / sizeof *kinds);
    while (i < count && kinds[i] != (FindingKind)kind)
        i++;
    return i < count;
}

/* Warns of a finding: in notes, and unless clip is NULL in the clip, with its position in the file. */
static Status warn_finding(const char *kind, const Finding *f, int more, Clip *clip, Notes *notes, Error *err)
{
    char text[sizeof f->text + 32], located[sizeof text + 32];
    snprintf(text, sizeof text, "%s", f->text);
    if (more > 0)
        snprintf(text, sizeof text, "%s; %d more such", f->text, more);
    Status status = notes_add(notes, (Note){NOTE_WARNING, f->at.line, f->at.column, text}, err);
    if (status || !clip)
        return status;
    snprintf(located, sizeof located, "%d:%d: %s", f->at.line, f->at.column, text);
    return clip_add_warning(clip, kind, f->at.line > 0 ? located : text, err);
}

/* Warns once per kind of what the reader found, or of what is odd in the take: the first one and the number of the
 * others. Notes of kane check are left out. */
static Status tell_findings(const SourceFormat *format, const Findings *findings, int of_reader, Clip *clip,
                            Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < findings->count && !status; i++) {
        const Finding *f = &findings->found[i];
        const FindingInfo *info = source_finding(format, f->kind);
        int is_readers = f->kind >= FINDING_KIND_COUNT, first = 0, more = -1;
        if (is_readers != of_reader || (info->is_note && !of_reader) || has_own_words(f->kind))
            continue;
        for (int k = findings->count - 1; k >= 0; k--)
            if (findings->found[k].kind == f->kind) {
                first = k;
                more++;
            }
        if (first == i)
            status = warn_finding(info->name, f, more, clip, notes, err);
    }
    return status;
}

/* Returns the options with what was detected in place of "auto". */
static ImportOptions resolve(const ImportOptions *given, const ImportGuess *guess)
{
    ImportOptions resolved = *given;
    resolved.guess.meters_per_unit = guess->meters_per_unit;
    resolved.guess.up = guess->up;
    resolved.guess.fps = guess->fps;
    resolved.guess.root_offset = guess->root_offset;
    if (guess->positions != POSITIONS_LOCAL || guess->overruled_positions) /* the default is not recorded */
        resolved.guess.positions = guess->positions;
    return resolved;
}

/* take: its name in the file; NULL: unnamed. */
static Status note_decision(const ImportOptions *given, const char *take, const ImportGuess *guess, Clip *clip,
                            Notes *notes, Error *err)
{
    char decision[512 + SOURCE_NAME_SIZE], values[GUESS_VALUES_SIZE];
    import_guess_values(guess, values);
    free(clip->provenance.decisions);
    if (!(clip->provenance.decisions = strdup(values)))
        return error_no_memory(err);
    ImportOptions resolved = resolve(given, guess);
    int named = take ? snprintf(decision, sizeof decision, "take \"%s\": ", take) : 0;
    import_guess_describe(guess, decision + named, sizeof decision - (size_t)named);
    Status status = history_add(clip, &import_command, &resolved, decision, err);
    return status ? status : notes_add(notes, (Note){NOTE_DECISION, 0, 0, decision}, err);
}

/* Warns, in the clip, of a unit that is more likely wrong than right, because torques scale with its fourth to fifth
 * power. */
static Status doubt_unit(const ImportGuess *guess, Clip *clip, Notes *notes, Error *err)
{
    char text[200], size[48] = "", unit[24];
    if (!(guess->unit_confidence < DECISION_GUESS))
        return STATUS_OK;
    unit_format(&options[0], &guess->meters_per_unit, unit, sizeof unit);
    if (guess->stature > 0)
        snprintf(size, sizeof size, ", stature %.3g m", guess->stature);
    snprintf(text, sizeof text, "unit uncertain (%s, %.0f %%%s): set import's --unit", unit,
             100 * guess->unit_confidence, size);
    return notes_warn(notes, clip, "unit", text, err);
}

/* Warns of uncertain detections, each with the option that overrides it. A very uncertain unit is left to doubt_unit,
 * whose warning the clip stores. */
static Status warn_uncertain(const ImportGuess *e, Notes *notes, Error *err)
{
    char unit[24], text[400] = "";
    unit_format(&options[0], &e->meters_per_unit, unit, sizeof unit);
    const struct {
        const char *what, *value, *option;
        double confidence;
    } decision[] = {
        {"unit", unit, "unit", e->unit_confidence < DECISION_GUESS ? 1 : e->unit_confidence},
        {"up axis", up_axis_name(e->up), "up", e->up_confidence},
        {"positions", position_meaning_name(e->positions), "positions", e->positions_confidence},
        {"root offset", e->root_offset == ROOT_OFFSET_ADD ? "added" : "replaced", "root-offset",
         e->root_offset_confidence},
        {"first frame", e->drop_first_frame ? "dropped" : "kept", "keep-first-frame", e->first_frame_confidence},
    };
    for (size_t i = 0, used = 0; i < sizeof decision / sizeof *decision && used < sizeof text; i++)
        if (decision[i].confidence < DECISION_UNSURE)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s uncertain (%s, %.0f %%): set import's --%s",
                                     used ? "; " : "", decision[i].what, decision[i].value,
                                     100 * decision[i].confidence, decision[i].option);
    return *text ? notes_add(notes, (Note){NOTE_WARNING, 0, 0, text}, err) : STATUS_OK;
}

/* A detection of the file beside that of its family (the other files with the same skeleton). */
typedef struct Dissent {
    const char *what;
    int is_decided; /* detected, not set by an option */
    const char *own, *family;
    double own_confidence, family_confidence;
} Dissent;

static Status warn_dissent(const Dissent *d, Clip *clip, Notes *notes, Error *err)
{
    char text[256];
    if (!d->is_decided || !(d->family_confidence > 0) || strcmp(d->own, d->family) == 0)
        return STATUS_OK;
    snprintf(text, sizeof text, "%s %s (%.0f %%) kept; the other clips of its skeleton have %s (%.0f %%)", d->what,
             d->own, 100 * d->own_confidence, d->family, 100 * d->family_confidence);
    return notes_warn(notes, clip, "dissent", text, err);
}

/* Warns of each detection that differs from that of the family. */
static Status note_dissent(const ImportGuessDef *def, const ImportGuess *e, Clip *clip, Notes *notes, Error *err)
{
    const Family *f = def->family;
    char own[24], family[24];
    unit_format(&options[0], &e->meters_per_unit, own, sizeof own);
    unit_format(&options[0], &f->meters_per_unit, family, sizeof family);
    const Dissent dissent[] = {
        {"positions", def->positions == POSITIONS_AUTO, position_meaning_name(e->positions),
         position_meaning_name(f->positions), e->positions_confidence, f->positions_confidence},
        {"up axis", def->up == UP_AUTO, up_axis_name(e->up), up_axis_name(f->up), e->up_confidence, f->up_confidence},
        {"unit", !(def->meters_per_unit > 0), own, family, e->unit_confidence, f->unit_confidence},
    };
    Status status = STATUS_OK;
    for (size_t i = 0; i < sizeof dissent / sizeof *dissent && !status; i++)
        status = warn_dissent(&dissent[i], clip, notes, err);
    return status;
}

/* Flags all frames: without root acceleration, or with an unrecorded support, every torque is wrong, those of the legs
 * by any amount. */
static void doubt_every_frame(TrustReason reason, Trust *trust)
{
    for (int f = 0; f < trust->frame_count; f++)
        trust->reason[f] |= reason;
    trust_settle(trust);
}

static void doubt_supports(const ImportGuess *guess, Trust *trust)
{
    if (guess->no_root_path || guess->motion.locomotion.kind == LOCOMOTION_IN_PLACE)
        doubt_every_frame(TRUST_NO_ROOT_PATH, trust);
    if (guess->motion.locomotion.kind == LOCOMOTION_CYCLING || guess->motion.legs_lack == LEGS_LACK_SHANKS)
        doubt_every_frame(TRUST_PRESUMED_SUPPORT, trust);
}

/* Flags the frames and joints with artifacts of the recording, before smoothing hides them. */
static Status judge_source(const TakeVerdict *verdict, Clip *clip, Error *err)
{
    Status status = trust_init(&clip->trust, clip->motion.frame_count, clip->motion.joint_count, 0, err);
    clip->has_trust = !status;
    if (!status)
        status = artifacts_mark(&clip->skeleton, &verdict->artifacts, &clip->trust, err);
    if (!status)
        doubt_supports(&verdict->guess, &clip->trust);
    return status;
}

static Status note_decisions(const ImportOptions *given, const char *take, const ImportGuess *guess, Clip *clip,
                             Notes *notes, Error *err)
{
    Status status = note_decision(given, take, guess, clip, notes, err);
    return status || !given->guess.family ? status : note_dissent(&given->guess, guess, clip, notes, err);
}

static Status warn_of_decisions(const ImportGuess *guess, Clip *clip, Notes *notes, Error *err)
{
    Status status;
    if ((status = doubt_unit(guess, clip, notes, err)) ||
        (status = import_warn_contradictions(guess, clip, notes, err)) ||
        (status = warn_uncertain(guess, notes, err)))
        return status;
    return size_doubt(clip, notes, err);
}

/* What kane check finds, too, comes from the same take_judge. */
static Status tell(const ImportOptions *given, const SourceFormat *format, const Take *take, const TakeVerdict *verdict,
                   Clip *clip, Notes *notes, Error *err)
{
    Status status;
    if ((status = tell_findings(format, &take->findings, 1, clip, notes, err)) ||
        (status = note_decisions(given, take->name, &verdict->guess, clip, notes, err)) ||
        (status = judge_source(verdict, clip, err)) ||
        (status = tell_findings(format, &take->findings, 0, clip, notes, err)))
        return status;
    return warn_of_decisions(&verdict->guess, clip, notes, err);
}

/* Reads the table of roles, if one is given, into *roles and *def. */
static Status take_def(const ImportOptions *given, RoleMap *roles, ImportGuessDef *def, Error *err)
{
    *roles = (RoleMap){0};
    *def = given->guess;
    def->roles = roles;
    return given->roles ? error_of_file(err, given->roles, role_table_read(given->roles, roles, err)) : STATUS_OK;
}

/* Prints the reader's findings even of a take from which no clip can be made. */
static Status make_clip(const ImportOptions *given, const Source *source, Clip *out, Notes *notes, Error *err)
{
    Take take;
    TakeVerdict verdict = {0};
    RoleMap roles;
    ImportGuessDef def;
    Status status = source_take(source, &given->limits, &take, err), read = take_def(given, &roles, &def, err);
    status = status ? status : read;
    if (!status)
        status = take_judge(&take, &def, &verdict, err);
    if (status)
        tell_findings(source->format, &take.findings, 1, NULL, notes, NULL);
    else {
        *out = verdict.clip;
        verdict.clip = (Clip){0};
        status = tell(given, source->format, &take, &verdict, out, notes, err);
    }
    take_verdict_free(&verdict);
    role_map_free(&roles);
    take_free(&take);
    return status;
}

/* Sets source and title: "walk.x", or "walk.x#2" if the file has several takes; the title lacks the extension. */
static Status name_clip(const Source *source, const char *path, Clip *clip, Error *err)
{
    char name[SOURCE_PATH_SIZE], from[SOURCE_PATH_SIZE + 16], title[SOURCE_PATH_SIZE + 16];
    int take = source->take;
    source_split(path, name, sizeof name);
    if (!strcmp(path, "-"))
        snprintf(name, sizeof name, "stdin%s", source->format->endings[0]);
    Status status = clip_set_source(clip, name, err);
    if (status || take == 0)
        return status;
    snprintf(from, sizeof from, "%s#%d", clip->provenance.source, take);
    snprintf(title, sizeof title, "%s#%d", clip->provenance.title, take);
    free(clip->provenance.source);
    free(clip->provenance.title);
    clip->provenance.source = strdup(from);
    clip->provenance.title = strdup(title);
    return clip->provenance.source && clip->provenance.title ? STATUS_OK : error_no_memory(err);
}

static Status read_clip(const ImportOptions *given, const char *path, Clip *out, Notes *notes, Error *err)
{
    Source source;
    Status status = source_open(path, &given->limits, &source, err);
    if (status)
        return status;
    status = make_clip(given, &source, out, notes, err);
    if (!status)
        status = name_clip(&source, path, out, err);
    if (!status)
        status = source_digest(&source, out->provenance.source_sha256, err);
    source_close(&source);
    return status;
}

Status import_read(const ImportOptions *given, const char *path, Clip *out, Notes *notes, Error *err)
{
    *out = (Clip){0};
    notes_begin(notes, import_command.name);
    Status status = read_clip(given, path, out, notes, err);
    if (status)
        clip_free(out);
    return status;
}

Status import_judge(const ImportOptions *given, const char *path, Clip *out, ImportGuess *decision, Error *err)
{
    Source source;
    Take take = {0};
    RoleMap roles = {0};
    ImportGuessDef def;
    *out = (Clip){0};
    Status status = source_open(path, &given->limits, &source, err);
    if (!status)
        status = source_take(&source, &given->limits, &take, err);
    if (!status)
        status = take_def(given, &roles, &def, err);
    if (!status)
        status = clip_settle(&take, &def, out, decision, err);
    role_map_free(&roles);
    if (status)
        clip_free(out);
    take_free(&take);
    source_close(&source);
    return status;
}

static Status open_container(const char *path, Clip *out, Error *err)
{
    ContainerImage image = {0};
    FILE *stream = fopen(path, "rbe");
    Status status = stream ? container_next(stream, &image, err)
                           : error_set(err, STATUS_IO, "cannot read: %s", strerror(errno));
    if (!status)
        status = container_decode_guarded(&image, out, NULL, 0, err);
    container_image_free(&image);
    if (stream)
        fclose(stream);
    return status;
}

Status import_open(const ImportOptions *given, const char *path, Clip *out, Notes *notes, Error *err)
{
    *out = (Clip){0};
    return container_is_at(path) ? open_container(path, out, err) : import_read(given, path, out, notes, err);
}
