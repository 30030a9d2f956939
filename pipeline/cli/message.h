/* Messages on standard error: `kane import: walk.bvh:132:17: expected a number, found "x"`. */
#ifndef KANE_CLI_MESSAGE_H
#define KANE_CLI_MESSAGE_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "pipeline/stages/notes.h"

/* Prints one line about a file; path may be NULL ("-" is printed as "standard input"). Returns the exit code of the
 * error. */
int message_error(const char *command, const char *path, const Error *err);

/* Prints a line that is not an error: a note or a warning. */
void message_note(const char *command, const char *path, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Prints the notes of a stage on a file, or on the resulting clip (NULL if there is none). quiet: warnings only. */
void message_notes(const char *command, const char *path, const Notes *notes, const Clip *clip, int quiet);

/* Prints wrong usage detected after options are parsed, and returns exit code 2. `command` NULL: of kane itself. */
int message_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints that the positional arguments of a command are missing: `expected FILE.bvh...`; returns as message_usage. */
int message_missing(const char *command, const char *arguments);

/* Replaces references to stage options by their names in the command: "import's --unit" becomes "--unit" for import,
 * "--import-unit" for run and batch, and "kane import --unit" for others. */
void message_name_options(const char *command, const char *text, char *out, size_t size);

/* Returns the worse of two exit codes. */
int exit_code_worse(int a, int b);

#endif
