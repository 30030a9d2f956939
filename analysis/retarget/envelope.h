/* A smooth curve above another one. */
#ifndef KANE_RETARGET_ENVELOPE_H
#define KANE_RETARGET_ENVELOPE_H

/* Replaces value[frame] by a smooth curve that nowhere lies below it: the largest value within `width` frames, averaged
 * with the weights (1 - (i / (width + 1))^2)^3, which vanish smoothly. largest: [frame] scratch. */
void smooth_envelope(double *value, int frames, int width, double *largest);

#endif
