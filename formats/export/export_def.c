/* See export_def.h. */
#include "formats/export/export_def.h"

#include <stddef.h>

#include "analysis/base/names.h"

static const char *const frame_names[] = {
    [EXPORT_WORLD] = "world", [EXPORT_PARENT] = "parent", [EXPORT_LOCAL] = "local",
};
_Static_assert(sizeof frame_names / sizeof *frame_names == EXPORT_FRAME_COUNT, "a frame has no name");

ExportDef export_default_def(void)
{
    return (ExportDef){.format = EXPORT_TSV, .frame = EXPORT_WORLD, .camera = camera_default_def()};
}

const char *export_frame_name(ExportFrame frame)
{
    return (unsigned)frame < EXPORT_FRAME_COUNT ? frame_names[frame] : NULL;
}

int export_frame_from_name(const char *name, ExportFrame *frame)
{
    int found = name_index(frame_names, EXPORT_FRAME_COUNT, name);
    if (found >= 0)
        *frame = (ExportFrame)found;
    return found >= 0;
}
