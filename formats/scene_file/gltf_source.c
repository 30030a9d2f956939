/* glTF, GLB, VRM and VRMA as a motion format: its row of the table of formats (formats/base/source_format.h). */
#include <string.h>

#include "formats/base/source_format.h"
#include "formats/scene_file/gltf_file.h"
#include "formats/scene_file/gltf_scene.h"
#include "formats/scene_file/scene_findings.h"
#include "formats/scene_file/scene_take.h"

static int begins(const char *front, size_t size)
{
    size_t at = size >= 3 && memcmp(front, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < size && front[at] && strchr(" \t\r\n", front[at]))
        at++;
    if (size >= 4 && memcmp(front, "glTF", 4) == 0)
        return 1;
    return at < size && front[at] == '{' && memmem(front, size, "\"asset\"", 7) &&
           memmem(front, size, "\"version\"", 9);
}

static Status count_takes(const SourceFile *file, const SourceDef *def, int *count, Error *err)
{
    GltfFile gltf;
    (void)def;
    Status status = gltf_file_open(file, &gltf, err);
    *count = status ? 1 : gltf_take_count(&gltf);
    *count = *count < 1 ? 1 : *count > SCENE_MAX_TAKES ? SCENE_MAX_TAKES : *count;
    gltf_file_free(&gltf);
    return status;
}

static Status take_name(const SourceFile *file, int number, char **name, Error *err)
{
    GltfFile gltf;
    *name = NULL;
    Status status = gltf_file_open(file, &gltf, err);
    int item = status ? -1 : json_first(&gltf.json, json_find(&gltf.json, 0, "animations"));
    for (int i = 1; item >= 0 && i < number; i++)
        item = gltf.json.value[item].next;
    if (item >= 0)
        status = json_copy(&gltf.json, json_find(&gltf.json, item, "name"), name, err);
    gltf_file_free(&gltf);
    return status;
}

static Status read_take(const SourceFile *file, int number, const SourceDef *def, Take *out, Error *err)
{
    GltfFile gltf;
    Scene scene = {0};
    Status status = gltf_file_open(file, &gltf, err);
    if (!status)
        status = gltf_scene_read(&gltf, gltf_take_count(&gltf) == 0 ? 0 : number, &scene, err);
    if (!status)
        status = scene_take(&scene, "glTF", def, out, err);
    scene_free(&scene);
    gltf_file_free(&gltf);
    return status;
}

/* JSON values take five times their text. */
static void measure(const SourceHead *head, SourceSize *out)
{
    *out = (SourceSize){.joints = 100, .frames = -1, .reading = 8 * head->file_size};
}

static const char *const endings[] = {".glb", ".gltf", ".vrma", ".vrm", NULL};

const SourceFormat source_gltf = {
    .name = "glTF",
    .kind = FILE_GLB,
    .endings = endings,
    .begins = begins,
    .measure = measure,
    .find_companions = gltf_find_companions,
    .count = count_takes,
    .take_name = take_name,
    .read = read_take,
    .kinds = scene_findings,
    .kind_count = SCENE_FINDING_COUNT,
};
