/* Shaking in a rhythm of 2 to 12 frames: power of a joint's rotation in a line above the band of its motion.
 *
 * Windows of half a second or more and of twice that are taken apart into frequencies (power_spectrum_of_changes): a
 * shake is a line, motion and noise are not. The doubt of a joint at a frequency adds up
 *   how far the line stands out of the frequencies around it, up to 1.8 times lower and higher;
 *   how far the joint's amplitude there exceeds the median joint's: bodies move as a whole, solvers shake one joint;
 *   how far it exceeds its counterpart's on the other side: limbs swing, and land, in pairs;
 *   how far it exceeds the largest amplitude of motion at that frequency.
 * data/shaking.tsv has the weights, and the limit, which depends on the frequency: people move in rhythms of up to 5 Hz
 * themselves. Quaternions are half angles, whatever the axes are. */
#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/clip/trust.h"
#include "analysis/math/elementary.h"
#include "analysis/math/sort.h"
#include "analysis/motion/mirror.h"
#include "analysis/quality/artifacts_internal.h"
#include "analysis/quality/shaking_limits.h"
#include "analysis/signal/power_spectrum.h"

#define MIN_WINDOW 32        /* frames */
#define WINDOW_TIME 0.5      /* s: the shortest power of two */
#define LENGTHS 2            /* of windows: this and twice it */
#define LONGEST_PERIOD 12.5  /* frames */
#define SIDE 1.8             /* reach of the frequencies around a line */
#define FAINT 0.08           /* of the largest motion: less is not examined */
#define STILL (0.02 * PI / 180) /* rad: least amplitude of the other joints */
#define NO_POWER 1e-14
enum { KNOTS = 5, STEP_FRAMES = 4 };

static const double of_mean = 0.25;  /* of squared changes: less is still */
static const double of_steps = 0.8; /* of the squared changes: two steps have two frames each */

typedef struct RhythmSearch {
    const Skeleton *skeleton;
    const Motion *source;
    const int *counterpart; /* [joint] on the other side; -1: none */
    size_t joints, count, bins; /* frames of the window; frequencies 0 .. bins - 1 */
    double *power;     /* [bin][joint] of the changes */
    double *amplitude; /* [bin][joint] rad RMS of the line at the bin */
    double *usual;     /* [bin] rad: the median of the joints with a role */
    double *motion;    /* [bin] rad: the largest of motion */
    double *limit;     /* [bin] of the doubt */
    double *sum;       /* [bin + 1] scratch: sums of log power of one joint */
    double *scratch;   /* [joint] */
} RhythmSearch;

/* The largest doubt of a joint in a window; positive: it shakes. */
typedef struct Rhythm {
    double doubt, amplitude;
} Rhythm;

static double clamp(double x, double least, double most) { return fmin(most, fmax(least, x)); }

/* Interpolates between 2, 4, 8, 16 and 45 Hz, by the logarithm of the frequency; constant beyond. */
static double at_knots(const double knot[KNOTS], double frequency)
{
    static const double at[KNOTS] = {2, 4, 8, 16, 45};
    int i = 0;
    while (i < KNOTS - 2 && frequency > at[i + 1])
        i++;
    double part = clamp(elementary_log(frequency / at[i]) / elementary_log(at[i + 1] / at[i]), 0, 1);
    return knot[i] + part * (knot[i + 1] - knot[i]);
}

static void find_amplitudes(RhythmSearch *s)
{
    for (size_t k = 0; k < s->bins; k++) {
        double chord = 2 * elementary_sin(PI * (double)k / (double)s->count), gain = fmax(chord * chord, NO_POWER);
        const double *own = s->power + k * s->joints, *below = k > 0 ? own - s->joints : NULL;
        const double *above = k + 1 < s->bins ? own + s->joints : NULL;
        for (size_t j = 0; j < s->joints; j++) {
            double line = own[j] + (below ? below[j] : 0) + (above ? above[j] : 0);
            s->amplitude[k * s->joints + j] = 2 * sqrt(line) / gain;
        }
    }
}

/* The median amplitude of the joints with a role; of all joints if none has one. */
static double usual_amplitude(RhythmSearch *s, size_t bin)
{
    size_t roles = 0;
    for (int pass = 0; pass < 2 && roles == 0; pass++)
        for (size_t j = 0; j < s->joints; j++)
            if (pass || s->skeleton->role[j] != ROLE_NONE)
                s->scratch[roles++] = s->amplitude[bin * s->joints + j];
    return fmax(select_double(s->scratch, roles, roles / 2), STILL);
}

/* Mean log power of bins first .. last - 1. */
static double mean_level(const RhythmSearch *s, size_t first, size_t last)
{
    return (s->sum[last] - s->sum[first]) / (double)(last - first);
}

/* Log of the line's mean power over the larger level of its two sides. */
static double prominence(const RhythmSearch *s, size_t bin, size_t joint)
{
    double line = 0, level;
    size_t low_end = bin > 3 ? bin - 2 : 2, low = (size_t)((double)bin / SIDE + 0.5);
    size_t high = bin + 3, high_end = (size_t)((double)bin * SIDE + 0.5);
    for (size_t k = bin - 1; k <= bin + 1 && k < s->bins; k++)
        line += s->power[k * s->joints + joint];
    low = bin > 4 && low > bin - 4 ? bin - 4 : low;
    low = low < 1 || bin <= 4 ? 1 : low;
    level = mean_level(s, low, low_end > low ? low_end : low + 1);
    high_end = high_end < bin + 5 ? bin + 5 : high_end;
    high_end = high_end > s->bins ? s->bins : high_end;
    if (high_end > high)
        level = fmax(level, mean_level(s, high, high_end));
    return elementary_log(fmax(line / 3, NO_POWER)) - level;
}

static void sum_levels(RhythmSearch *s, size_t joint)
{
    s->sum[0] = 0;
    for (size_t k = 0; k < s->bins; k++)
        s->sum[k + 1] = s->sum[k] + elementary_log(s->power[k * s->joints + joint] + NO_POWER);
}

/* The part of the doubt that comes from the joint on the other side. */
static double unlike_counterpart(const RhythmSearch *s, size_t bin, size_t joint)
{
    const ShakingLimits *c = &shaking_limits;
    const double *amplitude = s->amplitude + bin * s->joints;
    if (s->counterpart[joint] < 0)
        return 0;
    double ratio = amplitude[joint] / fmax(amplitude[s->counterpart[joint]], STILL);
    return c->mirror * elementary_log(clamp(ratio, c->min_others, c->max_others)) + c->paired;
}

/* Positive: the joint shakes at this frequency. */
static double doubt_at(const RhythmSearch *s, size_t bin, size_t joint)
{
    const ShakingLimits *c = &shaking_limits;
    double amplitude = s->amplitude[bin * s->joints + joint], excess = elementary_log(amplitude / s->motion[bin]);
    double others = clamp(amplitude / s->usual[bin], c->min_others, c->max_others);
    double line = prominence(s, bin, joint);
    if (line < elementary_log(c->min_line))
        return -1;
    return c->line * fmin(line, elementary_log(c->max_line)) + c->others * elementary_log(others) +
           unlike_counterpart(s, bin, joint) + c->amplitude * excess + c->beyond * fmax(0, excess) - s->limit[bin];
}

/* Examines a joint in a window. */
static Rhythm examine(RhythmSearch *s, size_t joint, size_t first)
{
    Rhythm most = {-1, 0};
    int is_summed = 0;
    for (size_t k = first; k < s->bins; k++) {
        double amplitude = s->amplitude[k * s->joints + joint];
        if (!(amplitude > FAINT * s->motion[k]))
            continue;
        if (!is_summed++)
            sum_levels(s, joint);
        double doubt = doubt_at(s, k, joint);
        if (doubt > most.doubt)
            most = (Rhythm){doubt, amplitude};
    }
    return most;
}

static double squared_change(const Motion *m, size_t f, size_t joint)
{
    size_t joints = (size_t)m->joint_count;
    const Quat *a = m->rotation + f * joints + joint, *b = a + joints, *c = b + joints;
    double w = a->w - 2 * b->w + c->w, x = a->x - 2 * b->x + c->x, y = a->y - 2 * b->y + c->y;
    double z = a->z - 2 * b->z + c->z;
    return w * w + x * x + y * y + z * z;
}

/* Whether the changes go on through the window, unlike those of one or two steps. */
static int goes_on(const RhythmSearch *s, size_t start, size_t joint)
{
    double sum = 0, largest[STEP_FRAMES] = {0};
    for (size_t f = start; f < start + s->count; f++) {
        double change = squared_change(s->source, f, joint);
        sum += change;
        for (int i = 0; i < STEP_FRAMES; i++)
            if (change > largest[i]) {
                double smaller = largest[i];
                largest[i] = change;
                change = smaller;
            }
    }
    for (int i = 1; i < STEP_FRAMES; i++)
        largest[0] += largest[i];
    return largest[0] < of_steps * sum;
}

/* Leaves out the frames at both ends of a window in which the joint's changes are small beside the window's mean, less
 * half the longest period. */
static void leave_still_ends(const RhythmSearch *s, size_t start, Artifact *shake)
{
    size_t joint = (size_t)shake->joint, first = start, last = start + s->count - 1;
    double sum = 0;
    for (size_t f = first; f <= last; f++)
        sum += squared_change(s->source, f, joint);
    double small = of_mean * sum / (double)s->count;
    while (first < last && squared_change(s->source, first, joint) < small)
        first++;
    while (last > first && squared_change(s->source, last, joint) < small)
        last--;
    shake->first = (int)fmax(shake->first, (double)first + 1 - LONGEST_PERIOD / 2);
    shake->last = (int)fmin(shake->last, (double)last + 1 + LONGEST_PERIOD / 2);
}

/* What depends on the frequency alone. */
static void set_limits(RhythmSearch *s, int is_long)
{
    const ShakingLimits *c = &shaking_limits;
    double motion[KNOTS] = {c->motion_2, c->motion_4, c->motion_8, c->motion_16, c->motion_45};
    double limit[KNOTS] = {c->limit_2, c->limit_4, c->limit_8, c->limit_16, c->limit_45};
    for (int i = 0; i < KNOTS; i++)
        motion[i] = elementary_log(motion[i] * PI / 180);
    for (size_t k = 1; k < s->bins; k++) {
        double frequency = (double)k / ((double)s->count * s->source->frame_time);
        s->motion[k] = elementary_exp(at_knots(motion, frequency));
        s->limit[k] = at_knots(limit, frequency) + (is_long ? c->longer : 0);
    }
}

/* Searches the window from frame `start` on. */
static Status search_window(RhythmSearch *s, size_t start, Arena *arena, Artifacts *found, Error *err)
{
    Samples segment = {(double *)(s->source->rotation + start * s->joints), s->count + 2, 4 * s->joints};
    size_t first = (size_t)fmax(3, rint((double)s->count / LONGEST_PERIOD));
    Status status = STATUS_OK;
    power_spectrum_of_changes(&segment, 4, s->power, arena);
    if (arena->failed)
        return error_no_memory(err);
    find_amplitudes(s);
    for (size_t k = first; k < s->bins; k++)
        s->usual[k] = usual_amplitude(s, k);
    for (size_t j = 0; j < s->joints && !status; j++) {
        Rhythm rhythm = examine(s, j, first);
        Artifact shake = {TRUST_FLICKER, (int)j, (int)start + 1, (int)(start + s->count), 0, rhythm.amplitude};
        if (rhythm.doubt > 0 && goes_on(s, start, j)) {
            leave_still_ends(s, start, &shake);
            status = artifacts_add(found, shake, err);
        }
    }
    return status;
}

/* Windows of this length overlap by half and cover the take. */
static Status search_windows(RhythmSearch *s, Arena *arena, Artifacts *found, Error *err)
{
    size_t frames = (size_t)s->source->frame_count;
    if (frames < s->count + 2)
        return STATUS_OK;
    size_t free_frames = frames - 2 - s->count, hop = s->count / 2, more = (free_frames + hop - 1) / hop;
    Status status = STATUS_OK;
    for (size_t i = 0; i <= more && !status; i++)
        status = search_window(s, more ? i * free_frames / more : 0, arena, found, err);
    return status;
}

static RhythmSearch search_new(const Skeleton *skeleton, const Motion *m, size_t count, Arena *arena)
{
    size_t joints = (size_t)m->joint_count, bins = count / 2 + 1;
    RhythmSearch s = {.skeleton = skeleton, .source = m, .joints = joints, .count = count, .bins = bins};
    s.power = arena_array(arena, bins, joints, sizeof *s.power);
    s.amplitude = arena_array(arena, bins, joints, sizeof *s.amplitude);
    s.usual = arena_array(arena, bins, 1, sizeof *s.usual);
    s.motion = arena_array(arena, bins, 1, sizeof *s.motion);
    s.limit = arena_array(arena, bins, 1, sizeof *s.limit);
    s.sum = arena_array(arena, bins + 1, 1, sizeof *s.sum);
    s.scratch = arena_array(arena, joints, 1, sizeof *s.scratch);
    return s;
}

/* [joint] on the other side; NULL without memory. */
static const int *find_counterparts(const Skeleton *skeleton, Arena *arena)
{
    int *counterpart = arena_array(arena, (size_t)skeleton->joint_count, 1, sizeof *counterpart);
    for (int j = 0; counterpart && j < skeleton->joint_count; j++)
        counterpart[j] = mirror_counterpart(skeleton, j);
    return counterpart;
}

static size_t shortest_window(const Motion *m)
{
    size_t count = MIN_WINDOW;
    while ((double)count * m->frame_time < WINDOW_TIME)
        count *= 2;
    while (count > MIN_WINDOW && count + 2 > (size_t)m->frame_count)
        count /= 2;
    return count;
}

Status artifact_rhythm_find(const Skeleton *skeleton, const Motion *m, Artifacts *artifacts, Error *err)
{
    size_t count = shortest_window(m);
    Status status = STATUS_OK;
    Arena arena = {0};
    if (m->joint_count < 1 || (size_t)m->frame_count < count + 2)
        return STATUS_OK;
    const int *counterpart = find_counterparts(skeleton, &arena);
    for (int i = 0; i < LENGTHS && !status; i++) {
        RhythmSearch s = search_new(skeleton, m, count << i, &arena);
        s.counterpart = counterpart;
        status = arena.failed ? error_no_memory(err) : STATUS_OK;
        if (!status) {
            set_limits(&s, i > 0);
            status = search_windows(&s, &arena, artifacts, err);
        }
    }
    arena_free(&arena);
    return status;
}
