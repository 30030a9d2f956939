/* What the program prints on standard error: `kane import: walk.bvh:132:17: expected a number, found "x"`. */
#ifndef KANE_CLI_MESSAGE_H
#define KANE_CLI_MESSAGE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "pipeline/stages/option.h"

/* One line about a file; path may be NULL ("-" reads as "standard input"). Returns the exit code of the error. */
int message_error(const char *verb, const char *path, const Error *err);

/* One line that is no failure: a decision, a warning. */
void message_note(const char *verb, const char *path, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The notes of a stage on a file, or its results on the clip (NULL before there is one). quiet: warnings only. */
void message_notes(const char *verb, const char *path, const Notes *notes, const Clip *clip, int quiet);

/* Wrong usage found after the options are parsed: prints and returns exit code 2. verb NULL: of kane itself. */
int message_usage(const char *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Options of a stage as a command has them: of "import's --unit", out has "--unit" for the verb import, "--import-unit"
 * for run and batch, and "kane import --unit" for another. */
void message_name_options(const char *verb, const char *text, char *out, size_t size);

/* The worse of two exit codes. */
int exit_code_worse(int a, int b);

/* TERM, HUP and INT: no temporary file stays, and what has been written is printed.
 *
 * The one place of the program with state of the process: a signal handler gets no argument. A signal that was ignored
 * when the program began (nohup) stays ignored. */

/* From here on these signals end the program with a line of this verb. */
void interrupt_watch(const char *verb);

/* A file is being written under a temporary name, and gets the name path when it is whole. NULL: none any more. This
 * and the next are called while the signals are held. */
void interrupt_pending(const char *temporary, const char *path);

/* A file has got its name. */
void interrupt_written(const char *path);

/* Keeps the signals waiting while a name is being changed, so that what is printed is true. */
void interrupt_hold(void);
void interrupt_release(void);

/* For a loop that ends by itself: the first of these signals is only noted, the second ends the program. */
void interrupt_note(void);

/* The signal that was noted; 0: none. */
int interrupt_noted(void);

/* "SIGTERM" */
const char *interrupt_name(int number);

/* For a child that its parent ends: it ignores these signals, which a terminal sends to both. */
void interrupt_ignore(void);

#endif
