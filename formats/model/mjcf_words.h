/* Which elements and attributes of MJCF kane reads, and what it does with the others (data/mjcf_words.tsv). */
#ifndef KANE_FORMATS_MJCF_WORDS_H
#define KANE_FORMATS_MJCF_WORDS_H

#include "formats/model/mjcf_remarks.h"

typedef enum MjcfUse {
    MJCF_READ,
    MJCF_SOME,   /* read; some values are refused */
    MJCF_SKIP,   /* does not change the motion */
    MJCF_METHOD, /* a choice of the numerical method, which options of kane make */
    MJCF_REFUSE, /* changes the motion and is not simulated */
} MjcfUse;

typedef struct MjcfWord {
    const char *element, *attribute; /* "*": the element itself, with all that is in it */
    MjcfUse use;
    const char *neutral; /* value that changes nothing; "": every one does */
} MjcfWord;

/* Compiled in from data/mjcf_words.tsv, ordered by element. */
extern const MjcfWord mjcf_words[];
extern const int mjcf_words_count;

/* The first row of an attribute, or of an element ("*"); NULL: there is none. */
const MjcfWord *mjcf_word_of(const char *element, const char *attribute);

/* 1 where a row of the attribute has this value as its neutral one. */
int mjcf_is_neutral(const char *element, const char *attribute, const char *value);

/* 1 where something of that name, an attribute or an element, may be refused. */
int mjcf_may_refuse(const char *name);

/* Names that --leave-out takes, near to a wrong one: "a, b, c". */
void mjcf_near_names(const char *wrong, char *text, size_t size);

/* An attribute that no row of `element` names is an error; choices of the method become remarks. */
Status mjcf_check_attributes(const XmlElement *e, const char *element, MjcfRemarks *remarks, Error *err);

#endif
