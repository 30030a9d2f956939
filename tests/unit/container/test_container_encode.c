/* Sequential writing gives the bytes of the image, for any content and any destination. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/base/bytes.h"
#include "formats/container/container.h"
#include "tests/support/test.h"
#include "tests/support/sample_clip.h"

/* Compares the output of container_write through a pipe with the image; a child writes, so that a full pipe cannot
 * block. */
static void assert_same_bytes(const Clip *clip, const ContainerDef *def)
{
    ContainerImage image;
    char *bytes;
    size_t size;
    int ends[2], state;
    assert_int_equal(container_encode(clip, def, &image, NULL), STATUS_OK);
    assert_int_equal(pipe(ends), 0);
    pid_t writer = fork();
    if (writer == 0)
        _exit(container_write(clip, def, ends[1], NULL) != STATUS_OK);
    close(ends[1]);
    FILE *stream = fdopen(ends[0], "rb");
    assert_int_equal(bytes_read_stream(stream, &bytes, &size, NULL), STATUS_OK);
    fclose(stream);
    assert_int_equal(waitpid(writer, &state, 0), writer);
    assert_int_equal(state, 0);
    assert_int_equal(size, image.size);
    assert_memory_equal(bytes, image.bytes, size);
    free(bytes);
    container_image_free(&image);
}

TEST(written_bytes_equal_the_image)
{
    static const int shapes[][3] = {{1, 1, 0}, {20, 10, 3}, {300, 31, 0}, {40, 200, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        Clip clip;
        assert_int_equal(sample_clip(&clip, shapes[i][0], shapes[i][1], shapes[i][2]), 0);
        ContainerDef plain = container_default_def(), narrow = {.float32 = 1}, small = {.compress = 3};
        assert_same_bytes(&clip, &plain);
        assert_same_bytes(&clip, &narrow);
        assert_same_bytes(&clip, &small);
        clip_drop(&clip, CLIP_BODY);
        assert_same_bytes(&clip, &plain);
        clip_free(&clip);
    }
}

TEST(full_device_is_an_error)
{
    ContainerDef def = container_default_def();
    Clip clip;
    Error err;
    int full = open("/dev/full", O_WRONLY);
    (void)state;
    assert_true(full >= 0);
    assert_int_equal(sample_clip(&clip, 20, 10, 3), 0);
    assert_int_equal(container_write(&clip, &def, full, &err), STATUS_IO);
    assert_non_null(strstr(err.text, "No space left"));
    clip_free(&clip);
    close(full);
}
