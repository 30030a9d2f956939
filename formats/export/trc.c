/* See trc.h. */
#include "formats/export/trc.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "formats/base/number.h"

static void write_name(const char *name, FILE *stream)
{
    for (; *name; name++)
        fputc(isspace((unsigned char)*name) ? '_' : *name, stream);
}

static void write_header(const TrcTable *t, FILE *stream)
{
    char rate[NUMBER_TEXT_SIZE];
    number_print(t->rate, rate);
    fprintf(stream, "PathFileType\t4\t(X/Y/Z)\t");
    write_name(t->title, stream);
    fprintf(stream, "\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\t"
                    "OrigNumFrames\n%s\t%s\t%d\t%d\tmm\t%s\t1\t%d\nFrame#\tTime",
            rate, rate, t->frame_count, t->marker_count, rate, t->frame_count);
    for (int m = 0; m < t->marker_count; m++) {
        fputc('\t', stream);
        write_name(t->name[m], stream);
        fputs("\t\t", stream);
    }
    fputs("\n\t", stream);
    for (int m = 1; m <= t->marker_count; m++)
        fprintf(stream, "\tX%d\tY%d\tZ%d", m, m, m);
    fputs("\n\n", stream);
}

static void write_number(double value, FILE *stream)
{
    char text[NUMBER_TEXT_SIZE];
    number_print(value, text);
    fprintf(stream, "\t%s", isnan(value) ? "NaN" : text);
}

Status trc_write(const TrcTable *table, FILE *stream, Error *err)
{
    write_header(table, stream);
    for (int f = 0; f < table->frame_count; f++) {
        fprintf(stream, "%d", f + 1);
        write_number(table->time ? table->time[f] : f / table->rate, stream);
        for (int m = 0; m < table->marker_count; m++) {
            Vec3 v = table->position[(size_t)f * (size_t)table->marker_count + (size_t)m];
            write_number(1000 * v.x, stream);
            write_number(1000 * v.y, stream);
            write_number(1000 * v.z, stream);
        }
        fputc('\n', stream);
    }
    if (fflush(stream) || ferror(stream))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}
