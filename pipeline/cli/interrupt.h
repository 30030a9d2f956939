/* TERM, HUP and INT: no temporary file stays, and the person is told what stands.
 *
 * The one place of the program with state of the process: a signal handler gets no argument. A signal that was ignored
 * when the program began (nohup) stays ignored. */
#ifndef KANE_PIPELINE_INTERRUPT_H
#define KANE_PIPELINE_INTERRUPT_H

/* From here on these signals end the program with a line of this verb. */
void interrupt_watch(const char *verb);

/* A file is being written under a temporary name, and gets the name path when it is whole. NULL: none any more. This
 * and the next are called while the signals are held. */
void interrupt_pending(const char *temporary, const char *path);

/* A file has got its name. */
void interrupt_written(const char *path);

/* Keeps the signals waiting while a name is being changed, so that what is told is true. */
void interrupt_hold(void);
void interrupt_release(void);

/* For a loop that ends by itself: the first of these signals is only noted, the second ends the program. */
void interrupt_note(void);

/* The signal that was noted; 0: none. */
int interrupt_noted(void);

/* "SIGTERM" */
const char *interrupt_name(int number);

/* For a child that its parent ends: it ignores these signals, which a terminal sends to both. */
void interrupt_ignore(void);

#endif
