/* See envelope.h. */
#include "analysis/signal/envelope.h"

#include <math.h>

void smooth_envelope(double *value, int frames, int width, double *largest)
{
    for (int f = 0; f < frames; f++) {
        largest[f] = value[f];
        for (int i = f > width ? f - width : 0; i <= f + width && i < frames; i++)
            largest[f] = fmax(largest[f], value[i]);
    }
    for (int f = 0; f < frames; f++) {
        double sum = 0, weights = 0;
        for (int i = -width; i <= width; i++) {
            int k = f + i < 0 ? 0 : f + i >= frames ? frames - 1 : f + i;
            double x = (double)i / (width + 1), w = (1 - x * x) * (1 - x * x) * (1 - x * x);
            sum += w * largest[k];
            weights += w;
        }
        value[f] = sum / weights;
    }
}
