/* Reading BVH compared with a strtod loop over the same buffer, alternating in one run; the values must agree bit for
 * bit.
 *
 * Rows are `name value unit`: medians of the rounds. Real files from $KANE_SHARED/mocap (or ../shared/mocap) add rows
 * if available. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/bytes.h"
#include "formats/bvh/bvh.h"
#include "tests/bench/stopwatch.h"

#define ROUNDS 15
#define JOINTS 31
#define FRAMES 8000

/* A chain of joints with smooth angles of six decimals, as written by most exporters. */
static char *make_text(size_t *size)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, size);
    if (!f)
        return NULL;
    fputs("HIERARCHY\nROOT j0\n{\nOFFSET 0 0 0\n", f);
    fputs("CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n", f);
    for (int j = 1; j < JOINTS; j++)
        fprintf(f, "JOINT j%d\n{\nOFFSET 0 5.5 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n", j);
    for (int j = 0; j < JOINTS; j++)
        fputs("}\n", f);
    fprintf(f, "MOTION\nFrames: %d\nFrame Time: 0.0083333\n", FRAMES);
    int channels = 3 + 3 * JOINTS;
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < FRAMES * channels; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        double spread = 0.05 + (double)(seed >> 58); /* degrees: from still to fast joints */
        fprintf(f, "%.6f%c", spread * ((double)(seed & 0xFFFFFF) / 8388608.0 - 1), (i + 1) % channels ? ' ' : '\n');
    }
    return fclose(f) ? NULL : text;
}

/* Reference: a simple reader of the rows. The text is NUL-terminated. */
static size_t read_by_strtod(const char *text, double *value, size_t capacity)
{
    size_t n = 0;
    char *end;
    for (; n < capacity; n++, text = end) {
        value[n] = strtod(text, &end);
        if (end == text)
            break;
    }
    return n;
}

/* Start of the rows: after the line of "Frame Time:". */
static const char *find_rows(const char *text)
{
    const char *p = strstr(text, "Frame Time:");
    return p ? p + strcspn(p, "\r\n") : NULL;
}

/* 1: both readers returned the same bits. */
static int measure(const char *text, size_t size, double *speed, double *ratio)
{
    SourceDef def = source_default_def();
    double ours[ROUNDS], ratios[ROUNDS];
    int same = 1;
    for (int r = 0; r < ROUNDS; r++) {
        Bvh bvh;
        double start = processor_seconds();
        if (bvh_parse(text, size, &def, &bvh, NULL))
            return 0;
        double middle = processor_seconds();
        size_t count = (size_t)bvh.frame_count * (size_t)bvh.channel_count;
        double *value = malloc(count * sizeof *value);
        if (!value)
            return 0;
        double before = processor_seconds();
        size_t read = read_by_strtod(find_rows(text), value, count);
        double peer = processor_seconds() - before;
        same = same && read == count && memcmp(value, bvh.value, count * sizeof *value) == 0;
        ours[r] = middle - start;
        ratios[r] = peer / ours[r];
        free(value);
        bvh_free(&bvh);
    }
    *speed = (double)size / median(ours, ROUNDS) / 1e9;
    *ratio = median(ratios, ROUNDS);
    return same;
}

static int report(const char *name, const char *text, size_t size)
{
    double speed, ratio;
    if (!measure(text, size, &speed, &ratio)) {
        fprintf(stderr, "bench_bvh: %s differs from strtod\n", name);
        return 1;
    }
    printf("%s_gb_per_s %.3f GB/s\n", name, speed);
    printf("%s_ratio_to_strtod %.2f x\n", name, ratio);
    return 0;
}

static double write_speed(const char *text, size_t size)
{
    SourceDef def = source_default_def();
    Bvh bvh;
    char *out = NULL;
    size_t length = 0;
    if (bvh_parse(text, size, &def, &bvh, NULL))
        return 0;
    FILE *f = open_memstream(&out, &length);
    double start = processor_seconds();
    Status status = f ? bvh_write(&bvh, f, NULL) : STATUS_IO;
    double took = processor_seconds() - start;
    if (f)
        fclose(f);
    free(out);
    bvh_free(&bvh);
    return status ? 0 : (double)length / took / 1e9;
}

static int report_file(const char *name, const char *file)
{
    const char *shared = getenv("KANE_SHARED");
    char path[4096], *text;
    size_t size;
    snprintf(path, sizeof path, "%s/mocap/%s", shared ? shared : "../shared", file);
    if (bytes_read_path(path, &text, &size, NULL)) {
        fprintf(stderr, "bench_bvh: %s skipped, the file is not here\n", name);
        return 0;
    }
    int failed = report(name, text, size);
    free(text);
    return failed;
}

int main(void)
{
    size_t size;
    char *text = make_text(&size);
    if (!text)
        return 1;
    int failed = report("bvh_read", text, size);
    printf("bvh_write_gb_per_s %.3f GB/s\n", write_speed(text, size));
    free(text);
    failed |= report_file("bvh_read_cmu", "cmu_cgspeed__01_01.bvh");
    failed |= report_file("bvh_read_bandai", "bandai__dataset-1_kick_normal_001.bvh");
    failed |= report_file("bvh_read_dog", "dog__dog_jump_002.bvh");
    failed |= report_file("bvh_read_optitrack", "optitrack_arena__louise.bvh");
    return failed;
}
