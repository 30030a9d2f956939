/* formats/base/checksum: XXH64 by its published values, however the bytes come. */
#include <string.h>

#include "formats/base/checksum.h"
#include "tests/support/assert_near.h"

static uint64_t sum(const char *text)
{
    Checksum c = checksum_begin();
    checksum_add(&c, text, strlen(text));
    return checksum_end(&c);
}

/* Of the reference implementation, seed 0. */
static void published_values(void **state)
{
    (void)state;
    assert_true(sum("") == UINT64_C(0xef46db3751d8e999));
    assert_true(sum("a") == UINT64_C(0xd24ec4f1a98c6e5b));
    assert_true(sum("abc") == UINT64_C(0x44bc2cf5ad770999));
    assert_true(sum("xxhash") == UINT64_C(0x32dd38952c4bc720));
}

static void pieces_make_the_same_sum(void **state)
{
    char bytes[300];
    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 37 + i / 7);
    for (size_t size = 0; size <= sizeof bytes; size += 13)
        for (size_t piece = 1; piece < 70; piece += 3) {
            Checksum whole = checksum_begin(), parts = checksum_begin();
            checksum_add(&whole, bytes, size);
            for (size_t at = 0; at < size; at += piece)
                checksum_add(&parts, bytes + at, size - at < piece ? size - at : piece);
            assert_true(checksum_end(&whole) == checksum_end(&parts));
        }
}

static void every_flipped_bit_is_seen(void **state)
{
    unsigned char bytes[67] = {0};
    (void)state;
    Checksum whole = checksum_begin();
    checksum_add(&whole, bytes, sizeof bytes);
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        Checksum other = checksum_begin();
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        checksum_add(&other, bytes, sizeof bytes);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_true(checksum_end(&whole) != checksum_end(&other));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_values),
        cmocka_unit_test(pieces_make_the_same_sum),
        cmocka_unit_test(every_flipped_bit_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
