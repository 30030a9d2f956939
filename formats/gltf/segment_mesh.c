#include "formats/gltf/segment_mesh.h"

void segment_mesh_init(SegmentMesh *mesh, const Mannequin *body, int joint, Arena *arena)
{
    int *own = arena_array(arena, (size_t)body->vertex_count, 1, sizeof *own); /* 0: not used, else number + 1 */
    *mesh = (SegmentMesh){0};
    for (int f = 0; f < body->face_count && own; f++) {
        mesh->face_count += body->segment[f] == joint;
        for (int i = 0; i < 3 && body->segment[f] == joint; i++)
            own[body->face[f][i]] = 1;
    }
    mesh->vertex = arena_array(arena, (size_t)body->vertex_count, 1, sizeof *mesh->vertex);
    mesh->face = arena_array(arena, (size_t)mesh->face_count, 3, sizeof(int));
    if (arena->failed || !own)
        return;
    for (int v = 0; v < body->vertex_count; v++)
        if (own[v]) {
            mesh->vertex[mesh->vertex_count++] = v;
            own[v] = mesh->vertex_count;
        }
    for (int f = 0, to = 0; f < body->face_count; f++)
        if (body->segment[f] == joint) {
            for (int i = 0; i < 3; i++)
                mesh->face[to][i] = own[body->face[f][i]] - 1;
            to++;
        }
}
