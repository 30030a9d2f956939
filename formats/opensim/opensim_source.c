/* Motions of OpenSim models as a motion format: coordinates (.mot, .sto) with the model (.osim) beside them. */
#include <stdlib.h>
#include <string.h>

#include "formats/base/source_format.h"
#include "formats/base/storage.h"
#include "formats/opensim/osim.h"
#include "formats/opensim/osim_take.h"

static const char *const endings[] = {".mot", ".sto", NULL};

static int begins(const char *front, size_t size) { return storage_begins(front, size); }

/* Whether a label is one of forces, such as "ground_force_vx" and "knee_angle_r_moment". */
static int is_of_force(const char *label)
{
    static const char *const words[] = {"force", "moment", "torque"};
    for (int i = 0; i < 3; i++)
        if (strcasestr(label, words[i]))
            return 1;
    return 0;
}

static int holds_motion(const char *front, size_t size)
{
    Storage storage;
    while (size > 0 && front[size - 1] != '\n')
        size--;
    if (storage_parse(front, size, &storage, NULL))
        return 1; /* the reader reports why */
    int motions = 0;
    for (int i = 1; i < storage.table.column_count; i++)
        motions += !is_of_force(storage.table.header[i]);
    storage_free(&storage);
    return motions > 0;
}

/* The only model beside the motion, in the folder above, or in Model or Models beside that. */
static Status find_companions(const char *path, Companions *out, Error *err)
{
    static const char *const folders[] = {"", "..", "../Model", "../Models"};
    char *found = NULL;
    Status status = STATUS_OK;
    for (int i = 0; !status && !found && i < 4; i++)
        status = companion_only(path, folders[i], ".osim", &found, err);
    return status ? status : companions_add(out, found, err);
}

static const char *stated_companion(const SourceDef *def) { return def->model; }

static Status read_model(const SourceFile *file, const SourceDef *def, Osim *out, Error *err)
{
    if (file->companion_count == 0)
        return error_set(err, STATUS_BAD_INPUT, "no OpenSim model beside this motion: give it with import's --model "
                         "(looked for the only .osim file in its folder, .., ../Model and ../Models)");
    return osim_parse(&file->companion[0], def, out, err);
}

static FileLocation where(const Take *take, int frame, int joint, TakePart part)
{
    const int *line = take->file;
    (void)joint, (void)part;
    return (FileLocation){.line = frame >= 0 && frame < take->rows.frame_count ? line[frame] : 0};
}

/* Keeps the lines of the rows, for kane check. */
static Status keep_lines(const Table *t, Take *out, Error *err)
{
    int *line = array_new((size_t)t->row_count, 1, sizeof *line);
    if (!line)
        return error_no_memory(err);
    memcpy(line, t->line, (size_t)t->row_count * sizeof *line);
    out->rows = (ChannelRows){.frame_count = t->row_count};
    out->file = line;
    out->free_file = free;
    out->where = where;
    return STATUS_OK;
}

static Status read_take(const SourceFile *file, int number, const SourceDef *def, Take *out, Error *err)
{
    Osim model = {.name = ""};
    Storage storage;
    (void)number;
    Status status = storage_parse(file->bytes, file->size, &storage, err);
    if (status)
        return status;
    status = read_model(file, def, &model, err);
    if (!status)
        status = osim_take(&model, &storage, def, out, err);
    if (!status && def->tolerant)
        status = keep_lines(&storage.table, out, err);
    osim_free(&model);
    storage_free(&storage);
    return status;
}

const SourceFormat source_opensim = {
    .name = "OpenSim",
    .kind = FILE_OPENSIM,
    .endings = endings,
    .begins = begins,
    .holds_motion = holds_motion,
    .find_companions = find_companions,
    .stated_companion = stated_companion,
    .read = read_take,
};
