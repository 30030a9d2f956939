/* See clip_memory.h. */
#include "pipeline/stages/clip_memory.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/base/status.h"
#include "formats/base/scratch_file.h"
#include "formats/source/source.h"

/* Measured on clips with 22 to 78 joints; checked by tests/cli/memory.sh. */
static const double bytes_of_program = 3e7; /* including the solver's workspace */
static const double bytes_a_frame = 4000;   /* contact and angles */
static const double bytes_a_joint = 260;    /* per frame */
static const double resident_share = 0.6;  /* of the limit; the rest is touched between two releases */
static const long long small_clip = 100000000; /* bytes: no limit for 32-bit floats is worth its time */
static const double times_of_file = 20; /* for files that do not state their frame count at the beginning */

static const struct {
    char letter;
    double bytes;
} units[] = {{0, 1}, {'K', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}};
enum { UNIT_COUNT = sizeof units / sizeof *units };

static Status bytes_parse(const Option *option, const char *text, void *value, Error *err)
{
    char *end;
    double number = strtod(text, &end);
    for (int i = 0; i < UNIT_COUNT; i++)
        if (end > text && *end == units[i].letter && (!*end || !end[1]) && number * units[i].bytes >= 1 &&
            number * units[i].bytes < 1e18) {
            *(long long *)value = (long long)(number * units[i].bytes);
            return STATUS_OK;
        }
    return error_set(err, STATUS_USAGE, "expected %s, for example 8G or 500M, found \"%s\"", option->argument, text);
}

static void bytes_format(const Option *option, const void *value, char *text, size_t size)
{
    long long bytes = *(const long long *)value;
    (void)option;
    text[0] = 0;
    if (bytes > 0)
        snprintf(text, size, "%lld", bytes);
}

const OptionKind option_bytes = {bytes_parse, bytes_format};

long long clip_memory_need(const char *path)
{
    SourceSize size;
    double file_size;
    source_measure(path, &size, &file_size);
    if (!(file_size > 0))
        return 0;
    double stages = size.frames < 0 ? times_of_file * file_size
                                    : size.frames * (bytes_a_frame + bytes_a_joint * size.joints);
    return (long long)(bytes_of_program + file_size + size.reading + stages);
}

void clip_memory_limit(const char *path, long long limit, int float32, const char *folder)
{
    long long need = clip_memory_need(path);
    if (float32 && need > small_clip && need / 2 < limit) /* half of the bytes that the clip has in memory */
        limit = need / 2;
    if (need > limit)
        scratch_file_open(folder, (size_t)(resident_share * (double)limit));
}

void clip_memory_unlimit(void)
{
    scratch_file_close();
}
