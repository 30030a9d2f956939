/* glTF and GLB files under libFuzzer. No input crashes the reader; accepted takes are sound. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "formats/source/source_table.h"
#include "tests/fuzz/scene_take_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size + 1), *name = NULL;
    require(bytes != NULL);
    memcpy(bytes, data, size);
    bytes[size] = 0;
    SourceFile file = {.path = "walk.glb", .bytes = bytes, .size = size};
    SourceDef def = few_def(size);
    Take take = {0};
    Error err = {0};
    int count = 0;
    (void)source_gltf.begins(bytes, size);
    (void)source_gltf.count(&file, &def, &count, NULL);
    (void)source_gltf.take_name(&file, 1, &name, NULL);
    free(name);
    if (source_gltf.read(&file, 1, &def, &take, &err) == STATUS_OK)
        check_take(&take);
    else
        require(err.status != STATUS_OK && err.text[0]);
    take_free(&take);
    free(bytes);
    return 0;
}
