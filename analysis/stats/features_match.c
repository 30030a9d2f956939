/* Search for a window of motion in another clip (features_match.h). */
#include "analysis/stats/features_match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"

#define LEGS_ALIKE 0.1   /* leg lengths: */
#define NM_KG_ALIKE 0.25 /* N m/kg: distances that have equal weight in LIKENESS_BOTH */

/* Sizes of pose and torque padded to whole lanes; padding is unknown. */
#define POSE_LANES 32
#define TORQUE_LANES 16
_Static_assert((int)SKETCH_POSE_VALUES <= POSE_LANES && (int)SKETCH_TORQUE_VALUES <= TORQUE_LANES,
               "lanes hold the values");

typedef struct FeatureSample {
    unsigned char pose[POSE_LANES], torque[TORQUE_LANES];
} FeatureSample;

enum { AS_IT_IS, MIRRORED, SIDES };
enum { ON_SAMPLES, BETWEEN_SAMPLES, PHASES };

struct SketchWindow {
    int count, sides;
    LikenessOf of;
    int pose_known[SIDES][PHASES], torque_known[SIDES][PHASES]; /* number of known values in all samples */
    FeatureSample *sample[SIDES][PHASES]; /* [count], between samples [count - 1]; owned */
};

static FeatureSample feature_sample(const unsigned char *value)
{
    FeatureSample s = {{0}, {0}};
    memcpy(s.pose, value, SKETCH_POSE_VALUES);
    memcpy(s.torque, value + SKETCH_POSE_VALUES, SKETCH_TORQUE_VALUES);
    return s;
}

static void mean(const unsigned char *a, const unsigned char *b, unsigned char *out, int count)
{
    for (int i = 0; i < count; i++)
        out[i] = (unsigned char)(a[i] && b[i] ? (a[i] + b[i] + 1) / 2 : SKETCH_UNKNOWN);
}

static int known(const unsigned char *value, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += value[i] != SKETCH_UNKNOWN;
    return sum;
}

static void fill_side(SketchWindow *w, int side)
{
    FeatureSample *on = w->sample[side][ON_SAMPLES], *between = w->sample[side][BETWEEN_SAMPLES];
    for (int i = 0; i + 1 < w->count; i++) {
        mean(on[i].pose, on[i + 1].pose, between[i].pose, POSE_LANES);
        mean(on[i].torque, on[i + 1].torque, between[i].torque, TORQUE_LANES);
    }
    for (int phase = 0; phase < PHASES; phase++)
        for (int i = 0; i < w->count - phase; i++) {
            w->pose_known[side][phase] += known(w->sample[side][phase][i].pose, POSE_LANES);
            w->torque_known[side][phase] += known(w->sample[side][phase][i].torque, TORQUE_LANES);
        }
}

static Status check_known(const SketchWindow *w, Error *err)
{
    for (int i = 0; i < w->count; i++) {
        const FeatureSample *s = &w->sample[AS_IT_IS][ON_SAMPLES][i];
        if (w->of != LIKENESS_TORQUE && known(s->pose, POSE_LANES) == 0)
            return error_set(err, STATUS_BAD_INPUT, "no pose to trust all the while");
        if (w->of != LIKENESS_POSE && known(s->torque, TORQUE_LANES) == 0)
            return error_set(err, STATUS_BAD_INPUT, "no trusted torques in the whole interval%s",
                             w->of == LIKENESS_BOTH ? ": ask by pose alone" : "");
    }
    return STATUS_OK;
}

Status features_window_new(const MotionFeatures *sketch, SampleRange range, LikenessOf of, int with_mirror,
                           SketchWindow **window, Error *err)
{
    SketchWindow *w = *window = array_new(1, 1, sizeof *w);
    int failed = !w;
    for (int i = 0; i < SIDES * PHASES && !failed; i++)
        w->sample[i / PHASES][i % PHASES] = array_try(&failed, (size_t)range.count, 1, sizeof(FeatureSample));
    if (failed) {
        features_window_free(w);
        *window = NULL;
        return error_no_memory(err);
    }
    w->count = range.count;
    w->of = of;
    w->sides = with_mirror ? SIDES : 1;
    for (int i = 0; i < range.count; i++) {
        const unsigned char *value = sketch->value + (size_t)(range.first + i) * SKETCH_VALUES;
        unsigned char mirrored[SKETCH_VALUES] = {0};
        motion_features_mirror(value, mirrored);
        w->sample[AS_IT_IS][ON_SAMPLES][i] = feature_sample(value);
        w->sample[MIRRORED][ON_SAMPLES][i] = feature_sample(mirrored);
    }
    for (int side = 0; side < SIDES; side++)
        fill_side(w, side);
    Status status = check_known(w, err);
    if (status) {
        features_window_free(w);
        *window = NULL;
    }
    return status;
}

void features_window_free(SketchWindow *window)
{
    if (!window)
        return;
    for (int i = 0; i < SIDES * PHASES; i++)
        free(window->sample[i / PHASES][i % PHASES]);
    free(window);
}

int features_window_steps(const SketchWindow *window, int samples)
{
    return samples < window->count ? 0 : 2 * (samples - window->count) + 1;
}

/* Sum of squares over values known on both sides, and their number. */
typedef struct Sum {
    long long square, known;
} Sum;

/* Branch-free, with a constant count at each call, so that it is vectorized. */
static inline void add_squares(const unsigned char *restrict a, const unsigned char *restrict b, int lanes, Sum *sum)
{
    int square = 0, both = 0;
    for (int i = 0; i < lanes; i++) {
        int is_known = (a[i] != 0) & (b[i] != 0), d = (a[i] - b[i]) * is_known;
        square += d * d;
        both += is_known;
    }
    sum->square += square;
    sum->known += both;
}

/* Sums of squared torques known on both sides. */
typedef struct Effort {
    long long wanted[SKETCH_TORQUE_VALUES], here[SKETCH_TORQUE_VALUES]; /* sums of squares */
    int count[SKETCH_TORQUE_VALUES];
} Effort;

static void add_effort(const unsigned char *wanted, const unsigned char *here, Effort *sum)
{
    for (int i = 0; i < SKETCH_TORQUE_VALUES; i++)
        if (wanted[i] != SKETCH_UNKNOWN && here[i] != SKETCH_UNKNOWN) {
            sum->wanted[i] += (wanted[i] - 1) * (wanted[i] - 1);
            sum->here[i] += (here[i] - 1) * (here[i] - 1);
            sum->count[i]++;
        }
}

/* Sets the ratio of all torques, and the role whose torque changes most in that direction. */
static void state_effort(const Effort *sum, SketchMatch *m)
{
    long long wanted = 0, here = 0;
    double largest = -INFINITY;
    for (int i = 0; i < SKETCH_TORQUE_VALUES; i++) {
        wanted += sum->wanted[i];
        here += sum->here[i];
    }
    m->torque_part = wanted > 0 ? sqrt((double)here / (double)wanted) : NAN;
    m->changed_role = ROLE_NONE;
    m->changed_from_nm_kg = m->changed_to_nm_kg = NAN;
    for (int i = 0; i < SKETCH_TORQUE_VALUES; i++) {
        double from = sum->count[i] ? SKETCH_NM_KG * sqrt((double)sum->wanted[i] / sum->count[i]) : NAN;
        double to = sum->count[i] ? SKETCH_NM_KG * sqrt((double)sum->here[i] / sum->count[i]) : NAN;
        double change = here < wanted ? from - to : to - from;
        if (change > largest) {
            largest = change;
            m->changed_role = motion_features_torque_role(i);
            m->changed_from_nm_kg = from;
            m->changed_to_nm_kg = to;
        }
    }
}

/* RMS distance; NaN if less than three quarters of the window's known values are known. */
static double mean_distance(Sum sum, int window_known, double step)
{
    int is_enough = sum.known > 0 && 4 * sum.known >= 3 * window_known;
    return is_enough ? step * sqrt((double)sum.square / (double)sum.known) : NAN;
}

static double distance_asked(LikenessOf of, double pose, double torque)
{
    double legs = pose / LEGS_ALIKE, nm_kg = torque / NM_KG_ALIKE;
    return of == LIKENESS_POSE ? pose : of == LIKENESS_TORQUE ? torque : sqrt(legs * legs + nm_kg * nm_kg);
}

/* Compares the window with the clip at a half sample. */
static SketchMatch compare(const SketchWindow *w, int side, const unsigned char *value, int step)
{
    int phase = step % 2 ? BETWEEN_SAMPLES : ON_SAMPLES, first = (step + 1) / 2;
    Sum pose = {0, 0}, torque = {0, 0};
    for (int i = 0; i < w->count - phase; i++) {
        FeatureSample here = feature_sample(value + (size_t)(first + i) * SKETCH_VALUES);
        const FeatureSample *wanted = &w->sample[side][phase][i];
        add_squares(wanted->pose, here.pose, POSE_LANES, &pose);
        add_squares(wanted->torque, here.torque, TORQUE_LANES, &torque);
    }
    SketchMatch m = {.t = 0.5 * step * SKETCH_SECONDS,
                     .pose = mean_distance(pose, w->pose_known[side][phase], SKETCH_LEGS),
                     .torque_nm_kg = mean_distance(torque, w->torque_known[side][phase], SKETCH_NM_KG),
                     .is_mirrored = side == MIRRORED};
    m.distance = distance_asked(w->of, m.pose, m.torque_nm_kg);
    return m;
}

/* Compares the torques at a match with the window's. */
static void compare_effort(const SketchWindow *w, const unsigned char *value, SketchMatch *m)
{
    int step = (int)(2 * m->t / SKETCH_SECONDS + 0.5), side = m->is_mirrored ? MIRRORED : AS_IT_IS;
    int phase = step % 2 ? BETWEEN_SAMPLES : ON_SAMPLES, first = (step + 1) / 2;
    Effort sum = {{0}, {0}, {0}};
    for (int i = 0; i < w->count - phase; i++)
        add_effort(w->sample[side][phase][i].torque,
                   value + (size_t)(first + i) * SKETCH_VALUES + SKETCH_POSE_VALUES, &sum);
    state_effort(&sum, m);
}

/* Whether no overlapping position is nearer, and no earlier one equally near. */
static int is_smallest(const SketchMatch *distance, int steps, int at, int reach)
{
    if (isnan(distance[at].distance))
        return 0;
    for (int i = at > reach ? at - reach : 0; i < steps && i <= at + reach; i++)
        if (distance[i].distance < distance[at].distance || (i < at && distance[i].distance == distance[at].distance))
            return 0;
    return 1;
}

int features_match(const SketchWindow *window, const unsigned char *value, int samples, SketchMatch *distance,
                   SketchMatch *match)
{
    int steps = features_window_steps(window, samples), reach = 2 * window->count - 1, count = 0;
    for (int step = 0; step < steps; step++) {
        distance[step] = compare(window, AS_IT_IS, value, step);
        SketchMatch mirrored = window->sides == SIDES ? compare(window, MIRRORED, value, step) : distance[step];
        if (mirrored.distance < distance[step].distance)
            distance[step] = mirrored;
    }
    for (int step = 0; step < steps; step++)
        if (is_smallest(distance, steps, step, reach)) {
            match[count] = distance[step];
            compare_effort(window, value, &match[count]);
            count++;
        }
    return count;
}

/* The sample at a hundredth of a clip. */
static const unsigned char *sample_at(const unsigned char *value, int count, int hundredth)
{
    return value + (size_t)((hundredth * (count - 1) + 49) / 99) * SKETCH_VALUES;
}

void features_compare(const unsigned char *wanted, int wanted_count, const unsigned char *value, int count,
                      SketchMatch *match)
{
    Sum pose = {0, 0}, torque = {0, 0};
    Effort effort = {{0}, {0}, {0}};
    int pose_known = 0, torque_known = 0;
    for (int i = 0; i < 100; i++) {
        FeatureSample a = feature_sample(sample_at(wanted, wanted_count, i)), b = feature_sample(sample_at(value,
                                                                                                           count, i));
        pose_known += known(a.pose, POSE_LANES);
        torque_known += known(a.torque, TORQUE_LANES);
        add_squares(a.pose, b.pose, POSE_LANES, &pose);
        add_squares(a.torque, b.torque, TORQUE_LANES, &torque);
        add_effort(a.torque, b.torque, &effort);
    }
    *match = (SketchMatch){.pose = mean_distance(pose, pose_known, SKETCH_LEGS),
                           .torque_nm_kg = mean_distance(torque, torque_known, SKETCH_NM_KG)};
    state_effort(&effort, match);
    match->distance = match->pose;
}
