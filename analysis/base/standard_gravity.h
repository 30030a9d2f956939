/* Standard gravity. */
#ifndef KANE_BASE_STANDARD_GRAVITY_H
#define KANE_BASE_STANDARD_GRAVITY_H

#define GRAVITY 9.80665 /* m/s2 */

#endif
