#include "pipeline/cli/sink.h"

#include <stdio.h>
#include <stdlib.h>

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

const Option sink_output_options[] = {
    {.name = "output", .key = 'o', .argument = "FILE|DIR/|-",
     .help = "Where the container goes; in a folder each is named by its title",
     .kind = &option_text, .offset = offsetof(SinkOptions, output), .unrecorded = 1},
    {0},
};

const Option sink_storage_options[] = {
    {.name = "float32",
     .help = "Store trajectories as 32-bit numbers",
     .kind = &option_flag, .offset = offsetof(ContainerDef, float32)},
    {.name = "compress", .argument = "LEVEL",
     .help = "Compress trajectories, 1 to 9; 0 stores them as they are",
     .kind = &option_level, .offset = offsetof(ContainerDef, compress)},
    {0},
};

SinkOptions sink_defaults(void)
{
    return (SinkOptions){.output = "-", .container = container_default_def()};
}
