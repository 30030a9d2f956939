/* A clip as numpy's npz: a zip archive of uncompressed .npy arrays with a fixed date. */
#ifndef KANE_EXPORT_NPZ_H
#define KANE_EXPORT_NPZ_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* STATUS_LIMIT if the archive exceeds 4 GB. */
Status export_npz(const Clip *clip, FILE *stream, Error *err);

#endif
