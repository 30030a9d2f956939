/* kane retarget: applies the stage to clip files; prints what was detected in the target skeleton, or its map. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/mapping.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/commands.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/retarget_options.h"
#include "pipeline/stages/stage_list.h"

/* What to print instead of retargeting. */
typedef struct Printing {
    int map, contacts;
} Printing;

static const Option own_options[] = {
    {.name = "print-map",
     .help = "Print the joint map and exit",
     .kind = &option_flag,
     .offset = offsetof(Printing, map)},
    {.name = "print-contacts",
     .help = "Print the table of contacts and exit",
     .kind = &option_flag,
     .offset = offsetof(Printing, contacts)},
    {0},
};

static Status print_contacts(void *context, const char *path, Clip *clip, Error *err)
{
    (void)path;
    return retarget_write_contacts(context, clip, stdout, err);
}

static Status print_map(void *context, const char *path, Clip *clip, Error *err)
{
    (void)path;
    return retarget_write_map(context, clip, stdout, err);
}

/* Prints the detections of the target skeleton once; returns an error if it cannot be read. */
static int print_character(const RetargetOptions *given)
{
    const char *command = stage_retarget.command.name;
    Clip character = {0};
    Notes notes = {0};
    Error err = {0};
    Status status = retarget_read_character(given, &character, &notes, &err);
    for (int i = 0; i < notes.count && !status; i++)
        if (notes.note[i].kind == NOTE_DECISION)
            message_note(command, given->to, "%s", notes.note[i].text);
    clip_free(&character);
    notes_free(&notes);
    return status ? message_error(command, NULL, &err) : 0;
}

static int retarget_main(const Command *command, int argc, char **argv)
{
    Mapping mapping = mapping_defaults(&stage_retarget);
    RetargetOptions *given = (RetargetOptions *)&mapping.values;
    OptionGroup groups[MAPPING_GROUPS];
    struct stat kind;
    Printing print = {0};
    mapping_groups(&mapping, (OptionGroup){NULL, own_options, &print}, groups);
    int first = command_line_parse(command, groups, MAPPING_GROUPS, argc, argv);
    if (!given->to || !strcmp(given->to, "-"))
        return message_usage(command->name, "expected --to FILE, the target skeleton");
    if (!stat(given->to, &kind) && S_ISFIFO(kind.st_mode)) /* it is read for every clip */
        return message_usage(command->name, "--to %s: expected a file, found a pipe", given->to);
    int code = print_character(given);
    if (code)
        return code;
    if (print.map || print.contacts)
        return clips_visit_motion(command->name, argv + first, argc - first,
                                  print.map ? print_map : print_contacts, given,
                                  (MotionReading){&mapping.import, mapping.given.manner.quiet});
    return mapping_run(&mapping, first, argc, argc, argv);
}

const CliCommand cli_retarget = {&stage_retarget.command, retarget_main};
