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
#include "pipeline/cli/output_file.h"
#include "pipeline/cli/commands.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/retarget_options.h"
#include "pipeline/stages/stage_list.h"

/* What to print instead of retargeting. */
typedef struct Printing {
    int map, contacts;
    const char *preset;
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
    {.name = "save-map",
     .argument = "FILE.tsv",
     .help = "Save the joint map and the settings for the skeletons of clip and target as a preset for --map, and exit",
     .kind = &option_text,
     .offset = offsetof(Printing, preset)},
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

/* A table of presets to be written. */
typedef struct Saving {
    const RetargetOptions *given;
    const OutputCall *call;
    const char *path;
} Saving;

static Status save_map(void *context, const char *path, Clip *clip, Error *err)
{
    const Saving *saving = context;
    OutputFile file;
    FILE *stream;
    Status status = output_file_open(saving->call, saving->path, FILE_TEXT, NULL, &file, err);
    (void)path;
    if (status)
        return status;
    status = new_file_stream(&file.file, &stream, err);
    if (!status) {
        status = retarget_write_preset(saving->given, clip, saving->path, stream, err);
        if (fclose(stream) && !status)
            status = error_set(err, STATUS_IO, "cannot write");
    }
    if (!status)
        status = output_file_commit(&file, err);
    output_file_discard(&file);
    return status;
}

/* Saves the preset of every clip; returns the exit code. */
static int save_maps(Mapping *mapping, const Printing *print, int first, int argc, char **argv)
{
    OutputCall call;
    Error err = {0};
    const char *command = stage_retarget.command.name;
    if (output_call_init(&call, mapping->given.manner, argc, argv, &err))
        return message_error(command, NULL, &err);
    Saving saving = {(const RetargetOptions *)&mapping->values, &call, print->preset};
    int code = clips_visit_motion(command, argv + first, argc - first, save_map, &saving,
                                  (MotionReading){&mapping->import, mapping->given.manner.quiet});
    output_call_free(&call);
    return code;
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
    if (print.preset)
        return save_maps(&mapping, &print, first, argc, argv);
    if (print.map || print.contacts)
        return clips_visit_motion(command->name, argv + first, argc - first,
                                  print.map ? print_map : print_contacts, given,
                                  (MotionReading){&mapping.import, mapping.given.manner.quiet});
    return mapping_run(&mapping, first, argc, argc, argv);
}

const CliCommand cli_retarget = {&stage_retarget.command, retarget_main};
