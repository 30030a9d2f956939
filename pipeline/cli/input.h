/* Reads clips from clip files, each of which may contain several, or from standard input. */
#ifndef KANE_CLI_INPUT_H
#define KANE_CLI_INPUT_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "pipeline/stages/import.h"

/* Processes one clip, which is freed after the call. Errors are printed with the path; STATUS_USAGE ends the visit,
 * other errors only skip this clip. */
typedef Status (*ClipVisitor)(void *context, const char *path, Clip *clip, Error *err);

/* Calls visit for every clip of every path (none: standard input). Prints errors and returns the exit code. */
int clips_visit(const char *command, char *const *paths, int path_count, ClipVisitor visit, void *context);

/* How motion files are read. */
typedef struct MotionReading {
    const ImportOptions *import; /* options of the command (--import-fps), so named in messages; NULL: the defaults */
    int quiet;                   /* 1: print only warnings of import */
} MotionReading;

/* Likewise for commands that require only motion: also reads motion files with all their takes, distinguished from clip
 * files by extension or content. */
int clips_visit_motion(const char *command, char *const *paths, int path_count, ClipVisitor visit, void *context,
                       MotionReading reading);

#endif
