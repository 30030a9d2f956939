/* formats/index: file size per clip, and pages that the change of one clip touches. */
#include "tests/support/test.h"

#include <string.h>

#include "formats/base/bytes.h"
#include "formats/index/index.h"
#include "tests/support/sample_stats.h"
#include "tests/support/test_folder.h"

enum { CLIPS = 200, JOINTS = 31, FRAMES = 135, PAGE = 16384, MAX_BYTES = 25000, MAX_PAGES = 40 };

/* Adds the clips first to last - 1 by number: "takes/0017.h5". */
static void put_clips(const char *path, const ClipStats *stats, int first, int last)
{
    Index *index = NULL;
    assert_int_equal(index_open(path, &index, NULL), STATUS_OK);
    for (int i = first; i < last; i++) {
        char name[32];
        snprintf(name, sizeof name, "takes/%04d.h5", i);
        assert_int_equal(index_put_clip(index, name, stats, NULL), STATUS_OK);
    }
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
}

static void remove_clip(const char *path, const char *name)
{
    Index *index = NULL;
    assert_int_equal(index_open(path, &index, NULL), STATUS_OK);
    assert_int_equal(index_remove(index, name, NULL), STATUS_OK);
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
}

typedef struct Bytes {
    char *bytes;
    size_t size;
} Bytes;

static Bytes read_index(const char *path)
{
    Bytes b;
    assert_int_equal(bytes_read_path(path, &b.bytes, &b.size, NULL), STATUS_OK);
    return b;
}

/* Number of pages of the second file that differ from the first or are new. */
static int changed_pages(Bytes a, Bytes b)
{
    int changed = 0;
    for (size_t at = 0; at < b.size; at += PAGE)
        changed += at >= a.size || memcmp(a.bytes + at, b.bytes + at, PAGE) != 0;
    return changed;
}

TEST(clip_size_in_the_index_is_bounded)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "index.db");
    ClipStats stats = sample_stats(FRAMES, JOINTS);
    put_clips(path, &stats, 0, CLIPS / 4);
    Bytes few = read_index(path);
    put_clips(path, &stats, CLIPS / 4, CLIPS);
    Bytes many = read_index(path);
    size_t each = (many.size - few.size) / (CLIPS - CLIPS / 4);
    if (each > MAX_BYTES)
        fail_msg("%zu bytes a clip", each);
    free(few.bytes);
    free(many.bytes);
    clip_stats_free(&stats);
    test_folder_remove(&folder);
}

/* Insertion at the front, and removal, leave the rows of all other clips in place. */
TEST(change_rewrites_only_its_pages)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "index.db");
    ClipStats stats = sample_stats(FRAMES, JOINTS);
    put_clips(path, &stats, 1, CLIPS);
    Bytes before = read_index(path);
    assert_true(before.size / PAGE > 4 * MAX_PAGES);
    put_clips(path, &stats, 0, 1);
    Bytes added = read_index(path);
    int pages = changed_pages(before, added);
    if (pages > MAX_PAGES)
        fail_msg("%d pages changed for one clip more", pages);
    remove_clip(path, "takes/0000.h5");
    Bytes removed = read_index(path);
    pages = changed_pages(added, removed);
    if (pages > MAX_PAGES)
        fail_msg("%d pages changed for one clip less", pages);
    free(before.bytes);
    free(added.bytes);
    free(removed.bytes);
    clip_stats_free(&stats);
    test_folder_remove(&folder);
}
