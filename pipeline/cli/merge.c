/* kane merge: one index out of the indexes of several batches. */
#include <stdio.h>

#include "formats/index/index.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/restore.h"
#include "pipeline/cli/verbs.h"

static int merge_main(const Verb *verb, int argc, char **argv)
{
    OptionGroup group = {NULL, NULL, NULL};
    Index *index = NULL;
    Error err = {0};
    int first, code = 0;
    options_parse("kane merge", verb->arguments, verb->description, &group, 1, argc, argv, &first);
    if (argc - first < 2)
        return message_usage(verb->name, "expected %s", verb->arguments);
    Status status = index_open(argv[first], &index, &err);
    if (status == STATUS_OK)
        status = restore_outdated(verb->name, index, argv[first], &code, &err);
    if (status == STATUS_OK)
        status = index_merge(index, (const char *const *)argv + first + 1, (size_t)(argc - first - 1), &err);
    if (status == STATUS_OK)
        status = index_finish(index, &err);
    index_close(index);
    return status == STATUS_OK ? code : message_error(verb->name, argv[first], &err);
}

const Verb verb_merge = {
    .name = "merge",
    .summary = "Join the indexes of the shards of a batch",
    .arguments = "DB SHARD.db...",
    .description = "Adds the clips and failures of other indexes; the result is that of one batch over everything.",
    .main = merge_main,
};
