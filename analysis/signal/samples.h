/* Channels sampled together, in equal steps of time: what filters run along. */
#ifndef KANE_SIGNAL_SAMPLES_H
#define KANE_SIGNAL_SAMPLES_H

#include <stddef.h>

typedef struct Samples {
    double *rows; /* [row][channel], borrowed */
    size_t row_count, channel_count;
} Samples;

#endif
