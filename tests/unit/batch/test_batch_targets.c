/* pipeline/cli/batch/batch_targets: the clips of a list of targets. */
#include <string.h>

#include "pipeline/cli/batch/batch_targets.h"
#include "tests/support/test.h"

static char hero[] = "hero", hero_path[] = "x/hero.bvh", he[] = "he", he_path[] = "he.h5";
static FoundFile both[] = {{he_path, he}, {hero_path, hero}};
static const BatchTargets targets = {.files = {.count = 2, .file = both}};

TEST(output_names_its_target_by_the_whole_first_folder)
{
    (void)state;
    assert_ptr_equal(batch_targets_find(&targets, "hero/a/walk.bvh.h5"), &both[1]);
    assert_ptr_equal(batch_targets_find(&targets, "he/walk.bvh.h5"), &both[0]);
    assert_null(batch_targets_find(&targets, "heroes/walk.bvh.h5"));
    assert_null(batch_targets_find(&targets, "hero"));
    assert_string_equal(batch_targets_clip(&targets, "hero/hero/walk.bvh.h5"), "hero/walk.bvh.h5");
    assert_string_equal(batch_targets_clip(&targets, "a/hero/walk.bvh.h5"), "a/hero/walk.bvh.h5");
}

TEST(without_a_list_files_stay_as_they_are)
{
    BatchTargets none = {0};
    FoundFiles files = {0};
    (void)state;
    assert_int_equal(found_files_take(&files, "hero/walk.bvh", NULL), STATUS_OK);
    assert_int_equal(batch_targets_spread(&none, &files, NULL), STATUS_OK);
    assert_int_equal(files.count, 1);
    assert_string_equal(files.file[0].relative, "hero/walk.bvh");
    assert_string_equal(batch_targets_clip(&none, "hero/walk.bvh"), "hero/walk.bvh");
    found_files_free(&files);
}

TEST(every_file_is_listed_once_per_target)
{
    FoundFiles files = {0};
    (void)state;
    assert_int_equal(found_files_take(&files, "walk.bvh", NULL), STATUS_OK);
    assert_int_equal(found_files_take(&files, "jump.bvh", NULL), STATUS_OK);
    assert_int_equal(batch_targets_spread(&targets, &files, NULL), STATUS_OK);
    found_files_sort(&files);
    static const char *const expected[] = {"he/jump.bvh", "he/walk.bvh", "hero/jump.bvh", "hero/walk.bvh"};
    assert_int_equal(files.count, 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(files.file[i].relative, expected[i]);
        assert_string_equal(files.file[i].path, strchr(expected[i], '/') + 1);
    }
    found_files_free(&files);
}
