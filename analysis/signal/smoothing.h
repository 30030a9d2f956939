/* The methods of smoothing, each a row of one table: what it needs, and its filter.
 *
 * A new method is a value of SmoothMethod here, its rows in smoothing.c, and its words in pipeline/stages/smooth.c. */
#ifndef KANE_SIGNAL_SMOOTHING_H
#define KANE_SIGNAL_SMOOTHING_H

#include "analysis/base/status.h"
#include "analysis/signal/samples.h"

typedef enum SmoothMethod {
    SMOOTH_BUTTERWORTH = 0,
    SMOOTH_SAVGOL,
    SMOOTH_SPRING,
    SMOOTH_NONE,
    SMOOTH_METHOD_COUNT
} SmoothMethod;

typedef struct SmoothDef {
    SmoothMethod method; /* default butterworth */
    double cutoff;       /* butterworth, spring: Hz, -3 dB of the whole zero-lag filter; default 8; 0: auto by residual
                            analysis, one cutoff for the clip */
    int window;          /* savgol: frames, odd; default 9 */
    int order;           /* savgol: polynomial degree; default 3 */
} SmoothDef;

SmoothDef smooth_default_def(void);

/* Names in the order of the enum, NULL behind the last: "butterworth". */
extern const char *const smooth_method_names[];

typedef struct Smoother {
    int has_cutoff;                                       /* 1: runs at def->cutoff, which is resolved before */
    Status (*check)(const SmoothDef *def, Error *err);    /* STATUS_USAGE for numbers that are none */
    int (*least_rows)(const SmoothDef *def);              /* fewer stay as they are */
    /* Filters `count` sets of samples of one rate (Hz) along their rows, in place. NULL: the method leaves them. */
    Status (*filter)(const Samples *samples, int count, const SmoothDef *def, double rate, Error *err);
} Smoother;

/* NULL where the number names no method. Valid for the life of the program. */
const Smoother *smoother_of(SmoothMethod method);

#endif
