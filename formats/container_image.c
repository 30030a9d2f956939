#include "formats/container_image.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <hdf5_hl.h>

#include "analysis/base/memory.h"

/* Metadata and labels go to the front in blocks of these sizes: the trajectories behind them are never touched by
 * the library, which would clear the memory first. */
enum { META_BLOCK = 24576, SMALL_DATA_BLOCK = 16384, GROWTH = 65536 };

Status image_buffer_init(ImageBuffer *buffer, size_t capacity, Error *err)
{
    *buffer = (ImageBuffer){.bytes = calloc(capacity, 1), .capacity = capacity};
    if (!buffer->bytes)
        return error_no_memory(err);
    memory_prefer_huge_pages(buffer->bytes, capacity);
    return STATUS_OK;
}

void image_buffer_free(ImageBuffer *buffer)
{
    if (!buffer)
        return;
    free(buffer->bytes);
    *buffer = (ImageBuffer){0};
}

static void *buffer_resize(void *bytes, size_t size, H5FD_file_image_op_t operation, void *data)
{
    ImageBuffer *buffer = data;
    (void)bytes;
    (void)operation;
    if (size > buffer->capacity) {
        unsigned char *grown = realloc(buffer->bytes, size);
        if (!grown)
            return NULL;
        memset(grown + buffer->capacity, 0, size - buffer->capacity);
        buffer->bytes = grown;
        buffer->capacity = size;
    }
    return buffer->bytes;
}

static void *buffer_give(size_t size, H5FD_file_image_op_t operation, void *data)
{
    return buffer_resize(NULL, size, operation, data);
}

static herr_t buffer_keep(void *bytes, H5FD_file_image_op_t operation, void *data)
{
    (void)bytes;
    (void)operation;
    (void)data;
    return 0;
}

static void *share_buffer(void *data)
{
    return data;
}

static herr_t unshare_buffer(void *data)
{
    (void)data;
    return 0;
}

static void *copy_bytes(void *to, const void *from, size_t size, H5FD_file_image_op_t operation, void *data)
{
    (void)operation;
    (void)data;
    return memcpy(to, from, size);
}

hid_t image_create(ImageBuffer *buffer, hid_t creation_properties)
{
    H5FD_file_image_callbacks_t callbacks = {buffer_give, copy_bytes, buffer_resize, buffer_keep,
                                             share_buffer, unshare_buffer, buffer};
    hid_t file = -1, access = H5Pcreate(H5P_FILE_ACCESS);
    if (H5Pset_fapl_core(access, GROWTH, 0) >= 0 && H5Pset_file_image_callbacks(access, &callbacks) >= 0 &&
        H5Pset_meta_block_size(access, META_BLOCK) >= 0 && H5Pset_small_data_block_size(access, SMALL_DATA_BLOCK) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
        file = H5Fcreate("container", H5F_ACC_TRUNC, creation_properties, access);
    H5Pclose(access);
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
 * end-of-file address at 40; versions 2 and 3, which other programs write: at 9, 12 and 28 (HDF5
 * file format specification 3.0, II.A). */
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
    if (end > buffer->capacity && !buffer_resize(NULL, end, H5FD_FILE_IMAGE_OP_FILE_RESIZE, buffer))
        return error_no_memory(err);
    *image = (ContainerImage){.bytes = buffer->bytes, .size = end};
    *buffer = (ImageBuffer){0};
    return STATUS_OK;
}

hid_t image_open(const ContainerImage *image)
{
    return H5LTopen_file_image(image->bytes, image->size, H5LT_FILE_IMAGE_DONT_COPY | H5LT_FILE_IMAGE_DONT_RELEASE);
}
