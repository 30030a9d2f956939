/* See plate_file.h. */
#include "formats/tables/plate_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/base/bytes.h"
#include "formats/base/file_kind.h"
#include "formats/c3d/c3d_plates.h"
#include "formats/tables/plate_columns.h"

static PlateFileKind kind_of(const char *front, size_t size)
{
    if (c3d_begins(front, size))
        return PLATE_FILE_C3D;
    return plate_columns_begin(front, size) ? PLATE_FILE_COLUMNS : PLATE_FILE_JOINTS;
}

/* A pipe can be read only once: it is a table with joints. */
Status plate_file_kind(const char *path, PlateFileKind *kind, Error *err)
{
    struct stat info;
    *kind = PLATE_FILE_JOINTS;
    FILE *stream = fopen(path, "rbe");
    if (!stream)
        return error_set(err, STATUS_IO, "cannot read: %s", strerror(errno));
    char *front = malloc(FILE_FRONT_SIZE);
    if (front && fstat(fileno(stream), &info) == 0 && S_ISREG(info.st_mode))
        *kind = kind_of(front, fread(front, 1, FILE_FRONT_SIZE, stream));
    fclose(stream);
    free(front);
    return front ? STATUS_OK : error_no_memory(err);
}

int plate_file_is_c3d(const char *path)
{
    PlateFileKind kind;
    return !plate_file_kind(path, &kind, NULL) && kind == PLATE_FILE_C3D;
}

static Status read_markers(const C3d *c, MarkerRecord *out, Error *err)
{
    int count = 0, next = 0;
    for (int p = 0; p < c->point_count; p++)
        count += c->is_marker[p];
    Status status = count ? markers_init(&out->markers, c->frame_count, count, err) : STATUS_OK;
    out->rate = c->rate;
    for (int p = 0; !status && p < c->point_count; p++) {
        if (!c->is_marker[p])
            continue;
        if (!(out->markers.name[next] = strdup(c->label[p])))
            status = error_no_memory(err);
        for (int f = 0; f < c->frame_count; f++)
            out->markers.position[(size_t)f * (size_t)count + (size_t)next] = c3d_point(c, f, p);
        next++;
    }
    return status;
}

static Status read_c3d(const char *bytes, size_t size, PlateZero zero, PlateRecord *out, MarkerRecord *markers,
                       Error *err)
{
    C3d c3d;
    Status status = c3d_open(bytes, size, &c3d, err);
    if (!status)
        status = c3d_plates(&c3d, zero, out, err);
    if (!status)
        status = read_markers(&c3d, markers, err);
    c3d_close(&c3d);
    return status;
}

Status plate_file_read(const char *path, PlateZero zero, PlateRecord *out, MarkerRecord *markers, Error *err)
{
    char *bytes = NULL;
    size_t size;
    *out = (PlateRecord){0};
    *markers = (MarkerRecord){0};
    Status status = bytes_read_path_max(path, (size_t)1 << 30, &bytes, &size, err);
    if (!status)
        status = c3d_begins(bytes, size) ? read_c3d(bytes, size, zero, out, markers, err)
                                         : plate_columns_parse(bytes, size, out, err);
    free(bytes);
    if (status) {
        plate_record_free(out);
        markers_free(&markers->markers);
    }
    return status;
}
