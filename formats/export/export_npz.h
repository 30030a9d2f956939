/* A clip as numpy's npz: a zip archive of .npy arrays, stored without compression, without a time of the clock. */
#ifndef KANE_FORMATS_EXPORT_NPZ_H
#define KANE_FORMATS_EXPORT_NPZ_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* STATUS_LIMIT beyond the 4 GB of a plain zip archive. */
Status export_npz(const Clip *clip, FILE *stream, Error *err);

#endif
