/* Errors of table cells that should name a joint: STATUS_BAD_INPUT with line, column and similar names. */
#ifndef KANE_TABLES_JOINT_CELL_H
#define KANE_TABLES_JOINT_CELL_H

#include "analysis/clip/skeleton.h"
#include "formats/base/table.h"

/* The cell should have the name or role of a joint. */
Status joint_cell_unknown(const Table *t, int row, int column, const Skeleton *skeleton, Error *err);

#endif
