/* FBX files under libFuzzer, with the helper program: whatever ends the helper is an error of kane, and no more. Needs
 * the helper in $KANE_LIBEXEC; without it the records alone are read. */
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
    SourceFile file = {.path = "walk.fbx", .bytes = bytes, .size = size};
    SourceDef def = few_def(size);
    Take take = {0};
    Error err = {0};
    int count = 0;
    (void)source_fbx.count(&file, &def, &count, NULL);
    (void)source_fbx.take_name(&file, 1, &name, NULL);
    free(name);
    if (source_fbx.read(&file, 1, &def, &take, &err) == STATUS_OK)
        check_take(&take);
    else
        require(err.status != STATUS_OK && err.text[0]);
    take_free(&take);
    free(bytes);
    return 0;
}
