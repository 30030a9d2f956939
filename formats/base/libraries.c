/* Names and versions of the libraries in use. SLEEF has no version function, so its version is that of its header. */
#include <expat.h>
#include <gnu/libc-version.h>
#include <openssl/crypto.h>
#include <sleef.h>
#include <sqlite3.h>
#include <string.h>
#include <xxhash.h>
#include <zlib.h>

#include "formats/base/hdf5_calls.h"
#include "formats/base/text.h"

static void write_hdf5(char *version, size_t size)
{
    unsigned major = 0, minor = 0, release = 0;
    if (hdf5_load(NULL)) {
        snprintf(version, size, "missing");
        return;
    }
    hdf5.get_libversion(&major, &minor, &release);
    snprintf(version, size, "%u.%u.%u", major, minor, release);
}

static void write_sqlite(char *version, size_t size) { snprintf(version, size, "%s", sqlite3_libversion()); }
static void write_zlib(char *version, size_t size) { snprintf(version, size, "%s", zlibVersion()); }
static void write_libc(char *version, size_t size) { snprintf(version, size, "%s", gnu_get_libc_version()); }
static void write_openssl(char *v, size_t size) { snprintf(v, size, "%s", OpenSSL_version(OPENSSL_VERSION_STRING)); }

static void write_sleef(char *version, size_t size)
{
    snprintf(version, size, "%d.%d.%d", SLEEF_VERSION_MAJOR, SLEEF_VERSION_MINOR, SLEEF_VERSION_PATCHLEVEL);
}

static void write_expat(char *version, size_t size)
{
    XML_Expat_Version v = XML_ExpatVersionInfo();
    snprintf(version, size, "%d.%d.%d", v.major, v.minor, v.micro);
}

static void write_xxhash(char *version, size_t size)
{
    unsigned v = XXH_versionNumber();
    snprintf(version, size, "%u.%u.%u", v / 10000, v / 100 % 100, v % 100);
}

const char *library_version(size_t i, char *version, size_t size)
{
    static const struct {
        const char *name;
        void (*write)(char *version, size_t size);
    } libraries[] = {
        {"HDF5", write_hdf5},   {"SQLite", write_sqlite}, {"SLEEF", write_sleef}, {"OpenSSL", write_openssl},
        {"expat", write_expat}, {"xxHash", write_xxhash}, {"zlib", write_zlib},   {"glibc", write_libc},
    };
    if (i >= sizeof libraries / sizeof *libraries)
        return NULL;
    libraries[i].write(version, size);
    return libraries[i].name;
}
