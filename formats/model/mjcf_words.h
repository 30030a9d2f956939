/* Which attributes of MJCF kane reads, and what it says of the others (data/mjcf_words.tsv). */
#ifndef KANE_FORMATS_MJCF_WORDS_H
#define KANE_FORMATS_MJCF_WORDS_H

#include "formats/model/mjcf.h"
#include "formats/model/xml_tree.h"

typedef enum MjcfUse { MJCF_READ, MJCF_SKIP, MJCF_TOLD, MJCF_REFUSE } MjcfUse;

typedef struct MjcfWord {
    const char *element, *attribute;
    MjcfUse use;
    const char *neutral;
} MjcfWord;

/* Compiled in from data/mjcf_words.tsv, ordered by element. */
extern const MjcfWord mjcf_words[];
extern const int mjcf_words_count;

/* Holds the attributes of an element against the words of `element`, which is its name or stands for it. */
Status mjcf_check_attributes(const XmlElement *e, const char *element, MjcfRemarks *remarks, Error *err);

/* Adds a remark about an element; the same words again are counted. */
Status mjcf_remark(MjcfRemarks *remarks, const XmlElement *e, Error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
