/* Names of nodes in a Collada file, of which libassimp 5 may mistake one for an id. */
#ifndef KANE_SCENE_HELPER_COLLADA_NAMES_H
#define KANE_SCENE_HELPER_COLLADA_NAMES_H

#include <stddef.h>

/* Fills the attribute `name` of each node with blanks, in place. libassimp names a node by its id, and looks up its
 * animation by that word among the names and ids of all nodes: a node with another's id as its name would give its
 * animation away. */
void collada_clear_names(char *bytes, size_t size);

#endif
