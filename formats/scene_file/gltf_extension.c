/* See gltf_extension.h. glTF 2.0, 3.12 "Specifying extensions". */
#include "formats/scene_file/gltf_extension.h"

#include <string.h>

static int is_named(const JsonText *json, int member, const char *name, size_t size)
{
    const JsonValue *v = &json->value[member];
    return v->key_end - v->key == size && memcmp(json->text + v->key, name, size) == 0;
}

static int compresses(const JsonText *json, int member)
{
    static const char *const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_named(json, member, names[i], strlen(names[i])))
            return 1;
    return 0;
}

static int is_required(const JsonText *json, int member)
{
    int list = json_find(json, 0, "extensionsRequired");
    for (int i = json_first(json, list); i >= 0; i = json->value[i].next) {
        const JsonValue *v = &json->value[i];
        if (v->type == JSON_STRING && is_named(json, member, json->text + v->begin, v->end - v->begin))
            return 1;
    }
    return 0;
}

Status gltf_extension_refuse(const JsonText *json, int part, Error *err)
{
    int list = json_find(json, part, "extensions");
    for (int i = json_first(json, list); i >= 0; i = json->value[i].next) {
        const JsonValue *v = &json->value[i];
        int length = v->key_end - v->key < 60 ? (int)(v->key_end - v->key) : 60;
        if (json->value[list].type == JSON_OBJECT && (compresses(json, i) || is_required(json, i)))
            return error_set(err, STATUS_BAD_INPUT, "glTF: the animation is compressed (%.*s): export it without "
                             "compression, or unpack it with gltf-transform copy", length, json->text + v->key);
    }
    return STATUS_OK;
}
