/* The table of formats with the reader of tests/support/walks_reader.h, for build/kane-walks. */
#define SOURCES(SOURCE) SOURCE(bvh) SOURCE(walks)
#include "formats/source/source_table.c"

#include "tests/support/assert_near.h"
#include "tests/support/walks_reader.h"
