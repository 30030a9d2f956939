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
    double longest = skeleton_longest_chain(s);
    return longest > 0 ? longest : 1;
}
