/* The opaque handle of an index, which index.h opens and closes. */
#ifndef KANE_INDEX_INDEX_TYPE_H
#define KANE_INDEX_INDEX_TYPE_H

typedef struct Index Index;

#endif
