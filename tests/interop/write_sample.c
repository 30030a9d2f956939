/* Writes a sample clip as clip files and exports for tests/interop/test_netcdf.py.
 *
 * usage: write_sample FOLDER. torque[f][j] is (f, j, f j + 0.1), so that other programs can check it. */
#include <stdio.h>
#include <stdlib.h>

#include "formats/container/container_store.h"
#include "formats/export/export.h"
#include "tests/support/hdf5_oracle.h"
#include "tests/support/sample_clip.h"

/* Writes the file NAME, and libhdf5_NAME by libhdf5. */
static Status save(const Clip *clip, ContainerDef def, const char *folder, const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (container_store(clip, &def, path, NULL))
        return STATUS_INTERNAL;
    snprintf(path, sizeof path, "%s/libhdf5_%s", folder, name);
    return oracle_write(clip, &def, path) < 0 ? STATUS_INTERNAL : STATUS_OK;
}

typedef Status (*ExportFunction)(const Clip *, const ExportDef *, FILE *, Error *);

static Status export_to(const Clip *clip, ExportFunction function, ExportFormat format, const char *folder,
                        const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "wb");
    if (!stream)
        return STATUS_IO;
    ExportDef def = export_default_def();
    def.format = format;
    Status status = function(clip, &def, stream, NULL);
    fclose(stream);
    return status;
}

int main(int argc, char **argv)
{
    Clip clip;
    if (argc != 2 || sample_clip(&clip, 12, 5, 3))
        return 2;
    for (int f = 0; f < 12; f++)
        for (int j = 0; j < 5; j++)
            clip.dynamics.torque[f * 5 + j] = vec3(f, j, f * j + 0.1);
    int failed = save(&clip, container_default_def(), argv[1], "clip.h5") ||
                 save(&clip, (ContainerDef){.float32 = 1, .compress = 5}, argv[1], "archive.h5") ||
                 export_to(&clip, export_clip, EXPORT_NPZ, argv[1], "clip.npz") ||
                 export_to(&clip, export_clip, EXPORT_CSV, argv[1], "clip.csv") ||
                 export_to(&clip, export_clip, EXPORT_JSONL, argv[1], "clip.jsonl") ||
                 export_to(&clip, export_moments, EXPORT_TSV, argv[1], "moments.tsv");
    clip_free(&clip);
    /* no contact points, no end sites, no translation: absent arrays */
    if (!failed && sample_clip(&clip, 3, 2, 0) == 0) {
        clip.skeleton.end_count = 0;
        free(clip.motion.translation);
        clip.motion.translation = NULL;
        failed = save(&clip, container_default_def(), argv[1], "bare.h5");
        clip_free(&clip);
    }
    return failed ? 1 : 0;
}
