/* Meanings of the position channels of joints below the root. */
#ifndef KANE_DETECT_POSITION_MEANING_H
#define KANE_DETECT_POSITION_MEANING_H

typedef enum PositionMeaning {
    POSITIONS_AUTO = 0,
    POSITIONS_LOCAL, /* position in the parent's axes, replacing the offset: nearly all files */
    POSITIONS_ADDED, /* position in the parent's axes, added to the offset */
    POSITIONS_WORLD  /* position in the file's axes */
} PositionMeaning;

#endif
