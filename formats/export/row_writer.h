/* Rows of numbers and text as CSV (RFC 4180), TSV, JSON lines or OpenSim's storage form.
 *
 * TSV writes tab, line end and backslash as \t \n \r \\, and may begin with a comment, a line that begins with #; in an
 * OpenSim file white space in a label becomes _. */
#ifndef KANE_EXPORT_ROW_WRITER_H
#define KANE_EXPORT_ROW_WRITER_H

#include <stdio.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "formats/gltf/gltf_clip.h"

/* What an export is asked for: the format, axes, names. */

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

/* Axes in which torque, force, angular velocity and angular acceleration are given; positions stay in the world. */
typedef enum ExportFrame { EXPORT_WORLD = 0, EXPORT_PARENT, EXPORT_LOCAL, EXPORT_FRAME_COUNT } ExportFrame;

/* How anatomical coordinates are called: left_hip_flexion, or hip_flexion_l as in OpenSim's Rajagopal model. */
typedef enum ExportNames { EXPORT_NAMES_KANE = 0, EXPORT_NAMES_OPENSIM } ExportNames;

/* What stands for the centre of pressure of a foot without load. */
typedef enum AirborneCop { AIRBORNE_COP_NAN = 0, AIRBORNE_COP_ZERO } AirborneCop;

typedef struct ExportDef {
    ExportFormat format; /* default EXPORT_TSV */
    ExportFrame frame;   /* default EXPORT_WORLD; BVH, npz and glb hold what the container holds */
    const char *like;    /* bvh: a file of the same joints whose HIERARCHY, unit and axis it has; NULL: cm, Y up */
    ExportNames names;   /* of angles and moments; default EXPORT_NAMES_KANE */
    AirborneCop airborne; /* default AIRBORNE_COP_NAN; OpenSim's inverse dynamics needs zero */
    GltfColour colour;   /* glb: what the colours show; default GLTF_COLOUR_TORQUE */
    CameraDef camera;    /* its table, or in glb an animated camera; default: none */
    const Vec3 *ball;    /* [frame] m, a ball beside the body in glb, NaN: none in the frame; NULL (default): none */
    double ball_radius;  /* m */
    FrameChoice frames;  /* glb: of which frames peaks and colours are; default FRAMES_TRUSTED */
} ExportDef;

ExportDef export_default_def(void);

/* "world"...; NULL past the last. 0 where there is no such name. */
const char *export_frame_name(ExportFrame frame);
int export_frame_from_name(const char *name, ExportFrame *frame);

typedef enum RowForm { ROW_CSV, ROW_TSV, ROW_JSONL, ROW_STORAGE } RowForm;

typedef struct RowWriter {
    FILE *stream;
    RowForm form;
    int column_count;
    int column;                /* of the next cell */
    const char *const *header; /* [column] borrowed */
    int is_short;              /* numbers, except in JSON, have three significant digits */
} RowWriter;

/* What stands above the rows. */
typedef struct RowHead {
    const char *title;       /* this and the next only the storage form has */
    long long row_count;
    int column_count;
    const char *const *name; /* [column] must live as long as the sheet */
    const char *comment;     /* of TSV alone: what the columns hold, in which units and axes; NULL: nothing */
    int is_degrees;          /* of the storage form alone */
} RowHead;

/* Whether names of columns contain unit and axes, as nothing else in the form can. */
static inline int row_writer_names_units(RowForm form) { return form == ROW_CSV || form == ROW_JSONL; }

/* Starts the sheet: writes the header. */
void row_writer_begin(RowWriter *sheet, RowForm form, FILE *stream, const RowHead *head);

/* Cells in the order of the columns; the last one of a row ends it. */
void row_writer_number(RowWriter *sheet, double value);
void row_writer_vector(RowWriter *sheet, Vec3 v); /* three cells */
void row_writer_integer(RowWriter *sheet, long long value);
void row_writer_text(RowWriter *sheet, const char *text);
void row_writer_absent(RowWriter *sheet); /* nothing; null in JSON */

/* STATUS_IO where the stream refused anything. */
Status row_writer_finish(RowWriter *sheet, Error *err);

/* Names of columns that are put together: of joints, coordinates, units and axes. */

typedef struct RowHeader {
    const char **name; /* [count] in the arena */
    int count;
    Arena arena;
} RowHeader;

/* Room for as many names. */
RowHeader row_header_of(int columns);
void row_header_free(RowHeader *header);

void row_header_add(RowHeader *header, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Three columns: prefix, stem, x, y or z, suffix. */
void row_header_add_vector(RowHeader *header, const char *prefix, const char *stem, const char *suffix);

/* Starts the sheet with these names. Without all of them nothing is written: STATUS_NO_MEMORY, and the header is
 * freed. */
Status row_header_begin(RowHeader *header, RowWriter *sheet, RowForm form, FILE *stream, RowHead head, Error *err);

/* Ends the sheet, and frees the header. */
Status row_header_finish(RowHeader *header, RowWriter *sheet, Error *err);

#endif
