/* See stage.h. */
#include "analysis/math/passes.h"
#include "pipeline/stages/stage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/status.h"
#include "analysis/math/elementary.h"
#include "analysis/quality/trust_marks.h"
#include "formats/base/bytes.h"
#include "formats/container/container_checksum.h"
#include "formats/source/source.h"
#include "pipeline/stages/retarget_options.h"

/* Appends the line that a command leaves in the history. */

Status history_add(Clip *clip, const Command *command, const void *resolved, const char *note, Error *err)
{
    char *options, *line;
    Status status = options_describe(command->options, resolved, &options, err);
    if (status)
        return status;
    const char *gap = *options ? " " : "", *mark = note ? " # " : "";
    if (asprintf(&line, "%s%s%s%s%s", command->name, gap, options, mark, note ? note : "") < 0)
        line = NULL;
    free(options);
    status = line ? clip_add_history(clip, line, err) : error_no_memory(err);
    free(line);
    return status;
}

#define LENGTH_ERROR 1e-9 /* unit-length error of a rotation that a stage may add */

#define STAGE_ADDRESS(name) &stage_##name,
static const Stage *const table[] = {STAGES(STAGE_ADDRESS) NULL};

const Stage *stage_find(const char *name)
{
    for (const Stage *const *stage = table; *stage; stage++)
        if (command_is(&(*stage)->command, name))
            return *stage;
    return NULL;
}

void stage_defaults(const Stage *stage, OptionValues *values)
{
    *values = (OptionValues){0};
    if (stage->defaults)
        stage->defaults(values);
}

/* Returns the stage that fills a group. */
static const char *filler_of(unsigned group)
{
    for (const Stage *const *stage = table; *stage; stage++)
        if ((*stage)->fills & group)
            return (*stage)->command.name;
    return "import";
}

/* Reports the first missing group in the order of computation, because that stage must run first. */
static Status check_needs(const Stage *stage, const OptionValues *values, const Clip *clip, Error *err)
{
    unsigned needs = stage->needs | (stage->needs_with ? stage->needs_with(values) : 0);
    unsigned missing = needs & ~clip_groups(clip), group = missing & -missing;
    if (!missing)
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "has no /%s: run kane %s first", clip_group_name((ClipGroup)group),
                     filler_of(group));
}

/* Returns whether a line of history still applies. Stages that change skeleton or motion accumulate; of the others only
 * the last call counts, as long as the group exists. */
static int still_holds(const Clip *clip, const Stage *applied, const char *line)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(line, " \n"), line);
    const Stage *stage = stage_find(name);
    if (!stage || stage->fills & CLIP_ALWAYS)
        return 1;
    return stage != applied && !(stage->fills & ~clip_groups(clip));
}

/* Removes the lines made stale by a stage that has just been applied. */
static void drop_stale_history(Clip *clip, const Stage *applied)
{
    char *from = clip->provenance.history, *to = from;
    while (from && *from) {
        size_t length = strcspn(from, "\n");
        int is_last = from[length] == 0;
        if (still_holds(clip, applied, from)) {
            if (to != clip->provenance.history)
                *to++ = '\n';
            memmove(to, from, length);
            to += length;
        }
        from += length + !is_last;
    }
    if (to)
        *to = 0;
}

static size_t rotation_count(const Motion *m)
{
    return (size_t)m->frame_count * (size_t)m->joint_count;
}

static Status check_lengths(const Clip *clip, const Quat *rotation, double most, Error *err)
{
    size_t at = 0, joints = (size_t)clip->skeleton.joint_count;
    size_t count = rotation_count(&clip->motion);
    double error = rotations_length_error(rotation, count);
    if (error <= most)
        return STATUS_OK;
    while (at + 1 < count && rotations_length_error(rotation + at, 1) < error)
        at++;
    return error_set(err, STATUS_BAD_INPUT, "rotation of joint \"%.60s\" in frame %zu: length differs from 1 by %.3g",
                     clip->skeleton.name[at % joints], at / joints, error);
}

/* Fails a stage that produced invalid data. Rotations must keep the unit length they had, `given` off 1 (more after
 * 32-bit storage); in orientations that error accumulates along a chain of joints. */
static Status check_result(const Stage *stage, const Clip *clip, double given, Error *err)
{
    Error cause = {0};
    double most = LENGTH_ERROR + given * clip->skeleton.joint_count;
    Status status = container_check_values(clip, stage->fills, &cause);
    if (!status && stage->fills & CLIP_MOTION)
        status = check_lengths(clip, clip->motion.rotation, most, &cause);
    if (!status && stage->fills & CLIP_KINEMATICS)
        status = check_lengths(clip, clip->kinematics.orientation, most, &cause);
    return status ? error_set(err, status, "kane %s failed: %s", stage->command.name, cause.text) : STATUS_OK;
}

#define OFF_AXIS 1e-4 /* rad and m, above 32-bit and rounding errors */

Status stage_check_axes(const Clip *clip, const DofMisfit *misfit, Error *err)
{
    const Dofs *d = &clip->dof;
    if (misfit->angle <= OFF_AXIS && misfit->distance <= OFF_AXIS)
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT,
                     "joint \"%.60s\" is up to %.3g degrees and %.3g cm off the axes of its degrees of freedom (frame "
                     "%d): /dof has what comes nearest", clip->skeleton.name[d->joint[misfit->row]],
                     misfit->angle * 180 / PI, 100 * misfit->distance, misfit->frame);
}

/* Recomputes positions, rates and efforts of the degrees of freedom for the changed clip. */
static Status follow_dofs(const Stage *stage, Clip *clip, Notes *notes, Error *err)
{
    const unsigned read = CLIP_ALWAYS | CLIP_BODY | CLIP_KINEMATICS | CLIP_CONTACT | CLIP_DYNAMICS;
    DofMisfit misfit;
    Error cause = {0};
    if (!clip->has_dof || !(stage->fills & read) || stage->adapts & CLIP_SIMULATION)
        return STATUS_OK;
    Status status = dofs_follow(clip, &misfit, err);
    if (status)
        return status;
    if (stage->fills & CLIP_ALWAYS)
        clip_drop_warnings(clip, "off-axis");
    int is_off = clip->has_dof && stage->fills & CLIP_ALWAYS && stage_check_axes(clip, &misfit, &cause);
    return is_off ? notes_warn(notes, clip, "off-axis", cause.text, err) : STATUS_OK;
}

Status stage_apply(const Stage *stage, const OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    OptionValues resolved = *values;
    Status status = STATUS_OK;
    double given = stage->fills & (CLIP_MOTION | CLIP_KINEMATICS)
                       ? rotations_length_error(clip->motion.rotation, rotation_count(&clip->motion)) : 0;
    notes_begin(notes, stage->command.name);
    if (stage->check)
        status = stage->check(&resolved, clip, err);
    if (!status)
        status = check_needs(stage, &resolved, clip, err);
    if (status)
        return status;
    char why[ERROR_TEXT_SIZE];
    if (stage->keeps && stage->keeps(&resolved, clip, why, sizeof why))
        return notes_add(notes, (Note){NOTE_DECISION, 0, 0, why}, err);
    clip_drop(clip, stage->fills & ~(unsigned)CLIP_ALWAYS);
    if ((status = stage->apply(&resolved, clip, notes, err)) || (status = check_result(stage, clip, given, err)))
        return status;
    clip_drop(clip, clip_computed_from(stage->fills & CLIP_ALWAYS) & ~stage->fills & ~stage->adapts);
    clip_hold(clip, stage->fills);
    status = trust_judge(clip, stage->fills, err);
    if (!status)
        status = follow_dofs(stage, clip, notes, err);
    drop_stale_history(clip, stage);
    return status ? status : history_add(clip, &stage->command, &resolved, NULL, err);
}

Status stage_lanes(LaneWidth *lanes, Error *err)
{
    static const struct {
        const char *text;
        LaneWidth lanes;
    } width[] = {{"", LANES_AUTO}, {"1", LANES_SCALAR}, {"2", LANES_PAIR}, {"4", LANES_AVX2}, {"8", LANES_AVX512}};
    const char *text = getenv("KANE_LANES");
    *lanes = LANES_AUTO;
    for (size_t i = 0; text && i < sizeof width / sizeof *width; i++)
        if (!strcmp(text, width[i].text)) {
            *lanes = width[i].lanes;
            return STATUS_OK;
        }
    return text ? error_set(err, STATUS_USAGE, "KANE_LANES is 1, 2, 4 or 8, not \"%s\"", text) : STATUS_OK;
}

/* Reading the history of a clip. */

/* Returns what follows the command's current or old name in a line of history; NULL if it is another command's line. */
static const char *behind_name(const Command *command, const char *line)
{
    char name[32];
    size_t length = strcspn(line, " \n");
    snprintf(name, sizeof name, "%.*s", (int)length, line);
    return command_is(command, name) ? line + length : NULL;
}

/* Returns the last line of a stage without its name and note; NULL if it was never applied. The caller frees it. */
static char *last_line(const char *history, const Command *command)
{
    const char *found = NULL;
    for (const char *line = history; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *behind = behind_name(command, line);
        found = behind ? behind : found;
    }
    char *text = found ? strndup(found, strcspn(found, "\n")) : NULL;
    char *note = text ? strstr(text, " # ") : NULL;
    if (note)
        *note = 0;
    return text;
}

int history_has(const Clip *clip, const Stage *stage)
{
    return history_line_has(clip, stage, "");
}

int history_line_has(const Clip *clip, const Stage *stage, const char *word)
{
    char *line = last_line(clip->provenance.history, &stage->command);
    int has = line && strstr(line, word);
    free(line);
    return has;
}

typedef struct HistoryReading {
    const Command *command;
    char *values;       /* of its options */
    char *file;         /* receives a file name */
    size_t size;
    const char *source; /* its directory has the files; NULL: files are only named */
} HistoryReading;

static Status read_value(const HistoryReading *r, const Option *option, const char *text, Error *err)
{
    Status status = option->kind->parse(option, text, r->values + option->offset, NULL);
    if (status != STATUS_USAGE)
        return status;
    return error_set(err, STATUS_BAD_INPUT, "history: unsupported \"--%s %s\" of kane %s; run kane %s again",
                     option->name, text, r->command->name, r->command->name);
}

/* Sets the option to the file r->file in the source's directory if it has this digest. */
static Status find_beside(const HistoryReading *r, const Option *option, const char *digest, Error *err)
{
    const char *slash = strrchr(r->source, '/');
    char *path = NULL, found[DIGEST_SIZE] = "";
    if (asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - r->source) : 0, r->source, r->file) < 0)
        return error_no_memory(err);
    Status status = digest_path(path, found, NULL);
    int is_same = !status && *digest && strncmp(found, digest, strlen(digest)) == 0;
    int fits = (size_t)snprintf(r->file, r->size, "%s", path) < r->size;
    free(path);
    if (!is_same || !fits)
        return error_set(err, STATUS_BAD_INPUT, "cannot repeat kane %s: --%s read %.200s (SHA-256 %.16s...), which %s",
                         r->command->name, option->name, r->file, digest,
                         status ? "is not beside the source" : "has other content");
    return option->kind->parse(option, r->file, r->values + option->offset, err);
}

/* Parses "--cutoff 8" from words separated by strtok_r. */
static Status read_option(const HistoryReading *r, const char *word, char **rest, Error *err)
{
    const Option *option = strncmp(word, "--", 2) ? NULL : option_find(r->command->options, word + 2);
    if (!option)
        return error_set(err, STATUS_BAD_INPUT, "history: unsupported option \"%s\" of kane %s; run that stage again",
                         word, r->command->name);
    const char *text = option->argument ? strtok_r(NULL, " ", rest) : "";
    if (option->kind != &option_file)
        return read_value(r, option, text ? text : "", err);
    if (text && option_word(option, text)) /* static text in place of that of the line */
        return option->kind->parse(option, option_word(option, text), r->values + option->offset, err);
    if (*r->file && r->source)
        return error_set(err, STATUS_BAD_INPUT, "cannot repeat kane %s: it read more than one file", r->command->name);
    for (size_t used = 0; text; text = strtok_r(NULL, " ", rest)) { /* a file name may contain spaces */
        int length = (int)strcspn(text, "@");
        used += (size_t)snprintf(r->file + used, r->size - used, "%s%.*s", used ? " " : "", length, text);
        if (text[length] || used >= r->size)
            return r->source ? find_beside(r, option, text + length + (text[length] != 0), err) : STATUS_OK;
    }
    return STATUS_OK;
}

/* Parses the options of a line without its command name and note. */
static Status read_options(const HistoryReading *r, char *words, Error *err)
{
    char *rest = NULL;
    Status status = STATUS_OK;
    *r->file = 0;
    for (char *word = strtok_r(words, " ", &rest); word && !status; word = strtok_r(NULL, " ", &rest))
        status = read_option(r, word, &rest, err);
    return status;
}

Status history_read(const Clip *clip, const Stage *stage, OptionValues *values, char *file, size_t size, Error *err)
{
    HistoryReading reading = {&stage->command, values->bytes, file, size, NULL};
    char *line = last_line(clip->provenance.history, &stage->command);
    *file = 0;
    stage_defaults(stage, values);
    Status status = line ? read_options(&reading, line, err) : STATUS_OK;
    free(line);
    return status;
}

/* Repeating the history of a clip. */

enum { RERUN_PATH_SIZE = 4096 };

/* Resets detected values to their defaults; a value set by an option has confidence 1. */
static void forget_detected(ImportOptions *given, const Decisions *confidence)
{
    const ImportGuessDef defaults = import_defaults().guess;
    ImportGuessDef *e = &given->guess;
    if (confidence->unit < 1)
        e->meters_per_unit = defaults.meters_per_unit;
    if (confidence->up_axis < 1)
        e->up = defaults.up;
    if (confidence->frame_rate < 1)
        e->fps = defaults.fps;
    if (confidence->root_offset < 1)
        e->root_offset = defaults.root_offset;
    if (confidence->positions < 1)
        e->positions = defaults.positions;
}

static int is_same_line(const char *a, const char *b, const char *end)
{
    const char *a_end = strstr(a, end), *b_end = strstr(b, end);
    size_t length = a_end ? (size_t)(a_end - a) : strlen(a);
    return length == (b_end ? (size_t)(b_end - b) : strlen(b)) && strncmp(a, b, length) == 0;
}

/* Uses the clip's stored texts of the warnings that import repeated, and of its detections. */
static Status keep_warnings(const Clip *clip, Clip *out, Error *err)
{
    char *own = out->provenance.warnings, *stored = strdup(clip->provenance.warnings ? clip->provenance.warnings : "");
    char *rest = stored, *line;
    Status status = stored ? STATUS_OK : error_no_memory(err);
    out->provenance.warnings = NULL;
    while (!status && (line = strsep(&rest, "\n"))) {
        char *words = strstr(line, ": ");
        int is_known = own && strstr(own, line);
        if (!words || (!is_known && strncmp(line, "unit:", 5) != 0 && strncmp(line, "dissent:", 8) != 0))
            continue;
        *words = 0;
        status = clip_add_warning(out, line, words + 2, err);
    }
    free(stored);
    free(own);
    return status;
}

/* Copies the stored history line, texts and confidences of import. */
static Status keep_decisions(const Clip *clip, const char *line, Clip *out, Error *err)
{
    Provenance *p = &out->provenance;
    free(p->history);
    free(p->decisions);
    p->history = strdup(line);
    p->decisions = clip->provenance.decisions ? strdup(clip->provenance.decisions) : NULL;
    p->confidence = clip->provenance.confidence;
    if (!p->history || (!p->decisions && clip->provenance.decisions))
        return error_no_memory(err);
    return keep_warnings(clip, out, err);
}

/* line: complete, with its note. */
static Status rerun_import(const Clip *clip, const char *line, const char *source, Clip *out, Error *err)
{
    char file[RERUN_PATH_SIZE] = "", *words = strdup(line), *note = words ? strstr(words, " # ") : NULL;
    ImportOptions given = import_defaults();
    HistoryReading reading = {&import_command, (char *)&given, file, sizeof file, source};
    Status status = words ? STATUS_OK : error_no_memory(err);
    if (note)
        *note = 0;
    if (!status)
        status = read_options(&reading, words + strcspn(words, " "), err);
    ImportOptions recorded = given;
    forget_detected(&given, &clip->provenance.confidence);
    if (!status)
        status = import_read(&given, source, out, NULL, err);
    if (!status && !is_same_line(out->provenance.history, line, " # ")) {
        clip_free(out);
        status = import_read(&recorded, source, out, NULL, err);
    }
    if (!status && strcmp(out->provenance.history, line) != 0)
        status = keep_decisions(clip, line, out, err);
    free(words);
    return status;
}

/* Returns whether contact, whose history has method "none", was to estimate: it records "none" and warns if the root
 * does not translate. */
static int was_without_root_path(const Clip *clip, const Stage *stage)
{
    return stage == &stage_contact && clip->provenance.warnings && strstr(clip->provenance.warnings, "no-root-path: ");
}

static Status rerun_stage(const Clip *clip, char *line, const char *source, Clip *out, Error *err)
{
    char file[RERUN_PATH_SIZE] = "", *note = strstr(line, " # "), name[32];
    size_t length = strcspn(line, " ");
    OptionValues values;
    snprintf(name, sizeof name, "%.*s", (int)length, line);
    const Stage *stage = stage_find(name);
    if (!stage)
        return error_set(err, STATUS_BAD_INPUT, "cannot repeat \"%.60s\": it is no stage of this kane", line);
    if (note)
        *note = 0;
    HistoryReading reading = {&stage->command, values.bytes, file, sizeof file, source};
    stage_defaults(stage, &values);
    Status status = was_without_root_path(clip, stage) ? STATUS_OK : read_options(&reading, line + length, err);
    return status ? status : stage_apply(stage, &values, out, NULL, err);
}

Status history_rerun(const Clip *clip, const char *source, Clip *out, Error *err)
{
    char digest[DIGEST_SIZE];
    *out = (Clip){0};
    char *history = strdup(clip->provenance.history ? clip->provenance.history : ""), *rest = history, *line;
    Status status = history ? STATUS_OK : error_no_memory(err);
    if (!status && !behind_name(&import_command, history))
        status = error_set(err, STATUS_BAD_INPUT, "cannot repeat a history that does not begin with kane import");
    if (!status)
        status = error_of_file(err, source, source_digest_path(source, digest, err));
    if (!status && strcmp(digest, clip->provenance.source_sha256) != 0)
        status = error_set(err, STATUS_BAD_INPUT, "%.300s is not the source of this clip: SHA-256 %.8s..., of its "
                           "source %.8s...", source, digest, clip->provenance.source_sha256);
    for (int i = 0; !status && (line = strsep(&rest, "\n")); i++)
        status = i == 0 ? rerun_import(clip, line, source, out, err) : rerun_stage(clip, line, source, out, err);
    free(history);
    if (status)
        clip_free(out);
    return status;
}

/* The stages of `kane run`. */

const Stage *const chain_stages[CHAIN_LENGTH] = {
    &stage_retarget, &stage_body, &stage_smooth, &stage_kinematics, &stage_contact, &stage_torque, &stage_angles,
};

static Status level_parse(const Option *option, const char *text, void *value, Error *err)
{
    char *end;
    long level = strtol(text, &end, 10);
    (void)option;
    if (end == text || *end || level < 0 || level > 9)
        return error_set(err, STATUS_USAGE, "expected a level from 0 to 9, found \"%s\"", text);
    *(int *)value = (int)level;
    return STATUS_OK;
}

static void level_format(const Option *option, const void *value, char *text, size_t size)
{
    (void)option;
    snprintf(text, size, "%d", *(const int *)value);
}

static const OptionKind option_level = {level_parse, level_format};

const Option storage_options[] = {
    {.name = "float32",
     .help = "Store trajectories as 32-bit floats",
     .kind = &option_flag, .offset = offsetof(ContainerDef, float32)},
    {.name = "compress", .argument = "LEVEL",
     .help = "Compression level, 0 = none",
     .kind = &option_level, .offset = offsetof(ContainerDef, compress)},
    {0},
};

static const char *const anatomy_choices[] = {"coordinates", "none", NULL};

/* Options of the chain itself, without a prefix. */
static const Option chain_options[] = {
    {.name = "angles", .old_name = "anatomy", .argument = "coordinates|none",
     .help = "Joint angles and moments about anatomical axes",
     .kind = &option_choice, .offset = offsetof(Pipeline, anatomy), .choices = anatomy_choices},
    {0},
};

/* Returns whether stage i runs: retargeting requires a character, angles can be switched off. */
static int is_run(const Pipeline *chain, int i)
{
    if (chain_stages[i] == &stage_angles)
        return chain->anatomy != CHAIN_NO_ANATOMY;
    return chain_stages[i] != &stage_retarget || ((const RetargetOptions *)&chain->stage[i])->to;
}

Pipeline pipeline_defaults(void)
{
    Pipeline chain = {.import = import_defaults(), .length = CHAIN_LENGTH, .container = container_default_def()};
    for (int i = 0; i < CHAIN_LENGTH; i++)
        stage_defaults(chain_stages[i], &chain.stage[i]);
    return chain;
}

void pipeline_end_with(Pipeline *chain, const Stage *last)
{
    chain->length = 0;
    while (chain->length < CHAIN_LENGTH && chain_stages[chain->length++] != last)
        ;
}

enum { AT_RETARGET, AT_BODY };

int pipeline_stands(const Pipeline *chain)
{
    return chain->length > AT_BODY && !is_run(chain, AT_RETARGET) && body_follows(&chain->stage[AT_BODY]);
}

void pipeline_follow(Pipeline *chain, const Family *family, const FamilyMember *own)
{
    int has_pose = family && family->neutral_confidence > 0 && pipeline_stands(chain);
    chain->import.guess.family = family;
    chain->import.guess.known = own ? &own->guess : NULL;
    body_follow(&chain->stage[AT_BODY], has_pose ? &family->neutral : NULL,
                own && own->pose.angles.count > 0 ? &own->pose : NULL);
}

int pipeline_groups(Pipeline *chain, OptionGroup groups[CHAIN_GROUPS])
{
    int count = 0;
    groups[count++] = (OptionGroup){NULL, storage_options, &chain->container};
    groups[count++] = (OptionGroup){NULL, import_limit_options, &chain->import.limits};
    groups[count++] = (OptionGroup){&import_command, import_command.options, &chain->import};
    if (chain->length == CHAIN_LENGTH)
        groups[count++] = (OptionGroup){NULL, chain_options, chain};
    for (int i = 0; i < chain->length; i++)
        groups[count++] =
            (OptionGroup){&chain_stages[i]->command, chain_stages[i]->command.options, &chain->stage[i]};
    return count;
}

static Status put_options(const Option *options, const void *values, FILE *stream, Error *err)
{
    char *text;
    Status status = options_describe(options, values, &text, err);
    if (!status)
        fputs(text, stream);
    free(text);
    return status;
}

Status pipeline_describe(const Pipeline *chain, char **text, Error *err)
{
    size_t size;
    *text = NULL;
    FILE *stream = open_memstream(text, &size);
    if (!stream)
        return error_no_memory(err);
    fprintf(stream, "kane %s\n%s ", KANE_VERSION, import_command.name);
    Status status = put_options(import_command.options, &chain->import, stream, err);
    putc('\n', stream);
    if (!status)
        status = put_options(chain_options, chain, stream, err);
    for (int i = 0; i < chain->length && !status; i++) {
        if (!is_run(chain, i))
            continue;
        fprintf(stream, "\n%s ", chain_stages[i]->command.name);
        status = put_options(chain_stages[i]->command.options, &chain->stage[i], stream, err);
    }
    putc('\n', stream);
    if (!status)
        status = put_options(storage_options, &chain->container, stream, err);
    return fclose(stream) && !status ? error_no_memory(err) : status;
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

Status pipeline_open(const Pipeline *chain, const char *path, Clip *out, Notes *notes, Error *err)
{
    *out = (Clip){0};
    return container_is_at(path) ? open_container(path, out, err) : import_read(&chain->import, path, out, notes, err);
}

/* Replaces option names in a command's messages, from note number `from` on, by their names in `kane run`. */
static void prefix_messages(const Command *command, Notes *notes, int from, Error *err)
{
    char text[ERROR_TEXT_SIZE];
    for (int i = from; notes && i < notes->count; i++) {
        option_prefix(command->options, command->name, notes->note[i].text, text, sizeof text);
        char *copy = strcmp(text, notes->note[i].text) ? strdup(text) : NULL;
        if (copy) {
            free((char *)notes->note[i].text);
            notes->note[i].text = copy;
        }
    }
    if (!err)
        return;
    option_prefix(command->options, command->name, err->text, text, sizeof text);
    memcpy(err->text, text, sizeof text);
}

Status pipeline_import(const Pipeline *chain, const char *path, Clip *out, Notes *notes, Error *err)
{
    int before = notes ? notes->count : 0;
    Status status = import_read(&chain->import, path, out, notes, err);
    if (chain->length > 0)
        prefix_messages(&import_command, notes, before, status ? err : NULL);
    return status;
}

Status pipeline_run_stage(const Pipeline *chain, int i, Clip *clip, Notes *notes, Error *err)
{
    int before = notes ? notes->count : 0;
    if (!is_run(chain, i))
        return STATUS_OK;
    Status status = stage_apply(chain_stages[i], &chain->stage[i], clip, notes, err);
    prefix_messages(&chain_stages[i]->command, notes, before, status ? err : NULL);
    return status;
}

Status pipeline_run(const Pipeline *chain, Clip *clip, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < chain->length && !status; i++)
        status = pipeline_run_stage(chain, i, clip, notes, err);
    return status;
}
