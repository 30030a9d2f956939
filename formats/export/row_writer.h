/* Rows of numbers and text as CSV (RFC 4180), TSV, JSON lines or OpenSim's storage format.
 *
 * TSV escapes tab, line end and backslash as \t \n \r \\, and may begin with a comment line that starts with #. In an
 * OpenSim file white space in labels becomes _. */
#ifndef KANE_EXPORT_ROW_WRITER_H
#define KANE_EXPORT_ROW_WRITER_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/math/vec.h"

typedef enum RowForm { ROW_CSV, ROW_TSV, ROW_JSONL, ROW_STORAGE } RowForm;

typedef struct RowWriter {
    FILE *stream;
    RowForm form;
    int column_count;
    int column;                /* of the next cell */
    const char *const *header; /* [column] borrowed */
    int is_short;              /* 1: numbers have three significant digits, except in JSON */
    int needs_numbers;         /* 1: row_writer_finish refuses a cell that is not a finite number */
    int row, bad_row, bad_column; /* rows so far; the first such cell, row -1: none */
} RowWriter;

/* The header of a table. */
typedef struct RowHead {
    const char *title;       /* only in the storage form, as is row_count */
    long long row_count;
    int column_count;
    const char *const *name; /* [column] must outlive the writer */
    const char *comment;     /* only in TSV: contents, units and axes; NULL: none */
    int is_degrees;          /* only in the storage form */
    int needs_numbers;       /* 1: a cell that is not a finite number is an error */
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

/* Flushes; STATUS_IO if any write failed, STATUS_BAD_INPUT for a cell without a number where the head needs them. */
Status row_writer_finish(RowWriter *sheet, Error *err);

#endif
