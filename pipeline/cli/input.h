/* Clips out of containers: named files or standard input, each of which may hold several, one after the other. */
#ifndef KANE_PIPELINE_INPUT_H
#define KANE_PIPELINE_INPUT_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Takes one clip; it is freed behind the call. What it returns other than STATUS_OK is told to the person with the
 * path; STATUS_USAGE ends the visit, everything else only this clip. */
typedef Status (*ClipVisitor)(void *context, const char *path, Clip *clip, Error *err);

/* Calls visit for every clip of every path; no paths mean "-". Verbs that ask for nothing but motion (retarget, mirror,
 * trim, resample, picture) also take BVH files, by their ending. Prints what fails and returns the exit code. */
int clips_visit(const char *verb, char *const *paths, int path_count, ClipVisitor visit, void *context);

#endif
