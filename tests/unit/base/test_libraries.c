/* library_version: the libraries printed by `kane --version --verbose`, each with its header version. */
#include <expat.h>
#include <gnu/libc-version.h>
#include <hdf5.h>
#include <openssl/opensslv.h>
#include <sqlite3.h>
#include <zlib.h>

#include "formats/base/text.h"
#include "tests/support/test.h"

#define TEXT(x) #x
#define NUMBER(x) TEXT(x)

TEST(library_versions_equal_header_versions)
{
    static const char *const expected[][2] = {
        {"HDF5", NUMBER(H5_VERS_MAJOR) "." NUMBER(H5_VERS_MINOR) "." NUMBER(H5_VERS_RELEASE)},
        {"SQLite", SQLITE_VERSION},
        {"SLEEF", NULL},
        {"OpenSSL", OPENSSL_VERSION_STR},
        {"expat", NUMBER(XML_MAJOR_VERSION) "." NUMBER(XML_MINOR_VERSION) "." NUMBER(XML_MICRO_VERSION)},
        {"xxHash", NULL},
        {"zlib", ZLIB_VERSION},
        {"glibc", NULL},
    };
    char version[64];
    size_t count = sizeof expected / sizeof *expected;
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(library_version(i, version, sizeof version), expected[i][0]);
        if (expected[i][1])
            assert_string_equal(version, expected[i][1]);
        assert_true(version[0] >= '0' && version[0] <= '9' && strchr(version, '.'));
    }
    assert_null(library_version(count, version, sizeof version));
}

TEST(short_buffer_truncates_the_version)
{
    char version[4] = "";
    assert_non_null(library_version(0, version, sizeof version));
    assert_int_equal(strlen(version), 3);
}
