/* See container_store.h. */
#include "formats/container/container_store.h"

#include "formats/container/output_rule.h"

Status container_may_replace(const char *path, Error *err)
{
    return output_allowed(path, &(OutputClaim){.kind = FILE_CONTAINER}, err);
}

Status container_store_pending(const Clip *clip, const ContainerDef *def, const char *path, const char *temporary,
                               NewFile *pending, Error *err)
{
    *pending = (NewFile){.descriptor = -1};
    Status status = temporary ? new_file_open_as(path, temporary, pending, err) : new_file_open(path, pending, err);
    if (!status)
        status = container_write(clip, def, pending->descriptor, err);
    if (status)
        new_file_discard(pending);
    return status;
}

Status container_store(const Clip *clip, const ContainerDef *def, const char *path, Error *err)
{
    NewFile file;
    Status status = container_may_replace(path, err);
    if (!status)
        status = container_store_pending(clip, def, path, NULL, &file, err);
    return status ? status : new_file_commit(&file, err);
}
