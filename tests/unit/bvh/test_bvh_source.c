/* formats/bvh/bvh_source: a pipe is read like a file, and an endless pipe is abandoned early. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/bytes.h"
#include "formats/bvh/bvh.h"
#include "formats/source/source.h"

/* Output of a shell command; the caller frees *bytes. */
static Status read_pipe(const char *command, const SourceDef *def, char **bytes, size_t *size, Error *err)
{
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    *bytes = NULL;
    *size = 0;
    Status status = source_bytes_stream(stream, def, bytes, size, err);
    pclose(stream);
    return status;
}

TEST(pipe_has_the_bytes_of_the_file)
{
    SourceDef def = source_default_def();
    char *whole, *piped, *path;
    size_t size, piped_size, path_size;
    assert_int_equal(bytes_read_path("data/walk.bvh", &whole, &size, NULL), STATUS_OK);
    assert_int_equal(read_pipe("cat data/walk.bvh", &def, &piped, &piped_size, NULL), STATUS_OK);
    assert_int_equal(source_bytes_path("data/walk.bvh", &def, &path, &path_size, NULL), STATUS_OK);
    assert_int_equal(piped_size, size);
    assert_int_equal(path_size, size);
    assert_memory_equal(piped, whole, size + 1); /* with the terminating NUL */
    assert_memory_equal(path, whole, size + 1);
    free(whole);
    free(piped);
    free(path);
}

TEST(endless_pipe_is_stopped_at_the_limit)
{
    SourceDef def = source_default_def();
    char *bytes;
    size_t size;
    Error err = {0};
    def.max_frames = 100;
    def.max_joints = 4;
    assert_int_equal(read_pipe("cat data/walk.bvh; yes '0 0 0 0 0 0'", &def, &bytes, &size, &err), STATUS_LIMIT);
    assert_non_null(strstr(err.text, "more than 100 frames (--max-frames)"));
    assert_null(bytes);
    assert_int_equal(read_pipe("echo HIERARCHY; yes '{'", &def, &bytes, &size, &err), STATUS_LIMIT);
    assert_non_null(strstr(err.text, "4 joints (--max-joints)"));
    assert_int_equal(read_pipe("printf '\\357\\273\\277 hierarchy '; yes '{'", &def, &bytes, &size, &err),
                     STATUS_LIMIT);
}

/* For input that does not begin like a BVH; the parser reports the error. */
TEST(other_content_is_not_read_further)
{
    SourceDef def = source_default_def();
    char *bytes;
    size_t size;
    Error err = {0};
    assert_int_equal(source_bytes_path("/dev/zero", &def, &bytes, &size, NULL), STATUS_OK);
    assert_true(size < 1 << 20);
    free(bytes);
    assert_int_equal(read_pipe("printf '\\211HDF'; head -c 300000 /dev/zero", &def, &bytes, &size, NULL), STATUS_OK);
    assert_int_equal(size, 300004); /* a whole clip file */
    free(bytes);
    assert_int_equal(read_pipe("true", &def, &bytes, &size, NULL), STATUS_OK);
    assert_int_equal(size, 0);
    free(bytes);
    assert_int_equal(source_bytes_path("/no/such.bvh", &def, &bytes, &size, &err), STATUS_IO);
    assert_non_null(strstr(err.text, "No such file"));
}
