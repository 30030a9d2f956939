/* Roles of joints from their names (data/roles.tsv) or, if names give none, from the shape of the tree. */
#ifndef KANE_BODY_ROLES_H
#define KANE_BODY_ROLES_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"

/* Animals with human names: a dog's hind leg is LeftUpLeg in many files, but its masses differ from a person's. */

/* Sets *is_creature to 1 if names, proportions and rest pose together indicate a quadruped. Roles must be assigned. */
Status creature_recognise(const Skeleton *s, int *is_creature, Error *err);

/* Sets role[joint] and *found = 1 for a tree with two legs and two arms; otherwise all roles are ROLE_NONE and *found =
 * 0. Unit and up axis need not be known. Left follows from the direction of the feet, otherwise from the usual facing
 * (+Z in a +Y up file). */
Status role_shape_assign(const Skeleton *s, Role *role, int *found, Error *err);

/* Sets role and segment of every joint. A lack of roles is no error: creatures, including quadrupeds with human names,
 * have none. Unit and up axis need not be known. hips: the joint that carries the legs; spine: the lowest trunk joint
 * above it; chest: where the arms branch. A single trunk joint has the role given by its name. */
Status roles_assign(Skeleton *s, Error *err);

/* Whether the roles suffice for human segment masses: hips, both hip joints, both knees, and a spine, chest or neck. */
int roles_are_human(const Skeleton *s);

/* Proposed roles of a joint from its name, with weights.
 *
 * A name is split at separators, numbers and changes of case; namespace, prefixes, suffixes and side mark are removed,
 * and the rest is looked up in data/roles.tsv. `mixamorig1:LeftUpLeg`, `CC_Base_L_Thigh`, `lThigh`, `UpLeg_L`,
 * `DEF-thigh.L.001` and `左足` all give left_hip. */

/* Rows of data/roles.tsv, ordered by name. */
typedef struct RoleWord {
    const char *name;
    Role role;  /* for paired roles that of the left side */
    int weight; /* 3 certain, 2 usual, 1 only if no other joint has the role */
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

/* Writes the roles that the name may mean into guess; returns their number, 0 if it suggests none. */
int role_name_guess(const char *name, RoleGuess guess[ROLE_GUESSES]);

/* The word in the name that suggests an animal ("tail", "paw"), static storage; NULL if there is none. */
const char *role_name_creature_word(const char *name);

#endif
