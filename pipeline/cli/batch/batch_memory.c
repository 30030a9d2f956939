/* See batch_memory.h. */
#include "pipeline/cli/batch/batch_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/base/status.h"
#include "formats/source/source.h"

/* Measured on clips with 22 to 78 joints; checked by tests/cli/memory.sh. */
static const double bytes_of_program = 3e7; /* including the solver's workspace */
static const double bytes_a_frame = 4000;   /* contact and angles */
static const double bytes_a_joint = 260;    /* per frame */
static const double least_bytes_a_value = 2;
static const double times_of_text = 20; /* for files whose head does not contain the frame count */

enum { HEAD_SIZE = 1 << 18 };

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

static int count_words(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = text; (at = strcasestr(at, word)); at++)
        count++;
    return count;
}

/* Estimates memory from the head, whose frame count is capped by the file size. */
static double need_by_head(const char *head, double size)
{
    const char *frames = strcasestr(head, "Frames:");
    double joints = 1 + count_words(head, "JOINT"), count = frames ? strtod(frames + 7, NULL) : 0;
    double most = size / (3 * joints * least_bytes_a_value);
    if (!frames || !(count >= 0))
        return times_of_text * size;
    return (count < most ? count : most) * (bytes_a_frame + bytes_a_joint * joints);
}

long long batch_memory_need(const char *path)
{
    struct stat info;
    char text[SOURCE_PATH_SIZE];
    FILE *file = fopen(source_file(path, text), "rbe");
    char *head = calloc(HEAD_SIZE + 1, 1);
    long long need = 0;
    if (file && head && fstat(fileno(file), &info) == 0) {
        head[fread(head, 1, HEAD_SIZE, file)] = 0;
        need = (long long)(bytes_of_program + (double)info.st_size + need_by_head(head, (double)info.st_size));
    }
    if (file)
        fclose(file);
    free(head);
    return need;
}
