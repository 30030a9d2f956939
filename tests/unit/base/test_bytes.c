/* formats/base/bytes: SHA-256 against the examples of FIPS 180-2, appendix B. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/base/bytes.h"
#include "tests/support/test.h"

TEST(sha256_equals_the_standards_examples)
{
    char digest[DIGEST_SIZE];
    (void)state;
    assert_int_equal(digest_bytes("abc", 3, digest, NULL), STATUS_OK);
    assert_string_equal(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_int_equal(digest_bytes("", 0, digest, NULL), STATUS_OK);
    assert_string_equal(digest, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(file_has_the_digest_of_its_bytes)
{
    char path[] = "/tmp/kane-digest.XXXXXX", digest[DIGEST_SIZE];
    int file = mkstemp(path);
    (void)state;
    assert_true(file >= 0);
    assert_int_equal(write(file, "abc", 3), 3);
    close(file);
    assert_int_equal(digest_path(path, digest, NULL), STATUS_OK);
    assert_string_equal(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    unlink(path);
    assert_int_equal(digest_path(path, digest, NULL), STATUS_IO);
}

TEST(stream_beyond_max_bytes_is_refused)
{
    char *bytes;
    size_t size;
    FILE *stream = tmpfile();
    (void)state;
    assert_non_null(stream);
    for (int i = 0; i < 200000; i++)
        putc('x', stream);
    for (size_t max = 199999; max <= 200000; max++) {
        rewind(stream);
        Status wanted = max < 200000 ? STATUS_LIMIT : STATUS_OK;
        assert_int_equal(bytes_read_stream_max(stream, max, &bytes, &size, NULL), wanted);
        if (wanted == STATUS_OK) {
            assert_int_equal(size, 200000);
            free(bytes);
        }
    }
    fclose(stream);
    assert_int_equal(bytes_read_path_max("/dev/zero", 1000, &bytes, &size, NULL), STATUS_LIMIT);
    assert_int_equal(bytes_read_path("/dev/zero", &bytes, &size, NULL), STATUS_LIMIT);
}
