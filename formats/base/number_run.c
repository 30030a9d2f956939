/* See number_run.h. */
#include "formats/base/number_run.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "formats/base/number.h"

#ifdef __SSE2__

#define BLOCK 64                  /* bytes classified at once */
#define BLOCK_NUMBERS (BLOCK / 2) /* largest number of numbers that begin in it */

static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Masks of the last n bytes in memory of a word. */
static const uint64_t last_bytes[9] = {0,
                                       0xFFull << 56,
                                       0xFFFFull << 48,
                                       0xFFFFFFull << 40,
                                       0xFFFFFFFFull << 32,
                                       0xFFFFFFFFFFull << 24,
                                       0xFFFFFFFFFFFFull << 16,
                                       ~0xFFull,
                                       ~0ull};

/* Classes of the bytes of a block: bit i is byte i. */
typedef struct Masks {
    uint64_t blank;   /* space or control */
    uint64_t control; /* 9 to 13: tab, line ends */
    uint64_t digit, point, minus;
} Masks;

static inline uint64_t extract_bits(__m128i bytes, int shift)
{
    return (uint64_t)_mm_movemask_epi8(bytes) << shift;
}

/* 0xFF for bytes with first <= byte <= last. */
static inline __m128i in_range(__m128i text, char first, char last)
{
    __m128i from = _mm_sub_epi8(text, _mm_set1_epi8(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(from, _mm_set1_epi8((char)(last - first))), from);
}

static inline __m128i equal_to(__m128i text, char c)
{
    return _mm_cmpeq_epi8(text, _mm_set1_epi8(c));
}

static inline void add_masks(const char *block, int i, Masks *m)
{
    __m128i text = _mm_loadu_si128((const __m128i *)(const void *)(block + i));
    __m128i control = in_range(text, '\t', '\r');
    m->control |= extract_bits(control, i);
    m->blank |= extract_bits(_mm_or_si128(control, equal_to(text, ' ')), i);
    m->digit |= extract_bits(in_range(text, '0', '9'), i);
    m->point |= extract_bits(equal_to(text, '.'), i);
    m->minus |= extract_bits(equal_to(text, '-'), i);
}

static inline Masks find_masks(const char *block)
{
    Masks m = {0};
    add_masks(block, 0, &m);
    add_masks(block, 16, &m);
    add_masks(block, 32, &m);
    add_masks(block, 48, &m);
    return m;
}

static uint64_t find_line_ends(const char *block)
{
    uint64_t mask = 0;
    for (int i = 0; i < BLOCK; i += 16) {
        __m128i text = _mm_loadu_si128((const __m128i *)(const void *)(block + i));
        mask |= extract_bits(_mm_or_si128(equal_to(text, '\n'), equal_to(text, '\r')), i);
    }
    return mask;
}

static inline __m128i two_words(const void *low, const void *high)
{
    return _mm_unpacklo_epi64(_mm_loadl_epi64(low), _mm_loadl_epi64(high));
}

/* Converts the last low_count (0 to 8) of the eight ASCII digits at low, and the last high_count of those at high, to
 * doubles. */
static inline __m128d convert_words(const char *low, int low_count, const char *high, int high_count)
{
    __m128i text = two_words(low, high), keep = two_words(&last_bytes[low_count], &last_bytes[high_count]);
    __m128i digit = _mm_and_si128(_mm_xor_si128(text, _mm_set1_epi8('0')), keep);
    /* Combines neighbours three times: to pairs, to four and to eight digits. The first byte is the low half of its
     * word, and the upper half of (a + 256 b) 2561 is 10 a + b. */
    __m128i pair = _mm_srli_epi16(_mm_mullo_epi16(digit, _mm_set1_epi16(2561)), 8);
    __m128i four = _mm_madd_epi16(pair, _mm_set1_epi32(1 << 16 | 100));
    __m128i eight = _mm_madd_epi16(_mm_packs_epi32(four, four), _mm_set1_epi32(1 << 16 | 10000));
    return _mm_cvtepi32_pd(eight);
}

/* Returns the value of the last count (0 to 8) of the eight ASCII digits before stop. */
static uint64_t digits_before(const char *stop, int count)
{
    uint64_t w;
    memcpy(&w, stop - 8, sizeof w);
    return number_eight_digits((w ^ 0x3030303030303030) & last_bytes[count]);
}

/* Reads an exponent such as "e-15" from bit at to bit stop; returns 0 for other text. */
static inline int read_run_exponent(const char *block, uint64_t digit, int at, int stop, int *exponent)
{
    int negative = block[at + 1] == '-', first = at + 1 + (negative | (block[at + 1] == '+')), count = stop - first;
    if ((block[at] | 0x20) != 'e' || (unsigned)(count - 1) >= 3 || (~digit >> first & ((1u << count) - 1)))
        return 0;
    int value = (int)digits_before(block + stop, count);
    *exponent = negative ? -value : value;
    return 1;
}

/* Converts the mantissa "-12.345" between start and stop in block, with its point at `point` (== stop without one),
 * times 10^exponent. Returns 0 if digits or power of ten are not exact as doubles. */
static inline int convert(const char *block, int start, int point, int stop, int exponent, double *value)
{
    static const double sign[] = {0.0, -0.0};
    int negative = block[start] == '-';
    int whole = point - start - negative, fraction = stop - point - (point < stop), power = exponent - fraction;
    if ((unsigned)(whole - 1) >= 8 || fraction > 8 || whole + fraction > 15 || power < -22 || power > 22)
        return 0;
    __m128d halves = convert_words(block + point - 8, whole, block + stop - 8, fraction);
    __m128d shifted = _mm_mul_sd(halves, _mm_load_sd(&ten[fraction]));
    __m128d digits = _mm_add_sd(shifted, _mm_unpackhi_pd(halves, halves));
    __m128d magnitude = power <= 0 ? _mm_div_sd(digits, _mm_load_sd(&ten[-power]))
                                   : _mm_mul_sd(digits, _mm_load_sd(&ten[power]));
    _mm_store_sd(value, _mm_xor_pd(magnitude, _mm_load_sd(&sign[negative]))); /* branch-free: signs are unpredictable */
    return 1;
}

/* Likewise through an integer, for up to 8 digits before the point and 8 to 16 after it, at most 19 in total. */
static int convert_long(const char *block, int start, int point, int stop, int exponent, double *value)
{
    int negative = block[start] == '-';
    int whole = point - start - negative, fraction = stop - point - (point < stop), high = fraction - 8;
    if ((unsigned)(whole - 1) >= 8 || high < 0 || high > 8 || whole + fraction > 19)
        return 0;
    uint64_t mantissa = digits_before(block + point, whole) * number_power_of_ten(fraction) +
                        digits_before(block + stop - 8, high) * 100000000 + digits_before(block + stop, 8);
    double magnitude = 0;
    if (!number_from_decimal(mantissa, exponent - fraction, &magnitude))
        return 0;
    *value = negative ? -magnitude : magnitude;
    return 1;
}

/* Bits of a block where a number begins, has its point (else stop), ends its mantissa, and where the blank after it
 * is. */
typedef struct DecimalLayout {
    int start, point, stop, after;
} DecimalLayout;

/* Converts a number. If the mantissa ends before the blank, an exponent may follow. */
static inline int convert_any(const char *block, uint64_t digit, DecimalLayout p, double *value)
{
    int exponent = 0;
    if (p.stop == p.after || read_run_exponent(block, digit, p.stop, p.after, &exponent))
        if (convert(block, p.start, p.point, p.stop, exponent, value) ||
            convert_long(block, p.start, p.point, p.stop, exponent, value))
            return 1;
    return number_scan(block + p.start, block + p.after, value) == block + p.after && isfinite(*value);
}

/* Converts the numbers of a block up to the blank at bit last; returns the position reached. */
static const char *convert_block(const char *block, const Masks *m, int last, double **value)
{
    uint64_t starts = ~m->blank & (m->blank << 1 | 1);
    uint64_t odd = ~(m->blank | m->digit | m->point | (m->minus & starts)); /* characters of no plain number */
    uint64_t ends = m->blank & ~m->blank << 1, points = m->point;
    odd |= (~m->blank + points) & points; /* second points: the sum carries from the first to the end of the number */
    starts &= ((uint64_t)1 << last) - 1;
    double *out = *value;
    for (; starts; starts &= starts - 1, ends &= ends - 1, out++) {
        uint64_t end = ends & -ends, stops = ends | (odd & (end - 1));
        DecimalLayout layout = {__builtin_ctzll(starts), __builtin_ctzll(points | stops), __builtin_ctzll(stops),
                                __builtin_ctzll(ends)};
        if (!convert_any(block, m->digit, layout, out))
            break;
        odd &= -end;
        points &= -end;
    }
    *value = out;
    return block + (starts ? __builtin_ctzll(starts) : last);
}

const char *number_run_scan(const char *at, const char *end, double **value, const double *stop)
{
    while (end - at >= BLOCK && stop - *value >= BLOCK_NUMBERS) {
        Masks m = find_masks(at);
        if (!m.blank)
            return at;
        uint64_t line_ends = m.control ? find_line_ends(at) : 0;
        /* Up to the end of the line, or else to the last blank: numbers before it are complete. */
        int last = line_ends ? __builtin_ctzll(line_ends) : 63 - __builtin_clzll(m.blank);
        const char *reached = convert_block(at, &m, last, value);
        if (line_ends || reached != at + last || last == 0)
            return reached;
        at = reached;
    }
    return at;
}

#else

const char *number_run_scan(const char *at, const char *end, double **value, const double *stop)
{
    (void)end;
    (void)value;
    (void)stop;
    return at;
}

#endif
