/* New files are complete or absent. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/bytes.h"
#include "formats/base/new_file.h"
#include "tests/support/test.h"
#include "tests/support/test_folder.h"

static Status write_text(int descriptor, char *text)
{
    struct iovec piece = {text, strlen(text)};
    return write_pieces_fully(descriptor, &piece, 1, NULL);
}

TEST(file_appears_on_commit)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "clip.h5");
    NewFile file;
    char *bytes;
    size_t size;
    (void)state;
    assert_int_equal(new_file_open(path, &file, NULL), STATUS_OK);
    assert_int_equal(write_text(file.descriptor, "whole"), STATUS_OK);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(new_file_commit(&file, NULL), STATUS_OK);
    assert_int_equal(bytes_read_path(path, &bytes, &size, NULL), STATUS_OK);
    assert_int_equal(size, 5);
    assert_memory_equal(bytes, "whole", 5);
    free(bytes);
    new_file_discard(&file);
    assert_int_equal(access(path, F_OK), 0);
    test_folder_remove(&folder);
}

/* As after SIGKILL: where the file system has unnamed files, an unfinished one leaves nothing in its folder. */
TEST(abandoned_file_leaves_nothing)
{
    TestFolder folder = test_folder_make();
    NewFile file;
    (void)state;
    assert_int_equal(new_file_open(test_folder_file(&folder, "clip.h5"), &file, NULL), STATUS_OK);
    if (!file.is_unnamed)
        print_message("no unnamed files here\n");
    else
        assert_int_equal(rmdir(folder.path), 0);
    new_file_discard(&file);
    if (access(folder.path, F_OK) == 0)
        test_folder_remove(&folder);
}

TEST(discarded_file_keeps_the_old_one)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "clip.h5");
    NewFile file;
    struct stat info;
    (void)state;
    close(open(path, O_CREAT | O_WRONLY, 0600));
    assert_int_equal(new_file_open(path, &file, NULL), STATUS_OK);
    assert_int_equal(write_text(file.descriptor, "half"), STATUS_OK);
    char *temporary = strdup(file.temporary);
    new_file_discard(&file);
    assert_int_not_equal(access(temporary, F_OK), 0);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, 0);
    free(temporary);
    test_folder_remove(&folder);
}

TEST(failed_rename_is_an_error)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "clip.h5");
    NewFile file;
    Error err = {0};
    (void)state;
    assert_int_equal(new_file_open(path, &file, NULL), STATUS_OK);
    assert_int_equal(write_text(file.descriptor, "whole"), STATUS_OK);
    assert_int_equal(mkdir(path, 0700), 0);
    char *temporary = strdup(file.temporary);
    assert_int_equal(new_file_commit(&file, &err), STATUS_IO);
    assert_string_equal(err.text, "cannot write: Is a directory");
    assert_int_not_equal(access(temporary, F_OK), 0);
    free(temporary);
    test_folder_remove(&folder);
}

TEST(new_file_has_the_default_mode)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "clip.h5");
    NewFile file;
    struct stat info;
    mode_t mask = umask(027);
    (void)state;
    assert_int_equal(new_file_open(path, &file, NULL), STATUS_OK);
    assert_int_equal(new_file_commit(&file, NULL), STATUS_OK);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    umask(mask);
    test_folder_remove(&folder);
}

TEST(missing_folder_is_an_error)
{
    TestFolder folder = test_folder_make();
    NewFile file;
    Error err;
    (void)state;
    assert_int_equal(new_file_open(test_folder_file(&folder, "none/clip.h5"), &file, &err), STATUS_IO);
    assert_string_equal(err.text, "cannot create: No such file or directory");
    new_file_discard(&file);
    test_folder_remove(&folder);
}

/* A rename would replace the pipe, or for root a device, by a file. */
TEST(named_pipe_is_not_replaced)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "pipe");
    NewFile file;
    struct stat info;
    char got[8];
    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDWR);
    assert_int_equal(new_file_open(path, &file, NULL), STATUS_OK);
    assert_int_equal(write_text(file.descriptor, "whole"), STATUS_OK);
    assert_int_equal(new_file_commit(&file, NULL), STATUS_OK);
    assert_int_equal(read(reader, got, sizeof got), 5);
    assert_int_equal(stat(path, &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    new_file_discard(&file);
    close(reader);
    test_folder_remove(&folder);
}

TEST(full_device_is_an_error)
{
    int full = open("/dev/full", O_WRONLY);
    (void)state;
    assert_true(full >= 0);
    assert_int_equal(write_text(full, "x"), STATUS_IO);
    close(full);
}

/* A shell that appends must keep its content: the descriptor is written, the file is not recreated. */
TEST(descriptor_path_is_written_to)
{
    TestFolder folder = test_folder_make();
    int target = open(test_folder_file(&folder, "log"), O_RDWR | O_CREAT | O_APPEND, 0600);
    char name[64], got[16] = "";
    NewFile file;
    assert_int_equal(write(target, "old ", 4), 4);
    snprintf(name, sizeof name, "/dev/fd/%d", target);
    assert_int_equal(new_file_descriptor(name), target);
    assert_int_equal(new_file_descriptor("/dev/stdout"), 1);
    assert_int_equal(new_file_descriptor("/dev/fd/x"), -1);
    assert_int_equal(new_file_descriptor("/dev/null"), -1);
    assert_int_equal(new_file_open(name, &file, NULL), STATUS_OK);
    assert_int_equal(write_text(file.descriptor, "new"), STATUS_OK);
    assert_int_equal(new_file_commit(&file, NULL), STATUS_OK);
    assert_int_equal(pread(target, got, sizeof got - 1, 0), 7);
    assert_string_equal(got, "old new");
    close(target);
    test_folder_remove(&folder);
}
