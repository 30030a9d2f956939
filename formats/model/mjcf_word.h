/* The table of supported and unsupported elements and attributes (data/mjcf_words.tsv). */
#ifndef KANE_MODEL_MJCF_WORD_H
#define KANE_MODEL_MJCF_WORD_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/model/mjcf_remarks.h"
#include "formats/base/xml_tree.h"

typedef enum MjcfUse {
    MJCF_READ,
    MJCF_SOME,   /* read; some values are refused */
    MJCF_SKIP,   /* without effect on the motion */
    MJCF_METHOD, /* numerical method, which options of kane choose */
    MJCF_REFUSE, /* affects the motion, not supported */
} MjcfUse;

typedef struct MjcfWord {
    const char *element, *attribute; /* "*": the element itself with its content */
    MjcfUse use;
    const char *neutral; /* value without effect; "": none */
} MjcfWord;

/* Generated from data/mjcf_words.tsv, ordered by element. */
extern const MjcfWord mjcf_words[];
extern const int mjcf_words_count;

/* Returns the first row of an attribute, or of an element ("*"), or NULL. */
const MjcfWord *mjcf_word_find(const char *element, const char *attribute);

/* Returns 1 if a row of the attribute has this neutral value. */
int mjcf_is_neutral(const char *element, const char *attribute, const char *value);

/* Returns 1 if an attribute or element of this name can be refused. */
int mjcf_may_refuse(const char *name);

/* Returns 1 for an element or attribute of the table. */
int mjcf_is_word(const char *name);

/* Writes "; did you mean a, b or c?" with names that --leave-out accepts. */
void mjcf_near_names(const char *wrong, char *text, size_t size);

/* An error for attributes that `element` lacks in the table; attributes of the numerical method become remarks. */
Status mjcf_check_attributes(const XmlElement *e, const char *element, MjcfRemarks *remarks, Error *err);

#endif
