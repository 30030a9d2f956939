/* analysis/repair/channel_rows on real recordings: no findings at their own rate or a fraction of it; repeated, frozen
 * and removed rows are found, and the detection rate is printed by amount of motion. Skipped if the files are absent
 * ($KANE_SHARED, else ../shared). */
#include "tests/support/test.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/repair/channel_rows.h"
#include "analysis/repair/row_steps.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "tests/support/random_number.h"
#include "tests/support/read_bvh.h"

enum { AROUND = 30, PLACES = 12, SLOWEST = 4, KINDS = 3 };
static const char *const kind_name[KINDS] = {"repeated", "held", "missing"};
static const RowStep kind_step[KINDS] = {ROW_STEP_SURPLUS, ROW_STEP_HELD, ROW_STEP_MISSING};

/* Measured: 95 % of the repeated and frozen ones, 85 % and 91 % of the missing ones. The others are where noise is as
 * large as the steps (joints of a Kinect), or where there is almost no motion. */
static const double min_found[KINDS][2] = {{0.92, 0.92}, {0.92, 0.92}, {0.82, 0.88}};
static const double max_doubtful = 0.0005; /* of the sound frames; measured 0.0003 */

/* Errors planted where the clip moves less than its median ([0]) and more ([1]). */
typedef struct Tally {
    int planted[KINDS][2], right[KINDS][2], wrong[KINDS][2];
    int files, sound_frames, false_findings;
    int doubtful; /* sound frames that may follow lost rows */
    int doubted[2]; /* lost rows not found but doubtful, as planted */
} Tally;

typedef struct Recording {
    Bvh bvh;
    ChannelRows rows;
    EulerChannels *turns;
    double length;
} Recording;

/* Every rate-th frame; the caller owns rows.value of the result. */
static ChannelRows every(const ChannelRows *rows, int rate)
{
    ChannelRows out = *rows;
    out.frame_count = (rows->frame_count + rate - 1) / rate;
    out.value = malloc((size_t)out.frame_count * (size_t)rows->row_size * sizeof *out.value);
    assert_non_null(out.value);
    for (int f = 0; f < out.frame_count; f++)
        memcpy(channel_row(&out, f), channel_row(rows, f * rate), (size_t)rows->row_size * sizeof *out.value);
    return out;
}

static void look_at_sound_rows(const ChannelRows *rows, double length, double frame_time, Tally *tally)
{
    RowStep *step = malloc((size_t)rows->frame_count * sizeof *step);
    int *missing = malloc((size_t)rows->frame_count * sizeof *missing);
    assert_int_equal(row_steps_find(rows, length, frame_time, step, missing, NULL), STATUS_OK);
    for (int f = 0; f < rows->frame_count; f++)
        if (step[f] == ROW_STEP_DOUBTFUL)
            tally->doubtful++;
        else
            tally->false_findings += step[f] != ROW_STEP_PLAIN;
    tally->sound_frames += rows->frame_count;
    free(step);
    free(missing);
}

/* Sum of the changes of all columns from one frame to the next. */
static double moved(const ChannelRows *rows, int frame)
{
    double sum = 0;
    for (int c = 0; c < rows->row_size; c++)
        sum += fabs(remainder(channel_row(rows, frame)[c] - channel_row(rows, frame - 1)[c], 360));
    return sum;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double usual_motion(const ChannelRows *rows)
{
    double *all = malloc((size_t)rows->frame_count * sizeof *all);
    for (int f = 1; f < rows->frame_count; f++)
        all[f - 1] = moved(rows, f);
    qsort(all, (size_t)rows->frame_count - 1, sizeof *all, compare);
    double usual = all[(rows->frame_count - 1) / 2];
    free(all);
    return usual;
}

/* The rows around frame `place` with the planted error; returns the frame of the expected finding. */
static int plant(const ChannelRows *rows, int place, int kind, ChannelRows *out)
{
    size_t row = (size_t)rows->row_size * sizeof *rows->value;
    int first = place - AROUND, count = 0, fault = 0;
    for (int f = first > 0 ? first : 0; f < rows->frame_count && f <= place + AROUND; f++) {
        if (f == place)
            fault = count;
        if (f == place && kind == 2)
            continue;
        if (f == place && kind == 0)
            memcpy(channel_row(out, count++), channel_row(rows, f - 1), row);
        memcpy(channel_row(out, count++), channel_row(rows, f == place && kind == 1 ? f - 1 : f), row);
    }
    out->frame_count = count;
    return fault;
}

/* The rows of a recording, and how it moves. */
typedef struct Planted {
    const ChannelRows *rows;
    double length, frame_time, usual;
} Planted;

static void plant_and_look(const Planted *p, int place, int kind, Tally *tally)
{
    const ChannelRows *rows = p->rows;
    double length = p->length, frame_time = p->frame_time;
    RowStep step[2 * AROUND + 2];
    int missing[2 * AROUND + 2], lively = moved(rows, place) > p->usual;
    ChannelRows faulty = *rows;
    faulty.value = malloc((2 * AROUND + 2) * (size_t)rows->row_size * sizeof *faulty.value);
    assert_non_null(faulty.value);
    int at = plant(rows, place, kind, &faulty);
    assert_int_equal(row_steps_find(&faulty, length, frame_time, step, missing, NULL), STATUS_OK);
    int right = step[at] == kind_step[kind] && (kind != 2 || missing[at] == 1);
    tally->planted[kind][lively]++;
    tally->right[kind][lively] += right;
    tally->doubted[lively] += kind == 2 && step[at] == ROW_STEP_DOUBTFUL;
    tally->wrong[kind][lively] += !right && step[at] != ROW_STEP_PLAIN && step[at] != ROW_STEP_DOUBTFUL;
    free(faulty.value);
}

static void judge_recording(const Recording *r, Tally *tally, unsigned *seed)
{
    for (int rate = 1; rate <= SLOWEST; rate++) {
        ChannelRows rows = every(&r->rows, rate);
        look_at_sound_rows(&rows, r->length, rate * r->bvh.frame_time, tally);
        free(rows.value);
    }
    if (r->rows.frame_count < 2 * AROUND)
        return;
    Planted planted = {&r->rows, r->length, r->bvh.frame_time, usual_motion(&r->rows)};
    for (int i = 0; i < PLACES * KINDS; i++) {
        int place = 12 + (int)((random_number(seed) + 1) / 2 * (r->rows.frame_count - 24));
        plant_and_look(&planted, place, i % KINDS, tally);
    }
    tally->files++;
}

static int read_recording(const char *path, Recording *r)
{
    SourceDef def = source_default_def();
    if (read_bvh(path, &def, &r->bvh, NULL) != STATUS_OK)
        return 0;
    assert_int_equal(bvh_channel_rows(&r->bvh, &r->rows, &r->turns, NULL), STATUS_OK);
    r->length = bvh_longest_offset(&r->bvh);
    return 1;
}

static void print_tally(const Tally *t)
{
    printf("%d findings in %d sound frames, %d doubtful; faults planted in %d recordings\n", t->false_findings,
           t->sound_frames, t->doubtful, t->files);
    printf("lost rows that are doubtful: %d where less moves, %d where more\n", t->doubted[0], t->doubted[1]);
    for (int k = 0; k < KINDS; k++)
        for (int lively = 0; lively < 2; lively++)
            printf("%-8s where %s moves: %d of %d found, %d taken for another fault\n", kind_name[k],
                   lively ? "more" : "less", t->right[k][lively], t->planted[k][lively], t->wrong[k][lively]);
}

TEST(planted_row_errors_are_found_and_clean_files_not)
{
    char pattern[1024];
    const char *shared = getenv("KANE_SHARED");
    Tally tally = {0};
    glob_t files;
    unsigned seed = 7;
    snprintf(pattern, sizeof pattern, "%s/mocap/*.bvh", shared ? shared : "../shared");
    if (glob(pattern, 0, NULL, &files)) {
        printf("real motion files are absent: skipped\n");
        skip();
    }
    for (size_t i = 0; i < files.gl_pathc; i++) {
        Recording r;
        if (!read_recording(files.gl_pathv[i], &r))
            continue;
        judge_recording(&r, &tally, &seed);
        free(r.turns);
        bvh_free(&r.bvh);
    }
    globfree(&files);
    print_tally(&tally);
    assert_int_equal(tally.false_findings, 0);
    assert_true(tally.doubtful <= max_doubtful * tally.sound_frames);
    for (int k = 0; k < KINDS; k++)
        for (int lively = 0; lively < 2; lively++) {
            assert_true(tally.right[k][lively] >= min_found[k][lively] * tally.planted[k][lively]);
            assert_true(tally.wrong[k][lively] <= 0.05 * tally.planted[k][lively]);
        }
}
