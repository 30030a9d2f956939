/* A smooth upper envelope. */
#ifndef KANE_SIGNAL_ENVELOPE_H
#define KANE_SIGNAL_ENVELOPE_H

/* Replaces value[frame] by a smooth upper envelope: the largest value within `width` frames, averaged with the weights
 * (1 - (i / (width + 1))^2)^3, which vanish smoothly. largest: [frame] scratch. */
void smooth_envelope(double *value, int frames, int width, double *largest);

#endif
