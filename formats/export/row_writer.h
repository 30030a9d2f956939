/* Rows of numbers and text as CSV (RFC 4180), TSV, JSON lines or OpenSim's storage format.
 *
 * TSV escapes tab, line end and backslash as \t \n \r \\, and may begin with a comment line that starts with #. In an
 * OpenSim file white space in labels becomes _. */
#ifndef KANE_EXPORT_ROW_WRITER_H
#define KANE_EXPORT_ROW_WRITER_H

#include <stdio.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "formats/gltf/gltf_clip.h"

/* Options of an export: format, axes, names. */

typedef enum ExportFormat {
    EXPORT_CSV = 0,
    EXPORT_TSV,
    EXPORT_JSONL,
    EXPORT_NPZ,
    EXPORT_BVH,
    EXPORT_MOT,
    EXPORT_STO,
    EXPORT_GLB,
    EXPORT_FORMAT_COUNT
} ExportFormat;

/* Axes of torque, force, angular velocity and angular acceleration; positions are always in world axes. */
typedef enum ExportFrame { EXPORT_WORLD = 0, EXPORT_PARENT, EXPORT_LOCAL, EXPORT_FRAME_COUNT } ExportFrame;

/* Names of anatomical coordinates: left_hip_flexion, or hip_flexion_l as in OpenSim's Rajagopal model. */
typedef enum ExportNames { EXPORT_NAMES_KANE = 0, EXPORT_NAMES_OPENSIM } ExportNames;

/* Centre of pressure of an unloaded foot. */
typedef enum AirborneCop { AIRBORNE_COP_NAN = 0, AIRBORNE_COP_ZERO } AirborneCop;

typedef struct ExportDef {
    ExportFormat format; /* default EXPORT_TSV */
    ExportFrame frame;   /* default EXPORT_WORLD; BVH, npz and glb use the axes of the clip file */
    const char *like;    /* bvh: a file with the same joints, whose HIERARCHY, unit and up axis are used; NULL: cm, Y
                            up */
    ExportNames names;   /* of angles and moments; default EXPORT_NAMES_KANE */
    AirborneCop airborne; /* default AIRBORNE_COP_NAN; OpenSim's inverse dynamics requires zero */
    GltfColour colour;   /* glb: quantity shown by colour; default GLTF_COLOUR_TORQUE */
    CameraDef camera;    /* for its table, or an animated camera in glb; default: none */
    const Vec3 *ball;    /* [frame] m, a ball beside the body in glb, NaN in frames without; NULL (default): none */
    double ball_radius;  /* m */
    FrameChoice frames;  /* glb: frames for peaks and colours; default FRAMES_TRUSTED */
} ExportDef;

ExportDef export_default_def(void);

/* Returns "world"...; NULL past the last. export_frame_from_name returns 0 for an unknown name. */
const char *export_frame_name(ExportFrame frame);
int export_frame_from_name(const char *name, ExportFrame *frame);

typedef enum RowForm { ROW_CSV, ROW_TSV, ROW_JSONL, ROW_STORAGE } RowForm;

typedef struct RowWriter {
    FILE *stream;
    RowForm form;
    int column_count;
    int column;                /* of the next cell */
    const char *const *header; /* [column] borrowed */
    int is_short;              /* 1: numbers have three significant digits, except in JSON */
} RowWriter;

/* The header of a table. */
typedef struct RowHead {
    const char *title;       /* only in the storage form, as is row_count */
    long long row_count;
    int column_count;
    const char *const *name; /* [column] must outlive the writer */
    const char *comment;     /* only in TSV: contents, units and axes; NULL: none */
    int is_degrees;          /* only in the storage form */
} RowHead;

/* Returns 1 if column names contain unit and axes, because the form has no other place for them. */
static inline int row_writer_names_units(RowForm form) { return form == ROW_CSV || form == ROW_JSONL; }

/* Initialises the writer and writes the header. */
void row_writer_begin(RowWriter *sheet, RowForm form, FILE *stream, const RowHead *head);

/* Write the next cell; after the last column the row ends. */
void row_writer_number(RowWriter *sheet, double value);
void row_writer_vector(RowWriter *sheet, Vec3 v); /* three cells */
void row_writer_integer(RowWriter *sheet, long long value);
void row_writer_text(RowWriter *sheet, const char *text);
void row_writer_absent(RowWriter *sheet); /* an empty cell; null in JSON */

/* Flushes; STATUS_IO if any write failed. */
Status row_writer_finish(RowWriter *sheet, Error *err);

/* Column names composed of joints, coordinates, units and axes. */

typedef struct RowHeader {
    const char **name; /* [count] in the arena */
    int count;
    Arena arena;
} RowHeader;

/* Creates a header with room for this many names. */
RowHeader row_header_of(int columns);
void row_header_free(RowHeader *header);

void row_header_add(RowHeader *header, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds three columns: prefix, stem, x, y or z, suffix. */
void row_header_add_vector(RowHeader *header, const char *prefix, const char *stem, const char *suffix);

/* Begins a table with these names. If names are missing for lack of memory, nothing is written, the header is freed and
 * STATUS_NO_MEMORY returned. */
Status row_header_begin(RowHeader *header, RowWriter *sheet, RowForm form, FILE *stream, RowHead head, Error *err);

/* Ends the table and frees the header. */
Status row_header_finish(RowHeader *header, RowWriter *sheet, Error *err);

#endif
