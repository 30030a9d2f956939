/* formats/tables/score_limits: a score within and above its bounds; names that a table may not have. */
#include "tests/support/test.h"

#include <stdio.h>

#include "formats/tables/score_limits.h"
#include "tests/support/test_folder.h"

static const char *write_table(TestFolder *folder, const char *text)
{
    const char *path = test_folder_file(folder, "table.tsv");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static Status bounded(double slide, const char *text)
{
    int is_whole = 0; /* of the motion alone */
    TestFolder folder = test_folder_make();
    RetargetScore score = retarget_score_unknown();
    Error err = {0};
    score.slide_increase_cm_s = slide;
    score.scale = 0.9; /* the first of the list */
    Status status = score_limits_check(write_table(&folder, text), &score, is_whole, &err);
    test_folder_remove(&folder);
    return status;
}

TEST(score_beyond_its_max_is_refused)
{
    assert_int_equal(bounded(0.2, "metric\tmax\nslide_added_cm_s\t0.3\n"), STATUS_OK);
    assert_int_not_equal(bounded(0.4, "metric\tmax\nslide_added_cm_s\t0.3\n"), STATUS_OK);
    assert_int_equal(bounded(0.2, "metric\tmax\nscale\t1\n"), STATUS_OK);
    assert_int_not_equal(bounded(0.2, "metric\tmax\nscale\t0.8\n"), STATUS_OK);
    assert_int_not_equal(bounded(0.2, "metric\tmax\nmirror_cm\t0.3\n"), STATUS_OK);
    assert_int_not_equal(bounded(0.2, "metric\tmax\nbeauty\t0.3\n"), STATUS_OK);
}
