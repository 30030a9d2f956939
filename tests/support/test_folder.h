/* Temporary folder of one test, removed with its content. */
#ifndef KANE_TESTS_TEST_FOLDER_H
#define KANE_TESTS_TEST_FOLDER_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct TestFolder {
    char path[256];
    char name[512]; /* of test_folder_file */
} TestFolder;

static inline TestFolder test_folder_make(void)
{
    TestFolder folder = {{0}, {0}};
    const char *parent = getenv("TMPDIR");
    snprintf(folder.path, sizeof folder.path, "%s/kane-test-XXXXXX", parent ? parent : "/tmp");
    assert_non_null(mkdtemp(folder.path));
    return folder;
}

/* Path of a file in the folder; valid until the next call. */
static inline const char *test_folder_file(TestFolder *folder, const char *name)
{
    snprintf(folder->name, sizeof folder->name, "%s/%s", folder->path, name);
    return folder->name;
}

static inline int test_folder_remove_one(const char *path, const struct stat *info, int type, struct FTW *walk)
{
    (void)info;
    (void)type;
    (void)walk;
    return remove(path);
}

static inline void test_folder_remove(TestFolder *folder)
{
    nftw(folder->path, test_folder_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
