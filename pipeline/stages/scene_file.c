/* See scene_file.h. */
#include "pipeline/stages/scene_file.h"

#include <stdio.h>

#include "formats/model/mjcf.h"

static Status note_remarks(const MjcfRemarks *remarks, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < remarks->count && !status; i++) {
        char text[ERROR_TEXT_SIZE + 32];
        const MjcfRemark *m = &remarks->remark[i];
        snprintf(text, sizeof text, m->count > 1 ? "%s (%d places)" : "%s", m->text, m->count);
        status = notes_add(notes, (Note){NOTE_WARNING, m->line, 0, text}, err);
    }
    return status;
}

Status scene_file_read(const char *path, const char *leave_out, Model *out, Notes *notes, Error *err)
{
    MjcfDef def = mjcf_default_def();
    MjcfRemarks remarks = {0};
    def.leave_out = leave_out;
    Status status = mjcf_read(path, &def, out, &remarks, err);
    Status noted = note_remarks(&remarks, notes, status ? NULL : err);
    mjcf_remarks_free(&remarks);
    if (!status && noted)
        model_free(out);
    return status ? status : noted;
}
