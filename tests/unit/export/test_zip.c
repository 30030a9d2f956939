/* formats/export/zip: the bytes of an archive follow the format specification. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "formats/export/zip.h"

static unsigned long little_endian(const unsigned char *at, int count)
{
    unsigned long value = 0;
    for (int i = count; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

/* APPNOTE 4.3.7, 4.3.12, 4.3.16: an entry, its copy in the central directory, and the end record that locates both. */
TEST(zip_directory_locates_the_entries)
{
    unsigned char *bytes = NULL;
    size_t size;
    Zip zip;
    FILE *stream = open_memstream((char **)&bytes, &size);
    zip_begin(&zip, stream);
    assert_int_equal(zip_put(&zip, "one", (ZipBytes){"12345", 5}, (ZipBytes){"6789", 4}, NULL), STATUS_OK);
    assert_int_equal(zip_put(&zip, "second", (ZipBytes){0}, (ZipBytes){0}, NULL), STATUS_OK);
    assert_int_equal(zip_finish(&zip, NULL), STATUS_OK);
    fclose(stream);
    const unsigned char *end = bytes + size - 22;
    assert_int_equal(little_endian(end, 4), 0x06054b50);
    assert_int_equal(little_endian(end + 10, 2), 2);
    const unsigned char *entry = bytes + little_endian(end + 16, 4);
    assert_int_equal(little_endian(entry, 4), 0x02014b50);
    assert_int_equal(little_endian(entry + 16, 4), 0xCBF43926); /* the check value of CRC-32 */
    assert_int_equal(little_endian(entry + 24, 4), 9);
    const unsigned char *local = bytes + little_endian(entry + 42, 4);
    assert_int_equal(little_endian(local, 4), 0x04034b50);
    assert_memory_equal(local + 30, "one123456789", 12);
    free(bytes);
}

TEST(crc_of_parts_equals_crc_of_the_whole)
{
    unsigned char bytes[300];
    for (int i = 0; i < 300; i++)
        bytes[i] = (unsigned char)(i * 37);
    for (size_t cut = 0; cut <= 300; cut += 13)
        assert_int_equal(zip_crc(zip_crc(0, bytes, cut), bytes + cut, 300 - cut), zip_crc(0, bytes, 300));
}

TEST(too_many_entries_and_a_full_device_are_errors)
{
    Zip zip;
    Status status = STATUS_OK;
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    zip_begin(&zip, full);
    for (int i = 0; i < ZIP_MAX_ENTRIES; i++)
        assert_int_equal(zip_put(&zip, "x", (ZipBytes){"y", 1}, (ZipBytes){0}, NULL), STATUS_OK);
    status = zip_put(&zip, "x", (ZipBytes){"y", 1}, (ZipBytes){0}, NULL);
    assert_int_equal(status, STATUS_LIMIT);
    assert_int_equal(zip_finish(&zip, NULL), STATUS_IO);
    fclose(full);
}
