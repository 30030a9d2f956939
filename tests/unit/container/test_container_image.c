/* formats/container/container_image: it grows without losing a byte, and new bytes are zero. What it does without
 * memory is in test_allocation. */
#include <stdlib.h>
#include <string.h>

#include "formats/container/container_image.h"
#include "tests/support/test.h"

TEST(keeps_its_bytes_when_it_grows)
{
    ImageBuffer buffer;
    assert_int_equal(image_buffer_init(&buffer, 64, NULL), STATUS_OK);
    memset(buffer.bytes, 0xa5, 64);
    assert_true(image_buffer_hold(&buffer, 64));
    assert_int_equal(buffer.capacity, 64);
    assert_true(image_buffer_hold(&buffer, 100000));
    assert_true(buffer.capacity >= 100000);
    for (size_t i = 0; i < buffer.capacity; i++)
        assert_int_equal(buffer.bytes[i], i < 64 ? 0xa5 : 0);
    image_buffer_free(&buffer);
    assert_null(buffer.bytes);
}
