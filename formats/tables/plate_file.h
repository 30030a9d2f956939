/* Files of measured forces: which kind they are, and those whose plates are not yet attributed to joints. */
#ifndef KANE_TABLES_PLATE_FILE_H
#define KANE_TABLES_PLATE_FILE_H

#include "analysis/base/status.h"
#include "analysis/clip/markers.h"
#include "analysis/contact/plate_record.h"

typedef enum PlateFileKind {
    PLATE_FILE_JOINTS,  /* a table with a row per time and joint (external_table.h) */
    PLATE_FILE_COLUMNS, /* MOT, STO, CSV or TSV with a column per component of each plate (plate_columns.h) */
    PLATE_FILE_C3D
} PlateFileKind;

/* STATUS_IO if the file cannot be read. */
Status plate_file_kind(const char *path, PlateFileKind *kind, Error *err);

/* Whether the file can be read and is a C3D file. */
int plate_file_is_c3d(const char *path);

/* Markers of a C3D file, in its axes. */
typedef struct MarkerRecord {
    double rate; /* frames per second; frame 0 is at the time 0 of the plates */
    Markers markers;
} MarkerRecord;

/* Reads a C3D file in its axes, or a table with a column per component, which has no markers. The caller frees *out and
 * markers->markers. */
Status plate_file_read(const char *path, PlateZero zero, PlateRecord *out, MarkerRecord *markers, Error *err);

#endif
