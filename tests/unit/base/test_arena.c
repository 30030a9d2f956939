/* analysis/base/arena.h: zeroed, aligned, released to a mark; failures are sticky. */
#include "tests/support/test.h"

#include <stdint.h>
#include <string.h>

#include "analysis/base/arena.h"

static int is_zero(const unsigned char *array, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (array[i])
            return 0;
    return 1;
}

TEST(arrays_are_zeroed_aligned_and_disjoint)
{
    enum { COUNT = 400 };
    Arena arena = {0};
    unsigned char *array[COUNT];
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        array[i] = arena_array(&arena, 1 + i % 7, 1 + i * 3, 5);
        assert_non_null(array[i]);
        assert_int_equal((uintptr_t)array[i] % 64, 0);
        assert_true(is_zero(array[i], (1 + i % 7) * (1 + i * 3) * 5));
        memset(array[i], (int)(i & 0xff) | 1, (1 + i % 7) * (1 + i * 3) * 5);
    }
    for (size_t i = 0; i < COUNT; i++)
        for (size_t byte = 0; byte < (1 + i % 7) * (1 + i * 3) * 5; byte++)
            assert_int_equal(array[i][byte], (i & 0xff) | 1);
    assert_false(arena.failed);
    arena_free(&arena);
}

TEST(memory_released_to_a_mark_is_zeroed_again)
{
    Arena arena = {0};
    (void)state;
    unsigned char *kept = arena_array(&arena, 100, 1, 1);
    memset(kept, 7, 100);
    for (int round = 0; round < 5; round++) {
        ArenaMark mark = arena_mark(&arena);
        for (size_t i = 0; i < 40; i++) {
            size_t bytes = 1000 * (i + 1) * (size_t)(1 + round);
            unsigned char *scratch = arena_array(&arena, bytes, 1, 1);
            assert_non_null(scratch);
            assert_true(is_zero(scratch, bytes));
            memset(scratch, 255, bytes);
        }
        arena_return(&arena, mark);
    }
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(kept[i], 7);
    arena_free(&arena);
    assert_null(arena.last);
}

/* Memory for numbers that are written first is not cleared, but later allocations are. */
TEST(space_leaves_later_arrays_zeroed)
{
    Arena arena = {0};
    (void)state;
    for (int round = 0; round < 3; round++) {
        ArenaMark mark = arena_mark(&arena);
        unsigned char *space = arena_space(&arena, 3000, 1, 1), *array = arena_array(&arena, 3000, 1, 1);
        assert_int_equal((uintptr_t)space % 64, 0);
        assert_true(is_zero(array, 3000));
        memset(space, 255, 3000);
        assert_true(is_zero(array, 3000));
        memset(array, 255, 3000);
        arena_return(&arena, mark);
    }
    assert_null(arena_space(&arena, SIZE_MAX, 2, 1));
    assert_true(arena.failed);
    arena_free(&arena);
}

TEST(overflow_sets_a_lasting_failure)
{
    Arena arena = {0};
    (void)state;
    assert_null(arena_array(&arena, SIZE_MAX / 2, 3, 1));
    assert_null(arena_array(&arena, SIZE_MAX - 8, 1, 1));
    assert_non_null(arena_array(&arena, 3, 1, 8));
    assert_true(arena.failed);
    arena_free(&arena);
    assert_false(arena.failed);
}

TEST(array_without_elements_is_no_failure)
{
    Arena arena = {0};
    (void)state;
    assert_non_null(arena_array(&arena, 0, 12, 8));
    assert_false(arena.failed);
    arena_free(&arena);
}
