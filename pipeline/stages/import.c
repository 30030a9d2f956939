/* kane import: BVH to container. */
#include <math.h>
#include <stdio.h>

#include "pipeline/cli/bvh_source.h"

static Status unit_parse(const Option *option, const char *text, void *value, Error *err)
{
    double metres = unit_from_text(text);
    if (!(metres > 0) || !isfinite(metres))
        return error_set(err, STATUS_USAGE, "expected %s, found \"%s\"", option->argument, text);
    *(double *)value = metres;
    return STATUS_OK;
}

static void unit_format(const Option *option, const void *value, char *text, size_t size)
{
    double metres = *(const double *)value;
    const char *name = metres > 0 ? unit_name(metres) : "";
    if (name)
        snprintf(text, size, "%s", name);
    else
        option_real.format(option, value, text, size);
}

static Status up_parse(const Option *option, const char *text, void *value, Error *err)
{
    UpAxis up = up_axis_from_text(text);
    if (up == UP_AUTO)
        return error_set(err, STATUS_USAGE, "expected %s, found \"%s\"", option->argument, text);
    *(UpAxis *)value = up;
    return STATUS_OK;
}

static void up_format(const Option *option, const void *value, char *text, size_t size)
{
    (void)option;
    snprintf(text, size, "%s", up_axis_name(*(const UpAxis *)value));
}

static const OptionKind option_unit = {unit_parse, unit_format};
static const OptionKind option_up = {up_parse, up_format};
static const char *const root_offsets[] = {"auto", "add", "replace", NULL};

_Static_assert(sizeof(ImportOptions) <= sizeof(OptionValues), "a verb's options have their place");

#define FIELD(member) offsetof(ImportOptions, member)
static const Option options[] = {
    {.name = "unit", .argument = "m|dm|cm|mm|inch|cmu|METRES",
     .help = "Length of the file's unit; decided from the skeleton's size unless given",
     .kind = &option_unit, .offset = FIELD(evidence.metres_per_unit)},
    {.name = "up", .argument = "X|Y|Z|-X|-Y|-Z",
     .help = "Axis that points up; decided from the pose unless given",
     .kind = &option_up, .offset = FIELD(evidence.up)},
    {.name = "fps", .argument = "N",
     .help = "Frames a second; from the file's frame time unless given",
     .kind = &option_positive, .offset = FIELD(evidence.fps)},
    {.name = "root-offset", .argument = "auto|add|replace",
     .help = "Whether root positions are added to the ROOT OFFSET or replace it",
     .kind = &option_choice, .offset = FIELD(evidence.root_offset), .choices = root_offsets},
    {.name = "keep-first-frame",
     .help = "Keep a first frame that looks like a rest pose put before the take",
     .kind = &option_flag, .offset = FIELD(evidence.keep_first_frame)},
    {0},
};

const Option import_limit_options[] = {
    {.name = "max-depth", .argument = "N",
     .help = "Deepest nesting of joints that is accepted",
     .kind = &option_count, .offset = offsetof(BvhDef, max_depth), .unrecorded = 1},
    {.name = "max-joints", .argument = "N",
     .help = "Most joints that are accepted",
     .kind = &option_count, .offset = offsetof(BvhDef, max_joints), .unrecorded = 1},
    {.name = "max-frames", .argument = "N",
     .help = "Most frames that are accepted",
     .kind = &option_count, .offset = offsetof(BvhDef, max_frames), .unrecorded = 1},
    {0},
};

static void defaults(OptionValues *values)
{
    *(ImportOptions *)values = (ImportOptions){.evidence = evidence_default_def(), .limits = bvh_default_def()};
}

static int import_main(const Verb *verb, int argc, char **argv)
{
    static const Verb *const no_stage[] = {NULL};
    return bvh_source_main(verb, no_stage, argc, argv);
}

const Verb verb_import = {
    .name = "import",
    .summary = "Read BVH files into containers",
    .arguments = "FILE.bvh...",
    .description = "Reads motion-capture files. Unit, up axis, frame rate, the meaning of the root's offset and a fake "
                   "first frame are decided from evidence and told with a confidence; a flag overrides each.",
    .options = options,
    .defaults = defaults,
    .main = import_main,
};
