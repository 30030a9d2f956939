/* See mapping.h. */
#include "pipeline/cli/mapping.h"

#include <stdio.h>
#include <string.h>

#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output_file.h"
#include "pipeline/stages/pipeline.h"

Mapping mapping_defaults(const Stage *stage)
{
    Mapping mapping = {.stage = stage, .import = import_defaults(), .given.target = "-",
                       .given.writes_motion = stage->reads_motion, .container = container_default_def(),
                       .output.pending = OUTPUT_FILE_NONE};
    stage_defaults(stage, &mapping.values);
    return mapping;
}

void mapping_groups(Mapping *mapping, OptionGroup own, OptionGroup groups[MAPPING_GROUPS])
{
    groups[0] = (OptionGroup){NULL, mapping->stage->command.options, &mapping->values};
    groups[1] = own;
    groups[2] = (OptionGroup){NULL, output_options, &mapping->given};
    groups[3] = (OptionGroup){NULL, storage_options, &mapping->container};
    groups[4] = mapping->stage->reads_motion ? (OptionGroup){&import_command, import_command.options, &mapping->import}
                                             : (OptionGroup){0};
}

/* Prints which groups a stage removed from the clip. */
static void note_dropped(const char *name, const char *path, unsigned dropped)
{
    char text[256] = "";
    for (unsigned group = CLIP_BODY; group <= dropped; group <<= 1) {
        size_t used = strlen(text);
        if (dropped & group)
            snprintf(text + used, sizeof text - used, "%s/%s", used ? ", " : "", clip_group_name((ClipGroup)group));
    }
    if (*text)
        message_note(name, path, "dropped %s, which no longer apply", text);
}

Status mapping_apply(const Mapping *mapping, const char *path, Clip *clip, Error *err)
{
    Notes notes = {0};
    unsigned before = clip_groups(clip);
    const Stage *stage = mapping->stage;
    Status status = stage->apply_and_recompute ? stage->apply_and_recompute(&mapping->values, clip, &notes, err)
                                               : stage_apply(stage, &mapping->values, clip, &notes, err);
    if (!status)
        message_notes(mapping->stage->command.name, path, &notes, clip, mapping->given.manner.quiet);
    if (!status && !mapping->given.manner.quiet)
        note_dropped(mapping->stage->command.name, path, before & ~clip_groups(clip));
    notes_free(&notes);
    return status;
}

static Status map_clip(void *context, const char *path, Clip *clip, Error *err)
{
    Mapping *mapping = context;
    Status status = mapping_apply(mapping, path, clip, err);
    const char *shortfall = mapping->stage->shortfall;
    mapping->has_shortfall |= !status && shortfall && clip_has_warning_kind(clip, shortfall);
    return status ? status : output_put(&mapping->output, clip, &mapping->container, err);
}

int mapping_run(Mapping *mapping, int first, int end, int argc, char *const *argv)
{
    const char *name = mapping->stage->command.name;
    Error err = {0};
    if (output_open(&mapping->given, argc, argv, &mapping->output, &err))
        return message_error(name, NULL, &err);
    int code = mapping->stage->reads_motion
                   ? clips_visit_motion(name, argv + first, end - first, map_clip, mapping,
                                        (MotionReading){&mapping->import, mapping->given.manner.quiet})
                   : clips_visit(name, argv + first, end - first, map_clip, mapping);
    if (mapping->has_shortfall)
        code = exit_code_worse(code, status_exit_code(STATUS_BAD_INPUT));
    return output_close(&mapping->output, name, code);
}

static int mapping_main(Mapping *mapping, int argc, char **argv)
{
    OptionGroup groups[MAPPING_GROUPS];
    mapping_groups(mapping, (OptionGroup){0}, groups);
    int first = command_line_parse(&mapping->stage->command, groups, MAPPING_GROUPS, argc, argv);
    return mapping_run(mapping, first, argc, argc, argv);
}

int map_main(const Stage *stage, int argc, char **argv)
{
    Mapping mapping = mapping_defaults(stage);
    return mapping_main(&mapping, argc, argv);
}
