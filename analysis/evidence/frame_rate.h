/* Frame rate from a frame time that was written with few digits: 0.033333 stands for 30 frames a second. */
#ifndef KANE_EVIDENCE_FRAME_RATE_H
#define KANE_EVIDENCE_FRAME_RATE_H

/* The rate in Hz of which frame_time (s) is the rounded or cut reciprocal: an exact whole rate first, then the rates in
 * use (24, 30, 60, 120, ..., and the television rates n * 1000 / 1001), then any whole rate, else 1 / frame_time. The
 * digits that were written are those of the shortest decimal that reads back as frame_time. confidence in 0..1; a frame
 * time that is not positive and finite gives 30 with confidence 0. */
double frame_rate_from_time(double frame_time, double *confidence);

#endif
