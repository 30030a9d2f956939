#include "analysis/signal/spring_section.h"

#include <math.h>

#include "analysis/math/elementary.h"
#include "analysis/math/spring.h"

/* From x(t) = u + xx (x(t-1) - u) + xv v(t-1), v(t) = vx (x(t-1) - u) + vv v(t-1), with v eliminated. */
static Section section_of_step(SpringStep s)
{
    double determinant = s.xx * s.vv - s.xv * s.vx;
    Section section = {.b0 = 1 - s.xx, .a1 = -(s.xx + s.vv), .a2 = determinant};
    section.b1 = (1 + section.a1 + section.a2) - section.b0; /* unit gain at zero frequency */
    return section;
}

Section spring_section(double cutoff, double rate)
{
    double wanted = 1 / sqrt(sqrt(2)), angle = 2 * PI * cutoff / rate; /* two passes of -1.5 dB */
    double low = 0, high = 100 * PI * cutoff;
    Section section = {0};
    /* The gain rises with the spring's frequency; halving to the last bit takes under 60 steps. */
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        section = section_of_step(spring_step(middle, 1, 1 / rate));
        if (section_gain(&section, angle) < wanted)
            low = middle;
        else
            high = middle;
    }
    return section;
}
