/* See thumbnail.h. */
#include "formats/report/thumbnail.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/math/vec.h"
#include "analysis/stats/motion_features.h"

/* Proportions in leg lengths, of an average person (de Leva 1996, relative to thigh plus shank). */
#define TRUNK 0.62
#define HEAD 0.82 /* centre of the head from the hips */
#define SHOULDERS 0.2
#define HIPS 0.1
#define MAX_UNITS 50.0 /* units per leg length: standing people have the same height in all drawings */
#define MARGIN 6.0
#define SIDEWAYS 0.87 /* sine and */
#define FRONTAL 0.5   /* cosine of 60 degrees, the rotation of the view from the front towards the side */

/* Screen axes in trunk axes. */
typedef struct View {
    Vec3 right, up;
    double lowest, highest, widest; /* extent of all points, leg lengths */
    double scale; /* units per leg length */
} View;

typedef struct Drawing {
    char *text;
    int size;
} Drawing;

__attribute__((format(printf, 2, 3))) static void put(Drawing *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int more = vsnprintf(d->text + d->size, (size_t)(POSTER_TEXT - d->size), format, args);
    va_end(args);
    d->size = d->size + more < POSTER_TEXT ? d->size + more : POSTER_TEXT - 1;
}

/* Returns 0 if the point is unknown. */
static int read_point(const unsigned char *sample, int at, Vec3 *out)
{
    const unsigned char *p = sample + at;
    *out = vec3_scale(vec3(p[0] - SKETCH_ORIGIN, p[1] - SKETCH_ORIGIN, p[2] - SKETCH_ORIGIN), SKETCH_LEGS);
    return p[0] && p[1] && p[2];
}

static int is_known(const unsigned char *sample)
{
    return sample[SKETCH_UP] != SKETCH_UNKNOWN && sample[3 * SKETCH_KNEE] != SKETCH_UNKNOWN;
}

static void place(Drawing *d, char letter, const View *v, Vec3 p)
{
    double x = 0.5 * POSTER_SIZE + v->scale * vec3_dot(p, v->right);
    double y = POSTER_SIZE - MARGIN - v->scale * (vec3_dot(p, v->up) - v->lowest);
    put(d, "%c%.0f %.0f", letter, x, y);
}

/* Draws a limb from its proximal joint over the middle joint to the end, up to the first unknown point. */
static void put_limb(Drawing *d, const View *v, const unsigned char *sample, Vec3 from, int limb)
{
    Vec3 p;
    place(d, 'M', v, from);
    if (!read_point(sample, 3 * limb, &p))
        return;
    place(d, 'L', v, p);
    if (read_point(sample, 3 * (limb + SKETCH_WRIST - SKETCH_ELBOW), &p))
        place(d, 'L', v, p);
}

static void reach(View *v, Vec3 p)
{
    v->lowest = fmin(v->lowest, vec3_dot(p, v->up));
    v->highest = fmax(v->highest, vec3_dot(p, v->up));
    v->widest = fmax(v->widest, fabs(vec3_dot(p, v->right)));
}

/* Computes the view. If the forward axis of the trunk is nearly vertical (a lying body), its head axis replaces it. */
static View sample_view(const unsigned char *sample)
{
    View v = {.scale = MAX_UNITS};
    Vec3 up, p;
    read_point(sample, SKETCH_UP, &up);
    v.up = vec3_normalize(up);
    Vec3 ahead = fabs(v.up.z) < 0.8 ? vec3(0, 0, 1) : vec3(0, 1, 0);
    ahead = vec3_normalize(vec3_sub(ahead, vec3_scale(v.up, vec3_dot(ahead, v.up))));
    Vec3 left = vec3_cross(v.up, ahead);
    v.right = vec3_sub(vec3_scale(left, FRONTAL), vec3_scale(ahead, SIDEWAYS));
    for (int limb = 0; limb < SKETCH_LIMBS; limb++)
        if (read_point(sample, 3 * limb, &p))
            reach(&v, p);
    reach(&v, vec3(0, HEAD, 0));
    double room = POSTER_SIZE - 2 * MARGIN;
    v.scale = fmin(v.scale, fmin(room / (v.highest - v.lowest), 0.5 * room / v.widest));
    return v;
}

int thumbnail_draw(const unsigned char *sample, char text[POSTER_TEXT])
{
    Drawing d = {text, 0};
    text[0] = 0;
    if (!is_known(sample))
        return 0;
    const View v = sample_view(sample);
    for (int side = 0; side < 2; side++) {
        double x = side ? -1 : 1;
        put_limb(&d, &v, sample, vec3(x * SHOULDERS, TRUNK, 0), SKETCH_ELBOW + side);
        put_limb(&d, &v, sample, vec3(x * HIPS, 0, 0), SKETCH_KNEE + side);
    }
    place(&d, 'M', &v, vec3(SHOULDERS, TRUNK, 0));
    place(&d, 'L', &v, vec3(-SHOULDERS, TRUNK, 0));
    place(&d, 'L', &v, vec3(-HIPS, 0, 0));
    place(&d, 'L', &v, vec3(HIPS, 0, 0));
    put(&d, "z");
    place(&d, 'M', &v, vec3(0, HEAD, 0));
    put(&d, "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0");
    return d.size;
}

const unsigned char *thumbnail_sample(const unsigned char *samples, int count, double t)
{
    double wanted = isnan(t) ? 0.5 * (count - 1) : t / SKETCH_SECONDS - 0.5;
    const unsigned char *nearest = NULL;
    double best = INFINITY;
    for (int k = 0; k < count; k++) {
        const unsigned char *sample = samples + (size_t)k * SKETCH_VALUES;
        if (fabs(k - wanted) < best && is_known(sample)) {
            best = fabs(k - wanted);
            nearest = sample;
        }
    }
    return nearest;
}
