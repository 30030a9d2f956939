/* The public functions of libkane: clips, clip files and the stages of the program. Options come from the option tables
 * of the commands. Stages are applied as in `kane run`, so clip files have the same bytes. */
#include "library/kane_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/version.h"
#include "analysis/clip/clip_schema.h"
#include "analysis/signal/spring.h"
#include "formats/container/container_store.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/pipeline.h"
#include "pipeline/stages/simulate.h"
#include "pipeline/stages/simulate_options.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"
#include "pipeline/stages/track_options.h"

_Static_assert((int)KANE_INTERNAL == (int)STATUS_INTERNAL && (int)KANE_LIMIT == (int)STATUS_LIMIT, "the same codes");
_Static_assert(sizeof((KaneError *)NULL)->text == ERROR_TEXT_SIZE, "an error's text fits");

const char *kane_version(void)
{
    return KANE_VERSION;
}

int kane_report(Status status, const Error *err, KaneError *out)
{
    if (!status || !out)
        return (int)status;
    *out = (KaneError){.status = (KaneStatus)status, .line = err->line, .column = err->column};
    memcpy(out->text, err->text, sizeof out->text);
    return (int)status;
}

/* ---- The options ---- */

KaneOptions *kane_options_create(void)
{
    return kane_options_create_for(KANE_COMMAND_RUN);
}

KaneOptions *kane_options_create_for(KaneCommand command)
{
    KaneOptions *options = calloc(1, sizeof *options);
    if (!options)
        return NULL;
    options->command = command;
    options->values = pipeline_defaults();
    options->simulate = simulate_defaults();
    stage_defaults(&stage_track, &options->track);
    return options;
}

void kane_options_destroy(KaneOptions *options)
{
    if (!options)
        return;
    for (size_t i = 0; i < options->text_count; i++)
        free(options->text[i]);
    free(options->text);
    free(options);
}

/* Returns a copy of text that is freed with the options; NULL if memory runs out. */
static const char *keep_text(KaneOptions *options, const char *text)
{
    char **list = realloc(options->text, (options->text_count + 1) * sizeof *list);
    if (!list)
        return NULL;
    options->text = list;
    char *copy = strdup(text);
    if (copy)
        list[options->text_count++] = copy;
    return copy;
}

/* Writes the groups of options of the command; returns how many. */
static int option_groups(KaneOptions *options, OptionGroup groups[PIPELINE_GROUPS])
{
    if (options->command == KANE_COMMAND_RUN)
        return pipeline_groups(&options->values, groups);
    if (options->command == KANE_COMMAND_SIMULATE)
        groups[0] = (OptionGroup){NULL, simulate_command.options, &options->simulate};
    else
        groups[0] = (OptionGroup){NULL, stage_track.command.options, &options->track};
    return 1;
}

/* Finds an option by name; *values is the struct that it fills. Returns NULL if the name is unknown. */
static const Option *find_option(KaneOptions *options, const char *name, void **values)
{
    OptionGroup groups[PIPELINE_GROUPS];
    int count = option_groups(options, groups);
    for (int i = 0; i < count; i++) {
        const Option *option = option_find_prefixed(&groups[i], name);
        *values = groups[i].values;
        if (option)
            return option;
    }
    return NULL;
}

static Status unknown_option(KaneOptions *options, const char *name, Error *err)
{
    OptionGroup groups[PIPELINE_GROUPS];
    char near[200];
    option_suggest(groups, option_groups(options, groups), name, near, sizeof near);
    return error_set(err, STATUS_USAGE, "unknown option %s%s", name, near);
}

int kane_options_set(KaneOptions *options, const char *option, const char *value, KaneError *error)
{
    Error err = {0};
    void *values;
    const Option *found = find_option(options, option, &values);
    if (!found)
        return kane_report(unknown_option(options, option, &err), &err, error);
    if (!value && found->argument)
        return kane_report(error_set(&err, STATUS_USAGE, "%s needs a value", option), &err, error);
    const char *text = keep_text(options, value ? value : "");
    if (!text)
        return kane_report(error_no_memory(&err), &err, error);
    Error cause = {0};
    Status status = found->kind->parse(found, text, (char *)values + found->offset, &cause);
    return kane_report(status ? error_set(&err, status, "%s: %s", option, cause.text) : STATUS_OK, &err, error);
}

int kane_options_set_number(KaneOptions *options, const char *option, double value, KaneError *error)
{
    char text[40];
    Error err = {0};
    void *values;
    const Option *found = find_option(options, option, &values);
    const OptionKind *kind = found ? found->kind : NULL;
    if (kind == &option_text || kind == &option_file || kind == &option_choice || kind == &option_flag)
        return kane_report(error_set(&err, STATUS_USAGE, "%s is no number: use kane_options_set", option), &err, error);
    snprintf(text, sizeof text, "%.17g", value);
    return kane_options_set(options, option, text, error);
}

Status kane_check_command(const KaneOptions *options, KaneCommand command, Error *err)
{
    static const char *const name[] = {"run", "simulate", "track"};
    if (!options || options->command == command)
        return STATUS_OK;
    return error_set(err, STATUS_USAGE, "the options are not those of kane %s; see kane_options_create_for",
                     name[command]);
}

/* ---- Clips ---- */

int kane_open(const char *path, const KaneOptions *options, KaneClip **clip, KaneError *error)
{
    Error err = {0};
    Pipeline defaults = pipeline_defaults();
    KaneClip *opened = calloc(1, sizeof *opened);
    *clip = NULL;
    if (!opened)
        return kane_report(error_no_memory(&err), &err, error);
    Status status = kane_check_command(options, KANE_COMMAND_RUN, &err);
    if (!status)
        status = pipeline_open(options ? &options->values : &defaults, path, &opened->clip, NULL, &err);
    if (!status)
        *clip = opened;
    else
        free(opened);
    return kane_report(status, &err, error);
}

void kane_close(KaneClip *clip)
{
    if (!clip)
        return;
    clip_free(&clip->clip);
    free(clip);
}

int kane_run(KaneClip *clip, const KaneOptions *options, KaneError *error)
{
    Error err = {0};
    Pipeline defaults = pipeline_defaults();
    Status status = kane_check_command(options, KANE_COMMAND_RUN, &err);
    if (!status)
        status = pipeline_run(options ? &options->values : &defaults, &clip->clip, NULL, &err);
    return kane_report(status, &err, error);
}

int kane_simulate(const char *scene, const KaneOptions *options, KaneClip **clip, KaneError *error)
{
    Error err = {0};
    KaneOptions *usual = options ? NULL : kane_options_create_for(KANE_COMMAND_SIMULATE);
    KaneClip *made = calloc(1, sizeof *made);
    Notes notes = {0};
    *clip = NULL;
    Status status = made && (options || usual) ? kane_check_command(options, KANE_COMMAND_SIMULATE, &err)
                                               : error_no_memory(&err);
    if (!status)
        status = simulate_scene(options ? &options->simulate : &usual->simulate, scene, &made->clip, &notes, &err);
    if (made && made->clip.motion.frame_count > 0)
        *clip = made;
    else
        free(made);
    notes_free(&notes);
    kane_options_destroy(usual);
    return kane_report(status, &err, error);
}

int kane_track(KaneClip *clip, const KaneOptions *options, KaneError *error)
{
    Error err = {0};
    OptionValues values;
    stage_defaults(&stage_track, &values);
    Status status = kane_check_command(options, KANE_COMMAND_TRACK, &err);
    if (!status && options)
        values = options->track;
    const TrackOptions *given = (const TrackOptions *)(const void *)&values;
    if (!status && (given->scene != SCENE_NONE || given->scene_file))
        status = error_set(&err, STATUS_USAGE, "kane_track has a clip: leave out scene and scene-file");
    if (!status)
        status = stage_apply(&stage_track, &values, &clip->clip, NULL, &err);
    return kane_report(status, &err, error);
}

int kane_save(const KaneClip *clip, const char *path, KaneError *error)
{
    Error err = {0};
    ContainerDef def = container_default_def();
    Status status = error_of_file(&err, path, container_store(&clip->clip, &def, path, &err));
    return kane_report(status, &err, error);
}

/* ---- Contents of a clip ---- */

int kane_frame_count(const KaneClip *clip) { return clip->clip.motion.frame_count; }

int kane_joint_count(const KaneClip *clip) { return clip->clip.skeleton.joint_count; }

double kane_frame_time(const KaneClip *clip) { return clip->clip.motion.frame_time; }

double kane_total_mass(const KaneClip *clip) { return clip->clip.has_body ? clip->clip.body.total_mass : 0; }

static int has_joint(const KaneClip *clip, int joint) { return joint >= 0 && joint < clip->clip.skeleton.joint_count; }

const char *kane_joint_name(const KaneClip *clip, int joint)
{
    return has_joint(clip, joint) ? clip->clip.skeleton.name[joint] : NULL;
}

const char *kane_joint_role(const KaneClip *clip, int joint)
{
    return has_joint(clip, joint) ? role_name(clip->clip.skeleton.role[joint]) : NULL;
}

int kane_joint_parent(const KaneClip *clip, int joint)
{
    return has_joint(clip, joint) ? clip->clip.skeleton.parent[joint] : -1;
}

int kane_find_role(const KaneClip *clip, const char *role)
{
    Role wanted = role_from_name(role);
    return wanted == ROLE_NONE ? -1 : skeleton_find_role(&clip->clip.skeleton, wanted);
}

const char *kane_history(const KaneClip *clip)
{
    return clip->clip.provenance.history ? clip->clip.provenance.history : "";
}

/* Arrays of Vec3 and Quat have the layout of doubles. */
const double *kane_array(const KaneClip *clip, const char *path, size_t shape[3])
{
    int found = schema_find_path(path);
    const SchemaDataset *row = &schema_datasets[found < 0 ? 0 : found];
    if (found < 0 || row->element != ELEMENT_DOUBLE || !schema_has_dataset(&clip->clip, row))
        return NULL;
    for (int i = 0; shape && i < SCHEMA_MAX_RANK; i++)
        shape[i] = i < schema_rank(row) ? schema_dim_size(&clip->clip, row->dim[i]) : 1;
    return schema_array(&clip->clip, row);
}

/* ---- Damped springs ---- */

int kane_spring_set(KaneSpring *spring, double omega, double zeta, double dt, KaneError *error)
{
    Error err = {0};
    *spring = (KaneSpring){0};
    if (!(omega >= 0) || !(zeta >= 0) || !(dt >= 0) || !isfinite(omega) || !isfinite(zeta) || !isfinite(dt))
        return kane_report(error_set(&err, STATUS_USAGE,
                                "a spring of angular frequency %g, damping ratio %g and step %g: each must be finite "
                                "and not negative", omega, zeta, dt), &err, error);
    SpringStep step = spring_step(omega, zeta, dt);
    *spring = (KaneSpring){step.xx, step.xv, step.vx, step.vv};
    return KANE_OK;
}

void kane_spring_step(const KaneSpring *spring, double rest, double *position, double *velocity)
{
    SpringStep step = {spring->position_by_position, spring->position_by_velocity, spring->velocity_by_position,
                       spring->velocity_by_velocity};
    spring_advance(&step, rest, position, velocity);
}
