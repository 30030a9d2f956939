/* See pipeline.h. */
#include "pipeline/stages/pipeline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/status.h"
#include "pipeline/stages/retarget_options.h"

const Stage *const chain_stages[CHAIN_LENGTH] = {
    &stage_retarget, &stage_body, &stage_smooth, &stage_diff, &stage_contact, &stage_torque, &stage_anatomy,
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
     .help = "Store trajectories as 32-bit numbers",
     .kind = &option_flag, .offset = offsetof(ContainerDef, float32)},
    {.name = "compress", .argument = "LEVEL",
     .help = "Compress trajectories, 1 to 9; 0 stores them as they are",
     .kind = &option_level, .offset = offsetof(ContainerDef, compress)},
    {0},
};

static const char *const anatomy_choices[] = {"coordinates", "none", NULL};

/* Of the chain itself, without a stage's name in front. */
static const Option chain_options[] = {
    {.name = "anatomy", .argument = "coordinates|none",
     .help = "Angles and moments about anatomical axes, or not",
     .kind = &option_choice, .offset = offsetof(Pipeline, anatomy), .choices = anatomy_choices},
    {0},
};

/* Retargeting is a part of the chain only where there is a character, anatomy where it is wanted. */
static int is_run(const Pipeline *chain, int i)
{
    if (chain_stages[i] == &stage_anatomy)
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

void pipeline_follow(Pipeline *chain, const Family *family)
{
    int has_pose = family && family->neutral_confidence > 0 && pipeline_stands(chain);
    chain->import.evidence.family = family;
    body_follow(&chain->stage[AT_BODY], has_pose ? &family->neutral : NULL);
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
    Status status = stream ? container_next(stream, &image, err) : error_set(err, STATUS_IO, "%s", strerror(errno));
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

/* Messages of a command, from its notes number `from` on, with options as the chain names them. */
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

Status pipeline_run(const Pipeline *chain, Clip *clip, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < chain->length && !status; i++) {
        int before = notes ? notes->count : 0;
        if (!is_run(chain, i))
            continue;
        status = stage_apply(chain_stages[i], &chain->stage[i], clip, notes, err);
        prefix_messages(&chain_stages[i]->command, notes, before, status ? err : NULL);
    }
    return status;
}
