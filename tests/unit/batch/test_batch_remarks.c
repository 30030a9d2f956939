/* pipeline/cli/batch/batch_remarks: warnings and failures by kind. */
#include "tests/support/test.h"

#include <stdio.h>

#include "pipeline/cli/batch/batch_remarks.h"
#include "tests/support/captured_errors.h"

/* Failures come last, by stage; line and column follow the path; ten are shown. */
TEST(failures_are_grouped)
{
    CapturedErrors heard;
    BatchRemarks remarks = {0};
    char path[32], expected[2048];
    size_t used = (size_t)snprintf(expected, sizeof expected, "kane batch: failed in import: 12 clips, the first:\n");
    assert_int_equal(batch_remarks_fail(&remarks, "z.bvh", "store", "no room", NULL), STATUS_OK);
    for (int i = 12; i-- > 0;) {
        snprintf(path, sizeof path, "%02d.bvh", i);
        assert_int_equal(batch_remarks_fail(&remarks, path, "import", "3:4: no", NULL), STATUS_OK);
    }
    for (int i = 0; i < REMARKS_SHOWN; i++)
        used += (size_t)snprintf(expected + used, sizeof expected - used, "kane batch:   %02d.bvh:3:4: no\n", i);
    snprintf(expected + used, sizeof expected - used,
             "kane batch: failed in store: 1 clip:\nkane batch:   z.bvh: no room\n");
    capture_errors(&heard);
    batch_remarks_tell(&remarks);
    assert_string_equal(end_capture(&heard), expected);
    assert_int_equal(remarks.warned + remarks.unsure, 0);
    batch_remarks_free(&remarks);
}
