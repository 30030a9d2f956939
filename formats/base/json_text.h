/* Text as JSON strings. */
#ifndef KANE_FORMATS_JSON_TEXT_H
#define KANE_FORMATS_JSON_TEXT_H

#include <stdio.h>

/* Writes text in quotes, with what JSON wants escaped; U+FFFD for each byte that is no UTF-8. */
void json_put_text(FILE *stream, const char *text);

/* Writes a number that reads back to the same double; null where it is not finite. */
void json_put_number(FILE *stream, double value);

#endif
