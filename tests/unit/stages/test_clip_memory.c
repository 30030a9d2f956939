/* pipeline/stages: the memory that a clip requires, estimated from the head of its file. */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "pipeline/stages/clip_memory.h"
#include "tests/support/descriptors.h"
#include "tests/support/test_folder.h"

/* Returns the estimate for a file with this head and `size` bytes in all. */
static long long need_of(TestFolder *folder, const char *head, long size)
{
    const char *path = test_folder_file(folder, "clip.bvh");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(head, file);
    for (long at = (long)strlen(head); at < size; at++)
        putc(' ', file);
    assert_int_equal(fclose(file), 0);
    return clip_memory_need(path);
}

TEST(memory_estimate_follows_frames_and_joints)
{
    TestFolder folder = test_folder_make();
    static const char two[] = "HIERARCHY ROOT a { JOINT b {} } MOTION Frames: ";
    char head[200];
    (void)state;
    assert_true(clip_memory_need(test_folder_file(&folder, "missing.bvh")) == 0);
    int before = open_descriptors();
    snprintf(head, sizeof head, "%s100\n", two);
    assert_true(need_of(&folder, head, 100000) == 30000000 + 100000 + 100 * (4000 + 2 * 260));
    snprintf(head, sizeof head, "%s1000000\n", two); /* more than the file has room for: at least 2 bytes per value */
    assert_true(need_of(&folder, head, 120000) == 30000000 + 120000 + 10000 * (4000 + 2 * 260));
    assert_true(need_of(&folder, "HIERARCHY", 1000) == 30000000 + 1000 + 20 * 1000);
    assert_true(need_of(&folder, "HIERARCHY Frames: -1", 1000) == 30000000 + 1000 + 20 * 1000);
    assert_int_equal(open_descriptors(), before);
    test_folder_remove(&folder);
}
