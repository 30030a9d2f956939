/* Biquad filter over several channels at once, one per lane. */

#include "analysis/math/lanes.h"
#include "analysis/signal/biquad.h"

void LANE_NAME(biquad_row)(const Biquad *section, double *row, double *state, size_t channel_count)
{
    double *s1 = state, *s2 = state + channel_count;
    const Biquad s = *section;
    size_t c = 0;
    for (; c + LANES <= channel_count; c += LANES) {
        Lane x = lane_load_row(row + c), y = lane_set(s.b0) * x + lane_load_row(s1 + c);
        lane_store_row(s1 + c, (lane_set(s.b1) * x - lane_set(s.a1) * y) + lane_load_row(s2 + c));
        lane_store_row(s2 + c, lane_set(s.b2) * x - lane_set(s.a2) * y);
        lane_store_row(row + c, y);
    }
    for (; c < channel_count; c++) {
        double x = row[c], y = s.b0 * x + s1[c];
        s1[c] = (s.b1 * x - s.a1 * y) + s2[c];
        s2[c] = s.b2 * x - s.a2 * y;
        row[c] = y;
    }
}
