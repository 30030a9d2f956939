/* The real clips of ../shared (or $KANE_SHARED) with known unit, rate and axes: the rows of mocap/MANIFEST.tsv, and the
 * trials of groundtruth/, which are in centimetres, +Y up. */
#ifndef KANE_TESTS_MANIFEST_CLIP_H
#define KANE_TESTS_MANIFEST_CLIP_H

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "analysis/detect/root_position.h"
#include "analysis/detect/unit.h"
#include "analysis/detect/up_axis.h"
#include "formats/base/table.h"
#include "formats/bvh/bvh.h"

/* Known properties of a file; 0 or ..._AUTO if unknown. */
typedef struct ManifestClip {
    char path[1024];
    char name[128];   /* file name without folder and extension */
    char family[128]; /* common to clips of one origin */
    double meters_per_unit, fps;
    UpAxis up;
    RootOffset root_offset;
} ManifestClip;

static inline const char *shared_folder(void)
{
    const char *folder = getenv("KANE_SHARED");
    return folder ? folder : "../shared";
}

/* Parses the manifest's unit ("CMU unit = 5.644 cm (1/0.45 inch)", "decimetre", "cm (leg 96.58)") to metres; 0 for
 * "?". */
static inline double unit_of_words(const char *words)
{
    if (strncasecmp(words, "CMU", 3) == 0)
        return unit_from_text("cmu");
    if (strncmp(words, "decimetre", 9) == 0)
        return 0.1;
    char name[16] = "";
    sscanf(words, "%15s", name);
    return unit_from_text(name);
}

static inline RootOffset offset_of_words(const char *quirks)
{
    if (strstr(quirks, "channels absolute (replace OFFSET)"))
        return ROOT_OFFSET_REPLACE;
    if (strstr(quirks, "(add OFFSET)"))
        return ROOT_OFFSET_ADD;
    return ROOT_OFFSET_AUTO;
}

static inline const char *manifest_cell(const Table *t, int row, const char *column)
{
    int c = table_find(t, column);
    return c < 0 ? "" : t->cell[row * t->column_count + c];
}

/* Finds a file with or without the leading folder of its manifest path. */
static inline int manifest_file(const char *listed, char *path, size_t size)
{
    snprintf(path, size, "%s/mocap/%s", shared_folder(), listed);
    if (access(path, R_OK) == 0)
        return 1;
    const char *slash = strchr(listed, '/');
    snprintf(path, size, "%s/mocap/%s", shared_folder(), slash ? slash + 1 : listed);
    return access(path, R_OK) == 0;
}

static inline void manifest_name(const char *path, ManifestClip *out)
{
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    snprintf(out->path, sizeof out->path, "%s", path);
    snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(base, "."), base);
}

/* Reads a row; returns 0 if its file is missing. The family is the part of the name before "__", or the repository for
 * parser fixtures and files of bad/, which have many origins. */
static inline int manifest_row(const Table *t, int row, ManifestClip *out)
{
    char path[1024];
    *out = (ManifestClip){0};
    if (!manifest_file(manifest_cell(t, row, "path"), path, sizeof path))
        return 0;
    manifest_name(path, out);
    int mixed = !strstr(out->name, "__") || !strncmp(out->name, "parser_fixture", 14);
    snprintf(out->family, sizeof out->family, "%.*s", mixed ? 100 : (int)(strstr(out->name, "__") - out->name),
             mixed ? manifest_cell(t, row, "source_repo") : out->name);
    out->meters_per_unit = unit_of_words(manifest_cell(t, row, "unit_guess"));
    out->fps = strtod(manifest_cell(t, row, "fps"), NULL);
    out->up = up_axis_from_text(manifest_cell(t, row, "up_axis"));
    out->root_offset = offset_of_words(manifest_cell(t, row, "quirks"));
    return 1;
}

/* Returns the clips, which the caller frees; count 0 if there are none. trials: adds one clip per trial of
 * groundtruth/trials; 2: also of groundtruth/trials_more. */
static inline ManifestClip *manifest_clips(int trials, int *count)
{
    char path[1024];
    Table t;
    glob_t found = {0};
    *count = 0;
    snprintf(path, sizeof path, "%s/mocap/MANIFEST.tsv", shared_folder());
    if (access(path, R_OK) || table_read_path(path, &t, NULL))
        return NULL;
    snprintf(path, sizeof path, "%s/groundtruth/trials%s/*/*_std.bvh", shared_folder(), trials > 1 ? "*" : "");
    if (trials)
        glob(path, 0, NULL, &found);
    ManifestClip *clip = calloc((size_t)t.row_count + found.gl_pathc + 1, sizeof *clip);
    for (int row = 0; clip && row < t.row_count; row++)
        *count += manifest_row(&t, row, &clip[*count]);
    for (size_t i = 0; clip && i < found.gl_pathc; i++) {
        ManifestClip *c = &clip[(*count)++];
        manifest_name(found.gl_pathv[i], c);
        snprintf(c->family, sizeof c->family, "trials");
        c->meters_per_unit = 0.01;
        c->up = UP_Y;
    }
    globfree(&found);
    table_free(&t);
    return clip;
}

#endif
