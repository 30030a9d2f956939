#include "formats/container/container_image.h"

#include <string.h>

#include "formats/container/image_driver.h"

/* Metadata and labels go to the front in blocks of these sizes: the pages of the trajectories behind them are never
 * touched. */
enum { META_BLOCK = 24576, SMALL_DATA_BLOCK = 16384 };

hid_t image_create(ImageBuffer *buffer, hid_t creation_properties)
{
    hid_t file = -1, access = H5Pcreate(H5P_FILE_ACCESS), driver = image_driver_set(access, buffer);
    if (driver >= 0 && H5Pset_meta_block_size(access, META_BLOCK) >= 0 &&
        H5Pset_small_data_block_size(access, SMALL_DATA_BLOCK) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
        file = H5Fcreate("container", H5F_ACC_TRUNC, creation_properties, access);
    H5Pclose(access);
    if (driver >= 0)
        H5FDunregister(driver);
    return file;
}

static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

/* Little-endian address at a byte of the header. */
static unsigned long long address_at(const unsigned char *header, int at)
{
    unsigned long long address = 0;
    for (int i = 7; i >= 0; i--)
        address = address << 8 | header[at + i];
    return address;
}

/* Superblock: signature, then its version at byte 8. Version 0: size of addresses at 13, base address at 24,
 * end-of-file address at 40; versions 2 and 3, which other programs write: at 9, 12 and 28 (HDF5 file
 * format specification 3.0, II.A). */
unsigned long long image_end(const unsigned char header[IMAGE_HEADER_SIZE])
{
    if (memcmp(header, signature, sizeof signature) != 0)
        return 0;
    int version = header[8], old = version == 0;
    if (version == 1 || version > 3 || header[old ? 13 : 9] != 8 || address_at(header, old ? 24 : 12) != 0)
        return 0;
    unsigned long long end = address_at(header, old ? 40 : 28);
    return end > IMAGE_HEADER_SIZE ? end : 0;
}

Status image_take(ImageBuffer *buffer, ContainerImage *image, Error *err)
{
    unsigned long long end = image_end(buffer->bytes);
    if (end == 0)
        return error_set(err, STATUS_INTERNAL, "HDF5 left no superblock in the image");
    if (!image_buffer_hold(buffer, end))
        return error_no_memory(err);
    *image = (ContainerImage){.bytes = buffer->bytes, .size = end};
    *buffer = (ImageBuffer){0};
    return STATUS_OK;
}

hid_t image_open(ImageBuffer *view)
{
    hid_t file = -1, access = H5Pcreate(H5P_FILE_ACCESS), driver = image_driver_set(access, view);
    if (driver >= 0 && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
        file = H5Fopen("container", H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (driver >= 0)
        H5FDunregister(driver);
    return file;
}

ImageErrors image_errors_silence(void)
{
    ImageErrors errors = {0};
    H5Eget_auto2(H5E_DEFAULT, &errors.report, &errors.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return errors;
}

void image_errors_restore(ImageErrors errors)
{
    H5Eset_auto2(H5E_DEFAULT, errors.report, errors.data);
}
