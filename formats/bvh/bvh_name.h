/* Joint names: valid UTF-8, no control characters, a warning where two joints share one. */
#ifndef KANE_FORMATS_BVH_NAME_H
#define KANE_FORMATS_BVH_NAME_H

#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_lexer.h"

/* Takes a name into *name, owned by the caller. Bytes that are not UTF-8 are read as Latin-1, with a warning. */
Status bvh_read_name(BvhLexer *l, Bvh *bvh, char **name, Error *err);

/* Warns of every name that an earlier joint has. */
Status bvh_check_names(Bvh *bvh, Error *err);

#endif
