/* Confidence of what import detects because a file does not state it. */
#ifndef KANE_CLIP_DECISIONS_H
#define KANE_CLIP_DECISIONS_H

/* Probabilities that each detection is correct, 0..1; 1 if set by an option. All 0: unknown. The order is that of the
 * root attribute `confidence` of a clip file. */
typedef struct Decisions {
    double unit, up_axis, frame_rate, root_offset, positions, first_frame;
} Decisions;

enum { DECISION_COUNT = sizeof(Decisions) / sizeof(double), DECISIONS_TEXT_SIZE = 96 };

/* Detections with less confidence are marked in messages, info, index and report page. */
#define DECISION_UNSURE 0.8

/* Below this a detection is more likely wrong than right; for a unit this gives a warning. */
#define DECISION_GUESS 0.5

/* Name such as "up_axis", and probability, by index in the order above. */
const char *decision_name(int i);
double decision_value(const Decisions *d, int i);

/* The lowest confidence; NaN: unknown. */
double decisions_min(const Decisions *d);

/* Lists the detections of low confidence by name: "unit, up axis"; "" if there are none or confidences are unknown. */
void decisions_unsure(const Decisions *d, char text[DECISIONS_TEXT_SIZE]);

#endif
