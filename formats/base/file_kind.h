/* Kinds of files, so that kane does not overwrite a file of another kind. formats/source/identify.h detects them. */
#ifndef KANE_BASE_FILE_KIND_H
#define KANE_BASE_FILE_KIND_H

typedef enum FileKind {
    FILE_OTHER, /* not written by kane */
    FILE_EMPTY, /* a file without bytes */
    FILE_CONTAINER,
    FILE_INDEX,
    FILE_BVH,
    FILE_TEXT, /* tables and logs */
    FILE_JSON, /* including JSON lines */
    FILE_OPENSIM,
    FILE_NPZ,
    FILE_GLB,
    FILE_SVG,
    FILE_PNG,
    FILE_GNUPLOT,
    FILE_PAGE,
    FILE_KIND_COUNT
} FileKind;

/* Number of first bytes that identify the kind: they include the metadata of a clip file with kane's mark. */
enum { FILE_FRONT_SIZE = 65536 };

#endif
