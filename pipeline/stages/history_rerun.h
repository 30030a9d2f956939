/* Repeats the history of a clip on its source. */
#ifndef KANE_STAGES_HISTORY_RERUN_H
#define KANE_STAGES_HISTORY_RERUN_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Repeats the history of the clip on its source: import, then each stage with its recorded options. Values that import
 * detected are detected again; if clips with the same skeleton were decided together (kane batch), the recorded values,
 * texts and confidences are used. Files named in the history are read from the source's directory. STATUS_BAD_INPUT
 * names what cannot be repeated: a different source, a line of no stage, a file that is missing or has changed. On
 * failure *out is empty. */
Status history_rerun(const Clip *clip, const char *source, Clip *out, Error *err);

#endif
