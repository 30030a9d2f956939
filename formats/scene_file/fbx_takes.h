/* What the records of an FBX file say without reading them: version, names of the takes, whether there are curves.
 * Reference: Blender Foundation, "FBX binary file format specification" (2013). */
#ifndef KANE_SCENE_FILE_FBX_TAKES_H
#define KANE_SCENE_FILE_FBX_TAKES_H

#include <stddef.h>

#include "analysis/base/status.h"

typedef struct FbxTakes {
    int version; /* 7400; 0: not found */
    int count;
    int has_curves;
    int has_effectors; /* of HumanIK */
    char **name; /* [count] owned */
} FbxTakes;

/* Binary or text. STATUS_BAD_INPUT with the byte of a record that is damaged. Free *out also after failure. */
Status fbx_takes_read(const char *bytes, size_t size, FbxTakes *out, Error *err);
void fbx_takes_free(FbxTakes *takes);

/* Whether the first bytes are those of an FBX file. */
int fbx_begins(const char *front, size_t size);

#endif
