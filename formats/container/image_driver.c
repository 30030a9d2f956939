#include "formats/container/image_driver.h"

#include <stdlib.h>
#include <string.h>

typedef struct ImageFile {
    H5FD_t base; /* first: what libhdf5 knows of it */
    ImageBuffer *buffer;
    haddr_t end_of_allocation;
    haddr_t end_of_file; /* behind the last byte that was written */
    int is_read_only;
} ImageFile;

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access_properties, haddr_t largest)
{
    ImageBuffer *const *buffer = H5Pget_driver_info(access_properties);
    ImageFile *file = buffer ? calloc(1, sizeof *file) : NULL;
    (void)name, (void)largest;
    if (buffer)
        (*buffer)->is_short = !file;
    if (!file)
        return NULL;
    file->buffer = *buffer;
    file->is_read_only = !(flags & H5F_ACC_RDWR);
    file->end_of_file = flags & H5F_ACC_CREAT ? 0 : file->buffer->capacity;
    return &file->base;
}

static herr_t driver_close(H5FD_t *base)
{
    free(base);
    return 0;
}

static herr_t driver_query(const H5FD_t *base, unsigned long *flags)
{
    (void)base;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return ((const ImageFile *)base)->end_of_allocation;
}

static herr_t driver_set_eoa(H5FD_t *base, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((ImageFile *)base)->end_of_allocation = address;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return ((const ImageFile *)base)->end_of_file;
}

/* Bytes that were never written read as zero. */
static herr_t driver_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *bytes)
{
    const ImageBuffer *buffer = ((ImageFile *)base)->buffer;
    size_t held = address < buffer->capacity ? buffer->capacity - address : 0;
    (void)type, (void)transfer;
    if (held > size)
        held = size;
    if (held)
        memcpy(bytes, buffer->bytes + address, held);
    memset((char *)bytes + held, 0, size - held);
    return 0;
}

static herr_t driver_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                           const void *bytes)
{
    ImageFile *file = (ImageFile *)base;
    haddr_t end = address + size;
    (void)type, (void)transfer;
    if (file->is_read_only || !image_buffer_hold(file->buffer, end))
        return -1;
    memcpy(file->buffer->bytes + address, bytes, size);
    if (end > file->end_of_file)
        file->end_of_file = end;
    return 0;
}

static herr_t driver_truncate(H5FD_t *base, hid_t transfer, hbool_t closing)
{
    ImageFile *file = (ImageFile *)base;
    (void)transfer, (void)closing;
    if (file->is_read_only)
        return 0;
    if (!image_buffer_hold(file->buffer, file->end_of_allocation))
        return -1;
    file->end_of_file = file->end_of_allocation;
    return 0;
}

static const H5FD_class_t driver_class = {
    .name = "kane_image",
    .maxaddr = (haddr_t)-1 >> 2,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(ImageBuffer *),
    .open = driver_open,
    .close = driver_close,
    .query = driver_query,
    .get_eoa = driver_get_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_get_eof,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t image_driver_set(hid_t access_properties, ImageBuffer *buffer)
{
    hid_t driver = H5FDregister(&driver_class);
    if (driver >= 0 && H5Pset_driver(access_properties, driver, &buffer) < 0) {
        H5FDunregister(driver);
        return -1;
    }
    return driver;
}
