/* Presets of rigs: a joint map with the column `rig`, which names a pair of skeletons. Rows whose target begins with
 * "--" are settings: an option of retargeting and its value. One table may have the presets of many rigs. */
#ifndef KANE_TABLES_RIG_MAP_H
#define KANE_TABLES_RIG_MAP_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/retarget/joint_map.h"
#include "formats/base/table.h"

/* The name of a pair of skeletons: a hash of their joints' names and parents; lengths do not count. */
enum { RIG_NAME_SIZE = 17 };
void rig_name(const Skeleton *target, const Skeleton *source, char out[RIG_NAME_SIZE]);

/* Whether a row belongs to a rig and is a setting (1), or part of the map (0). column: of `rig`; -1: every row does. */
int rig_row_applies(const Table *t, int row, int column, const char *rig, int is_setting);

/* Receives an option without "--" and its value; a failure ends the reading with its line. */
typedef Status RigSetting(void *context, const char *name, const char *value, Error *err);

/* Reads the settings of a rig; none in a table without the column. */
Status rig_settings_read(const char *path, const char *rig, RigSetting *set, void *context, Error *err);

/* A preset to be written: settings are lines "--name\tvalue\n". */
typedef struct RigPreset {
    const Skeleton *target, *source;
    const JointMap *map;
    const char *settings;
} RigPreset;

/* Writes the table at `path` with this preset in the position of an older one of its rig; a missing file counts as
 * empty.
 * STATUS_BAD_INPUT for a table without the column. */
Status rig_preset_write(const char *path, const RigPreset *preset, FILE *stream, Error *err);

#endif
