/* Smoothing methods, each one row of a table: its parameters and its filter. analysis/motion/smooth.h smooths a motion
 * by them.
 *
 * To add a method, add a value of SmoothMethod here, its rows in smoothing.c, and its text in
 * pipeline/stages/smooth.c. */
#ifndef KANE_SIGNAL_SMOOTHING_H
#define KANE_SIGNAL_SMOOTHING_H

#include "analysis/base/status.h"
#include "analysis/signal/biquad.h"

typedef enum SmoothMethod {
    SMOOTH_BUTTERWORTH = 0,
    SMOOTH_SAVGOL,
    SMOOTH_SPRING,
    SMOOTH_NONE,
    SMOOTH_METHOD_COUNT
} SmoothMethod;

typedef struct SmoothDef {
    SmoothMethod method; /* default butterworth */
    double cutoff;       /* butterworth, spring: Hz, -3 dB of the whole zero-lag filter; default 8
                            (analysis/motion/motion_cutoff.h: the cutoff by the noise of a clip) */
    double damping_ratio; /* spring: 1 is critical; default 1 */
    int window;          /* savgol: frames, odd; default 9 */
    int order;           /* savgol: polynomial degree; default 3 */
} SmoothDef;

SmoothDef smooth_default_def(void);

/* Names in the order of the enum, such as "butterworth"; ends with NULL. */
extern const char *const smooth_method_names[];

typedef struct Smoother {
    int has_cutoff;                                       /* 1: uses def->cutoff; the caller resolves 0 */
    Status (*check)(const SmoothDef *def, Error *err);    /* STATUS_USAGE for invalid parameters */
    int (*min_rows)(const SmoothDef *def);                /* fewer rows are not filtered */
    /* Filters `count` sets of samples with the same rate (Hz) along their rows, in place. NULL: no filter. */
    Status (*filter)(const Samples *samples, int count, const SmoothDef *def, double rate, Error *err);
} Smoother;

/* Returns NULL for an invalid method. Static storage. */
const Smoother *smoother_find(SmoothMethod method);

#endif
