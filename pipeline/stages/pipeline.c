/* See pipeline.h. */
#include "pipeline/stages/pipeline.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/base/version.h"
#include "pipeline/stages/body_family.h"
#include "pipeline/stages/retarget_options.h"
#include "pipeline/stages/stage_list.h"

enum { AT_RETARGET, AT_BODY };

const Stage *const pipeline_stages[PIPELINE_LENGTH] = {
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

static const char *const angles_choices[] = {"coordinates", "none", NULL};

/* Options of the pipeline itself, without a prefix. */
static const Option pipeline_options[] = {
    {.name = "angles", .old_name = "anatomy", .argument = "coordinates|none",
     .help = "Joint angles and moments about anatomical axes",
     .kind = &option_choice, .offset = offsetof(Pipeline, angles), .choices = angles_choices},
    {0},
};

/* Returns whether stage i runs: retargeting requires a character, angles can be switched off. */
static int is_run(const Pipeline *pipeline, int i)
{
    if (pipeline_stages[i] == &stage_angles)
        return pipeline->angles != PIPELINE_NO_ANGLES;
    return pipeline_stages[i] != &stage_retarget || ((const RetargetOptions *)&pipeline->stage[i])->to;
}

Pipeline pipeline_defaults(void)
{
    Pipeline pipeline = {.import = import_defaults(), .length = PIPELINE_LENGTH, .container = container_default_def()};
    for (int i = 0; i < PIPELINE_LENGTH; i++)
        stage_defaults(pipeline_stages[i], &pipeline.stage[i]);
    return pipeline;
}

void pipeline_end_with(Pipeline *pipeline, const Stage *last)
{
    pipeline->length = 0;
    while (pipeline->length < PIPELINE_LENGTH && pipeline_stages[pipeline->length++] != last)
        ;
}

int pipeline_stands(const Pipeline *pipeline)
{
    return pipeline->length > AT_BODY && !is_run(pipeline, AT_RETARGET) && body_follows(&pipeline->stage[AT_BODY]);
}

void pipeline_follow(Pipeline *pipeline, const Family *family, const FamilyMember *own)
{
    int has_pose = family && family->neutral_confidence > 0 && pipeline_stands(pipeline);
    pipeline->import.guess.family = family;
    pipeline->import.guess.known = own ? &own->guess : NULL;
    body_follow(&pipeline->stage[AT_BODY], has_pose ? &family->neutral : NULL,
                own && own->pose.angles.count > 0 ? &own->pose : NULL);
}

const char **pipeline_target(Pipeline *pipeline)
{
    return &((RetargetOptions *)&pipeline->stage[AT_RETARGET])->to;
}

Status pipeline_check_target(const Pipeline *pipeline, Error *err)
{
    if (!is_run(pipeline, AT_RETARGET))
        return STATUS_OK;
    Status status = retarget_check_character((const RetargetOptions *)&pipeline->stage[AT_RETARGET], err);
    notes_prefix_options(&stage_retarget.command, NULL, 0, status ? err : NULL);
    return status;
}

int pipeline_groups(Pipeline *pipeline, OptionGroup groups[PIPELINE_GROUPS])
{
    int count = 0;
    groups[count++] = (OptionGroup){NULL, storage_options, &pipeline->container};
    groups[count++] = (OptionGroup){NULL, import_limit_options, &pipeline->import.limits};
    if (pipeline->length == PIPELINE_LENGTH)
        groups[count++] = (OptionGroup){NULL, pipeline_options, pipeline};
    groups[count++] = (OptionGroup){&import_command, import_command.options, &pipeline->import};
    for (int i = 0; i < pipeline->length; i++)
        groups[count++] =
            (OptionGroup){&pipeline_stages[i]->command, pipeline_stages[i]->command.options, &pipeline->stage[i]};
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

Status pipeline_describe(const Pipeline *pipeline, char **text, Error *err)
{
    size_t size;
    *text = NULL;
    FILE *stream = open_memstream(text, &size);
    if (!stream)
        return error_no_memory(err);
    fprintf(stream, "kane %s\n%s ", KANE_VERSION, import_command.name);
    Status status = put_options(import_command.options, &pipeline->import, stream, err);
    putc('\n', stream);
    if (!status)
        status = put_options(pipeline_options, pipeline, stream, err);
    for (int i = 0; i < pipeline->length && !status; i++) {
        if (!is_run(pipeline, i))
            continue;
        fprintf(stream, "\n%s ", pipeline_stages[i]->command.name);
        status = put_options(pipeline_stages[i]->command.options, &pipeline->stage[i], stream, err);
    }
    putc('\n', stream);
    if (!status)
        status = put_options(storage_options, &pipeline->container, stream, err);
    return fclose(stream) && !status ? error_no_memory(err) : status;
}

Status pipeline_open(const Pipeline *pipeline, const char *path, Clip *out, Notes *notes, Error *err)
{
    return import_open(&pipeline->import, path, out, notes, err);
}

Status pipeline_import(const Pipeline *pipeline, const char *path, Clip *out, Notes *notes, Error *err)
{
    int before = notes ? notes->count : 0;
    Status status = import_read(&pipeline->import, path, out, notes, err);
    if (pipeline->length > 0)
        notes_prefix_options(&import_command, notes, before, status ? err : NULL);
    return status;
}

Status pipeline_run_stage(const Pipeline *pipeline, int i, Clip *clip, Notes *notes, Error *err)
{
    int before = notes ? notes->count : 0;
    if (!is_run(pipeline, i))
        return STATUS_OK;
    Status status = stage_apply(pipeline_stages[i], &pipeline->stage[i], clip, notes, err);
    notes_prefix_options(&pipeline_stages[i]->command, notes, before, status ? err : NULL);
    return status;
}

Status pipeline_run(const Pipeline *pipeline, Clip *clip, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < pipeline->length && !status; i++)
        status = pipeline_run_stage(pipeline, i, clip, notes, err);
    return status;
}
