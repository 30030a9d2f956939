/* The table of motion formats. All commands use it to find motion files in folders by name, to identify the content of
 * a pipe, and to name the formats in help and messages. */
#ifndef KANE_SOURCE_SOURCE_TABLE_H
#define KANE_SOURCE_SOURCE_TABLE_H

#include <stddef.h>

#include "formats/base/source_format.h"

/* The formats. If neither content nor name identifies the format, the first reader reports the error. */
#ifndef SOURCES /* tests may define their own */
#define SOURCES(SOURCE) SOURCE(bvh) SOURCE(amc) SOURCE(gltf) SOURCE(fbx) SOURCE(collada) SOURCE(opensim)
#endif

#define SOURCE_DECLARE(name) extern const SourceFormat source_##name;
SOURCES(SOURCE_DECLARE)

/* Returns a format by its position in the table; NULL past the last. */
const SourceFormat *source_at(int index);

/* Writes text with words of the table in place of {motion} (the formats: "BVH or CSV"), {motion-files} ("MOTION"),
 * {repair} and {repair-files} (of the formats that have a repair: "BVH", "FILE.bvh"). Returns out. */
#define SOURCE_MOTION_NOTE "MOTION is a motion file: {motion}."
enum { SOURCE_WORDS_SIZE = 4096 };
const char *source_words(const char *text, char out[SOURCE_WORDS_SIZE]);

/* Returns the format of a file with these first bytes, or NULL. */
const SourceFormat *source_of_front(const char *front, size_t size);

/* Returns the format by the extension of a name of this length, or NULL. */
const SourceFormat *source_of_name(const char *name, size_t length);

/* Returns 1 if a name is longer than, and ends in, the extension of a format; for found_files_add. */
int source_has_ending(const char *name);

/* Returns the length of a name without the extension of a format. */
size_t source_stem(const char *name, size_t length);

/* Describes a kind of finding. Static. */
const FindingInfo *source_finding(const SourceFormat *format, int kind);

/* Returns the kind of this name, of any format, or NULL. */
const FindingInfo *source_finding_named(const char *name, size_t length);

#endif
