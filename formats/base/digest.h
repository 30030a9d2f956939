/* SHA-256 of bytes and files as hexadecimal text: what a container says of its source. */
#ifndef KANE_FORMATS_DIGEST_H
#define KANE_FORMATS_DIGEST_H

#include <stddef.h>

#include "analysis/base/status.h"

#define DIGEST_SIZE 65

Status digest_bytes(const void *bytes, size_t size, char digest[DIGEST_SIZE], Error *err);

/* err names the path. */
Status digest_path(const char *path, char digest[DIGEST_SIZE], Error *err);

#endif
