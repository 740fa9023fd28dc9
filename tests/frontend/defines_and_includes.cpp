// -D and -I reach the preprocessor, joined or apart. Folders of includes may be written as on Windows.
// RUN: mkdir -p %t/parts %t/value/next %t/next
// RUN: printf '%%s\n' '#include "parts\value.h"' > %t/value.h
// RUN: printf '%%s\n' '#  include <value\..\more.h> // a\b' > %t/parts/value.h
// RUN: printf '%%s\n' '#define VALUE sizeof("\12345678")' > %t/more.h
// RUN: printf '%%s\n' '#include_next <next\one.h>' > %t/next/one.h
// RUN: printf '%%s\n' '#define NEXT 1' > %t/value/next/one.h
// RUN: cmc -I %t -I %t/value -D ROW=3 -DNAME=kernel_name %s -S -o - | FileCheck %s
// RUN: cmc -I%t -I%t/value -DROW=3 -D NAME=kernel_name %s -O0 -g -c -o %t/program.isa
#include "value.h"
#include <cm/cm.h>
#if __has_include("parts\none.h") || !__has_include ( <parts\value.h> )
#error of a condition
#endif
#include <next\one.h>

// What looks like an include in a string or a comment stays as it is.
constexpr char quotes[] = {'"', '\'', '\\', char(1'0)}, before[] = "R\"(";
constexpr char raw[] = R"x(
#include "parts\value.h")" )x";
static_assert(raw[16] == '\\' && NEXT == 1);

// CHECK: define spir_func void @kernel_name(
// CHECK: media.st.v4i8(i32 0, i32 %out, i32 0, i32 4, i32 0, i32 3, <4 x i8> splat (i8 7))
extern "C" _GENX_MAIN_ void NAME(SurfaceIndex out) {
  vector<uchar, 4> v = VALUE;
  write(out, 0, ROW, v);
}
