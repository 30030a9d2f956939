/* What tables tell of a joint at a frame: the arrays of the clip, each as one or more columns. */
#ifndef KANE_FORMATS_EXPORT_COLUMNS_H
#define KANE_FORMATS_EXPORT_COLUMNS_H

#include "formats/export/export.h"
#include "formats/export/sheet.h"

enum { EXPORT_MOST_COLUMNS = 16 };

typedef enum ExportColumnKind {
    COLUMN_VECTOR,     /* in world axes always */
    COLUMN_TURNED,     /* in the axes that were asked for */
    COLUMN_NUMBER,
    COLUMN_QUATERNION,
    COLUMN_FLAG,       /* of the frame, not of the joint */
} ExportColumnKind;

typedef struct ExportColumn {
    ExportColumnKind kind;
    const char *name[4]; /* one for each number, then NULL */
    const void *array;   /* [frame][joint]; COLUMN_FLAG: [frame] */
} ExportColumn;

/* What the clip holds; returns the number of columns filled. */
int export_columns(const Clip *clip, ExportColumn column[EXPORT_MOST_COLUMNS]);

/* The cells of a column. */
void export_put_column(Sheet *sheet, const Clip *clip, const ExportColumn *column, ExportFrame frame, int time,
                       int joint);
void export_put_vector(Sheet *sheet, Vec3 v);

/* Turns a vector of a joint at frame number time from world axes into the axes of frame. Without kinematics the world
 * alone can be chosen. */
Vec3 export_in_frame(const Clip *clip, ExportFrame frame, int time, int joint, Vec3 world);

/* STATUS_BAD_INPUT where the axes of frame are not known. */
Status export_check_frame(const Clip *clip, ExportFrame frame, Error *err);

#endif
