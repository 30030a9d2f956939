/* Fuzzes kane check --repair: files accepted by the tolerant reader are inspected and repaired without memory errors,
 * and the strict reader accepts the result. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_repair.h"
#include "tests/support/inspect_bvh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static void check_repaired(const Bvh *bvh)
{
    char *text = NULL;
    size_t size = 0;
    Bvh again;
    SourceDef def = source_default_def();
    Error err = {0};
    FILE *stream = open_memstream(&text, &size);
    require(stream != NULL);
    require(bvh_write(bvh, stream, NULL) == STATUS_OK);
    fclose(stream);
    Status status = bvh_parse(text, size, &def, &again, &err);
    require(status == STATUS_OK || strstr(err.text, "joint name") || status == STATUS_LIMIT);
    if (status == STATUS_OK)
        require(again.frame_count == bvh->frame_count);
    bvh_free(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const UpAxis axes[] = {UP_AUTO, UP_X, UP_Z, UP_MINUS_Y};
    Bvh bvh;
    Error err = {0};
    SourceDef def = source_default_def();
    ImportGuessDef given = import_guess_default_def();
    def.tolerant = 1;
    def.root = size % 5 == 1 ? "all" : size % 5 == 2 ? "2" : NULL;
    def.drop_joints = size % 7 == 1 ? "auto" : NULL;
    given.fps = size % 2 ? 60 : 0;
    given.up = axes[size % 4];
    given.meters_per_unit = size % 3 ? 0.0254 : 0;
    if (bvh_parse((const char *)data, size, &def, &bvh, &err) != STATUS_OK) {
        require(err.text[0] != 0 && bvh.name == NULL);
        return 0;
    }
    if (inspect_bvh(&bvh, &given, NULL, &err) == STATUS_OK && bvh_repair(&bvh, &given, &err) == STATUS_OK &&
        bvh.frame_count > 0)
        check_repaired(&bvh);
    bvh_free(&bvh);
    return 0;
}
