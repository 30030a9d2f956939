/* hdf5_load where the library is missing: a copy of the code, for another soname. */
#define KANE_HDF5 "libhdf5_of_nobody.so.1"
#define hdf5      hdf5_of_nobody
#define hdf5_load hdf5_load_of_nobody
#include "formats/base/hdf5_calls.c"

#include "tests/support/test.h"

TEST(missing_library_is_an_error)
{
    for (int i = 0; i < 2; i++) {
        Error err = {0};
        assert_int_equal(hdf5_load(&err), STATUS_IO);
        assert_string_equal(err.text, "clip files cannot be read without libhdf5: libhdf5_of_nobody.so.1: cannot open "
                                      "shared object file: No such file or directory");
    }
}
