#include "pipeline/cli/map.h"

#include <stdio.h>

#include "pipeline/cli/doubt.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/sink.h"

typedef struct Mapping {
    const Verb *verb;
    OptionValues values;
    SinkOptions sink;
    Output output;
} Mapping;

static Status map_clip(void *context, const char *path, Clip *clip, Error *err)
{
    Mapping *mapping = context;
    Status status = verb_apply(mapping->verb, &mapping->values, clip, err);
    if (status == STATUS_OK && mapping->verb == &verb_body)
        doubt_size(mapping->verb->name, path, clip);
    return status == STATUS_OK ? output_put(&mapping->output, clip, &mapping->sink.container, err) : status;
}

int map_main(const Verb *verb, int argc, char **argv)
{
    Mapping mapping = {.verb = verb, .sink = sink_defaults(), .output.pending.descriptor = -1};
    Error err = {0};
    char name[64];
    int first;
    verb_defaults(verb, &mapping.values);
    OptionGroup groups[] = {{NULL, verb->options, &mapping.values},
                            {NULL, sink_output_options, &mapping.sink},
                            {NULL, sink_storage_options, &mapping.sink.container}};
    snprintf(name, sizeof name, "kane %s", verb->name);
    options_parse(name, verb->arguments, verb->description, groups, 3, argc, argv, &first);
    if (output_open(mapping.sink.output, &mapping.output, &err) != STATUS_OK)
        return message_error(verb->name, NULL, &err);
    int code = clips_visit(verb->name, argv + first, argc - first, map_clip, &mapping);
    if (code < status_exit_code(STATUS_USAGE) && output_close(&mapping.output, &err) != STATUS_OK)
        code = exit_code_worse(code, message_error(verb->name, NULL, &err));
    output_free(&mapping.output);
    return code;
}
