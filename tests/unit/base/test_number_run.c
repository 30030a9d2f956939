/* formats/base/number_run: the bits of strtod for each common form at any position in a block; stops at the right byte.
 * */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/number_run.h"

#define COUNT 400

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* A number of up to 9 digits before and 17 after the point, sometimes with an exponent. */
static int random_number(uint64_t *seed, char *out)
{
    char *start = out;
    int whole = 1 + (int)(next_random(seed) % 9), fraction = (int)(next_random(seed) % 18);
    if (next_random(seed) & 1)
        *out++ = '-';
    for (int i = 0; i < whole; i++)
        *out++ = (char)('0' + next_random(seed) % 10);
    if (fraction || next_random(seed) % 8 == 0)
        *out++ = '.';
    for (int i = 0; i < fraction; i++)
        *out++ = (char)('0' + next_random(seed) % 10);
    if (next_random(seed) % 4 == 0)
        out += sprintf(out, "%c%s%d", next_random(seed) & 1 ? 'e' : 'E', next_random(seed) & 1 ? "-" : "+",
                       (int)(next_random(seed) % 30));
    return (int)(out - start);
}

TEST(runs_equal_strtod)
{
    uint64_t seed = 88172645463325252u;
    for (int round = 0; round < 200; round++) {
        char text[COUNT * 48];
        double value[COUNT + 64], *next = value;
        int length = sprintf(text, "preceding");
        for (int i = 0; i < COUNT; i++) {
            text[length++] = next_random(&seed) % 16 ? ' ' : '\t';
            length += random_number(&seed, text + length);
        }
        text[length] = 0;
        char *start = text + 9, *exact = malloc((size_t)length);
        assert_non_null(exact);
        memcpy(exact, text, (size_t)length);
        const char *reached = number_run_scan(exact + 9, exact + length, &next, value + COUNT + 64);
        const char *p = start;
        for (double *v = value; v < next; v++) {
            char *after;
            double expected = strtod(p, &after);
            assert_memory_equal(v, &expected, sizeof expected);
            p = after;
        }
        /* Stops after the last number read, within the last bytes. */
        assert_true(reached - exact >= p - text && (reached - exact) - (p - text) <= 1);
#ifdef __SSE2__
        assert_true(exact + length - reached < 64 + 48);
#endif
        free(exact);
    }
}

static size_t count_until(const char *text, size_t room)
{
    char padded[512];
    double value[128], *next = value;
    int length = snprintf(padded, sizeof padded, "preceding%s%*s", text, 100, "");
    const char *reached = number_run_scan(padded + 9, padded + length, &next, value + room);
    assert_true(reached >= padded + 9 && reached <= padded + length);
    return (size_t)(next - value);
}

TEST(run_ends_before_uncommon_characters)
{
#ifdef __SSE2__
    assert_int_equal(count_until(" 1 2 3 4\n5 6", 128), 4);
    assert_int_equal(count_until(" 1 2 3 4\r\n5 6", 128), 4);
    assert_int_equal(count_until(" 1 2 3-4 5 6", 128), 2);
    assert_int_equal(count_until(" 1 2 1.2.3 5 6", 128), 2);
    assert_int_equal(count_until(" 1 2 nan 5 6", 128), 2);
    assert_int_equal(count_until(" 1 2 3,4 5 6", 128), 2);
    assert_int_equal(count_until(" 1 2 1e999 5 6", 128), 2);
    assert_int_equal(count_until(" 1 2 3e 5 6", 128), 2);
    assert_int_equal(count_until(" .5 -.25 5. 7", 128), 4);
    assert_int_equal(count_until("\n1 2", 128), 0);
#endif
    assert_int_equal(count_until(" 1 2 3", 0), 0);
}
