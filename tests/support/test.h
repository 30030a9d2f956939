/* Test registration for cmocka without a list of tests:
 *
 * TEST(gap_of_three_rows_is_filled) { ... }
 *
 * defines a cmocka test; the tests run in file order. TEST_GROUP(set_up, tear_down) sets functions that run before the
 * first and after the last test. A file with its own main defines TEST_OWN_MAIN and calls test_run. */
#ifndef KANE_TESTS_TEST_H
#define KANE_TESTS_TEST_H

#include "tests/support/assert_near.h"

#include <stdlib.h>

enum { TEST_CAPACITY = 64 };

static struct {
    struct CMUnitTest test[TEST_CAPACITY];
    size_t count;
    CMFixtureFunction set_up, tear_down;
} tests_of_file;

static inline void test_add(struct CMUnitTest test)
{
    if (tests_of_file.count == TEST_CAPACITY)
        abort();
    tests_of_file.test[tests_of_file.count++] = test;
}

static inline int test_run(void)
{
    return _cmocka_run_group_tests("tests", tests_of_file.test, tests_of_file.count, tests_of_file.set_up,
                                   tests_of_file.tear_down);
}

#define TEST(name)                                               \
    static void name(void **state);                              \
    __attribute__((constructor)) static void add_##name(void)    \
    {                                                            \
        test_add((struct CMUnitTest)cmocka_unit_test(name));     \
    }                                                            \
    static void name(__attribute__((unused)) void **state)

#define TEST_GROUP(before, after)                                    \
    __attribute__((constructor)) static void add_group(void)     \
    {                                                            \
        tests_of_file.set_up = before;                           \
        tests_of_file.tear_down = after;                         \
    }

#ifndef TEST_OWN_MAIN
int main(void) { return test_run(); }
#endif

#endif
