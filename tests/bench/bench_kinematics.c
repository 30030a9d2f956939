/* Kinematics and smoothing of a 31-joint clip, in cache (128 frames) and out of cache (20,000).
 *
 * Rows `name value unit`, microseconds per frame on one core; medians over the rounds, ratios within a round. Times the
 * whole call: forward kinematics, differences and layout copies, into arrays of an earlier call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/motion/kinematics.h"
#include "analysis/motion/smooth.h"
#include "tests/bench/stopwatch.h"

enum { JOINTS = 31, SHORT_CLIP = 128, LONG_CLIP = 20000, ROUNDS = 21, WIDTHS = 4 };

static const LaneWidth widths[WIDTHS] = {LANES_AVX512, LANES_AVX2, LANES_PAIR, LANES_SCALAR};
static const char *const width_names[WIDTHS] = {"avx512", "avx2", "sse2", "scalar"};

typedef struct Bench {
    Skeleton skeleton;
    Motion motion, work;
    Body body;
    Kinematics kinematics;
} Bench;

/* Limbs of five joints that oscillate at different rates. */
static int bench_init(Bench *b, int frames)
{
    *b = (Bench){0};
    if (skeleton_init(&b->skeleton, JOINTS, 0, NULL) || motion_init(&b->motion, frames, JOINTS, 1.0 / 120, 0, NULL) ||
        motion_init(&b->work, frames, JOINTS, 1.0 / 120, 0, NULL) || body_init(&b->body, JOINTS, NULL))
        return 0;
    for (int j = 0; j < JOINTS; j++) {
        b->skeleton.parent[j] = j == 0 ? -1 : j % 6 == 1 ? 0 : j - 1;
        b->skeleton.offset[j] = vec3(0.1, 0.3, 0.05);
        b->body.mass[j] = 2;
    }
    for (int f = 0; f < frames; f++) {
        double t = f / 120.0;
        b->motion.root_position[f] = vec3(t, 1, 0.1 * elementary_sin(t));
        for (int j = 0; j < JOINTS; j++)
            b->motion.rotation[motion_index(&b->motion, f, j)] =
                quat_from_axis_angle(vec3_normalize(vec3(1, j % 3, j % 2)), elementary_sin((1 + 0.1 * j) * t));
    }
    return 1;
}

static void bench_free(Bench *b)
{
    skeleton_free(&b->skeleton);
    motion_free(&b->motion);
    motion_free(&b->work);
    body_free(&b->body);
    kinematics_free(&b->kinematics);
}

/* Microseconds per frame. */
static double time_differentiate(Bench *b, DifferenceDef def, int repeats)
{
    double start = wall_seconds();
    for (int i = 0; i < repeats; i++)
        if (differentiate(&(ClipView){&b->skeleton, &b->body, &b->motion, &b->kinematics}, &def, &b->kinematics, NULL))
            return 0;
    return (wall_seconds() - start) * 1e6 / repeats / b->motion.frame_count;
}

static double time_smooth(Bench *b, SmoothDef def, int repeats)
{
    double total = 0;
    size_t frames = (size_t)b->motion.frame_count;
    for (int i = 0; i < repeats; i++) {
        memcpy(b->work.rotation, b->motion.rotation, frames * JOINTS * sizeof(Quat));
        memcpy(b->work.root_position, b->motion.root_position, frames * sizeof(Vec3));
        double start = wall_seconds();
        if (smooth_motion(&b->work, &def, NULL, NULL))
            return 0;
        total += wall_seconds() - start;
    }
    return total * 1e6 / repeats / b->motion.frame_count;
}

static void report_widths(Bench *b, const char *clip, int repeats)
{
    double time[WIDTHS][ROUNDS], ratio[WIDTHS][ROUNDS];
    DifferenceDef def = difference_default_def();
    for (int r = 0; r < ROUNDS; r++) {
        for (int w = 0; w < WIDTHS; w++) {
            def.lanes = widths[w];
            time[w][r] = time_differentiate(b, def, repeats);
        }
        for (int w = 0; w < WIDTHS; w++)
            ratio[w][r] = time[WIDTHS - 1][r] / time[w][r];
    }
    for (int w = 0; w < WIDTHS; w++) {
        if (lane_width_choose(widths[w]) != widths[w])
            continue;
        printf("differentiate_%s_%s %.3f us_per_frame\n", clip, width_names[w], median(time[w], ROUNDS));
        printf("differentiate_%s_%s_against_scalar %.2f ratio\n", clip, width_names[w], median(ratio[w], ROUNDS));
    }
}

static void report_methods(Bench *b, const char *clip, int repeats)
{
    static const char *const methods[] = {"butterworth", "savgol", "spring"};
    double time[ROUNDS];
    DifferenceDef difference = difference_default_def();
    difference.scheme = DIFFERENCE_FIVE_POINT;
    for (int r = 0; r < ROUNDS; r++)
        time[r] = time_differentiate(b, difference, repeats);
    printf("differentiate_fivepoint_%s %.3f us_per_frame\n", clip, median(time, ROUNDS));
    for (int m = SMOOTH_BUTTERWORTH; m < SMOOTH_NONE; m++) {
        SmoothDef def = smooth_default_def();
        def.method = (SmoothMethod)m;
        for (int r = 0; r < ROUNDS; r++)
            time[r] = time_smooth(b, def, repeats);
        printf("smooth_%s_%s %.3f us_per_frame\n", methods[m], clip, median(time, ROUNDS));
    }
}

int main(void)
{
    static const struct {
        const char *name;
        int frames, repeats;
    } clips[] = {{"short_clip", SHORT_CLIP, 50}, {"long_clip", LONG_CLIP, 1}};
    for (size_t i = 0; i < sizeof clips / sizeof *clips; i++) {
        Bench bench;
        if (!bench_init(&bench, clips[i].frames))
            return 1;
        report_widths(&bench, clips[i].name, clips[i].repeats);
        report_methods(&bench, clips[i].name, clips[i].repeats);
        bench_free(&bench);
    }
    return 0;
}
