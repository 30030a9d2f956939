/* See ground_noise.h. */
#include "analysis/stats/ground_noise.h"

#include <math.h>

#include "analysis/math/elementary.h"
#include "analysis/signal/cutoff.h"
#include "analysis/stats/clip_settings.h"

double ground_noise_band(const Clip *clip, double seconds)
{
    const char *history = clip->provenance.history;
    double noise = history_filter_number(history, "noise"), cutoff = history_filter_number(history, "cutoff");
    double rate = 1 / clip->motion.frame_time, count = fmax(1, clip->motion.frame_count / rate / seconds);
    if (!(noise > 0))
        return 0;
    double sd = cutoff_mean_noise(noise, cutoff > 0 ? cutoff : rate, rate, seconds);
    return sd * sqrt(2 * elementary_log(10 * count));
}
