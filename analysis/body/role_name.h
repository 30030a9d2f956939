/* Proposed roles of a joint from its name, with weights.
 *
 * A name is split at separators, numbers and changes of case; namespace, prefixes, suffixes and side mark are removed,
 * and the rest is looked up in data/roles.tsv. `mixamorig1:LeftUpLeg`, `CC_Base_L_Thigh`, `lThigh`, `UpLeg_L`,
 * `DEF-thigh.L.001` and `左足` all give left_hip. */
#ifndef KANE_BODY_ROLE_NAME_H
#define KANE_BODY_ROLE_NAME_H

#include "analysis/clip/skeleton.h"

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

/* The side that the name states, whatever the rest of it means: -1 left, 1 right, 0 none ("Oberschenkel.L", "左大腿"). */
int role_name_side(const char *name);

/* Whether a part of the name is this word, lower case: "ik" in `ik_foot_l` and `LeftFootIK`, not in `Spike`. */
int role_name_has_part(const char *name, const char *word);

/* The word in the name that suggests an animal ("tail", "paw"), static storage; NULL if there is none. */
const char *role_name_creature_word(const char *name);

#endif
