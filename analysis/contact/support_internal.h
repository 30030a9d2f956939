/* Limits that the search for a seat and the search for a rail share. */
#ifndef KANE_CONTACT_SUPPORT_INTERNAL_H
#define KANE_CONTACT_SUPPORT_INTERNAL_H

#define NEAR_GROUND 0.1     /* L: lower points may support the body */
#define SUPPORTED_FORCE 0.5 /* body weights, required vertical force: below, the body is in flight */
#define MOVED 0.03          /* m: hips or hands this far from the position of their rest have left it */

#endif
