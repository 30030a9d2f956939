/* Links the tests of one folder into one program. The build renames the main of each file (test_lcp_main); a process
 * runs one of them, so that tests cannot affect each other.
 *
 * build/tests/unit/contact_tests                   prints the names
 *     build/tests/unit/contact_tests test_ground ...   runs that test with the remaining arguments
 *
 * The build defines TESTS as TEST(test_a) TEST(test_b). Both arguments are also passed to a main without parameters, as
 * by the C runtime. */
#include <stdio.h>
#include <string.h>

#define TEST(name) int name##_main(int argc, char **argv);
TESTS
#undef TEST

typedef struct Test {
    const char *name;
    int (*run)(int argc, char **argv);
} Test;

#define TEST(name) {#name, name##_main},
static const Test tests[] = {TESTS};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (argc == 1)
            puts(tests[i].name);
        else if (strcmp(argv[1], tests[i].name) == 0)
            return tests[i].run(argc - 1, argv + 1);
    if (argc == 1)
        return 0;
    fprintf(stderr, "%s: no test %s\n", argv[0], argv[1]);
    return 2;
}
