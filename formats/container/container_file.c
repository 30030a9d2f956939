/* Containers in streams and files.
 *
 * A container says itself where it ends, so several may follow each other in a pipe. Files are read as images, so no
 * HDF5 lock is taken on a network disk. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/container/container_image.h"

/* A stream's claim about its size is believed in steps, so that no memory is taken which the bytes do not fill. */
enum { FIRST_STEP = 1 << 20 };

/* Reads up to size bytes in total into an image that already holds some. */
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
            return error_set(err, STATUS_BAD_INPUT, "the container is cut off: %zu of %llu bytes", image->size, size);
    }
    return STATUS_OK;
}

int container_begins(const void *bytes, size_t size)
{
    static const char signature[] = "\211HDF\r\n\032\n";
    return size >= sizeof signature - 1 && !memcmp(bytes, signature, sizeof signature - 1);
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
        return error_set(err, STATUS_BAD_INPUT, "not a kane container");
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
        return error_set(err, STATUS_IO, "%s", strerror(errno));
    struct stat info;
    Status status = STATUS_OK;
    if (fstat(fileno(stream), &info))
        status = error_set(err, STATUS_IO, "%s", strerror(errno));
    else if (S_ISDIR(info.st_mode))
        status = error_set(err, STATUS_IO, "%s", strerror(EISDIR));
    else
        status = container_next(stream, image, err);
    if (status == STATUS_OK && image->size == 0)
        status = error_set(err, STATUS_BAD_INPUT, "the file is empty");
    if (status == STATUS_OK && fgetc(stream) != EOF)
        status = error_set(err, STATUS_BAD_INPUT, "more than one container in a file");
    fclose(stream);
    if (status)
        container_image_free(image);
    return status;
}
