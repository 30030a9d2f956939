/* What the program says on standard error: `kane import: walk.bvh:132:17: expected a number, found "x"`. */
#ifndef KANE_PIPELINE_MESSAGE_H
#define KANE_PIPELINE_MESSAGE_H

#include "analysis/base/status.h"

/* One line about a file; path may be NULL ("-" reads as "standard input"). Returns the exit code of the error. */
int message_error(const char *verb, const char *path, const Error *err);

/* One line that is no failure: a decision, a warning. */
void message_note(const char *verb, const char *path, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same with a place in a text file. */
void message_note_at(const char *verb, const char *path, int line, int column, const char *text);

/* Wrong usage found behind the option parser: prints and returns exit code 2. */
int message_usage(const char *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Gives the error of a second file (a table named by an option) its place in words, so that it is not taken for the
 * clip's. Returns status. */
Status message_of_file(Error *err, const char *path, Status status);

/* "path:line:column: " with what is known of it. */
void message_place(const char *path, int line, int column, char *text, unsigned size);

/* The worse of two exit codes. */
int exit_code_worse(int a, int b);

#endif
