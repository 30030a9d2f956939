/* A motion format for tests only: a file "WALKS n" has n takes of the walker (tests/support/walker.h). The file beside
 * it with the same name and .pace, or the only .pace in the folder, contains the frame rate.
 *
 * The including file adds walks to SOURCES before formats/source/source_table.c. */
#ifndef KANE_TESTS_WALKS_READER_H
#define KANE_TESTS_WALKS_READER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/source_format.h"
#include "tests/support/walker.h"

enum { WALKS_FRAMES = 40 };

static int walks_begin(const char *front, size_t size) { return size >= 6 && memcmp(front, "WALKS ", 6) == 0; }

static Status walks_count(const SourceFile *file, const SourceDef *def, int *count, Error *err)
{
    (void)def, (void)err;
    *count = atoi(file->bytes + 6);
    return STATUS_OK;
}

static Status walks_companions(const char *path, Companions *out, Error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    char wanted[256], *found;
    snprintf(wanted, sizeof wanted, "%.*s.pace", dot ? (int)(dot - name) : 200, name);
    Status status = companion_named(path, wanted, &found, err);
    if (!status && !found)
        status = companion_only(path, "", ".pace", &found, err);
    return status ? status : companions_add(out, found, err);
}

static void walks_measure(const SourceHead *head, SourceSize *out)
{
    (void)head;
    *out = (SourceSize){.joints = WALKER_JOINTS, .frames = WALKS_FRAMES};
}

/* Take n is offset by n cm sideways, and its name contains a terminal escape sequence. */
static Status walks_read(const SourceFile *file, int number, const SourceDef *def, Take *out, Error *err)
{
    double rate = file->companion_count > 0 ? atof(file->companion[0].bytes) : 30;
    (void)def;
    *out = (Take){.root_given = {1, 1, 1}, .meters_per_unit = 0.01, .up = UP_Y};
    out->name = strdup("a\x1b[2J\xff b\xc2\x9b");
    if (strstr(file->bytes, "broken"))
        return error_set(err, STATUS_BAD_INPUT, "a broken walk");
    walker_skeleton(&out->skeleton);
    walker_motion(&out->motion, WALKS_FRAMES, rate);
    walker_to_file(&out->skeleton, &out->motion, 0.01, UP_Y);
    for (int f = 0; f < WALKS_FRAMES; f++)
        out->motion.root_position[f].x += number;
    return findings_add(&out->findings, FINDING_KIND_COUNT + 1, (FileLocation){.byte = 6}, err, "only a test");
}

static const FindingInfo walks_kinds[] = {{"walk-lame", "it limps", 0, 0}, {"walk-test", "it is a test", 1, 0}};
static const char *const walks_endings[] = {".walks", ".wlk", NULL};
const SourceFormat source_walks = {
    .name = "WALKS", .kind = FILE_OTHER, .endings = walks_endings, .begins = walks_begin, .count = walks_count,
    .measure = walks_measure, .find_companions = walks_companions, .read = walks_read,
    .kinds = walks_kinds, .kind_count = 2,
};

#endif
