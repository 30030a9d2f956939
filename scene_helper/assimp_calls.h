/* libassimp, loaded when a file is read: its package is not required to run kane. */
#ifndef KANE_SCENE_HELPER_ASSIMP_CALLS_H
#define KANE_SCENE_HELPER_ASSIMP_CALLS_H

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/scene.h>

/* X(name) of each function, without ai. A call that is not listed does not compile. */
#define ASSIMP_CALLS(X) \
    X(CreatePropertyStore) X(SetImportPropertyInteger) X(ImportFileFromMemoryWithProperties) X(GetErrorString)

typedef struct AssimpCalls {
#define ASSIMP_POINTER(name) __typeof__(ai##name) *(name);
    ASSIMP_CALLS(ASSIMP_POINTER)
#undef ASSIMP_POINTER
} AssimpCalls;

/* Returns NULL, or why the library cannot be loaded. */
const char *assimp_load(AssimpCalls *out);

#endif
