/* A double as short decimal text that reads back to the same bits, whatever the locale is. */
#ifndef KANE_FORMATS_NUMBER_PRINT_H
#define KANE_FORMATS_NUMBER_PRINT_H

#define NUMBER_TEXT_SIZE 32

/* Writes the fewest of 15, 16 or 17 significant digits that return the value, without trailing zeros, ended by a
 * NUL; returns the length. "nan", "inf" and "-inf" for what is not finite. */
int number_print(double value, char text[NUMBER_TEXT_SIZE]);

#endif
