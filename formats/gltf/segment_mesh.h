/* The part of a mannequin that shows one segment, as a mesh of its own. */
#ifndef KANE_FORMATS_SEGMENT_MESH_H
#define KANE_FORMATS_SEGMENT_MESH_H

#include "analysis/base/arena.h"
#include "analysis/figure/mannequin.h"

typedef struct SegmentMesh {
    int vertex_count, face_count;
    int *vertex;    /* [vertex_count] of the mannequin, ascending */
    int (*face)[3]; /* [face_count] numbers in `vertex` */
} SegmentMesh;

/* Empty where no face shows the joint's segment. The arrays are the arena's, which says whether it failed. */
void segment_mesh_init(SegmentMesh *mesh, const Mannequin *body, int joint, Arena *arena);

#endif
