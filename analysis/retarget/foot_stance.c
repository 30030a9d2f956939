#include "analysis/retarget/foot_stance.h"

#include <math.h>
#include <string.h>

#define NEAR_GROUND 0.015 /* m */

/* A stance, frames [begin, end), and in it the frames in which the foot rests, first and last. */
typedef struct Stance {
    int begin, end, first, last;
} Stance;

/* Frames in which the sole is near the ground if it follows the copied motion before and after it rests. */
static int frames_near(const double *height, Stance s)
{
    int count = s.last - s.first + 1;
    for (int f = s.begin; f < s.first; f++)
        count += fabs(height[f] - height[s.first]) < NEAR_GROUND;
    for (int f = s.last + 1; f < s.end; f++)
        count += fabs(height[f] - height[s.last]) < NEAR_GROUND;
    return count;
}

static Stance widen(const double *height, double least, Stance s)
{
    while (frames_near(height, s) < least * (s.end - s.begin)) {
        double before = s.first > s.begin ? height[s.first - 1] : INFINITY;
        double after = s.last + 1 < s.end ? height[s.last + 1] : INFINITY;
        if (before <= after)
            s.first--;
        else
            s.last++;
    }
    return s;
}

/* The frames that are slow; the middle one where none is. */
static Stance slow_part(const double *speed, double slow, int begin, int end)
{
    int middle = begin + (end - begin) / 2;
    Stance s = {begin, end, middle, middle};
    int found = 0;
    for (int f = begin; f < end; f++)
        if (speed[f] <= slow) {
            s.first = found ? s.first : f;
            s.last = f;
            found = 1;
        }
    return s;
}

void foot_stance_settle(const double *height, const double *speed, const uint8_t *held, int frames, double slow,
                        double least, uint8_t *settled)
{
    memset(settled, 0, (size_t)frames);
    for (int f = 0, end; f < frames; f = end + 1) {
        for (end = f; end < frames && held[end]; end++)
            ;
        if (end == f)
            continue;
        Stance s = widen(height, least, slow_part(speed, slow, f, end));
        memset(settled + s.first, 1, (size_t)(s.last - s.first + 1));
    }
}
