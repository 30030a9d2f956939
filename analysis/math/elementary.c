#include "analysis/math/elementary.h"

#include <sleef.h>

double elementary_sin(double x) { return Sleef_cinz_sind1_u10purec(x); }
double elementary_cos(double x) { return Sleef_cinz_cosd1_u10purec(x); }
double elementary_tan(double x) { return Sleef_cinz_tand1_u10purec(x); }
double elementary_atan2(double y, double x) { return Sleef_cinz_atan2d1_u10purec(y, x); }
double elementary_asin(double x) { return Sleef_cinz_asind1_u10purec(x); }
double elementary_acos(double x) { return Sleef_cinz_acosd1_u10purec(x); }
double elementary_exp(double x) { return Sleef_cinz_expd1_u10purec(x); }
double elementary_expm1(double x) { return Sleef_cinz_expm1d1_u10purec(x); }
double elementary_log(double x) { return Sleef_cinz_logd1_u10purec(x); }
double elementary_pow(double x, double y) { return Sleef_cinz_powd1_u10purec(x, y); }

void elementary_sincos(double x, double *sine, double *cosine)
{
    Sleef_double_2 both = Sleef_cinz_sincosd1_u10purec(x);
    *sine = both.x;
    *cosine = both.y;
}
