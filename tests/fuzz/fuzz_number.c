/* formats/base/number and number_scan under libFuzzer: both must return the bits of strtod and agree on the end. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/number.h"
#include "formats/base/number_run.h"

#define MAX_VALUES 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Parses one number of NUL-terminated text by scan and by strtod. Returns the position after it. */
static const char *check_number(const char *at, const char *end, double expected)
{
    double scanned;
    char *after;
    const char *stop = number_scan(at, end, &scanned);
    double reference = strtod(at, &after);
    if (stop != after || memcmp(&scanned, &reference, sizeof scanned) || memcmp(&scanned, &expected, sizeof scanned))
        abort();
    if (stop == end || !is_blank(*stop) || !isfinite(scanned))
        abort();
    return stop;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char before[NUMBER_RUN_BEFORE + 1] = "12345678";
    double value[MAX_VALUES], *next = value;
    char *text = malloc(size + sizeof before);
    if (!text)
        return 0;
    memcpy(text, before, NUMBER_RUN_BEFORE);
    memcpy(text + NUMBER_RUN_BEFORE, data, size);
    char *start = text + NUMBER_RUN_BEFORE, *end = start + size;
    *end = 0;
    const char *at = start, *reached = number_run_scan(start, end, &next, value + MAX_VALUES);
    for (double *v = value; v < next; v++) {
        while (is_blank(*at))
            at++;
        at = check_number(at, end, *v);
    }
    /* Between the last number and the end of the run are only blanks, without line breaks. */
    for (; at < reached; at++)
        if (!is_blank(*at) || *at == '\n' || *at == '\r')
            abort();
    if (at > reached)
        abort();
    free(text);
    return 0;
}
