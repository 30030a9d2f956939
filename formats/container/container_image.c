/* See container_image.h. */
#include "formats/container/container_image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "formats/base/hdf5_calls.h"

typedef struct ImageFile {
    H5FD_t base; /* must be first: the part that libhdf5 uses */
    const ContainerImage *image;
    haddr_t end_of_allocation;
} ImageFile;

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access_properties, haddr_t largest)
{
    ImageView *const *view = hdf5.Pget_driver_info(access_properties);
    ImageFile *file = view ? calloc(1, sizeof *file) : NULL;
    (void)name, (void)flags, (void)largest;
    if (view)
        (*view)->is_short = !file;
    if (!file)
        return NULL;
    file->image = (*view)->image;
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
    return ((const ImageFile *)base)->image->size;
}

/* Reads bytes; those after the end of the image are zero. */
static herr_t driver_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *bytes)
{
    const ContainerImage *image = ((ImageFile *)base)->image;
    size_t held = address < image->size ? image->size - address : 0;
    (void)type, (void)transfer;
    if (held > size)
        held = size;
    if (held)
        memcpy(bytes, image->bytes + address, held);
    memset((char *)bytes + held, 0, size - held);
    return 0;
}

/* Required by libhdf5; fails, because files are opened read-only. */
static herr_t driver_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                           const void *bytes)
{
    (void)base, (void)type, (void)transfer, (void)address, (void)size, (void)bytes;
    return -1;
}

static const H5FD_class_t driver_class = {
    .name = "kane_image",
    .maxaddr = (haddr_t)-1 >> 2,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(ImageView *),
    .open = driver_open,
    .close = driver_close,
    .query = driver_query,
    .get_eoa = driver_get_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_get_eof,
    .read = driver_read,
    .write = driver_write,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* Opens the image. The driver stays registered while the file is open: H5Fclose releases the file's reference to it
 * before calling it. */
hid_t image_open(ImageView *view)
{
    hid_t file = -1, access = hdf5.Pcreate(*hdf5.P_CLS_FILE_ACCESS_ID);
    view->driver = hdf5.FDregister(&driver_class);
    if (view->driver >= 0 && hdf5.Pset_driver(access, view->driver, &view) >= 0 &&
        hdf5.Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
        file = hdf5.Fopen("container", H5F_ACC_RDONLY, access);
    hdf5.Pclose(access);
    if (file < 0 && view->driver >= 0)
        hdf5.FDunregister(view->driver);
    return file;
}

void image_close(ImageView *view, hid_t file)
{
    hdf5.Fclose(file);
    hdf5.FDunregister(view->driver);
}

static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

/* Reads a little-endian address in the header. */
static unsigned long long address_at(const unsigned char *header, int at)
{
    unsigned long long address = 0;
    for (int i = 7; i >= 0; i--)
        address = address << 8 | header[at + i];
    return address;
}

/* Reads the superblock: signature, version at byte 8. In version 2, and 3 of other programs, the size of addresses is
 * at 9, the base address at 12, the end-of-file address at 28; in version 0, written by kane until 0.1, at 13, 24 and
 * 40 (HDF5 file format specification 3.0, II.A). */
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

ImageErrors image_errors_silence(void)
{
    ImageErrors errors = {0};
    hdf5.Eget_auto2(H5E_DEFAULT, &errors.report, &errors.data);
    hdf5.Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return errors;
}

void image_errors_restore(ImageErrors errors)
{
    hdf5.Eset_auto2(H5E_DEFAULT, errors.report, errors.data);
}
