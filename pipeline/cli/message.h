/* What the program says on standard error: `kane import: walk.bvh:132:17: expected a number, found "x"`. */
#ifndef KANE_PIPELINE_MESSAGE_H
#define KANE_PIPELINE_MESSAGE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "pipeline/stages/notes.h"

/* One line about a file; path may be NULL ("-" reads as "standard input"). Returns the exit code of the error. */
int message_error(const char *verb, const char *path, const Error *err);

/* One line that is no failure: a decision, a warning. */
void message_note(const char *verb, const char *path, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* What a stage tells of a file, or as its result of the clip (may be NULL before there is one). */
void message_notes(const char *verb, const char *path, const Notes *notes, const Clip *clip);

/* Wrong usage found behind the option parser: prints and returns exit code 2. */
int message_usage(const char *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The worse of two exit codes. */
int exit_code_worse(int a, int b);

#endif
