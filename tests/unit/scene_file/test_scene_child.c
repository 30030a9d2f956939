/* formats/scene_file/scene_child: what kane says of a helper program that fails; here a script in its place. */
#include "formats/scene_file/scene_child.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads a file with a helper that is this script; the error's text is in err. */
static Status read_with(const char *script, Error *err)
{
    char folder[] = "/tmp/kane-child-XXXXXX", path[64];
    SourceFile file = {.path = "a.fbx", .bytes = "bytes", .size = 5};
    Scene scene;
    *err = (Error){0};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/kane-scene", folder);
    FILE *stream = fopen(path, "we");
    assert_non_null(stream);
    fprintf(stream, "#!/bin/sh\n%s\n", script);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(chmod(path, 0700), 0);
    setenv("KANE_LIBEXEC", folder, 1);
    Status status = scene_child_read(&file, "fbx", NULL, 1, &scene, err);
    scene_free(&scene);
    unlink(path);
    rmdir(folder);
    return status;
}

TEST(helper_that_crashes_is_a_damaged_file)
{
    Error err;
    assert_int_equal(read_with("kill -SEGV $$", &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "the file is damaged: libassimp ends on it"));
    assert_int_equal(read_with("exit 3", &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "the file is damaged: libassimp ends on it"));
}

TEST(helper_that_is_stopped_took_too_long)
{
    Error err;
    assert_int_equal(read_with("kill -XCPU $$", &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "reading takes longer than 60 s"));
    assert_int_equal(read_with("kill -KILL $$", &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "reading takes longer than 60 s"));
}

TEST(helper_that_writes_something_else_is_refused)
{
    Error err;
    assert_int_not_equal(read_with("echo nonsense", &err), STATUS_OK);
    assert_true(strlen(err.text) > 0);
    assert_int_not_equal(read_with("", &err), STATUS_OK);
    assert_true(strlen(err.text) > 0);
}
