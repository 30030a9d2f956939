/* analysis/quality on real recordings: shakes in any rhythm, repeated rows and takes resampled from a lower rate are
 * found, at 24 to 240 frames/s, with few false positives on sound recordings (test_sustained_artifacts.c counts those).
 * Skipped if the files are absent ($KANE_SHARED, else ../shared). */
#include "tests/support/test.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/motion/resample.h"
#include "tests/support/file_seed.h"
#include "tests/support/planted_shake.h"
#include "tests/support/read_bvh.h"
#include "tests/support/source_trust.h"

enum { MIN_FRAMES = 40, EACH = 4 };
static const double rates[] = {0, 24, 30, 60, 120, 240}; /* Hz; 0: the file's */

/* By frequency, and by size: 2 to 4, 8, 16, 45, 90, 180 degrees. */
enum { FREQUENCIES = 5, SIZES = 6 };
static const double frequencies[FREQUENCIES] = {3, 5, 8, 12, INFINITY}, sizes[SIZES] = {4, 8, 16, 45, 90, 181};

typedef struct ShakeTally {
    int planted[FREQUENCIES][SIZES], found[FREQUENCIES][SIZES];
    int lower, lower_found;
} ShakeTally;

/* Fraction of the frames from `first` on that have a flag, of the joint or of all. */
static double part_marked(const Skeleton *skeleton, const Motion *m, int joint, int first)
{
    Trust trust;
    int marked = 0;
    assert_int_equal(source_trust(skeleton, m, &trust, NULL), STATUS_OK);
    for (int f = first; f < m->frame_count; f++)
        marked += trust_joint_reason(&trust, f, joint) != 0;
    trust_free(&trust);
    return (double)marked / (m->frame_count - first);
}

static int class_of(const double *ends, double value)
{
    int i = 0;
    while (value >= ends[i])
        i++;
    return i;
}

static void plant_shake(const Clip *clip, const Motion *sound, unsigned *seed, ShakeTally *tally)
{
    Motion m;
    Shake shake = shake_draw(sound, seed);
    assert_int_equal(motion_copy(&m, sound, NULL), STATUS_OK);
    shake_apply(&m, &shake);
    int i = class_of(frequencies, 1 / m.frame_time / shake.period), k = class_of(sizes, shake.size * 180 / PI);
    int found = part_marked(&clip->skeleton, &m, shake.joint, shake.first) >= 0.5;
    tally->planted[i][k]++;
    tally->found[i][k] += found;
    if (!found && getenv("KANE_SHOW"))
        printf("missed: %.3g degrees, %d frames at %.4g/s, %s, joint %s of %s from %d of %d\n", shake.size * 180 / PI,
               shake.period, 1 / m.frame_time, shake.is_sine ? "sine" : "on and off",
               clip->skeleton.name[shake.joint], clip->provenance.title, shake.first, m.frame_count);
    motion_free(&m);
}

static void plant_shakes(const Clip *clip, unsigned *seed, ShakeTally *tally)
{
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        Motion other = {0};
        double own = 1 / clip->motion.frame_time;
        if (rates[i] > 0 && (rates[i] < 200 ? rates[i] > 0.9 * own : clip->motion.translation != NULL))
            continue;
        if (rates[i] > 200)
            assert_int_equal(shake_upsample(&clip->motion, rates[i], &other, NULL), STATUS_OK);
        else if (rates[i] > 0)
            assert_int_equal(motion_resample(&clip->motion, rates[i], &other, NULL), STATUS_OK);
        const Motion *m = rates[i] > 0 ? &other : &clip->motion;
        for (int k = 0; k < EACH && m->frame_count >= MIN_FRAMES; k++)
            plant_shake(clip, m, seed, tally);
        motion_free(&other);
    }
}

static void count_lower(const Clip *clip, const Motion *m, const char *what, double from, ShakeTally *tally)
{
    int found = part_marked(&clip->skeleton, m, 0, 0) >= 0.5;
    tally->lower++;
    tally->lower_found += found;
    if (!found)
        printf("missed: %s %.3g, %.4g/s, of %s, %d frames\n", what, from, 1 / m->frame_time, clip->provenance.title,
               m->frame_count);
}

static void plant_repeats(const Clip *clip, ShakeTally *tally)
{
    for (int each = 2; each <= 10; each++) {
        Motion m;
        assert_int_equal(motion_copy(&m, &clip->motion, NULL), STATUS_OK);
        shake_repeat(&clip->motion, each, 0, &m);
        if (m.frame_count > 6 * each)
            count_lower(clip, &m, "every nth row of", each, tally);
        motion_free(&m);
    }
}

/* Repeats the rows of the lower rate, or interpolates between them. */
static void plant_lower_rates(const Clip *clip, ShakeTally *tally)
{
    static const double lower[] = {24, 25, 30}, higher[] = {60, 120};
    for (int i = 0; i < 6; i++) {
        Motion low, high, held;
        if (lower[i / 2] * clip->motion.frame_time > 1.001 ||
            motion_resample(&clip->motion, lower[i / 2], &low, NULL) != STATUS_OK)
            continue;
        assert_int_equal(motion_resample(&low, higher[i % 2], &high, NULL), STATUS_OK);
        assert_int_equal(motion_copy(&held, &high, NULL), STATUS_OK);
        shake_repeat(&low, 1 << 20, lower[i / 2] / higher[i % 2], &held);
        if (low.frame_count >= MIN_FRAMES / 2) {
            count_lower(clip, &high, "interpolated from", lower[i / 2], tally);
            count_lower(clip, &held, "repeated from", lower[i / 2], tally);
        }
        motion_free(&low);
        motion_free(&high);
        motion_free(&held);
    }
}

/* Files that shake by themselves. */
static int is_faulty(const char *path)
{
    return strstr(path, "cmu_cgspeed__05_02") || strstr(path, "kinect_mae") || strstr(path, "/dog__") ||
           strstr(path, "games105__run_forward") || strstr(path, "pybvh_bvh_test1");
}

static void look_at_all(const char *pattern, ShakeTally *tally)
{
    const char *shared = getenv("KANE_SHARED");
    char path[1024];
    glob_t found;
    snprintf(path, sizeof path, "%s/%s", shared ? shared : "../shared", pattern);
    if (glob(path, 0, NULL, &found) != 0) {
        print_message("skipped: no %s\n", path);
        skip();
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        Clip clip;
        ImportGuess decision;
        unsigned seed = file_seed(found.gl_pathv[i]);
        if (!is_faulty(found.gl_pathv[i]) && file_clip(found.gl_pathv[i], &clip, &decision)) {
            assert_int_equal(clip_set_source(&clip, found.gl_pathv[i], NULL), STATUS_OK);
            if (clip.motion.frame_count >= MIN_FRAMES) {
                plant_shakes(&clip, &seed, tally);
                plant_repeats(&clip, tally);
                plant_lower_rates(&clip, tally);
            }
            clip_free(&clip);
        }
    }
    globfree(&found);
}

/* Prints the table and returns the fraction found in classes from `frequency` on, of sizes from `size` on. */
static double fraction(const ShakeTally *t, int frequency, int size)
{
    int planted = 0, found = 0;
    for (int i = frequency; i < FREQUENCIES; i++)
        for (int k = size; k < SIZES; k++) {
            planted += t->planted[i][k];
            found += t->found[i][k];
        }
    assert_true(planted >= 30);
    return (double)found / planted;
}

static void print_tally(const ShakeTally *t)
{
    for (int i = 0; i < FREQUENCIES; i++) {
        printf("below %3.0f Hz:", frequencies[i]);
        for (int k = 0; k < SIZES; k++)
            printf("  %3.0f %% of %d", 100.0 * t->found[i][k] / fmax(1, t->planted[i][k]), t->planted[i][k]);
        printf("\n");
    }
    printf("all %.1f %%, from 5 Hz on %.1f %%; lower rates %.1f %% of %d\n", 100 * fraction(t, 0, 0),
           100 * fraction(t, 2, 0), 100.0 * t->lower_found / t->lower, t->lower);
}

static void judge(const ShakeTally *t)
{
    print_tally(t);
    assert_true(fraction(t, 3, 0) >= 0.95);
    assert_true(t->lower_found >= 0.95 * t->lower);
}

TEST(shakes_and_lower_rates_are_found_in_mocap_clips)
{
    ShakeTally tally = {0};
    look_at_all("mocap/*.bvh", &tally);
    judge(&tally);
}

TEST(shakes_and_lower_rates_are_found_in_laboratory_trials)
{
    ShakeTally tally = {0};
    look_at_all("groundtruth/trials/*/*_std.bvh", &tally);
    judge(&tally);
}
