/* What the helper program returns, under libFuzzer, as from a helper that a hostile file has taken over. */
#include <stddef.h>
#include <stdint.h>

#include "formats/scene_file/scene_stream.h"
#include "formats/scene_file/scene_take.h"
#include "tests/fuzz/scene_take_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SourceDef def = few_def(size);
    Scene scene;
    Take take = {0};
    if (scene_stream_read((const char *)data, size, &scene, NULL) == STATUS_OK &&
        scene_take(&scene, "FBX", &def, &take, NULL) == STATUS_OK)
        check_take(&take);
    take_free(&take);
    scene_free(&scene);
    return 0;
}
