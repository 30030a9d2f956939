#include "analysis/trust/fault.h"

#include <stdlib.h>

Status faults_add(Faults *f, Fault fault, Error *err)
{
    if (f->count == f->capacity) {
        int room = f->capacity ? 2 * f->capacity : 16;
        Fault *grown = realloc(f->fault, (size_t)room * sizeof *grown);
        if (!grown)
            return error_no_memory(err);
        f->fault = grown;
        f->capacity = room;
    }
    f->fault[f->count++] = fault;
    return STATUS_OK;
}

void faults_free(Faults *f)
{
    if (!f)
        return;
    free(f->fault);
    *f = (Faults){0};
}

double fault_body_size(const Skeleton *s)
{
    double longest = 0;
    for (int j = 1; j < s->joint_count; j++) {
        double length = 0;
        for (int i = j; s->parent[i] >= 0; i = s->parent[i])
            length += vec3_norm(s->offset[i]);
        longest = fmax(longest, length);
    }
    return longest > 0 ? longest : 1;
}
