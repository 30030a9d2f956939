/* analysis/stats/motion_features on real periodic recordings: for half seconds of walks and runs, another cycle, or the
 * mirror image half a cycle later, is among the three nearest matches of all recordings. On mocap/ the match must be in
 * the same clip; on groundtruth/, whose subjects and laboratories were not used in the design and whose clips are
 * barely longer than a stride, it may be in any. Strides are measured from ankle passings, independently of the
 * features. Skipped if the files are absent ($KANE_SHARED, else ../shared). */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/stats/clip_stats.h"
#include "analysis/stats/features_match.h"
#include "analysis/stats/motion_features.h"
#include "pipeline/stages/pipeline.h"

#define MIN_FOUND 0.95
#define SLACK 0.15 /* fraction of a cycle */
enum { WINDOWS = 50, HALF_A_SECOND = 3, FIRST = 3, MAX_CLIPS = 24, MAX_STRIDES = 100 };

static const char *const known[] = {
    "mocap/bandai__dataset-1_run_normal_001.bvh", "mocap/bandai__dataset-1_walk_normal_001.bvh",
    "mocap/cmu_cgspeed__02_01.bvh",               "mocap/cmu_cgspeed__07_01.bvh",
    "mocap/games105__run_forward.bvh",            "mocap/games105__walk60.bvh",
    "mocap/mass__mass_walk.bvh",                  "mocap/sfu_motionbuilder__MS2_8Walk_M.bvh",
    "mocap/optitrack_arena__louise.bvh",          NULL};
static const char *const held_out[] = {
    "groundtruth/trials/walk_a01/walk_a01_lp6_std.bvh",
    "groundtruth/trials/walk_a02/walk_a02_lp6_std.bvh",
    "groundtruth/trials/run2_h01/run2_h01_lp10_std.bvh",
    "groundtruth/trials/run3_h01/run3_h01_lp10_std.bvh",
    "groundtruth/trials/run4_h03/run4_h03_lp10_std.bvh",
    "groundtruth/trials/run5_h01/run5_h01_lp10_std.bvh",
    "groundtruth/trials/run_rajagopal_rra/run_rajagopal_rra_lp20_std.bvh",
    "groundtruth/trials/walkF_m14001/walkF_m14001_lp6_std.bvh",
    "groundtruth/trials/walkN_m15007/walkN_m15007_lp6_std.bvh",
    "groundtruth/trials/walking3_ou/walking3_ou_lp6_std.bvh",
    NULL};

typedef struct Recording {
    const char *name;
    ClipStats stats;
    double stride[MAX_STRIDES];  /* s after the first frame: start of each */
    int strides;
} Recording;

/* Position of the left ankle relative to the right one: along the direction of the hips, and up. */
static double separation(const Clip *c, int f)
{
    const Skeleton *s = &c->skeleton;
    const Vec3 *at = c->kinematics.position + motion_index(&c->motion, f, 0);
    Vec3 apart = vec3_sub(at[skeleton_find_role(s, ROLE_LEFT_ANKLE)], at[skeleton_find_role(s, ROLE_RIGHT_ANKLE)]);
    Vec3 hips = vec3_sub(at[skeleton_find_role(s, ROLE_LEFT_HIP)], at[skeleton_find_role(s, ROLE_RIGHT_HIP)]);
    return vec3_dot(apart, vec3_normalize(vec3_cross(hips, vec3(0, 1, 0))));
}

/* Fills time[] with the times at which the left ankle passes to the front, s after the first frame, and returns their
 * number. Before each, it must have been behind by a third of its maximum. */
static int find_strides(const Clip *c, double *time)
{
    double farthest = 0;
    int count = 0, was_behind = 0;
    for (int f = 0; f < c->motion.frame_count; f++)
        farthest = fmax(farthest, fabs(separation(c, f)));
    for (int f = 1; f < c->motion.frame_count; f++) {
        double before = separation(c, f - 1), now = separation(c, f);
        was_behind |= now < -farthest / 3;
        if (was_behind && before <= 0 && now > 0 && count < MAX_STRIDES) {
            time[count++] = (f - now / (now - before)) * c->motion.frame_time;
            was_behind = 0;
        }
    }
    return count;
}

/* Phase of the stride in the middle of the half second from t on; NaN if the stride length is not ordinary. The first
 * and last strides are extrapolated. */
static double phase_at(const Recording *r, double t)
{
    double middle = t + 0.25;
    int i = 0;
    while (i + 2 < r->strides && middle >= r->stride[i + 1])
        i++;
    double length = r->strides > 1 ? r->stride[i + 1] - r->stride[i] : 0, phase = (middle - r->stride[i]) / length;
    return length > 0.4 && length < 1.6 && phase > -0.75 && phase < 1.75 ? phase : NAN;
}

static int read_recording(const char *name, Recording *r)
{
    char path[1024];
    const char *shared = getenv("KANE_SHARED");
    Pipeline pipeline = pipeline_defaults();
    Clip clip = {0};
    Error err;
    snprintf(path, sizeof path, "%s/%s", shared ? shared : "../shared", name);
    if (access(path, R_OK))
        return 0;
    pipeline.angles = PIPELINE_NO_ANGLES;
    if (pipeline_open(&pipeline, path, &clip, NULL, &err) || pipeline_run(&pipeline, &clip, NULL, &err))
        fail_msg("%s: %s", path, err.text);
    assert_int_equal(clip_stats_init(&r->stats, &clip, FRAMES_TRUSTED, &err), STATUS_OK);
    r->name = name;
    r->strides = find_strides(&clip, r->stride);
    clip_free(&clip);
    return 1;
}

typedef enum Place { IN_ITS_CLIP, IN_ANY_CLIP } Place;

typedef struct Hit {
    double distance, t;
    int clip, is_mirrored;
} Hit;

static void keep_nearest(Hit hit[FIRST], Hit candidate)
{
    for (int i = 0; i < FIRST; i++)
        if (candidate.distance < hit[i].distance) {
            Hit passed = hit[i];
            hit[i] = candidate;
            candidate = passed;
        }
}

/* Whether a position in a clip, among all walks or runs, has the same stride phase; for a mirrored one, shifted by
 * half. */
static int is_another_cycle(const Recording *r, double phase, const Hit *hit)
{
    double off = phase_at(&r[hit->clip], hit->t) - phase - (hit->is_mirrored ? 0.5 : 0);
    return fabs(off - floor(off + 0.5)) <= SLACK;
}

/* The three nearest positions in all recordings, except those that overlap the window. */
static int is_found(const Recording *r, int count, int clip, int first, Place wanted)
{
    Hit hit[FIRST] = {{.distance = INFINITY}, {.distance = INFINITY}, {.distance = INFINITY}};
    SketchWindow *window;
    double phase = phase_at(&r[clip], first * SKETCH_SECONDS);
    int found = 0;
    assert_int_equal(features_window_new(&r[clip].stats.sketch, (SampleRange){first, HALF_A_SECOND}, LIKENESS_BOTH, 1,
                                         &window, NULL),
                     STATUS_OK);
    for (int c = 0; c < count; c++) {
        const MotionFeatures *s = &r[c].stats.sketch;
        int steps = features_window_steps(window, s->count);
        SketchMatch *distance = calloc((size_t)steps + 1, sizeof *distance);
        SketchMatch *match = calloc((size_t)steps + 1, sizeof *match);
        int matches = features_match(window, s->value, s->count, distance, match);
        for (int i = 0; i < matches; i++)
            if (c != clip || fabs(match[i].t / SKETCH_SECONDS - first) >= HALF_A_SECOND)
                keep_nearest(hit, (Hit){match[i].distance, match[i].t, c, match[i].is_mirrored});
        free(distance);
        free(match);
    }
    features_window_free(window);
    for (int i = 0; i < FIRST; i++)
        found |= (wanted == IN_ANY_CLIP || hit[i].clip == clip) && is_another_cycle(r, phase, &hit[i]);
    for (int i = 0; i < FIRST && !found; i++)
        print_message("%s, %.3f s, at %.2f: found %s at %.3f s, at %.2f%s, %.2f\n", r[clip].name,
                      first * SKETCH_SECONDS, phase, r[hit[i].clip].name, hit[i].t,
                      phase_at(&r[hit[i].clip], hit[i].t), hit[i].is_mirrored ? ", mirrored" : "", hit[i].distance);
    return found;
}

/* 1 if the clip has a window of known samples there, within strides. */
static int is_window(const Recording *r, int first)
{
    const MotionFeatures *s = &r->stats.sketch;
    for (int i = 0; i < HALF_A_SECOND; i++) {
        const unsigned char *value = s->value + (size_t)(first + i) * SKETCH_VALUES;
        if (value[0] == SKETCH_UNKNOWN || value[SKETCH_POSE_VALUES] == SKETCH_UNKNOWN)
            return 0;
    }
    return r->strides > 1 && !isnan(phase_at(r, first * SKETCH_SECONDS));
}

/* The window at a fraction of the windows of a clip, 0 for the first to 1; -1: none. */
static int choose_window(const Recording *r, double part)
{
    int place[2048], count = 0;
    for (int k = 0; k + HALF_A_SECOND <= r->stats.sketch.count && count < 2048; k++)
        if (is_window(r, k))
            place[count++] = k;
    return count > 0 ? place[(int)(part * (count - 1) + 0.5)] : -1;
}

/* WINDOWS in total, the same number per clip. */
static void look_for_cycles(const char *const *names, Place wanted)
{
    Recording *r = calloc(MAX_CLIPS, sizeof *r);
    int count = 0, asked = 0, found = 0;
    for (int i = 0; names[i]; i++)
        count += read_recording(names[i], &r[count]);
    if (count == 0) {
        free(r);
        print_message("skipped: %s is not there\n", names[0]);
        skip();
    }
    for (int i = 0; asked < WINDOWS && i < 4 * WINDOWS; i++) {
        int clip = i % count, first = choose_window(&r[clip], fmod(0.618 * (i / count), 1));
        if (first < 0)
            continue;
        asked++;
        found += is_found(r, count, clip, first, wanted);
    }
    print_message("another cycle or the mirror among the first %d: %d of %d windows of %d clips\n", FIRST, found, asked,
                  count);
    assert_int_equal(asked, WINDOWS);
    assert_true(found >= MIN_FOUND * WINDOWS);
    for (int c = 0; c < count; c++)
        clip_stats_free(&r[c].stats);
    free(r);
}

TEST(cycles_of_recordings_are_found)
{
    look_for_cycles(known, IN_ITS_CLIP);
}

TEST(cycles_of_held_out_subjects_are_found)
{
    look_for_cycles(held_out, IN_ANY_CLIP);
}
