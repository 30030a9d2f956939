/* kane info: what a container holds. */
#include <stdio.h>

#include "formats/export/info.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/verbs.h"

typedef struct InfoOptions {
    int json;
} InfoOptions;

static const Option options[] = {
    {.name = "json",
     .help = "One JSON object a clip",
     .kind = &option_flag, .offset = offsetof(InfoOptions, json)},
    {0},
};

static Status show(void *context, const char *path, Clip *clip, Error *err)
{
    const InfoOptions *given = context;
    (void)path;
    return given->json ? info_json(clip, stdout, err) : info_text(clip, stdout, err);
}

static int info_main(const Verb *verb, int argc, char **argv)
{
    InfoOptions given = {0};
    OptionGroup group = {NULL, verb->options, &given};
    int first;
    options_parse("kane info", verb->arguments, verb->description, &group, 1, argc, argv, &first);
    return clips_visit(verb->name, argv + first, argc - first, show, &given);
}

const Verb verb_info = {
    .name = "info",
    .summary = "Say what containers hold",
    .arguments = "[FILE.h5...]",
    .description = "Source and what was decided of it, skeleton, roles, groups and history.",
    .options = options,
    .main = info_main,
};
