/* Roles of joints from their names (data/roles.tsv) and, where names are not informative, from the shape of the
 * tree. */
#ifndef KANE_BODY_ROLES_H
#define KANE_BODY_ROLES_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"

/* Animals with human names: a dog's hind leg is LeftUpLeg in many files, yet its masses are not a person's. */

/* Sets *is_creature to 1 where names, proportions and rest pose together indicate a quadruped. Roles are assigned. */
Status creature_recognise(const Skeleton *s, int *is_creature, Error *err);

/* Sets role[joint] for a tree with two legs and two arms and *found to 1; else all roles are none and *found 0. Unit
 * and up axis need not be known. Left follows from the feet's direction, else by the usual facing (+Z of a +Y up file).
 */
Status role_shape_assign(const Skeleton *s, Role *role, int *found, Error *err);

/* Fills role and segment of every joint. Never fails for lack of roles: a creature simply has none, nor has a quadruped
 * with human names. The shape is judged without knowing unit or up axis. hips: the joint that carries the legs; spine:
 * the lowest trunk joint above it; chest: where the arms branch; a single trunk joint has the role its name states. */
Status roles_assign(Skeleton *s, Error *err);

/* Enough human roles for human segment masses: hips, both hip joints, both knees, and a spine, chest or neck. */
int roles_are_human(const Skeleton *s);

/* What the name of a joint suggests: roles it may have, and how surely.
 *
 * A name is cut into parts at separators, numbers and changes of case; namespace, prefixes, suffixes and side mark are
 * taken off, the rest is looked up in data/roles.tsv. `mixamorig1:LeftUpLeg`, `CC_Base_L_Thigh`, `lThigh`, `UpLeg_L`,
 * `DEF-thigh.L.001` and `左足` all give left_hip. */

/* Rows of data/roles.tsv, ordered by name. */
typedef struct RoleWord {
    const char *name;
    Role role;  /* of the left side for paired roles */
    int weight; /* 3 sure, 2 usual, 1 only where nothing else has the role */
} RoleWord;

typedef enum RoleMarkKind { MARK_LEFT, MARK_RIGHT, MARK_PREFIX, MARK_SUFFIX, MARK_CREATURE } RoleMarkKind;

/* Rows of data/role_marks.tsv, ordered by word. */
typedef struct RoleMark {
    const char *word;
    RoleMarkKind kind;
} RoleMark;

extern const RoleWord role_words[];
extern const int role_words_count;
extern const RoleMark role_marks[];
extern const int role_marks_count;

typedef struct RoleGuess {
    Role role;
    int weight;
} RoleGuess;

#define ROLE_GUESSES 4

/* Fills guess with the roles the name may mean and returns their number, 0 where it is not informative. */
int role_name_guess(const char *name, RoleGuess guess[ROLE_GUESSES]);

/* The word in the name that suggests an animal ("tail", "paw"), of static storage; NULL where there is none. */
const char *role_name_creature_word(const char *name);

#endif
