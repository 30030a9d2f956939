/* formats/base/scratch_file: large arrays in a file keep their values and leave memory. */
#include "tests/support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/base/arena.h"
#include "formats/base/scratch_file.h"
#include "tests/support/test_folder.h"

enum { VALUES = 8 << 20 }; /* 64 MB */

static long resident_megabytes(void)
{
    long pages = 0, skipped;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld %ld", &skipped, &pages), 2);
    fclose(file);
    return pages / 256;
}

/* Uses processor time, by which pages are released. */
static void work(void)
{
    clock_t end = clock() + CLOCKS_PER_SEC / 10;
    while (clock() < end)
        ;
}

static int count_entries(const char *folder)
{
    int count = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list));)
        count += entry->d_name[0] != '.' || entry->d_name[1] == 'k';
    closedir(list);
    return count;
}

TEST(arrays_in_a_scratch_file_keep_values_and_leave_memory)
{
    TestFolder folder = test_folder_make();
    long before = resident_megabytes();
    (void)state;
    scratch_file_open(folder.path, 1 << 20);
    double *one = array_new(VALUES, 1, sizeof *one), *two = array_space(VALUES, 1, sizeof *two);
    assert_int_equal(count_entries(folder.path), 0);
    for (size_t i = 0; i < VALUES; i++) {
        assert_true(one[i] == 0);
        one[i] = (double)i;
        two[i] = -(double)i;
    }
    work();
    assert_in_range(resident_megabytes(), 0, (unsigned long)before + 32);
    for (size_t i = 0; i < VALUES; i++)
        assert_true(one[i] == (double)i && two[i] == -(double)i);
    free(one);
    one = array_new(VALUES / 2, 1, sizeof *one); /* the place of the first, again zero */
    for (size_t i = 0; i < VALUES / 2; i++)
        assert_true(one[i] == 0);
    scratch_file_close();
    for (size_t i = 0; i < VALUES; i++)
        assert_true(two[i] == -(double)i);
    free(one);
    free(two);
    test_folder_remove(&folder);
}

TEST(arrays_stay_in_memory_without_a_folder)
{
    (void)state;
    scratch_file_open("/nowhere/at/all", 1 << 20);
    double *one = array_new(VALUES, 1, sizeof *one);
    assert_non_null(one);
    one[VALUES - 1] = 1;
    free(one);
    scratch_file_close();
}
