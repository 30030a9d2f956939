/* The page of kane track --compare: a clip and all controllers that tracked it, side by side. */
#ifndef KANE_CLI_TRACK_PAGE_H
#define KANE_CLI_TRACK_PAGE_H

#include "analysis/clip/clip.h"
#include "pipeline/cli/output_file.h"

/* Checks the name and that the file may be written, before the work starts. */
Status track_page_check(const OutputCall *call, const char *path, Error *err);

/* template: NULL: the installed one. */
Status track_page_write(OutputCall *call, const char *template, const char *path, const Clip *clip, Error *err);

#endif
