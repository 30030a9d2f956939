/* See retarget_tables.h. */
#include "formats/tables/retarget_tables.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/clip/clip_schema.h"
#include "analysis/math/elementary.h"
#include "analysis/retarget/ik_bones.h"
#include "formats/base/table.h"
#include "formats/tables/rig_map.h"

static Status bad_cell(const Table *t, int row, int column, const char *what, Error *err)
{
    return table_error(t, row, column, err, "%s \"%s\"", what, table_cell(t, row, column));
}

/* ---- Map ---- */

/* Returns 1 if a later joint has the same name; skeleton_find returns the first. */
static int is_ambiguous(const Skeleton *s, int joint)
{
    for (int j = joint + 1; j < s->joint_count; j++)
        if (!strcmp(s->name[j], s->name[joint]))
            return 1;
    return 0;
}

enum { TARGET, SOURCE, WEIGHT }; /* columns */

/* State while a map is read. */
typedef struct MapTable {
    Table table;
    int column[WEIGHT + 1]; /* weight: -1 if absent */
    const Skeleton *skeleton[WEIGHT]; /* [TARGET], [SOURCE] */
} MapTable;

/* Finds the joint of a cell, which must be unique; side: TARGET or SOURCE. */
static Status read_map_joint(const MapTable *map, int row, int side, int *joint, Error *err)
{
    static const char *const none[] = {"the target has no joint", "the clip has no joint"};
    static const char *const several[] = {"the target has several joints", "the clip has several joints"};
    const Table *t = &map->table;
    const char *name = table_cell(t, row, map->column[side]);
    *joint = skeleton_find_name_or_role(map->skeleton[side], name);
    if (*joint < 0)
        return bad_cell(t, row, map->column[side], none[side], err);
    if (!strcmp(map->skeleton[side]->name[*joint], name) && is_ambiguous(map->skeleton[side], *joint))
        return bad_cell(t, row, map->column[side], several[side], err);
    return STATUS_OK;
}

static Status read_map_row(const MapTable *map, int row, JointMapRow *out, Error *err)
{
    const Table *t = &map->table;
    int weight = map->column[WEIGHT];
    out->weight = 1;
    Status status = read_map_joint(map, row, TARGET, &out->target, err);
    if (!status)
        status = read_map_joint(map, row, SOURCE, &out->source, err);
    if (status || weight < 0 || !*table_cell(t, row, weight))
        return status;
    status = table_number(t, row, weight, &out->weight, err);
    return status || out->weight > 0 ? status : bad_cell(t, row, weight, "a weight must be positive, not", err);
}

Status joint_map_read(const char *path, const Skeleton *target, const Skeleton *source, JointMap *out, Error *err)
{
    static const char *const names[WEIGHT] = {"target", "source"};
    MapTable map = {.skeleton = {target, source}};
    Arena arena = {0};
    *out = (JointMap){0};
    Status status = table_read_path(path, &map.table, err);
    if (!status)
        status = table_require_all(&map.table, names, WEIGHT, map.column, err);
    if (!status) {
        int rows = map.table.row_count;
        JointMapRow *row = arena_array(&arena, (size_t)rows, 1, sizeof *row);
        int rig = table_find(&map.table, "rig"), count = 0;
        char name[RIG_NAME_SIZE];
        rig_name(target, source, name);
        map.column[WEIGHT] = table_find(&map.table, "weight");
        status = arena.failed ? error_no_memory(err) : STATUS_OK;
        for (int i = 0; i < rows && !status; i++)
            if (rig_row_applies(&map.table, i, rig, name, 0))
                status = read_map_row(&map, i, &row[count++], err);
        if (!status)
            status = joint_map_from_rows(out, target->joint_count, row, count, err);
    }
    arena_free(&arena);
    table_free(&map.table);
    return status;
}

static void write_unmapped(const Skeleton *target, int joint, FILE *stream)
{
    int limb = ik_bone_limb(&(ClipView){.skeleton = target}, joint);
    if (limb >= 0)
        fprintf(stream, "# %s follows %s\n", target->name[joint], target->name[limb]);
    else
        fprintf(stream, "# %s keeps its rest pose\n", target->name[joint]);
}

Status joint_map_write(const JointMap *map, const Skeleton *target, const Skeleton *source, FILE *stream, Error *err)
{
    fprintf(stream, "target\tsource\tweight\n");
    for (int hand = 0; hand < 2; hand++)
        if (map->fingers_against_names[hand])
            fprintf(stream, "# fingers of the %s hand: by thumb and order across the palm, against their names\n",
                    hand ? "right" : "left");
    for (int t = 0; t < map->target_count; t++) {
        if (map->first[t] == map->first[t + 1])
            write_unmapped(target, t, stream);
        for (int i = map->first[t]; i < map->first[t + 1]; i++)
            fprintf(stream, "%s\t%s\t%.9g\n", target->name[t], source->name[map->row[i].source], map->row[i].weight);
    }
    if (fflush(stream) || ferror(stream))
        return error_set(err, STATUS_IO, "cannot write the map");
    return STATUS_OK;
}

/* ---- Limits ---- */

static Status angle_range_columns(const Table *t, int column[ANGLE_BOUNDS], Error *err)
{
    static const char *const names[ANGLE_BOUNDS] = {"roll_min", "roll_max", "pitch_min", "pitch_max", "yaw_min",
                                                    "yaw_max"};
    return table_require_all(t, names, ANGLE_BOUNDS, column, err);
}

Status angle_range_read(const Table *t, int row, const int column[ANGLE_BOUNDS], RollPitchYaw *min,
                        RollPitchYaw *max, Error *err)
{
    static const double widest[3] = {180, 90, 180}; /* of roll, pitch, yaw from roll_pitch_yaw_from_quat */
    double value[ANGLE_BOUNDS];
    for (int k = 0; k < ANGLE_BOUNDS; k++) {
        Status status = table_number(t, row, column[k], &value[k], err);
        if (status)
            return status;
        if (fabs(value[k]) > widest[k / 2])
            return bad_cell(t, row, column[k], k / 2 == 1 ? "pitch: expected at most 90 degrees, found"
                                                          : "angle: expected at most 180 degrees, found", err);
    }
    for (int k = 0; k < ANGLE_BOUNDS; k += 2)
        if (value[k] > value[k + 1])
            return bad_cell(t, row, column[k], "minimum above maximum:", err);
    const double rad = PI / 180;
    *min = (RollPitchYaw){value[0] * rad, value[2] * rad, value[4] * rad};
    *max = (RollPitchYaw){value[1] * rad, value[3] * rad, value[5] * rad};
    return STATUS_OK;
}

static Status read_limit(const Table *t, int row, int role_column, const int column[ANGLE_BOUNDS], JointLimit *out,
                         Error *err)
{
    out->role = role_from_name(table_cell(t, row, role_column));
    if (out->role == ROLE_NONE)
        return bad_cell(t, row, role_column, "unknown role", err);
    return angle_range_read(t, row, column, &out->min, &out->max, err);
}

Status joint_limits_read(const char *path, JointLimits *out, Error *err)
{
    Table table = {0};
    int role_column = -1, column[ANGLE_BOUNDS];
    *out = (JointLimits){0};
    Status status = table_read_path(path, &table, err);
    if (!status)
        status = table_require(&table, "role", &role_column, err);
    if (!status)
        status = angle_range_columns(&table, column, err);
    if (!status) {
        out->limit = array_new((size_t)table.row_count, 1, sizeof *out->limit);
        out->count = out->limit ? table.row_count : 0;
        status = out->limit ? STATUS_OK : error_no_memory(err);
    }
    for (int i = 0; i < table.row_count && !status; i++) {
        status = read_limit(&table, i, role_column, column, &out->limit[i], err);
        for (int k = 0; k < i && !status; k++)
            if (out->limit[k].role == out->limit[i].role)
                status = bad_cell(&table, i, role_column, "a second row for", err);
    }
    if (status)
        joint_limits_free(out);
    table_free(&table);
    return status;
}

/* ---- Contacts ---- */

enum { FOOT, PART, FROM, TO, MODE, CONTACT_COLUMNS };
static const char *const contact_columns[CONTACT_COLUMNS] = {"foot", "part", "from", "to", "mode"};
static const char *const foot_words[] = {"left", "right", NULL};
static const char *const part_words[] = {"heel", "ball", NULL};
static const char *const mode_words[] = {"keep", "lock", "free", NULL};

static Status read_word(const Table *t, int row, int column, const char *const *words, int *out, Error *err)
{
    for (*out = 0; words[*out]; ++*out)
        if (!strcmp(table_cell(t, row, column), words[*out]))
            return STATUS_OK;
    return table_error(t, row, column, err, "expected %s or %s%s, found \"%s\"", words[0], words[1],
                       words[2] ? " or free" : "", table_cell(t, row, column));
}

static Status read_contact(const Table *t, int row, const int column[CONTACT_COLUMNS], ContactRow *out, Error *err)
{
    int mode = 0;
    Status status;
    if ((status = read_word(t, row, column[FOOT], foot_words, &out->foot, err)) ||
        (status = read_word(t, row, column[PART], part_words, &out->part, err)) ||
        (status = read_word(t, row, column[MODE], mode_words, &mode, err)) ||
        (status = table_number(t, row, column[FROM], &out->from, err)) ||
        (status = table_number(t, row, column[TO], &out->to, err)))
        return status;
    out->mode = (PlantMode)mode;
    if (out->from < out->to)
        return STATUS_OK;
    return bad_cell(t, row, column[TO], "a contact ends after it begins, not at", err);
}

Status contact_edits_read(const char *path, ContactEdits *out, Error *err)
{
    Table table = {0};
    int column[CONTACT_COLUMNS];
    *out = (ContactEdits){0};
    Status status = table_read_path(path, &table, err);
    if (!status)
        status = table_require_all(&table, contact_columns, CONTACT_COLUMNS, column, err);
    if (!status) {
        out->row = array_new((size_t)table.row_count, 1, sizeof *out->row);
        out->count = out->row ? table.row_count : 0;
        status = out->row ? STATUS_OK : error_no_memory(err);
    }
    for (int i = 0; i < table.row_count && !status; i++)
        status = read_contact(&table, i, column, &out->row[i], err);
    if (status)
        contact_edits_free(out);
    table_free(&table);
    return status;
}

Status contact_edits_write(const ContactEdits *rows, FILE *stream, Error *err)
{
    fprintf(stream, "foot\tpart\tfrom\tto\tmode\n");
    for (int i = 0; i < rows->count; i++) {
        const ContactRow *row = &rows->row[i];
        fprintf(stream, "%s\t%s\t%.9g\t%.9g\t%s\n", foot_words[row->foot], part_words[row->part], row->from, row->to,
                mode_words[row->mode]);
    }
    if (fflush(stream) || ferror(stream))
        return error_set(err, STATUS_IO, "cannot write the contacts");
    return STATUS_OK;
}
