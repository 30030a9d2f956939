/* How far a batch has come: a bar with rate and time left on a terminal, a plain line now and then elsewhere. */
#ifndef KANE_PIPELINE_PROGRESS_H
#define KANE_PIPELINE_PROGRESS_H

#include <stddef.h>

typedef struct Progress {
    const char *verb;
    size_t total, done, failed; /* jobs; failed ones count as done */
    long long frames;
    double start, shown; /* s, of a clock that only goes forward */
    int terminal;        /* standard error is one */
} Progress;

/* Seconds of a clock that only goes forward. */
double progress_clock(void);

void progress_start(Progress *p, const char *verb, size_t total);

/* Shows where things stand, if it is time. */
void progress_show(Progress *p);

/* Takes the bar off the terminal, so that a message can be printed; the next progress_show draws it again. */
void progress_clear(Progress *p);

/* One last line. */
void progress_finish(Progress *p, size_t unchanged);

#endif
