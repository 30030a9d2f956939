/* FBX and Collada as motion formats: their rows of the table of formats (formats/base/source_format.h). */
#include <string.h>
#include <strings.h>

#include "formats/base/source_format.h"
#include "formats/scene_file/fbx_takes.h"
#include "formats/scene_file/scene_child.h"
#include "formats/scene_file/scene_findings.h"
#include "formats/scene_file/scene_take.h"

enum { OLDEST_FBX = 7100 };

/* ---- FBX ---- */

static Status moves_no_bone(Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "the take moves no bone: it drives controls, such as the effectors of "
                     "HumanIK, or other properties; bake (plot) it to the skeleton and export again");
}

static Status check_fbx(const SourceFile *file, const FbxTakes *takes, Error *err)
{
    if (!fbx_begins(file->bytes, file->size))
        return error_set(err, STATUS_BAD_INPUT, "not an FBX file, which begins with \"Kaydara FBX Binary\" or, as "
                         "text, with \"; FBX\": encrypted, damaged or another format; export it "
                         "again as FBX 2014 or later");
    if (takes->version > 0 && takes->version < OLDEST_FBX)
        return error_set(err, STATUS_BAD_INPUT, "FBX %d.%d is too old: convert it to FBX 2013 with Autodesk's free FBX "
                         "Converter, or export it again as FBX 2014 or later", takes->version / 1000,
                         takes->version / 100 % 10);
    if (takes->count > 0 && !takes->has_curves && takes->has_effectors)
        return moves_no_bone(err);
    return takes->count == 0 || !takes->has_curves ? scene_no_motion("FBX", err) : STATUS_OK;
}

static Status count_fbx(const SourceFile *file, const SourceDef *def, int *count, Error *err)
{
    FbxTakes takes;
    (void)def;
    Status status = fbx_takes_read(file->bytes, file->size, &takes, err);
    *count = takes.count > 1 ? takes.count : 1;
    fbx_takes_free(&takes);
    return status;
}

static Status name_fbx(const SourceFile *file, int number, char **name, Error *err)
{
    FbxTakes takes;
    *name = NULL;
    Status status = fbx_takes_read(file->bytes, file->size, &takes, err);
    if (!status && number <= takes.count && !(*name = strdup(takes.name[number - 1])))
        status = error_no_memory(err);
    fbx_takes_free(&takes);
    return status;
}

/* Which of the takes of its name it is, from 1. */
static int number_of_name(const FbxTakes *takes, int take)
{
    int number = 0;
    for (int i = 0; i < take; i++)
        number += strcmp(takes->name[i], takes->name[take - 1]) == 0;
    return number;
}

static Status read_scene(const SourceFile *file, const FbxTakes *takes, int number, const SourceDef *def, Take *out,
                         Error *err)
{
    Scene scene = {0};
    const char *name = takes->count > 0 ? takes->name[number - 1] : NULL;
    Status status = scene_child_read(file, "fbx", name, takes->count > 0 ? number_of_name(takes, number) : 1, &scene,
                                     err);
    if (!status && scene.channel_count == 0 && !def->still)
        status = moves_no_bone(err);
    if (!status)
        status = scene_take(&scene, "FBX", def, out, err);
    scene_free(&scene);
    return status;
}

static Status read_fbx(const SourceFile *file, int number, const SourceDef *def, Take *out, Error *err)
{
    FbxTakes takes;
    Status status = fbx_takes_read(file->bytes, file->size, &takes, err);
    if (!status && (takes.version < OLDEST_FBX || !def->still))
        status = check_fbx(file, &takes, err);
    if (!status)
        status = read_scene(file, &takes, number, def, out, err);
    fbx_takes_free(&takes);
    return status;
}

/* Geometry, which is not kept, is most of a file. */
static void measure(const SourceHead *head, SourceSize *out)
{
    *out = (SourceSize){.joints = 100, .frames = -1, .reading = 2 * head->file_size};
}

static const char *const fbx_endings[] = {".fbx", NULL};

const SourceFormat source_fbx = {
    .name = "FBX",
    .kind = FILE_OTHER,
    .endings = fbx_endings,
    .begins = fbx_begins,
    .measure = measure,
    .count = count_fbx,
    .take_name = name_fbx,
    .read = read_fbx,
    .kinds = scene_findings,
    .kind_count = SCENE_FINDING_COUNT,
};

/* ---- Collada ---- */

static int collada_begins(const char *front, size_t size)
{
    size_t shown = size < 4096 ? size : 4096, at = 0;
    while (at < shown && strchr(" \t\r\n", front[at]) && front[at])
        at++;
    return at < shown && (front[at] == '<' || front[at] == '\xEF') && memmem(front, shown, "<COLLADA", 8);
}

/* libassimp reads it, whatever is in it. */
static int is_utf16(const char *front, size_t size)
{
    return size >= 2 && (memcmp(front, "\xFF\xFE", 2) == 0 || memcmp(front, "\xFE\xFF", 2) == 0);
}

static Status read_collada(const SourceFile *file, int number, const SourceDef *def, Take *out, Error *err)
{
    Scene scene = {0};
    (void)number;
    if (!collada_begins(file->bytes, file->size) && !is_utf16(file->bytes, file->size))
        return error_set(err, STATUS_BAD_INPUT, "not a Collada file, which is XML with <COLLADA>: damaged or another "
                         "format; export it again");
    Status status = scene_child_read(file, "dae", NULL, 1, &scene, err);
    if (!status)
        status = scene_take(&scene, "Collada", def, out, err);
    scene_free(&scene);
    return status;
}

static const char *const collada_endings[] = {".dae", NULL};

const SourceFormat source_collada = {
    .name = "Collada",
    .kind = FILE_OTHER,
    .endings = collada_endings,
    .begins = collada_begins,
    .measure = measure,
    .read = read_collada,
    .kinds = scene_findings,
    .kind_count = SCENE_FINDING_COUNT,
};
