/* How surely import decided what a file does not say. */
#ifndef KANE_CLIP_DECISIONS_H
#define KANE_CLIP_DECISIONS_H

/* Each the probability that the decision is right, 0..1; 1 where an option decided. All 0: not known. The order is that
 * of the root attribute `confidence` of a container. */
typedef struct Decisions {
    double unit, up_axis, frame_rate, root_offset, positions, first_frame;
} Decisions;

enum { DECISION_COUNT = sizeof(Decisions) / sizeof(double), DECISIONS_TEXT_SIZE = 96 };

/* A decision that is less sure is one to look at: messages, info, index and page mark it. */
#define DECISION_UNSURE 0.8

/* One that is less likely than not: of a unit that is a warning. */
#define DECISION_GUESS 0.5

/* "up_axis", and its probability, by its place in the order above. */
const char *decision_name(int i);
double decision_value(const Decisions *d, int i);

/* The least of them; NaN where they are not known. */
double decisions_least(const Decisions *d);

/* What is unsure, by name: "unit, up axis"; "" where nothing is, or nothing is known. */
void decisions_unsure(const Decisions *d, char text[DECISIONS_TEXT_SIZE]);

#endif
