/* formats/index/path_words: words end at capitals, digits and other characters; extensions are dropped. */
#include "tests/support/test.h"

#include <stdlib.h>

#include "formats/index/path_words.h"

TEST(path_is_split_into_words)
{
    static const char *const pairs[][2] = {
        {"LaFAN/jumpsAndStumbles1_subject2.bvh.h5", "la fan jumps and stumbles 1 subject 2"},
        {"a.BVH.H5", "a"},
        {"BVHFile", "bvh file"},
        {"../x--y.h5", "x y"},
        {".h5", "h 5"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *words = path_words(pairs[i][0]);
        assert_string_equal(words, pairs[i][1]);
        free(words);
    }
}
