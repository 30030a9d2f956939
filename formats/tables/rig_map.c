/* See rig_map.h. */
#include "formats/tables/rig_map.h"

#include <string.h>
#include <sys/stat.h>

#include "analysis/base/fnv.h"

enum { RIG, TARGET, SOURCE, COLUMNS };
static const char *const columns[COLUMNS] = {"rig", "target", "source"};

static uint64_t hash_skeleton(uint64_t hash, const Skeleton *s)
{
    for (int j = 0; j < s->joint_count; j++) {
        hash = fnv_bytes(hash, s->name[j], strlen(s->name[j]) + 1);
        hash = fnv_bytes(hash, &s->parent[j], sizeof s->parent[j]);
    }
    return hash;
}

void rig_name(const Skeleton *target, const Skeleton *source, char out[RIG_NAME_SIZE])
{
    snprintf(out, RIG_NAME_SIZE, "%08x%08x", (unsigned)hash_skeleton(FNV_START, target),
             (unsigned)hash_skeleton(FNV_START, source));
}

int rig_row_applies(const Table *t, int row, int column, const char *rig, int is_setting)
{
    int target = table_find(t, columns[TARGET]);
    if (column >= 0 && strcmp(table_cell(t, row, column), rig))
        return 0;
    return is_setting == (column >= 0 && !strncmp(table_cell(t, row, target), "--", 2));
}

Status rig_settings_read(const char *path, const char *rig, RigSetting *set, void *context, Error *err)
{
    Table t = {0};
    int column[COLUMNS];
    Status status = table_read_path(path, &t, err);
    int has_rigs = !status && table_find(&t, columns[RIG]) >= 0;
    if (has_rigs)
        status = table_require_all(&t, columns, COLUMNS, column, err);
    for (int row = 0; has_rigs && row < t.row_count && !status; row++) {
        Error why = {0};
        if (!rig_row_applies(&t, row, column[RIG], rig, 1))
            continue;
        if (set(context, table_cell(&t, row, column[TARGET]) + 2, table_cell(&t, row, column[SOURCE]), &why))
            status = table_error(&t, row, column[TARGET], err, "%s", why.text);
    }
    table_free(&t);
    return status;
}

/* Copies the rows of other rigs. */
static Status copy_others(const char *path, const char *rig, FILE *stream, Error *err)
{
    Table t = {0};
    int column[COLUMNS];
    Status status = table_read_path(path, &t, err);
    if (!status)
        status = table_require_all(&t, columns, COLUMNS, column, err);
    int weight = status ? -1 : table_find(&t, "weight");
    for (int row = 0; row < t.row_count && !status; row++)
        if (strcmp(table_cell(&t, row, column[RIG]), rig))
            fprintf(stream, "%s\t%s\t%s\t%s\n", table_cell(&t, row, column[RIG]), table_cell(&t, row, column[TARGET]),
                    table_cell(&t, row, column[SOURCE]), weight < 0 ? "" : table_cell(&t, row, weight));
    table_free(&t);
    return status;
}

/* Writes lines "--name\tvalue\n" as rows. */
static void write_settings(const char *rig, const char *settings, FILE *stream)
{
    while (*settings) {
        int length = (int)strcspn(settings, "\n");
        fprintf(stream, "%s\t%.*s\t\n", rig, length, settings);
        settings += length + (settings[length] == '\n');
    }
}

Status rig_preset_write(const char *path, const RigPreset *preset, FILE *stream, Error *err)
{
    char rig[RIG_NAME_SIZE];
    struct stat file;
    rig_name(preset->target, preset->source, rig);
    fprintf(stream, "rig\ttarget\tsource\tweight\n");
    Status status = stat(path, &file) ? STATUS_OK : copy_others(path, rig, stream, err);
    if (status)
        return status;
    write_settings(rig, preset->settings, stream);
    for (int i = 0; i < preset->map->row_count; i++) {
        const JointMapRow *row = &preset->map->row[i];
        fprintf(stream, "%s\t%s\t%s\t%.9g\n", rig, preset->target->name[row->target],
                preset->source->name[row->source], row->weight);
    }
    return fflush(stream) || ferror(stream) ? error_set(err, STATUS_IO, "cannot write the preset") : STATUS_OK;
}
