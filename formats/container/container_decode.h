/* From a layout to a clip; the functions from an image to a clip are in container.h. */
#ifndef KANE_FORMATS_CONTAINER_DECODE_H
#define KANE_FORMATS_CONTAINER_DECODE_H

#include "formats/container/container_layout.h"

/* Builds the clip from a layout without libhdf5; layout is not trusted. On failure *out is empty. With findings (may be
 * NULL) what is wrong with the content is noted there and is no failure; *out is then only to be freed. */
Status container_assemble(const ContainerImage *image, const ContainerLayout *layout, const Scratch *scratch, Clip *out,
                          ContainerFindings *findings, Error *err);

#endif
