/* formats/scene_file/scene_child.h in WebAssembly: the page reads FBX files itself (web/page/fbx.js), and stores the
 * takes of walk.fbx as walk.fbx.scenes, each after its length. */
#include "formats/scene_file/scene_child.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/bytes.h"
#include "formats/scene_file/scene_stream.h"

/* Reads the wished take out of all. */
static Status find_scene(const char *bytes, size_t size, const char *take, int number, Scene *out, Error *err)
{
    int32_t length;
    for (size_t at = 0; size - at > sizeof length; at += (size_t)length) {
        memcpy(&length, bytes + at, sizeof length);
        at += sizeof length;
        if (length < 0 || (size_t)length > size - at)
            break;
        Status status = scene_stream_read(bytes + at, (size_t)length, out, err);
        if (status || !take || (out->name && !strcmp(out->name, take) && --number == 0))
            return status;
        scene_free(out);
    }
    return error_set(err, STATUS_BAD_INPUT, "the take moves no bone, or its keys cannot be read: bake it to the "
                     "skeleton and export again, or use the program");
}

Status scene_child_read(const SourceFile *file, const char *format, const char *take, int number, Scene *out,
                        Error *err)
{
    char name[4096], *bytes = NULL;
    size_t size = 0;
    *out = (Scene){0};
    snprintf(name, sizeof name, "%s.scenes", file->path ? file->path : "");
    if (bytes_read_path(name, &bytes, &size, NULL))
        return error_set(err, STATUS_IO, "%s files cannot be read here: use the program, or export as GLB",
                         strcmp(format, "fbx") ? "Collada" : "FBX");
    Status status = find_scene(bytes, size, take, number, out, err);
    free(bytes);
    return status;
}
