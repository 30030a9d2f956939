/* kane query: queries of an index. */
#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "formats/base/text.h"
#include "formats/query/query.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/index_upgrade.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output_file.h"
#include "pipeline/cli/query_page.h"
#include "pipeline/cli/commands.h"
#include "pipeline/stages/option.h"

static Status format_parse(const Option *option, const char *text, void *value, Error *err)
{
    if (!query_format_from_name(text, value))
        return error_set(err, STATUS_USAGE, "expected %s, found \"%s\"", option->argument, text);
    return STATUS_OK;
}

static void format_format(const Option *option, const void *value, char *text, size_t size)
{
    (void)option;
    snprintf(text, size, "%s", query_format_name(*(const QueryFormat *)value));
}

static Status limit_parse(const Option *option, const char *text, void *value, Error *err)
{
    int count = 0;
    Status status = option_count.parse(option, text, &count, err);
    if (!status)
        *(long long *)value = count;
    return status;
}

static void limit_format(const Option *option, const void *value, char *text, size_t size)
{
    (void)option;
    long long limit = *(const long long *)value;
    text[0] = 0;
    if (limit >= 0)
        snprintf(text, size, "%lld", limit);
}

static const OptionKind option_format = {format_parse, format_format};
static const OptionKind option_limit = {limit_parse, limit_format};

static const char *const likeness_names[] = {"both", "pose", "torque", NULL};
_Static_assert(sizeof likeness_names / sizeof *likeness_names == LIKENESS_COUNT + 1, "a name for every LikenessOf");

typedef struct QueryOptions {
    QueryDef def;
    QueryPageOptions page;
} QueryOptions;

#define FIELD(member) offsetof(QueryOptions, def.member)
#define PAGE(member) offsetof(QueryOptions, page.member)
static const Option options[] = {
    {.name = "columns", .argument = "NAMES",
     .help = "Columns to print, separated by commas",
     .kind = &option_text, .offset = FIELD(columns)},
    {.name = "order", .argument = "EXPRESSION",
     .help = "Row order, for example \"left_knee_torque_peak_nm_kg DESC\"",
     .kind = &option_text, .offset = FIELD(order)},
    {.name = "limit", .argument = "N",
     .help = "Maximum number of rows",
     .kind = &option_limit, .offset = FIELD(limit)},
    {.name = "format", .argument = "table|tsv|csv|json|jsonl",
     .help = "Output format",
     .kind = &option_format, .offset = FIELD(format)},
    {.name = "min-seconds", .argument = "S",
     .help = "@within, @over: minimum interval in s (default: 1 for @within, any for @over)",
     .kind = &option_positive, .offset = FIELD(min_seconds)},
    {.name = "by", .argument = "both|pose|torque",
     .help = "@similar FILE@FROM-TO: basis of similarity",
     .kind = &option_choice, .offset = FIELD(by), .choices = likeness_names},
    {.name = "mirror",
     .help = "@similar, @lower-torque FILE@FROM-TO: also match the mirrored interval",
     .kind = &option_flag, .offset = FIELD(with_mirror)},
    {.name = "timeout", .argument = "S",
     .help = "Time limit in s",
     .kind = &option_positive, .offset = FIELD(time_limit)},
    {.name = "sql", .argument = "SELECT",
     .help = "SQL statement over all tables instead of WHERE; kane_frames(path) returns the frames of a clip file",
     .kind = &option_text, .offset = FIELD(sql)},
    {.name = "open",
     .help = "Open the result as a page in a browser",
     .kind = &option_flag, .offset = PAGE(open)},
    {.name = "output", .key = 'o', .argument = "FILE.html",
     .help = "Output page, with links to the pages of the clips (kane report DB -o DIR --pages)",
     .kind = &option_text, .offset = PAGE(output)},
    {.name = "page", .argument = "FILE.html",
     .help = "Page template (default: the installed one)",
     .kind = &option_text, .offset = PAGE(page)},
    OUTPUT_MANNER(QueryOptions, page.manner),
    {0},
};

/* Writes the help paragraph on expressions and presets. The caller's storage is static. */
static void describe(const char *start, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s\v", start);
    for (int i = 0; query_preset_help(i) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s\n", query_preset_help(i));
}

/* Counts the indexes: the first word and all databases directly after it. */
static int count_indexes(char *const *words, int count)
{
    int indexes = 1;
    while (indexes < count && query_is_database(words[indexes]))
        indexes++;
    return indexes;
}

static int query_main(const Command *command, int argc, char **argv)
{
    QueryOptions given = {.def = query_default_def()};
    OptionGroup group = {NULL, command->options, &given};
    Command described = *command;
    char description[4096];
    Error err = {0};
    int is_cut = 0;
    describe(command->description, description, sizeof description);
    described.description = description;
    int first = command_line_parse(&described, &group, 1, argc, argv);
    int indexes = count_indexes(argv + first, argc - first), last = first + indexes;
    if (argc - first < 1 || argc - last > 3)
        return message_missing(command->name, command->arguments);
    QueryDef def = given.def;
    def.where = argc > last ? argv[last] : NULL;
    def.argument = argc - last > 1 ? argv[last + 1] : NULL;
    def.among = argc - last > 2 ? argv[last + 2] : NULL;
    def.is_cut = &is_cut;
    if (given.page.open || given.page.output)
        return query_page(&given.page, &def, (QueryWords){first, indexes}, argc, argv);
    Status status = query_run_over((const char *const *)argv + first, indexes, &def, stdout, &err);
    if (!status && fflush(stdout))
        status = error_set(&err, STATUS_IO, "cannot write the result");
    int is_answered = !status || status == STATUS_NO_RESULT;
    for (int i = 0; i < indexes && is_answered && !given.page.manner.quiet; i++)
        (void)index_note_changed(command->name, argv[first + i], NULL);
    if (status == STATUS_NO_RESULT)
        return status_exit_code(status);
    if (is_cut)
        message_note(command->name, argv[first], "more rows match; see --limit");
    return status ? message_error(command->name, indexes == 1 ? argv[first] : NULL, &err) : 0;
}

static const Command query_command = {
    .name = "query",
    .group = COMMANDS_LIBRARY,
    .summary = "Search an index",
    .arguments = "DB... [WHERE | @preset [ARGUMENT] [WHERE]]",
    .description = "WHERE is an SQL expression over the columns of clip_summary, such as "
                   "\"left_knee_torque_peak_nm_kg > 3\"; behind a preset it selects clips (of @failed files: "
                   "path, stage, message). Several indexes are searched as one. The index is opened "
                   "read-only. Exit code 1 if no row matches.",
    .example = "kane query library/index.db \"left_knee_torque_peak_nm_kg > 3\" --limit 5",
    .options = options,
};

const CliCommand cli_query = {&query_command, query_main};
