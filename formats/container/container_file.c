/* Clip files in streams and files.
 *
 * A clip file contains its own length, so several can be concatenated in a pipe. Files are read as images, so no HDF5
 * lock is taken on network drives. */
#include "formats/container/container.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/base/hdf5_calls.h"
#include "formats/container/container_image.h"

/* First step of allocation: memory grows only as bytes arrive, because the length in the header is untrusted. */
enum { FIRST_STEP = 1 << 20 };

/* Reads up to a total of size bytes into an image that already has some. */
static Status read_up_to(FILE *stream, unsigned long long size, ContainerImage *image, Error *err)
{
    size_t capacity = image->size;
    while (image->size < size) {
        unsigned long long target = 2ull * capacity < FIRST_STEP ? FIRST_STEP : 2ull * capacity;
        capacity = target < size ? target : size;
        unsigned char *grown = realloc(image->bytes, capacity);
        if (!grown)
            return error_no_memory(err);
        image->bytes = grown;
        size_t got = fread(grown + image->size, 1, capacity - image->size, stream);
        image->size += got;
        if (image->size < capacity && ferror(stream))
            return error_set(err, STATUS_IO, "reading failed: %s", strerror(errno));
        if (image->size < capacity)
            return error_set(err, STATUS_BAD_INPUT, "truncated clip file: %zu of %llu bytes", image->size, size);
    }
    return STATUS_OK;
}

int container_is_at(const char *path)
{
    char begin[8];
    struct stat info;
    FILE *stream = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rbe") : NULL;
    size_t got = stream ? fread(begin, 1, sizeof begin, stream) : 0;
    if (stream)
        fclose(stream);
    return container_begins(begin, got);
}

void container_expect(void)
{
    (void)hdf5_load(NULL); /* reading reports a failure */
}

Status container_next(FILE *stream, ContainerImage *image, Error *err)
{
    *image = (ContainerImage){0};
    unsigned char header[IMAGE_HEADER_SIZE];
    size_t got = fread(header, 1, sizeof header, stream);
    if (got < sizeof header && ferror(stream))
        return error_set(err, STATUS_IO, "reading failed: %s", strerror(errno));
    if (got == 0)
        return STATUS_OK;
    unsigned long long end = got == sizeof header ? image_end(header) : 0;
    if (end == 0 || end > SIZE_MAX / 4)
        return error_set(err, STATUS_BAD_INPUT, "not a clip file of kane");
    if (!(image->bytes = malloc(sizeof header)))
        return error_no_memory(err);
    memcpy(image->bytes, header, sizeof header);
    image->size = sizeof header;
    Status status = read_up_to(stream, end, image, err);
    if (status)
        container_image_free(image);
    return status;
}

Status container_load(const char *path, ContainerImage *image, Error *err)
{
    *image = (ContainerImage){0};
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return error_set(err, STATUS_IO, "cannot read: %s", strerror(errno));
    struct stat info;
    Status status = STATUS_OK;
    if (fstat(fileno(stream), &info))
        status = error_set(err, STATUS_IO, "cannot read: %s", strerror(errno));
    else if (S_ISDIR(info.st_mode))
        status = error_set(err, STATUS_IO, "cannot read: %s", strerror(EISDIR));
    else
        status = container_next(stream, image, err);
    if (!status && image->size == 0)
        status = error_set(err, STATUS_BAD_INPUT, "the file is empty");
    if (!status && fgetc(stream) != EOF)
        status = error_set(err, STATUS_BAD_INPUT, "more than one clip in a file");
    fclose(stream);
    if (status)
        container_image_free(image);
    return status;
}
