/* Rows of numbers and text as CSV (RFC 4180), TSV, JSON lines or OpenSim's storage form.
 *
 * TSV writes tab, line end and backslash as \t \n \r \\, and may begin with a comment, a line that begins with #; in an
 * OpenSim file white space in a label becomes _. */
#ifndef KANE_FORMATS_SHEET_H
#define KANE_FORMATS_SHEET_H

#include <stdio.h>

#include "analysis/base/status.h"

typedef enum SheetForm { SHEET_CSV, SHEET_TSV, SHEET_JSONL, SHEET_STORAGE } SheetForm;

typedef struct Sheet {
    FILE *stream;
    SheetForm form;
    int column_count;
    int column;                /* of the next cell */
    const char *const *header; /* [column] borrowed */
} Sheet;

/* What stands above the rows. */
typedef struct SheetHead {
    const char *title;       /* this and the next only the storage form has */
    long long row_count;
    int column_count;
    const char *const *name; /* [column] must live as long as the sheet */
    const char *comment;     /* of TSV alone: what the columns hold, in which units and axes; NULL: nothing */
    int is_degrees;          /* of the storage form alone */
} SheetHead;

/* Whether names of columns tell unit and axes, as nothing else in the form can. */
static inline int sheet_names_units(SheetForm form) { return form == SHEET_CSV || form == SHEET_JSONL; }

/* Starts the sheet: writes the header. */
void sheet_begin(Sheet *sheet, SheetForm form, FILE *stream, const SheetHead *head);

/* Cells in the order of the columns; the last one of a row ends it. */
void sheet_number(Sheet *sheet, double value);
void sheet_integer(Sheet *sheet, long long value);
void sheet_text(Sheet *sheet, const char *text);
void sheet_absent(Sheet *sheet); /* nothing; null in JSON */

/* STATUS_IO where the stream refused anything. */
Status sheet_finish(Sheet *sheet, Error *err);

#endif
