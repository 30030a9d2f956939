/* pipeline/cli/batch/batch_progress: progress and final lines with their times. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/cli/batch/batch_progress.h"
#include "pipeline/cli/batch/batch_remarks.h"
#include "tests/support/captured_errors.h"

/* Seconds and rates come from a running clock: the last digit may be one more. */
TEST(progress_has_rate_and_remaining_time)
{
    static const struct {
        double elapsed;
        size_t done, total;
        long long frames;
        const char *within, *line;
    } cases[] = {
        {20, 40, 60, 4000, "", "kane batch: 40 of 60, 2 clips/s, 200 frames/s, 10.0 s left\n"},
        {20, 10, 60, 100, "walk.bvh: contact 40 %",
         "kane batch: 10 of 60, 0.5 clips/s, 5 frames/s, 1:40 left; walk.bvh: contact 40 %\n"},
        {30, 1, 2, 30, "", "kane batch: 1 of 2, 0.033 clips/s, 1 frames/s, 30.0 s left\n"},
        {61, 1, 2, 61, "", "kane batch: 1 of 2, 0.016 clips/s, 1 frames/s, 1:01 left\n"},
        {3599, 1, 2, 0, "", "kane batch: 1 of 2, 0.00028 clips/s, 59:59 left\n"},
        {100, 1, 75, 0, "", "kane batch: 1 of 75, 0.01 clips/s, 2:03:20 left\n"},
        {40, 0, 75, 0, "", "kane batch: 0 of 75, 0 clips/s, ? left\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CapturedErrors heard;
        BatchProgress p;
        batch_progress_start(&p, cases[i].total);
        p.terminal = 0;
        p.done = cases[i].done;
        p.frames = cases[i].frames;
        p.start -= cases[i].elapsed;
        capture_errors(&heard);
        batch_progress_show(&p, cases[i].within); /* too soon after the start */
        p.shown = p.start;
        batch_progress_show(&p, cases[i].within);
        batch_progress_show(&p, cases[i].within);
        assert_string_equal(end_capture(&heard), cases[i].line);
    }
}

TEST(terminal_shows_a_bar)
{
    CapturedErrors heard;
    BatchProgress p;
    batch_progress_start(&p, 4);
    p.terminal = 1;
    p.done = 1;
    p.frames = 900;
    p.start -= 30;
    capture_errors(&heard);
    p.shown -= 1;
    batch_progress_show(&p, "walk.bvh");
    p.done = 4;
    p.shown -= 1;
    batch_progress_show(&p, "");
    batch_progress_clear(&p);
    const char *text = end_capture(&heard);
    const char *end = strstr(text, "] 1/4  0.033 clips/s  30 frames/s  1:30 left  walk.bvh\033[K\r[");
    assert_int_equal(strncmp(text, "\r[", 2), 0);
    assert_non_null(end);
    size_t width = (size_t)(end - text) - 2, filled = strspn(text + 2, "#");
    assert_int_equal(filled, width / 4);
    assert_int_equal(strspn(text + 2 + filled, "."), width - filled);
    const char *whole = strstr(end, "\r[") + 2;
    assert_int_equal(strspn(whole, "#"), width);
    assert_string_equal(whole + width, "] 4/4  0.13 clips/s  30 frames/s  0.0 s left\033[K\r\033[K");
}

/* A machine may pause between the start and the last line: 50 to 55 s read as 50.00. */
static char *with_whole_seconds(char *line)
{
    char *at = strstr(line, "frames in ");
    if (at) {
        double seconds = atof(at + strlen("frames in "));
        assert_true(seconds >= 50 && seconds < 55);
        memcpy(at + strlen("frames in "), "50.00", strlen("50.00"));
    }
    return line;
}

TEST(last_line_has_the_totals)
{
    static const struct {
        size_t done, failed, unchanged, warned, unsure;
        long long frames;
        const char *line, *stopped;
    } cases[] = {
        {7, 2, 3, 0, 0, 0, "kane batch: 5 done, 3 unchanged, 2 failed\n", NULL},
        {7, 0, 0, 4, 0, 0, "kane batch: 7 done, 4 with warnings, 0 unchanged, 0 failed\n", NULL},
        {1, 0, 1, 0, 1, 0, "kane batch: 1 done, 1 uncertain, 1 unchanged, 0 failed\n", NULL},
        {2, 0, 0, 1, 2, 500, "kane batch: 2 done, 1 with warnings, 2 uncertain, 0 unchanged, 0 failed; 500 frames in "
         "50.00 s, 10 frames/s\n", NULL},
        {5, 1, 0, 0, 0, 0, "kane batch: stopped by an error: 3 of 8 not done; run the same command to resume\n"
         "kane batch: 4 done, 0 unchanged, 1 failed\n", "an error"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CapturedErrors heard;
        BatchProgress p;
        BatchRemarks remarks = {.warned = cases[i].warned, .unsure = cases[i].unsure};
        batch_progress_start(&p, 8);
        p.terminal = 0;
        p.done = cases[i].done;
        p.failed = cases[i].failed;
        p.frames = cases[i].frames;
        p.start -= 50;
        capture_errors(&heard);
        batch_progress_finish(&p, cases[i].unchanged, &remarks, cases[i].stopped);
        assert_string_equal(with_whole_seconds(end_capture(&heard)), cases[i].line);
    }
}
