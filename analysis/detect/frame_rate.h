/* Frame rate of a file from its frame time. */
#ifndef KANE_DETECT_FRAME_RATE_H
#define KANE_DETECT_FRAME_RATE_H

/* The rate in Hz whose rounded or truncated reciprocal is frame_time (s): first an exact integer rate, then the rates
 * in use (24, 30, 60, 120, ..., and the broadcast rates n * 1000 / 1001), then any integer rate, otherwise 1 /
 * frame_time. The written digits are those of the shortest decimal that reads back as frame_time. confidence in 0..1; a
 * frame time that is not positive and finite gives 30 with confidence 0. */
double frame_rate_from_time(double frame_time, double *confidence);

#endif
