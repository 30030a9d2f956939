/* A scene as bytes, from the helper program kane-scene to kane: the reader trusts none of them. */
#ifndef KANE_SCENE_FILE_SCENE_STREAM_H
#define KANE_SCENE_FILE_SCENE_STREAM_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "formats/scene_file/scene_tree.h"

/* Writes a scene, or the error of reading it; 0, or -1 if the stream fails. */
int scene_stream_write(const Scene *scene, FILE *stream);
int scene_stream_write_error(Status status, const char *text, FILE *stream);

/* Reads either: returns the status of the error, with its text in err. STATUS_BAD_INPUT for damaged bytes; scene_check
 * has passed otherwise. Free *out also after failure. */
Status scene_stream_read(const char *bytes, size_t size, Scene *out, Error *err);

#endif
