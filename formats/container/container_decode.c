/* Container to clip, in this process or with the help of a child that finds the layout; the arrays themselves are
 * copied straight from the image. */
#include <stdio.h>
#include <stdlib.h>

#include "formats/container/container_check.h"
#include "formats/container/container_guard.h"

Status container_decode(const ContainerImage *image, Clip *out, Error *err)
{
    ContainerLayout layout;
    Scratch scratch;
    *out = (Clip){0};
    Status status = container_layout(image, &layout, &scratch, err);
    if (status == STATUS_OK)
        status = container_assemble(image, &layout, &scratch, out, NULL, err);
    free(scratch.bytes);
    return status;
}

static Status find_layout(const ContainerImage *image, const void *wish, ContainerLayout *layout, Scratch *scratch,
                          Error *err)
{
    (void)wish;
    return container_layout(image, layout, scratch, err);
}

static Status decode(const ContainerImage *image, Clip *out, ContainerFindings *findings, char *warning,
                     size_t warning_size, Error *err)
{
    ContainerLayout layout;
    Scratch scratch;
    *out = (Clip){0};
    if (warning && warning_size)
        warning[0] = '\0';
    Status status = container_guard(image, find_layout, NULL, &layout, &scratch, err);
    if (status == STATUS_OK)
        status = container_assemble(image, &layout, &scratch, out, findings, err);
    if (status == STATUS_OK && warning && warning_size && layout.warning[0])
        snprintf(warning, warning_size, "dropped what is not known: %.*s", LAYOUT_WARNING_SIZE, layout.warning);
    free(scratch.bytes);
    return status;
}

Status container_decode_guarded(const ContainerImage *image, Clip *out, char *warning, size_t warning_size, Error *err)
{
    return decode(image, out, NULL, warning, warning_size, err);
}

Status container_inspect(const ContainerImage *image, ContainerFindings *findings, char *warning, size_t warning_size,
                         Error *err)
{
    Clip clip;
    Error own = {0}, *cause = err ? err : &own;
    findings->count = 0;
    Status status = decode(image, &clip, findings, warning, warning_size, cause);
    clip_free(&clip);
    return container_note(findings, status, cause);
}
