/* The options that every verb with containers as its output shares: where they go and how they are stored. */
#ifndef KANE_PIPELINE_SINK_H
#define KANE_PIPELINE_SINK_H

#include "pipeline/cli/option.h"
#include "pipeline/cli/output.h"

typedef struct SinkOptions {
    const char *output;
    ContainerDef container;
} SinkOptions;

extern const Option sink_output_options[];  /* of a SinkOptions */
extern const Option sink_storage_options[]; /* of a ContainerDef */

SinkOptions sink_defaults(void);

#endif
