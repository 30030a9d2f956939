#include "formats/export/export_def.h"

#include <string.h>

static const char *const frame_names[] = {
    [EXPORT_WORLD] = "world", [EXPORT_PARENT] = "parent", [EXPORT_LOCAL] = "local",
};
_Static_assert(sizeof frame_names / sizeof *frame_names == EXPORT_FRAME_COUNT, "a frame has no name");

ExportDef export_default_def(void)
{
    return (ExportDef){.format = EXPORT_TSV, .frame = EXPORT_WORLD};
}

const char *export_frame_name(ExportFrame frame)
{
    return (unsigned)frame < EXPORT_FRAME_COUNT ? frame_names[frame] : NULL;
}

int export_frame_from_name(const char *name, ExportFrame *frame)
{
    for (int i = 0; i < EXPORT_FRAME_COUNT; i++)
        if (strcmp(frame_names[i], name) == 0) {
            *frame = (ExportFrame)i;
            return 1;
        }
    return 0;
}
