/* AMC: the motion of an ASF skeleton, a row of numbers per bone and frame. */
#ifndef KANE_AMC_AMC_H
#define KANE_AMC_AMC_H

#include "analysis/base/status.h"
#include "analysis/detect/take.h"
#include "formats/amc/asf.h"
#include "formats/base/source_format.h"

typedef struct Amc {
    int frame_count;
    int channel_count;
    double frame_time;  /* s; 0: not stated */
    double *value;      /* [frame][channel] file units and deg, bones and their degrees of freedom in the order of the
                           skeleton; those of a bone without rows are 0 */
    int *first_channel; /* [bone] */
    int *line;          /* [frame] 1-based line of the frame's number */
} Amc;

/* STATUS_BAD_INPUT with the line; STATUS_LIMIT for more frames than def allows. On failure *out is empty. */
Status amc_parse(const SourceFile *file, const Asf *asf, const SourceDef *def, Amc *out, Error *err);
void amc_free(Amc *amc);

/* The motion in file units and axes; and the rows with their rotation channels, whose values belong to amc. The caller
 * frees *rotations and *out, also after failure. */
Status amc_motion(const Asf *asf, const Amc *amc, Motion *out, ChannelRows *rows, EulerChannels **rotations,
                  Error *err);

#endif
