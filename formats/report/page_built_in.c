#include "formats/report/page_built_in.h"

#ifdef KANE_PAGE /* path of the page, from the Makefile */

__asm__(".section .rodata\n"
        "kane_page_begin: .incbin \"" KANE_PAGE "\"\n"
        "kane_page_end: .byte 0\n"
        ".previous");

extern const char kane_page_begin[] __attribute__((visibility("hidden")));
extern const char kane_page_end[] __attribute__((visibility("hidden")));

const char *page_built_in(size_t *size)
{
    *size = (size_t)(kane_page_end - kane_page_begin);
    return kane_page_begin;
}

#else

const char *page_built_in(size_t *size)
{
    *size = 0;
    return NULL;
}

#endif
