// The check device finds planted mistakes, each with its kind and line, in every order of threads, and says nothing of
// kernels that make none.
//
// Every row is the body of a kernel with these parameters: `in` and `out` are buffers of 1024 bytes, `image` has 64 x
// 16 pixels of 4 bytes (R32_UINT), `memory` is the address of a buffer of 256 bytes, `n` a number; `fresh` and
// `picture` are a buffer and an image like `in` and `image` whose contents nobody has given, `cube` such an image of 4
// slices of 4 rows. The mistake is in the line
// that ends with /*!*/; a race has two ends.
#include "Kernels.h"
#include "program/Inside.h"
#include "runtime/Memory.h"
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <regex>
#include <set>

namespace {

struct Shape {
  std::uint32_t threads = 1, groups = 0; ///< In a row; with groups, threads of each.
};

struct Row {
  const char *name, *kind; ///< Null: nothing is wrong.
  const char *body;
  int n = 0;
  Shape shape = {};
};

constexpr Shape four{4, 0}, group{4, 1}, groups{4, 2};

const Row rows[] = {
    // Buffers
    {"owordRead", "beyond-surface", "vector<int, 16> v;\nread(in, n, v); /*!*/\nwrite(out, 0, v);", 976},
    {"owordReadNegative", "beyond-surface", "vector<int, 16> v;\nread(in, n, v); /*!*/\nwrite(out, 0, v);", -64},
    {"owordReadFarAway", "beyond-surface", "vector<int, 16> v;\nread(in, n, v); /*!*/\nwrite(out, 0, v);", 1 << 20},
    {"owordReadUnaligned", "beyond-surface", "vector<int, 16> v;\nread(DWALIGNED(in), n, v); /*!*/\nwrite(out, 0, v);",
     964},
    {"owordWrite", "beyond-surface", "vector<int, 16> v = 1;\nwrite(out, n, v); /*!*/", 1008},
    {"owordWriteByThread", "beyond-surface",
     "vector<int, 32> v = 1;\nwrite(out, (get_thread_origin_x() + n) * 128, v); /*!*/", 5, four},
    {"gather", "beyond-surface",
     "vector<uint, 8> o = steps<8>(1), v;\no(5) = n;\nread(in, 0, o, v); /*!*/\nwrite(out, 0, v);", 256},
    {"gatherGlobalOffset", "beyond-surface",
     "vector<uint, 8> o = steps<8>(1), v;\nread(in, n, o, v); /*!*/\nwrite(out, 0, v);", 250},
    {"gatherBytes", "beyond-surface",
     "vector<uint, 8> o = steps<8>(1);\nvector<uchar, 8> v;\nread(in, n, o, v); /*!*/\nvector<uint, 8> w = "
     "v;\nwrite(out, 0, "
     "w);",
     1017},
    {"scatter", "beyond-surface", "vector<uint, 8> o = steps<8>(1), v = 3;\nwrite(out, n, o, v); /*!*/", 249},
    {"scatterNegative", "beyond-surface", "vector<uint, 8> o = steps<8>(1), v = 3;\nwrite(out, n, o, v); /*!*/", -1},
    {"atomic", "beyond-surface", "vector<uint, 8> o = steps<8>(1);\no(7) = n;\nwrite_atomic<ATOMIC_INC>(out, o); /*!*/",
     256},
    {"untypedRead", "beyond-surface",
     "vector<uint, 8> o = steps<8>(4);\nmatrix<uint, 4, 8> m;\no += n;\nread_untyped(in, CM_ABGR_ENABLE, m, o); /*!*/\n"
     "vector<uint, 8> v = m.row(0) + m.row(1) + m.row(2) + m.row(3);\nwrite(out, 0, v);",
     226},
    {"untypedWrite", "beyond-surface",
     "vector<uint, 8> o = steps<8>(4);\nmatrix<uint, 4, 8> m = 1;\no += n;\nwrite_untyped(out, CM_ABGR_ENABLE, m, o); "
     "/*!*/",
     228},
    {"lscBlockLoad", "beyond-surface",
     "vector<uint, 8> v;\nv = cm_load<uint, 8>(in, uint(n)); /*!*/\nwrite(out, 0, v);", 996},
    {"lscBlockStore", "beyond-surface", "vector<uint, 8> v = 1;\ncm_store<uint, 8>(out, uint(n), v); /*!*/", 1000},
    {"lscGather", "beyond-surface",
     "vector<uint, 8> o = steps<8>(4), v;\nv = cm_load<uint>(in, o + uint(n)); /*!*/\nwrite(out, 0, v);", 996},
    {"lscGatherOfSeveral", "beyond-surface",
     "vector<uint, 4> o = steps<4>(8);\nvector<uint, 8> v;\nv = cm_load<uint, VectorSize::N2>(in, o + uint(n)); /*!*/\n"
     "write(out, 0, v);",
     996},
    {"lscScatter", "beyond-surface",
     "vector<uint, 8> o = steps<8>(4), v = 1;\ncm_store<uint>(out, o + uint(n), v); /*!*/", 1000},
    {"lscQuad", "beyond-surface",
     "vector<uint, 8> o = steps<8>(16), v;\nv = cm_load4<uint, CM_A_ENABLE>(in, o + uint(n)); /*!*/\nwrite(out, 0, v);",
     904},
    {"lscAtomic", "beyond-surface",
     "vector<uint, 4> o = steps<4>(4);\ncm_atomic<AtomicOp::IADD, uint>(out, o + uint(n), 1u); /*!*/", 1016},

    // Images
    {"mediaReadOutside", "beyond-surface",
     "matrix<uchar, 4, 16> m;\nread(image, n, 0, m); /*!*/\nvector<uchar, 64> v = m;\nwrite(out, 0, v);", 256},
    {"mediaReadLeft", "beyond-surface",
     "matrix<uchar, 4, 16> m;\nread(image, n, 0, m); /*!*/\nvector<uchar, 64> v = m;\nwrite(out, 0, v);", -20},
    {"mediaReadAbove", "beyond-surface",
     "matrix<uchar, 4, 16> m;\nread(image, 0, n, m); /*!*/\nvector<uchar, 64> v = m;\nwrite(out, 0, v);", -5},
    {"mediaReadsOfNeighbours", nullptr,
     "matrix<uchar, 1, 16> above, corner;\nread(image, 0, n, above);\nread(image, -16, n, corner);\n"
     "matrix<uchar, 4, 4> left;\nread(image, -4, 0, left);\nvector<uchar, 16> v = above + corner + "
     "left.format<uchar>();\n"
     "write(out, 0, v);",
     -1},
    {"mediaWriteLeft", "beyond-surface", "matrix<uchar, 4, 16> m = 1;\nwrite(image, n, 0, m); /*!*/", -16},
    {"mediaWriteBelow", "beyond-surface", "matrix<uchar, 4, 16> m = 1;\nwrite(image, 0, n, m); /*!*/", 16},
    {"mediaWriteRight", "beyond-surface", "matrix<uint, 4, 4> m = 1;\nwrite(image, n, 0, m); /*!*/", 256},
    {"typedRead", "beyond-surface",
     "vector<uint, 8> u = steps<8>(1), w = 0;\nmatrix<uint, 1, 8> m;\nread_typed(image, CM_R_ENABLE, m, u + uint(n), "
     "w); "
     "/*!*/\n"
     "vector<uint, 8> r = m;\nwrite(out, 0, r);",
     57},
    {"typedWrite", "beyond-surface",
     "vector<uint, 8> u = steps<8>(1), w = uint(n);\nmatrix<uint, 1, 8> m = 1;\nwrite_typed(image, CM_R_ENABLE, m, u, "
     "w); "
     "/*!*/",
     16},

    // Shared local memory
    {"slmBlockWrite", "beyond-surface",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nvector<int, 8> v = 1;\ncm_slm_block_write(s, n, v); /*!*/", 48},
    {"slmRead", "beyond-surface",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nvector<int, 16> v = 1;\ncm_slm_block_write(s, 0, v);\n"
     "vector<ushort, 16> o = steps<16>(1);\no += n;\ncm_slm_read(s, o, v); /*!*/\nwrite(out, 0, v);",
     1},
    {"slmAtomic", "beyond-surface",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nvector<ushort, 8> o = steps<8>(1);\nvector<uint, 8> v = 1;\n"
     "vector<uint, 16> z = 0;\ncm_slm_block_write(s, 0, z);\no += n;\ncm_slm_atomic(s, ATOMIC_ADD, o, NULL, v); /*!*/",
     10},
    {"slmWithoutInit", "no-slm", "vector<int, 8> v = 1;\ncm_slm_block_write(0, n, v); /*!*/", 0},
    {"slmLscWithoutInit", "no-slm", "cm_store_slm<uint, 4>(uint(n), vector<uint, 4>(1)); /*!*/", 0},

    // Memory by address
    {"svmBlockRead", "beyond-allocation",
     "vector<uint, 8> v;\ncm_svm_block_read(memory + n, v); /*!*/\nwrite(out, 0, v);", 240},
    {"svmBlockWrite", "beyond-allocation", "vector<uint, 8> v = 1;\ncm_svm_block_write(memory + n, v); /*!*/", 256},
    {"svmReadBefore", "beyond-allocation",
     "vector<uint, 4> v;\ncm_svm_block_read(memory + n, v); /*!*/\nwrite(out, 0, v);", -16},
    {"svmScattered", "beyond-allocation",
     "vector<svmptr_t, 8> a = steps<8>(4);\na += memory + n;\nvector<uint, 8> v;\ncm_svm_scatter_read(a, v); /*!*/\n"
     "write(out, 0, v);",
     228},
    {"blockOfTooManyRows", "beyond-allocation",
     "vector<uint, 8> v;\nv = cm_ptr_load<uint, 4, 2>((uint *)memory, 63, n, 63, 0, 3); /*!*/\nwrite(out, 0, v);", 4},
    {"blockOfTooLongRows", "beyond-allocation",
     "vector<uint, 8> v;\nv = cm_ptr_load<uint, 4, 2>((uint *)memory, n, 3, n, 4, 2); /*!*/\nwrite(out, 0, v);", 79},
    {"svmAtomic", "beyond-allocation",
     "vector<svmptr_t, 8> a = steps<8>(4);\na += memory + n;\nvector<uint, 8> old;\ncm_svm_atomic(ATOMIC_INC, a, old); "
     "/*!*/",
     252},

    // Offsets
    {"misalignedRead", "misaligned", "vector<int, 8> v;\nread(in, n, v); /*!*/\nwrite(out, 0, v);", 8},
    {"misalignedProduct", "misaligned", "vector<int, 8> v;\nread(in, n * 4, v); /*!*/\nwrite(out, 0, v);", 2},
    {"alignedByDivision", nullptr, "vector<int, 4> v = 0;\nif (n >= 0)\n  read(in, n / 4 * 16, v);\nwrite(out, 0, v);",
     7},
    {"alignedByMask", nullptr, "vector<int, 4> v = 1;\nwrite(out, (uint(n) >> 3 << 2) * 4, v);", 15},
    {"alignedDwords", nullptr,
     "vector<int, 4> v = 0;\nif (n >= 0)\n  read(DWALIGNED(in), n / 4 * 4, v);\nwrite(out, 0, v);", 7},
    {"misalignedWrite", "misaligned", "vector<int, 8> v = 1;\nwrite(out, n, v); /*!*/", 20},
    {"misalignedDwords", "misaligned", "vector<int, 8> v;\nread(DWALIGNED(in), n, v); /*!*/\nwrite(out, 0, v);", 6},
    {"misalignedLsc", "misaligned", "vector<uint, 8> v;\nv = cm_load<uint, 8>(in, uint(n)); /*!*/\nwrite(out, 0, v);",
     2},
    {"misalignedAtomic", "misaligned",
     "vector<uint, 4> o = steps<4>(4);\ncm_atomic<AtomicOp::IADD, uint>(out, o + uint(n), 1u); /*!*/", 2},
    {"misalignedSlm", "misaligned",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nvector<int, 8> v = 1;\ncm_slm_block_write(s, n, v); /*!*/", 4},

    // Kinds of surfaces
    {"constantTable", "beyond-object",
     "static const int table[5] = {1, 2, 3, 4, 5};\nvector<int, 16> v = table[n]; /*!*/\nwrite(out, 0, v);", 5},
    {"constantTableInside", nullptr,
     "static const int table[5] = {1, 2, 3, 4, 5};\nvector<int, 16> v = table[n];\nwrite(out, 0, v);", 4},
    {"rowReadAndWritten", "beyond-object",
     "matrix<int, 4, 4> m = 0;\nfor (int i = 0; i <= n; i++)\n  m.row(i) += 1; /*!*/\nwrite(out, 0, m.select_all());",
     4},
    // Blocks that an unrolled loop writes are looked at together.
    {"mediaBlocksBelow", "beyond-surface",
     "matrix<uint, 2, 4> m = 1;\n#pragma unroll\nfor (int i = 0; i < 6; i += 2)\n  write(image, n, i, m); /*!*/", 256},
    {"mediaBlocksMeet",
     "race",
     "matrix<uint, 2, 4> m = 1;\n#pragma unroll\nfor (int i = 0; i < 6; i += 2)\n"
     "  write(image, 0, get_thread_origin_x() * n + i, m); /*!*/",
     5,
     {2, 0}},
    {"mediaBlocksSideBySide",
     "race",
     "matrix<uint, 2, 4> m = 1;\n#pragma unroll\nfor (int i = 0; i < 6; i += 2) {\n"
     "  write(image, 64 + get_thread_origin_x() * 16, i, m);\n  write(image, get_thread_origin_x() * n, i, m); "
     "/*!*/\n}",
     12,
     {2, 0}},
    {"mediaBlocksApart",
     nullptr,
     "matrix<uint, 2, 4> m = 1;\n#pragma unroll\nfor (int i = 0; i < 6; i += 2)\n"
     "  write(image, 0, get_thread_origin_x() * n + i, m);",
     6,
     {2, 0}},
    {"mediaBlocksWithGaps",
     nullptr,
     "matrix<uint, 1, 4> m = 1;\n#pragma unroll\nfor (int i = 0; i < 6; i += 2)\n"
     "  write(image, 0, get_thread_origin_x() * n + i, m);",
     1,
     {2, 0}},
    {"mediaReadOfBuffer", "wrong-surface",
     "matrix<uchar, 4, 16> m;\nread(in, n, 0, m); /*!*/\nvector<uchar, 64> v = m;\nwrite(out, 0, v);", 0},
    {"mediaWriteOfBuffer", "wrong-surface", "matrix<uchar, 1, 16> m = 1;\nwrite(out, n, 0, m); /*!*/", 0},
    {"owordReadOfImage", "wrong-surface", "vector<int, 16> v;\nread(image, n, v); /*!*/\nwrite(out, 0, v);", 0},
    {"owordReadOfFreshImage", "wrong-surface", "vector<int, 16> v;\nread(picture, n, v); /*!*/\nwrite(out, 0, v);", 0},
    {"gatherBeyondFreshImage", "wrong-surface",
     "vector<uint, 8> o = steps<8>(1), v;\nread(picture, n, o, v); /*!*/\nwrite(out, 0, v);", 1 << 20},
    {"owordWriteOfFreshVolume", "wrong-surface",
     "vector<int, 4> v = 1;\nwrite(cube, n, v); /*!*/\nvector<uint, 8> u = steps<8>(1), w = 0, z = 3;\n"
     "matrix<uint, 1, 8> m;\nread_typed(cube, CM_R_ENABLE, m, u, w, z);\nvector<uint, 8> r = m;\nwrite(out, 0, r);",
     0},
    {"gatherOfImage", "wrong-surface",
     "vector<uint, 8> o = steps<8>(1), v;\nread(image, n, o, v); /*!*/\nwrite(out, 0, v);", 0},
    {"atomicOfImage", "wrong-surface",
     "vector<uint, 8> o = steps<8>(1);\nwrite_atomic<ATOMIC_INC>(image, o + uint(n)); /*!*/", 0},
    {"typedReadOfBuffer", "wrong-surface",
     "vector<uint, 8> u = steps<8>(1), w = 0;\nmatrix<uint, 1, 8> m;\nread_typed(in, CM_R_ENABLE, m, u + uint(n), w); "
     "/*!*/\n"
     "vector<uint, 8> r = m;\nwrite(out, 0, r);",
     0},

    // Elements
    {"elementRead", "beyond-object", "vector<int, 8> v{0, 1};\nvector<int, 4> r = v[n]; /*!*/\nwrite(out, 0, r);", 8},
    {"elementWrite", "beyond-object", "vector<int, 8> v{0, 1};\nv[n] = 5; /*!*/\nwrite(out, 0, v);", 9},
    {"elementNegative", "beyond-object", "vector<int, 8> v{0, 1};\nv[n] = 5; /*!*/\nwrite(out, 0, v);", -1},
    {"elementFarAway", "beyond-object", "vector<int, 8> v{0, 1};\nv[n] = 5; /*!*/\nwrite(out, 0, v);", 65536 + 3},
    {"selectRead", "beyond-object",
     "vector<int, 16> v{0, 1};\nvector<int, 4> r = v.select<4, 1>(n); /*!*/\nwrite(out, 0, r);", 13},
    {"selectWrite", "beyond-object", "vector<int, 16> v{0, 1};\nv.select<4, 2>(n) = 3; /*!*/\nwrite(out, 0, v);", 10},
    {"rowRead", "beyond-object",
     "matrix<int, 4, 4> m = 1;\nread(in, 0, m.select_all());\nvector<int, 4> r = m.row(n); /*!*/\nwrite(out, 0, r);",
     4},
    {"matrixSelect", "beyond-object",
     "matrix<int, 4, 8> m = 1;\nm.select<2, 1, 2, 1>(n, 0) = 3; /*!*/\nvector<int, 32> r = m;\nwrite(out, 0, r);", 3},
    {"arrayRead", "beyond-object",
     "int a[10];\nfor (int i = 0; i < 10; ++i)\n  a[i] = i * n;\nvector<int, 4> r = a[n]; /*!*/\nwrite(out, 0, r);",
     10},
    {"arrayWrite", "beyond-object",
     "int a[10];\nfor (int i = 0; i < 10; ++i)\n  a[i] = i * n;\na[n - 20] = 1; /*!*/\nvector<int, 4> r = a[n & 7];\n"
     "write(out, 0, r);",
     17},
    {"arrayOfVectors", "beyond-object",
     "vector<int, 4> a[8];\nfor (int i = 0; i < 8; ++i)\n  a[i] = i * n;\nvector<int, 4> r = a[n]; /*!*/\n"
     "write(out, 0, r);",
     8},

    {"chosenElements", "beyond-object",
     "vector<int, 16> v{0, 1};\nvector<ushort, 4> i{0, 3};\ni += n;\nvector<int, 4> r = v.iselect(i); /*!*/\n"
     "write(out, 0, r);",
     13},
    {"chosenElementsAllAlike", "beyond-object",
     "vector<int, 16> v = n;\nvector<ushort, 4> i{0, 3};\ni += n;\nvector<int, 4> r = v.iselect(i); /*!*/\n"
     "write(out, 0, r);",
     13},
    {"chosenElementsOfConstant", "beyond-object",
     "vector<int, 16> v = 7;\nvector<ushort, 4> i{0, 3};\ni += n;\nvector<int, 4> r = v.iselect(i); /*!*/\n"
     "write(out, 0, r);",
     13},

    // Elements that LLVM chooses before it knows whether they are wanted: sooner than the source says
    {"elementWrittenIf", nullptr, "vector<int, 16> v = 0;\nif (n < 16)\n  v(n) = 7;\nwrite(out, 0, v);", 20},
    {"elementWrittenIfFarther", "beyond-object",
     "vector<int, 16> v = 0;\nif (n < 24)\n  v(n) = 7; /*!*/\nwrite(out, 0, v);", 20},
    {"elementReadIf", nullptr,
     "vector<int, 16> v;\nread(in, 0, v);\nvector<int, 4> r = n < 16 ? v(n) : -1;\nwrite(out, 0, r);", 20},
    {"elementReadIfFarther", "beyond-object",
     "vector<int, 16> v;\nread(in, 0, v);\nvector<int, 4> r = n < 24 ? v(n) : -1; /*!*/\nwrite(out, 0, r);", 20},
    {"elementsChangedIf", nullptr,
     "vector<int, 16> v, w;\nread(in, 0, v);\nw = v;\nif (n < 16) {\n  v(n) += w(15 - n);\n  w(n) = 4;\n} else {\n"
     "  w(n - 16) = v(n - 10);\n}\nv += w;\nwrite(out, 0, v);",
     20},
    {"elementReadIfInALoop", nullptr,
     "vector<int, 16> v;\nread(in, 0, v);\nint s = 0;\nfor (int i = 0; i < 9 + s; i++) {\n  if (n < 16)\n    s += v(n) "
     "* "
     "i;\n  v(3) += 1;\n}\nv += s;\nwrite(out, 0, v);",
     20},
    {"elementReadIfInALoopFarther", "beyond-object",
     "vector<int, 16> v;\nread(in, 0, v);\nint s = 0;\nfor (int i = 0; i < n; i++) {\n  if (n < 24)\n    s += v(n); "
     "/*!*/\n  v(3) += 1;\n}\nv += s;\nwrite(out, 0, v);",
     20},
    {"elementsReadIfAll", nullptr,
     "vector<int, 16> v;\nread(in, 0, v);\nif (n < 8 && v(n) == 0 && v(n * 2) == 0)\n  v = 3;\nwrite(out, 0, v);", 20},
    {"regionsWrittenIf", nullptr,
     "matrix<int, 4, 4> m = 0;\nif (n < 4)\n  m.row(n) = 5;\nelse if (n < 16)\n  m(n / 4, n % 4) = 6;\nif (n < 13)\n"
     "  m.format<int>().select<4, 1>(n) = 2;\nwrite(out, 0, m.format<int>());",
     20},
    {"chosenInLanesThatAreOn", nullptr,
     "vector<int, 16> v, g = 0;\nread(in, 0, v);\nvector<uint, 16> i = steps<16>(1) + n;\nSIMD_IF_BEGIN(i < 16) {\n"
     "  g = v.iselect(vector<ushort, 16>(i));\n} SIMD_IF_END;\nvector<int, 16> h = v.iselect(vector<ushort, "
     "16>(i));\nh.merge(0, i > 15);\ng += h;\nwrite(out, 0, g);",
     10},
    {"chosenInLanesThatAreOnFarther", "beyond-object",
     "vector<int, 16> v, g = 0;\nread(in, 0, v);\nvector<uint, 16> i = steps<16>(1) + n;\nSIMD_IF_BEGIN(i < 24) {\n"
     "  g = v.iselect(vector<ushort, 16>(i)); /*!*/\n} SIMD_IF_END;\nwrite(out, 0, g);",
     10},
    {"chosenForLanesOfAMessage", nullptr,
     "vector<int, 16> v;\nread(in, 0, v);\nvector<uint, 16> i = steps<16>(1) + n;\n"
     "vector<ushort, 16> on = i < 16;\nvector<int, 16> g = v.iselect(vector<ushort, 16>(i));\n"
     "cm_store<int>(out, i * 4, g, on);",
     10},
    // Parts of objects, as the source divides them
    {"innerArrayRead", "beyond-object",
     "int a[4][4];\nfor (int i = 0; i < 16; i++)\n  a[i / 4][i % 4] = i;\nvector<int, 8> v = a[1][n]; "
     "/*!*/\nwrite(out, "
     "0, v);",
     5},
    {"innerArrayWrite", "beyond-object",
     "struct S { int a[3], b; } s = {};\ns.a[n] = 1; /*!*/\nvector<int, 8> v = s.a[0] + s.b;\nwrite(out, 0, v);", 3},
    {"columnOfAnElement", "beyond-object",
     "matrix<int, 4, 4> m = 0;\nm(1, n) = 1; /*!*/\nwrite(out, 0, m.format<int>());", 5},
    {"columnsOfASelect", "beyond-object",
     "matrix<int, 4, 8> m = 0;\nm.select<2, 1, 2, 1>(1, n) = 1; /*!*/\nwrite(out, 0, m.format<int>());", 7},
    {"columnOfAMatrix", "beyond-object",
     "matrix<int, 4, 4> m;\nread(in, 0, m.format<int>());\nvector<int, 4> r = 0;\nr.select<3, 1>(0) = "
     "m.select<3, 1, 4, 1>(0, 0).column(n); /*!*/\nwrite(out, 0, r);",
     4},
    {"rowOfAPart", "beyond-object",
     "matrix<int, 4, 4> m;\nread(in, 0, m.format<int>());\nvector<int, 4> r = m.select<2, 1, 4, 1>(0, 0).row(n); "
     "/*!*/\n"
     "write(out, 0, r);",
     2},
    {"elementOfAPart", "beyond-object",
     "vector<int, 16> v;\nread(in, 0, v);\nvector_ref<int, 4> part = v.select<4, 1>(8);\npart(n) = 3; "
     "/*!*/\nwrite(out, "
     "0, v);",
     4},
    {"partsInside", nullptr,
     "int a[4][4];\nfor (int i = 0; i < 16; i++)\n  a[i / 4][i % 4] = i;\nmatrix<int, 4, 4> m = a[n][3 - n];\n"
     "m.row(n) += 1;\nm.column(3) = m(n, n);\nm.select<2, 1, 2, 1>(n - 1, 2) = 3;\nm.select<2, 2, 2, 3>(n - 2, 0) = "
     "3;\n"
     "m.select<2, 1, 4, 1>(2, 0).row(n - 2)(n) = 2;\nint *last = a[3] + 4, *p = &a[0][0];\nint s = 0;\nwhile (p < "
     "last)\n  s += *p++;\nif (n < 4)\n  s += a[n][n];\nm(0, 0) = s;\nwrite(out, 0, m.format<int>());",
     3},

    // Surfaces that nobody wrote
    {"freshBuffer", "unwritten-surface", "vector<int, 16> v;\nread(fresh, n, v); /*!*/\nwrite(out, 0, v);", 64},
    {"freshPart", "unwritten-surface",
     "vector<int, 16> v = 1;\nwrite(fresh, 0, v);\nread(fresh, n, v); /*!*/\nwrite(out, 0, v);", 16},
    {"freshScattered", "unwritten-surface",
     "vector<uint, 8> o = steps<8>(1), v = 1;\nwrite(fresh, 0, o, v);\no(3) = n;\nread(fresh, 0, o, v); /*!*/\n"
     "write(out, 0, v);",
     8},
    {"freshAtomic", "unwritten-surface",
     "vector<uint, 8> o = steps<8>(1);\no += n;\nwrite_atomic<ATOMIC_INC>(fresh, o); /*!*/", 0},
    {"freshLsc", "unwritten-surface",
     "vector<uint, 8> v;\nv = cm_load<uint, 8>(fresh, uint(n)); /*!*/\nwrite(out, 0, v);", 32},
    {"freshImage", "unwritten-surface",
     "matrix<uchar, 4, 16> m = 1;\nwrite(picture, 0, 0, m);\nread(picture, n, 0, m); /*!*/\nvector<uchar, 64> v = m;\n"
     "write(out, 0, v);",
     4},
    {"freshSlice", "unwritten-surface",
     "vector<uint, 8> u = steps<8>(1), w = 0, z = 1;\nmatrix<uint, 1, 8> m = 1;\n"
     "write_typed(cube, CM_R_ENABLE, m, u, w, z);\nz += n;\nread_typed(cube, CM_R_ENABLE, m, u, w, z); /*!*/\n"
     "vector<uint, 8> r = m;\nwrite(out, 0, r);",
     1},
    {"freshPixels", "unwritten-surface",
     "vector<uint, 8> u = steps<8>(1), w = uint(n);\nmatrix<uint, 1, 8> m;\n"
     "read_typed(picture, CM_R_ENABLE, m, u, w); /*!*/\nvector<uint, 8> r = m;\nwrite(out, 0, r);",
     3},

    // Variables that nobody wrote
    {"unwrittenElement", "unwritten-value", "vector<int, 4> v;\nv.select<3, 1>(0) = n;\nwrite(out, 0, v); /*!*/"},
    {"unwrittenVector", "unwritten-value", "vector<int, 16> v;\nwrite(out, n, v); /*!*/"},
    {"unwrittenRow", "unwritten-value",
     "matrix<int, 4, 4> m;\nfor (int i = 0; i < 3; ++i)\n  m.row(i) = n;\nvector<int, 16> v = m + 1;\n"
     "write(out, 0, v); /*!*/"},
    {"unwrittenOnOnePath", "unwritten-value",
     "vector<int, 4> v = 1;\nint x;\nif (n > 3)\n  x = 1;\nif (x == 1) /*!*/\n  write(out, 0, v);"},
    {"unwrittenOffset", "unwritten-value",
     "vector<int, 4> v = 1;\nint x;\nif (n > 3)\n  x = 16;\nwrite(out, x, v); /*!*/"},
    {"unwrittenBits", "unwritten-value",
     "vector<int, 4> v = 1;\nvector<uchar, 4> b;\nb(0) = n;\nvector<uint, 1> w = b.format<uint>();\n"
     "if (w(0) & 0x100) /*!*/\n  write(out, 0, v);"},
    {"unwrittenInSimdIf", "unwritten-value",
     "vector<uint, 8> o = steps<8>(1), v;\nSIMD_IF_BEGIN(o < uint(n)) {\n  v = 1;\n} SIMD_IF_END;\n"
     "write(out, 0, v); /*!*/",
     4},
    {"unwrittenByALoop", "unwritten-value",
     "vector<int, 8> v;\nfor (int i = 0; i < n; ++i)\n  v[i] = i;\nwrite(out, 0, v); /*!*/", 7},
    {"unwrittenSinceTheLastIteration", "unwritten-value",
     "for (int i = 0; i < 2; ++i) {\n  vector<int, 4> v;\n  if (i == n)\n    v = 3;\n  write(out, i * 16, v); "
     "/*!*/\n}"},
    {"unwrittenPlaces", "unwritten-value",
     "vector<uint, 8> o, v = 1;\no.select<4, 1>(0) = n;\nwrite(out, 0, o, v); /*!*/"},
    {"unwrittenOperand", "unwritten-value",
     "vector<uint, 8> o = steps<8>(1), v;\nv.select<4, 2>(0) = n;\nwrite_atomic<ATOMIC_ADD>(out, o, v); /*!*/"},
    {"unwrittenToSlm", "unwritten-value",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nvector<int, 8> v;\nv.select<4, 1>(0) = n;\n"
     "cm_slm_block_write(s, 0, v); /*!*/"},
    {"unwrittenLsc", "unwritten-value", "vector<uint, 8> v;\nv(3) = n;\ncm_store<uint, 8>(out, 0u, v); /*!*/"},
    {"unwrittenByAddress", "unwritten-value", "vector<uint, 8> v;\nv(3) = n;\ncm_svm_block_write(memory, v); /*!*/"},
    {"unwrittenPixels", "unwritten-value",
     "vector<uint, 8> u = steps<8>(1), w = 0;\nmatrix<uint, 1, 8> m;\nm(0, 2) = n;\n"
     "write_typed(image, CM_R_ENABLE, m, u, w); /*!*/"},
    {"unwrittenIndex", "unwritten-value",
     "vector<int, 8> v{0, 1};\nint x;\nif (n > 3)\n  x = 1;\nv[x] = 5;\nwrite(out, 0, v); /*!*/"},

    // Variables of the file that nobody wrote
    {"unwrittenOfTheFile", "unwritten-value", "if (n > 3)\n  ofTheFile = n;\nwrite(out, 0, ofTheFile); /*!*/", 2},
    {"unwrittenElementsOfTheFile", "unwritten-value",
     "ofTheFile.select<4, 1>(0) = n;\nvector<int, 8> v = ofTheFile + 1;\nwrite(out, 0, v); /*!*/", 2},
    {"numberOfTheFile", "unwritten-value", "vector<int, 8> v = 1;\nwrite(out, counter * 16, v); /*!*/\ncounter = 1;"},
    {"writesWhatItReadsOfTheFile", nullptr,
     "ofTheFile = n;\ncounter = n;\nfillsOfTheFile(n);\nvector<int, 8> v = ofTheFile + table[n];\nwrite(out, 16 * "
     "counter, v);",
     2},

    // Variables in memory that nobody wrote
    {"unwrittenArrayElement", "unwritten-value",
     "int a[10];\nfor (int i = 0; i < n; ++i)\n  a[i] = i;\nvector<int, 4> v = a[n & 7];\nwrite(out, 0, v); /*!*/", 2},
    {"unwrittenElementOfAnArrayOfVectors", "unwritten-value",
     "vector<int, 4> a[8];\nfor (int i = 0; i < n; ++i)\n  a[i] = i;\nvector<int, 4> v = a[n];\nwrite(out, 0, v); "
     "/*!*/",
     5},
    {"unwrittenRowOfAnArrayOfMatrices", "unwritten-value",
     "matrix<int, 4, 4> a[4];\nfor (int i = 0; i < n; ++i)\n  a[i].select<2, 1, 4, 1>(0, 0) = i;\n"
     "vector<int, 8> v = a[n & 1].select<2, 1, 4, 1>(1, 0);\nwrite(out, 0, v); /*!*/",
     3},
    {"unwrittenMember", "unwritten-value",
     "struct { int x; float y; } s;\ns.x = n;\nif (n > 3)\n  s.y = 2;\nvector<float, 4> v = s.y;\n"
     "write(out, 0, v); /*!*/"},
    {"unwrittenMemberOfACopy", "unwritten-value",
     "struct Pair { int x, y; };\nPair a[4], b[4];\nfor (int i = 0; i < n; ++i)\n  a[i].x = i;\n"
     "for (int i = 0; i < n; ++i)\n  b[i] = a[i ^ 1];\nvector<int, 4> v = b[n & 1].y;\nwrite(out, 0, v); /*!*/",
     4},
    {"unwrittenArrayByPointer", "unwritten-value",
     "int a[16], b[16];\nint *p = n > 3 ? a : b;\nfor (int i = 0; i < 16; ++i)\n  p[i * 3 & 15] = i;\n"
     "vector<int, 4> v = a[n & 15];\nwrite(out, 0, v); /*!*/",
     2},
    {"unwrittenSinceTheLastLife", "unwritten-value",
     "for (int k = 0; k < 3; ++k) {\n  int a[16];\n  if (k != n)\n    for (int i = 0; i < 16; ++i)\n      a[i * (n + "
     "3) & "
     "15] "
     "= i;\n  vector<int, 4> v = a[n & 15];\n  write(out, k * 16, v); /*!*/\n}",
     2},
    {"unwrittenIndexOfAnArray", "unwritten-value",
     "int a[16], x;\nif (n > 3)\n  x = 2;\nfor (int i = 0; i < 16; ++i)\n  a[i * n & 15] = i;\na[x] = 5; /*!*/\n"
     "vector<int, 4> v = a[n - 3 & 15];\nwrite(out, 0, v);",
     3},
    {"unwrittenLargeArray", "unwritten-value",
     "short a[2000];\nfor (int i = 0; i < 2000; i += 2)\n  a[i] = i;\nvector<int, 4> v = a[n];\nwrite(out, 0, v); "
     "/*!*/",
     1001},

    // Races of threads of a launch
    {"sameBytesWritten", "race", "vector<int, 4> v = get_thread_origin_x();\nwrite(out, n, v); /*!*/", 16, four},
    {"overlappingWrites", "race",
     "vector<int, 8> v = get_thread_origin_x();\nwrite(out, get_thread_origin_x() * 16, v); /*!*/", 0, four},
    {"readOfNeighbour", "race",
     "int x = get_thread_origin_x();\nvector<int, 4> v = x;\nwrite(out, x * 16, v); /*!*/\n"
     "read(out, (x ^ 1) * 16, v); /*!*/\nwrite(out, 512 + x * 16, v);",
     0, four},
    {"filterInPlace", "race",
     "int x = get_thread_origin_x();\nmatrix<uchar, 4, 32> m;\nread(image, x * 16 - 8, 0, m); /*!*/\n"
     "matrix<uchar, 4, 16> r = m.select<4, 1, 16, 1>(0, 8) + m.select<4, 1, 16, 1>(0, 0);\n"
     "write(image, x * 16, 0, r); /*!*/",
     0, four},
    {"overlappingBlocks", "race",
     "int x = get_thread_origin_x();\nmatrix<uchar, 4, 16> m = x;\nwrite(image, x * 12, 0, m); /*!*/", 0, four},
    {"overlappingRows", "race",
     "int x = get_thread_origin_x();\nmatrix<uchar, 4, 16> m = x;\nwrite(image, 0, x * 3, m); /*!*/", 0, four},
    {"scatterToOnePlace", "race",
     "vector<uint, 8> o = steps<8>(1), v = get_thread_origin_x();\nwrite(out, n, o, v); /*!*/", 0, four},
    {"countWithoutAtomics", "race",
     "vector<uint, 8> o = steps<8>(1), v;\nread(out, n, o, v); /*!*/\nv += 1;\nwrite(out, n, o, v); /*!*/", 0, four},
    {"atomicAndPlain", "race",
     "vector<uint, 8> o = steps<8>(1), v;\nwrite_atomic<ATOMIC_INC>(out, o); /*!*/\nread(out, 0, v); /*!*/\n"
     "write(out, 64 + get_thread_origin_x() * 32, v);",
     0, four},
    {"typedPixels", "race",
     "vector<uint, 8> u = steps<8>(1), w = 0;\nmatrix<uint, 1, 8> m = get_thread_origin_x();\n"
     "write_typed(image, CM_R_ENABLE, m, u, w); /*!*/",
     0, four},
    {"byAddress", "race", "vector<uint, 8> v = get_thread_origin_x();\ncm_svm_block_write(memory, v); /*!*/", 0, four},
    {"lscStores", "race", "vector<uint, 8> v = get_thread_origin_x();\ncm_store<uint, 8>(out, uint(n), v); /*!*/", 0,
     four},
    {"groupsShareNothing", "race", "vector<int, 4> v = cm_local_id(0);\nwrite(out, cm_local_id(0) * 16, v); /*!*/", 0,
     groups},

    // Races of threads of a group
    {"slmReadWithoutBarrier", "race",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nint me = cm_local_id(0);\nvector<int, 4> v = me, z = 0;\n"
     "if (me == 0) {\n  vector<int, 16> zeros = 0;\n  cm_slm_block_write(s, 0, zeros);\n}\ncm_barrier();\n"
     "cm_slm_block_write(s, me * 16, v); /*!*/\ncm_slm_block_read(s, (me ^ 1) * 16, v); /*!*/\nwrite(out, me * 16, v);",
     0, group},
    {"slmReadOfANeighbourWithoutBarrier", "race",
     "cm_slm_init(512);\nuint s = cm_slm_alloc(512);\nint l = cm_local_id(0);\nvector<uint, 16> o = steps<16>(1);\n"
     "vector<int, 16> v = l, w;\ncm_slm_write(s, o + l * 16, v); /*!*/\n"
     "cm_slm_read(s, o + (l + 1 & 3) * 16, w); /*!*/\nwrite(out, l * 64, w);",
     0, group},
    {"slmWrittenAgainWithoutBarrier", "race",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nint me = cm_local_id(0);\nvector<int, 4> v = me;\n"
     "cm_slm_block_write(s, me * 16, v);\ncm_barrier();\ncm_slm_block_read(s, (me ^ 1) * 16, v); /*!*/\nv += 1;\n"
     "cm_slm_block_write(s, me * 16, v); /*!*/\nwrite(out, me * 16, v);",
     0, group},
    {"slmAllWrite", "race",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nvector<int, 4> v = cm_local_id(0);\n"
     "cm_slm_block_write(s, n, v); /*!*/",
     0, group},
    {"slmScatter", "race",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nvector<ushort, 8> o = steps<8>(1);\nvector<int, 8> v = "
     "cm_local_id(0);\n"
     "cm_slm_write(s, o, v); /*!*/",
     0, group},
    {"bufferWithoutBarrier", "race",
     "cm_slm_init(64);\nint me = cm_local_id(0);\nvector<int, 4> v = me;\nwrite(out, me * 16, v); /*!*/\n"
     "read(out, (me ^ 1) * 16, v); /*!*/\ncm_barrier();\nwrite(out, 512 + me * 16, v);",
     0, group},
    {"readBeforeTheWait", "race",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nint me = cm_local_id(0);\nvector<int, 4> v = me;\n"
     "if (me == 0) {\n  vector<int, 16> zeros = 0;\n  cm_slm_block_write(s, 0, zeros);\n}\ncm_barrier();\n"
     "cm_slm_block_write(s, me * 16, v); /*!*/\ncm_sbarrier(1);\ncm_slm_block_read(s, (me ^ 1) * 16, v); /*!*/\n"
     "cm_sbarrier(0);\nwrite(out, me * 16, v);",
     0, group},

    // Named barriers and pairs
    {"namedBarrierNotWaitedFor", "race",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\ncm_nbarrier_init(2);\nint me = cm_local_id(0);\nvector<int, 4> v = "
     "me, z = 0;\n"
     "if (me == 0) {\n  vector<int, 16> zeros = 0;\n  cm_slm_block_write(s, 0, zeros);\n}\ncm_barrier();\n"
     "cm_slm_block_write(s, me * 16, v); /*!*/\ncm_nbarrier_signal(1, 0, 4, 4);\n"
     "cm_slm_block_read(s, (me ^ 1) * 16, v); /*!*/\ncm_nbarrier_wait(1);\nwrite(out, me * 16, v);",
     0, group},
    {"anotherNamedBarrier", "race",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\ncm_nbarrier_init(3);\nint me = cm_local_id(0);\nvector<int, 4> v = "
     "me;\n"
     "if (me < 2) {\n  vector<int, 8> w = me;\n  cm_slm_block_write(s, me * 32, w); /*!*/\n  cm_nbarrier_signal(1, 0, "
     "2, 2);\n  "
     "cm_nbarrier_wait(1);\n} else {\n  cm_nbarrier_signal(2, 0, 2, 2);\n  cm_nbarrier_wait(2);\n"
     "  cm_slm_block_write(s, (me - 2) * 32, v); /*!*/\n}",
     0, group},

    // Groups
    {"barrierInABranch", "barrier", "cm_slm_init(64);\nif (cm_local_id(0) < 2)\n  cm_barrier(); /*!*/", 0, group},
    {"threadLeavesEarly", "barrier", "cm_slm_init(64);\nif (cm_local_id(0) == 3)\n  return;\ncm_barrier(); /*!*/", 0,
     group},
    {"unwrittenSlm", "unwritten-slm",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nvector<int, 4> v;\ncm_slm_block_read(s, n, v); /*!*/\n"
     "write(out, 0, v);",
     16},
    {"partOfSlmUnwritten", "unwritten-slm",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nvector<int, 4> v = 1;\nvector<int, 8> w;\n"
     "cm_slm_block_write(s, 0, v);\ncm_slm_block_read(s, n, w); /*!*/\nwrite(out, 0, w);",
     0},
    {"slmOfTheGroupBefore", "unwritten-slm",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nint me = cm_local_id(0);\nvector<int, 4> v = me;\n"
     "if (cm_group_id(0) == uint(n))\n  cm_slm_block_write(s, me * 16, v);\ncm_barrier();\n"
     "cm_slm_block_read(s, me * 16, v); /*!*/\nwrite(out, (cm_group_id(0) * 4 + me) * 16, v);",
     0, groups},

    // Of every kind
    {"slmReadFour", "beyond-surface",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nvector<uint, 16> z = 0;\ncm_slm_block_write(s, 0, "
     "z);\nvector<ushort, 8> o = steps<8>(1);\no += n;\nvector<uint, 32> v;\ncm_slm_read4(s, o, v, SLM_ABGR_ENABLE); "
     "/*!*/\nwrite(out, 0, v);",
     12},
    {"slmLscGather", "beyond-surface",
     "cm_slm_init(64);\nvector<uint, 16> z = 0;\ncm_store_slm<uint, 16>(0u, z);\nvector<uint, 8> o = steps<8>(4), "
     "v;\nv = cm_load_slm<uint>(o + uint(n)); /*!*/\nwrite(out, 0, v);",
     48},
    {"slmAllocatedBeyondInit", "beyond-surface",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64), t = cm_slm_alloc(64);\nvector<int, 8> v = n;\ncm_slm_block_write(s, "
     "0, v);\ncm_slm_block_write(t, 0, v); /*!*/"},
    {"lscByPointer", "beyond-allocation",
     "vector<uint, 8> v;\nv = cm_ptr_load<uint, 8>((const uint *)memory, uint(n)); /*!*/\nwrite(out, 0, v);", 240},
    {"misalignedSvmAtomic", "misaligned",
     "vector<svmptr_t, 4> a = steps<4>(4);\na += memory + n;\nvector<uint, 4> old;\ncm_svm_atomic(ATOMIC_INC, a, old); "
     "/*!*/",
     2},
    {"columnRead", "beyond-object",
     "matrix<int, 4, 4> m = 1;\nread(in, 0, m.select_all());\nvector<int, 4> r = m.column(n); /*!*/\nwrite(out, 0, r);",
     4},
    {"matrixElement", "beyond-object",
     "matrix<int, 4, 4> m = 1;\nm(n, 0) = 3; /*!*/\nvector<int, 16> r = m;\nwrite(out, 0, r);", 4},
    {"elementByPointer", "beyond-object",
     "int a[8];\nfor (int i = 0; i < 8; ++i)\na[i] = i * n;\nint *p = a + 3;\nvector<int, 4> r = p[n]; "
     "/*!*/\nwrite(out, 0, r);",
     5},
    {"unwrittenMask", "unwritten-value",
     "vector<uint, 8> o = steps<8>(1), m, v = 1;\nm.select<4, 1>(0) = n;\nSIMD_IF_BEGIN(m > 2) {\nwrite(out, 0, o, v); "
     "/*!*/\n} SIMD_IF_END;",
     3},
    {"unwrittenBound", "unwritten-value",
     "int k;\nif (n > 3)\nk = 4;\nvector<int, 4> v = 1;\nfor (int i = 0; i < k; ++i) /*!*/\nwrite(out, i * 16, v);", 2},
    {"unwrittenCase", "unwritten-value",
     "int k;\nif (n > 3)\nk = 4;\nvector<int, 4> v = 1;\nswitch (k) { /*!*/\ncase 0: write(out, 0, v); break;\ncase 1: "
     "write(out, 32, v); break;\ncase 7: write(out, 64, v); break;\ndefault: write(out, 128, v);\n}",
     2},
    {"unwrittenInASum", "unwritten-value",
     "vector<int, 8> v;\nv.select<7, 1>(0) = n;\nvector<int, 4> r = cm_sum<int>(v);\nwrite(out, 0, r); /*!*/"},
    {"unwrittenChoice", "unwritten-value",
     "int a, b = 1;\nif (n > 100)\na = 3;\nvector<int, 4> r = n > 3 ? b : a;\nwrite(out, 0, r); /*!*/"},
    {"unwrittenHalf", "unwritten-value",
     "vector<half, 8> h;\nh.select<4, 1>(0) = half(1.0f);\nvector<float, 8> f = h;\nf = f * 2.0f;\nwrite(out, 0, f); "
     "/*!*/"},
    {"unwrittenLong", "unwritten-value",
     "vector<long long, 4> h;\nh.select<2, 1>(0) = n;\nh = h << 3;\nwrite(out, 0, h); /*!*/"},
    {"unwrittenWhereNotMerged", "unwritten-value",
     "vector<int, 8> a;\nvector<ushort, 8> m = 1;\nm(n) = 0;\na.merge(vector<int, 8>(3), m);\nwrite(out, 0, a); /*!*/",
     3},
    {"unwrittenRotated", "unwritten-value",
     "vector<uint, 8> a;\na.select<4, 1>(0) = n;\na = cm_rol<uint>(a, 3);\nwrite(out, 0, a); /*!*/"},
    {"unwrittenMinimum", "unwritten-value",
     "vector<int, 8> a;\na.select<7, 1>(0) = n;\nvector<int, 8> b = cm_min<int>(a, 5);\nwrite(out, 0, b); /*!*/"},
    {"unwrittenReturned", "unwritten-value", "vector<int, 8> b = mostOf(n) + mostOf(n + 1);\nwrite(out, 0, b); /*!*/"},
    {"unwrittenByReference", "unwritten-value",
     "vector<int, 8> a;\nvector_ref<int, 4> r = a.select<4, 2>(0);\nr = n;\nwrite(out, 0, a); /*!*/"},
    {"unwrittenUntilTheThirdIteration", "unwritten-value",
     "vector<int, 4> a, b;\nfor (int i = 0; i < 3; ++i) {\nif (i)\nwrite(out, i * 16, a); /*!*/\na = b;\nb = i;\n}"},
    {"atomicAndStore", "race",
     "vector<uint, 4> o = steps<4>(4);\nif (get_thread_origin_x() & 1)\ncm_store<uint>(out, o, vector<uint, 4>(1)); "
     "/*!*/\nelse\ncm_atomic<AtomicOp::IADD, uint>(out, o, 1u); /*!*/",
     0, four},
    {"imageOfAGroup", "race",
     "cm_slm_init(64);\nint me = cm_local_id(0);\nmatrix<uint, 2, 4> m = me;\nwrite(image, me * 16, 0, m); "
     "/*!*/\nread(image, (me ^ 1) * 16, 0, m); /*!*/\nvector<uint, 8> r = m;\nwrite(out, me * 32, r);",
     0, group},
    {"oneBarrierTooFew", "race",
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nint me = cm_local_id(0);\nvector<int, 4> v = me;\nfor (int i = 0; "
     "i < 3; ++i) {\ncm_slm_block_write(s, me * 16, v); /*!*/\ncm_barrier();\nvector<int, 4> w;\ncm_slm_block_read(s, "
     "(me + 1 & 3) * 16, w); /*!*/\nv += w;\n}\nwrite(out, me * 16, v);",
     0, group},
    {"waitWithoutArriving", "barrier",
     "cm_slm_init(64);\nvector<int, 4> v = n;\ncm_sbarrier(0); /*!*/\nwrite(out, cm_local_id(0) * 16, v);", 0, group},
    {"namedBarrierOfTooFew", "barrier",
     "cm_slm_init(64);\ncm_nbarrier_init(2);\nif (cm_local_id(0) < 2) {\ncm_nbarrier_signal(1, 0, 4, "
     "4);\ncm_nbarrier_wait(1); /*!*/\n}\nvector<int, 4> v = n;\nwrite(out, cm_local_id(0) * 16, v);",
     0, group},

    // Nothing is wrong
    {"bytesOfOneDword", nullptr,
     "vector<uint, 1> o = get_thread_origin_x();\nvector<uchar, 1> v = n;\nwrite(out, 0, o, v);", 0, four},
    {"blockOverTheLowerRightEdge", nullptr,
     "vector<uint, 8> v;\nv = cm_ptr_load<uint, 4, 2>((uint *)memory, 63, 3, 63, n, 3);\nwrite(out, 0, v);", 14},
    {"blockOverTheUpperLeftEdge", nullptr,
     "vector<uint, 8> v = 1;\ncm_ptr_store<uint, 4, 2>((uint *)memory, 63, 3, 63, n, -1, v);", -2},
    {"lanesBeyondThatAreOff", nullptr,
     "vector<uint, 8> o = steps<8>(1), v = 0;\no += n;\nvector<ushort, 8> on = o < 256;\nSIMD_IF_BEGIN(on) {\nread(in, "
     "0, o, v);\n} SIMD_IF_END;\nwrite(out, 0, v);",
     250},
    {"copies", nullptr,
     "int x = get_thread_origin_x();\nvector<int, 32> v;\nread(in, x * 128, v);\nwrite(out, x * 128, v);", 0, four},
    {"readsAroundItsBlock", nullptr,
     "int x = get_thread_origin_x();\nmatrix<uchar, 6, 32> m;\nread(image, x * 16 - 8, -1, m);\nvector<uchar, 128> v = "
     "m.select<4, 1, 32, 1>(1, 0);\nwrite(out, x * 128, v);",
     0, four},
    {"writesOverTheEdge", nullptr, "matrix<uchar, 8, 32> m = 1;\nwrite(image, 240, 12, m);", 0},
    {"countsWithAtomics", nullptr, "vector<uint, 8> o = steps<8>(1);\nwrite_atomic<ATOMIC_INC>(out, o);", 0, four},
    {"lanesThatAreOff", nullptr,
     "vector<uint, 8> o = steps<8>(1), v = 1;\no += n;\nSIMD_IF_BEGIN(o < 256) {\n  write(out, 0, o, v);\n} "
     "SIMD_IF_END;",
     252},
    {"exchangeWithBarrier", nullptr,
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nint me = cm_local_id(0);\nvector<int, 4> v = me;\n"
     "cm_slm_block_write(s, me * 16, v);\ncm_barrier();\ncm_slm_block_read(s, (me ^ 1) * 16, v);\ncm_barrier();\n"
     "cm_slm_block_write(s, me * 16, v);\nwrite(out, (cm_group_id(0) * 4 + me) * 16, v);",
     0, groups},
    {"exchangeWithSplitBarrier", nullptr,
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\nint me = cm_local_id(0);\nvector<int, 4> v = me;\n"
     "cm_slm_block_write(s, me * 16, v);\ncm_sbarrier(1);\ncm_sbarrier(0);\ncm_slm_block_read(s, (me ^ 1) * 16, v);\n"
     "write(out, (cm_group_id(0) * 4 + me) * 16, v);",
     0, groups},
    {"exchangeWithNamedBarriers", nullptr,
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\ncm_nbarrier_init(2);\nint me = cm_local_id(0);\nvector<int, 4> v = "
     "me;\n"
     "cm_slm_block_write(s, me * 16, v);\ncm_nbarrier_signal(1, 0, 4, 4);\ncm_nbarrier_wait(1);\n"
     "cm_slm_block_read(s, (me ^ 1) * 16, v);\ncm_barrier();\ncm_slm_block_write(s, me * 16, v);\n"
     "write(out, (cm_group_id(0) * 4 + me) * 16, v);",
     0, groups},
    {"producersAndConsumers", nullptr,
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\ncm_nbarrier_init(2);\nint me = cm_local_id(0);\nvector<int, 4> v = "
     "me;\n"
     "if (me < 2) {\n  cm_slm_block_write(s, me * 16, v);\n  cm_nbarrier_signal(1, 1, 2, 2);\n} else {\n"
     "  cm_nbarrier_signal(1, 2, 2, 2);\n  cm_nbarrier_wait(1);\n  cm_slm_block_read(s, (3 - me) * 16, v);\n"
     "  write(out, me * 16, v);\n}",
     0, group},
    {"elementsInside", nullptr,
     "vector<int, 16> v{0, 1};\nint a[10];\nfor (int i = 0; i < 10; ++i)\n  a[i] = v[i + n];\nv.select<4, 1>(n) = "
     "a[n];\n"
     "v[n + 3] = 1;\nwrite(out, 0, v);",
     6},
    {"chosenInside", nullptr,
     "vector<int, 16> v{0, 1};\nvector<ushort, 4> i{0, 3};\ni += n;\nvector<int, 4> r = v.iselect(i);\n"
     "vector<ushort, 4> j = i + 7;\nvector<int, 4> s = v.iselect(j);\nr(0) = s(0);\nwrite(out, 0, r);",
     6},
    {"readsWhatItWrote", nullptr,
     "vector<int, 16> v = n;\nmatrix<uchar, 4, 32> m = 2;\nwrite(fresh, 64, v);\nread(fresh, 64, v);\n"
     "write(picture, 8, 4, m);\nread(picture, 8, 4, m);\nvector<uchar, 128> r = m;\nwrite(out, 0, v);\nwrite(out, 128, "
     "r);"},
    {"usesOnlyWhatItWrote", nullptr,
     "vector<int, 4> v = n;\nvector<int, 16> w, x;\nmatrix<uchar, 4, 16> m = 2;\nmatrix<uchar, 8, 32> b;\n"
     "cm_slm_init(64);\nuint s = cm_slm_alloc(64);\ncm_slm_block_write(s, 16, v);\ncm_slm_block_read(s, 0, x);\n"
     "write(fresh, 16, v);\nread(fresh, 0, w);\nwrite(picture, 8, 4, m);\nread(picture, 0, 2, b);\n"
     "write(out, 0, w.select<4, 1>(4) * 3 + x.select<4, 1>(4));\nvector<uchar, 64> r = b.select<4, 1, 16, 1>(2, 8);\n"
     "write(out, 64, r);"},
    {"writesWhatItUses", nullptr,
     "vector<int, 8> v, w;\nv.select<4, 2>(0) = n;\nw = v + 1;\nwrite(out, 0, w.select<4, 2>(0));\nvector<uchar, 4> "
     "b;\n"
     "b(0) = n;\nvector<uint, 1> u = b.format<uint>();\nvector<int, 4> r = 1;\nif (u(0) & 1)\n  write(out, 64, r);\n"
     "if (uchar(u(0)) > 2)\n  write(out, 80, r);",
     5},
    {"writesInBothBranches", nullptr,
     "vector<uint, 8> o = steps<8>(1), v, w;\nSIMD_IF_BEGIN(o < uint(n)) {\n  v = 1;\n  w = 2;\n} SIMD_ELSE {\n  v = "
     "3;\n} "
     "SIMD_IF_END;\nwrite(out, 0, v);\nSIMD_IF_BEGIN(o < uint(n)) {\n  write(out, 32, o, w);\n} SIMD_IF_END;",
     4},
    {"writesInALoop", nullptr, "vector<int, 8> v;\nfor (int i = 0; i < n; ++i)\n  v[i] = i;\nwrite(out, 0, v);", 8},
    {"writesTheElementsThatItReads", nullptr,
     "int a[10];\nfor (int i = 0; i < n; ++i)\n  a[i] = i;\nvector<int, 4> v = a[n - 1];\nwrite(out, 0, v);", 6},
    {"copiesMoreThanItWrote", nullptr,
     "struct S { int x; float y; vector<int, 4> v; };\nS a[4], b[4];\nfor (int i = 0; i < n; ++i) {\n  a[i].x = i;\n  "
     "a[i].v = i;\n}\nfor (int i = 0; i < n; ++i)\n  b[i] = a[i ^ 1];\nvector<int, 4> v = b[n & 1].v + b[n & 1].x;\n"
     "write(out, 0, v);",
     4},
    {"writesBothArraysByPointer", nullptr,
     "int a[16], b[16];\nint *p = n > 3 ? a : b, *q = n > 3 ? b : a;\nfor (int i = 0; i < 16; ++i)\n  p[i * 3 & 15] = "
     "i;\n"
     "for (int i = 0; i < 16; ++i)\n  q[i] = i;\nvector<int, 4> v = a[n & 15] + b[n & 15];\nwrite(out, 0, v);",
     2},
    {"clearsAnArray", nullptr,
     "short a[300] = {};\nfor (int i = 0; i < 8; ++i)\n  a[i * n] = i;\nvector<int, 4> v = a[n & 15];\nwrite(out, 0, "
     "v);",
     7},
    {"writesPartsOfElements", nullptr,
     "vector<uchar, 8> a[8];\nfor (int i = 0; i < 8; ++i) {\n  a[i].select<4, 2>(0) = i;\n  a[i].select<4, 2>(1) = "
     "n;\n}\n"
     "vector<uchar, 8> v = a[n];\nvector<int, 8> w = v;\nwrite(out, 0, w);",
     5},
    {"writesNarrowRows", nullptr, "matrix<uchar, 4, 12> m;\nm = n;\nwrite(image, 0, 0, m);"},
    {"addressesInside", nullptr,
     "vector<uint, 8> v;\ncm_svm_block_read(memory + n, v);\ncm_svm_block_write(memory, v);", 224},
    {"elementsBeforeAndAbove", nullptr,
     "vector<int, 48> v = n, r;\nfor (int y = 0; y < 6; ++y)\n  for (int x = 0; x < 8; ++x) {\n"
     "    int s = v(y * 8 + x);\n    if (x > 0)\n      s += r(y * 8 + x - 1);\n    if (y > 0)\n"
     "      s += r(y * 8 - 8 + x);\n    if (x > 0 && y > 0)\n      s -= r(y * 8 - 9 + x);\n    r(y * 8 + x) = s;\n"
     "  }\nwrite(out, 0, r.select<16, 1>(32));",
     3},
    {"elementsAround", nullptr,
     "vector<int, 48> v = n, r;\nfor (int y = 0; y < 6; ++y)\n  for (int x = 0; x < 8; ++x) {\n    int s = 0;\n"
     "    for (int dy = -1; dy <= 1; ++dy)\n      for (int dx = -1; dx <= 1; ++dx) {\n"
     "        const int i = y + dy, j = x + dx;\n        if (i >= 0 && i < 6 && j >= 0 && j < 8)\n"
     "          s = s > v(i * 8 + j) ? s : v(i * 8 + j);\n      }\n    r(y * 8 + x) = s;\n  }\n"
     "write(out, 0, r.select<16, 1>(32));",
     3},
};

/// A program of all rows, and the marked lines of each.
struct Program {
  std::string source = R"(#include <cm/cm.h>
template <int N> vector<uint, N> steps(uint by) {
  vector<uint, N> v;
  for (int i = 0; i < N; ++i)
    v(i) = i * by;
  return v;
}
vector<int, 8> ofTheFile;
int counter;
int table[4] = {0, 0, 0, 0};
_GENX_ void fillsOfTheFile(int n) { ofTheFile.select<4, 2>(0) = n; }
_GENX_ CM_NOINLINE vector<int, 8> mostOf(int n) {
  vector<int, 8> v;
  v.select<7, 1>(0) = n;
  return v;
}
)";
  std::map<std::string, std::set<unsigned>> marked;
  std::vector<std::uint8_t> file;

  /// As programs for the check device are compiled, or as others.
  explicit Program(bool keepUnwritten) {
    unsigned line = 1 + unsigned(std::count(source.begin(), source.end(), '\n'));
    for (const Row &row : rows) {
      std::string text = fmt::format("extern \"C\" _GENX_MAIN_ void {}(SurfaceIndex in, SurfaceIndex out, "
                                     "SurfaceIndex image, svmptr_t memory, int n, SurfaceIndex fresh, SurfaceIndex "
                                     "picture, SurfaceIndex cube) {{\n{}\n}}\n",
                                     row.name, row.body);
      for (std::size_t at = text.find("/*!*/"); at != std::string::npos; at = text.find("/*!*/", at + 1))
        marked[row.name].insert(line + unsigned(std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n')));
      line += unsigned(std::count(text.begin(), text.end(), '\n'));
      source += text;
    }
    pocm::CompileOptions options;
    options.file = "planted.cpp";
    options.source = source;
    options.debugInfo = true;
    options.keepUnwritten = keepUnwritten;
    pocm::CompileResult compiled = pocm::compile(options);
    if (!compiled.ok)
      throw std::runtime_error("does not compile:\n" + compiled.diagnostics);
    file = std::move(compiled.program);
  }
  static const Program &all() {
    static const Program program(/*keepUnwritten=*/true);
    return program;
  }
  static const Program &plain() {
    static const Program program(/*keepUnwritten=*/false);
    return program;
  }
};

std::vector<pocm::Finding> check(const Row &row, const std::string &order, const Program &compiled) {
  setenv("POCM_CACHE_DIR", "off", 0);
  static std::map<const Program *, pocm::Program> loaded;
  if (!loaded.contains(&compiled))
    loaded.emplace(&compiled, pocm::Program::load(compiled.file));
  const pocm::Program &program = loaded.at(&compiled);
  pocm::DeviceOptions how;
  how.order = order;
  pocm::Device device = pocm::Device::open("check", how);
  pocm::Kernel kernel = device.createKernel(program, row.name);
  pocm::Buffer in = device.createBuffer(1024), out = device.createBuffer(1024), memory = device.createBuffer(256);
  pocm::Buffer fresh = device.createBuffer(1024);
  pocm::Image image = device.createImage(64, 16, "R32_UINT"), picture = device.createImage(64, 16, "R32_UINT");
  pocm::Inside::of(fresh)->leaveUndefined();
  pocm::Inside::of(picture)->leaveUndefined();
  pocm::Image slices = device.createImage(64, 16, "R32_UINT");
  pocm::Inside::of(slices)->leaveUndefined();
  pocm::runtime::Geometry shape = pocm::Inside::of(slices)->geometry();
  shape.depth = 4;
  const auto cube = pocm::Inside::around<pocm::Image>(pocm::runtime::Memory::view(pocm::Inside::of(slices), shape, 0));
  auto address = reinterpret_cast<std::uintptr_t>(pocm::Inside::of(memory)->address());
  kernel.setArgument(0, in);
  kernel.setArgument(1, out);
  kernel.setArgument(2, image);
  kernel.setArgument(3, &address, sizeof(address));
  kernel.setArgument(4, &row.n, sizeof(row.n));
  kernel.setArgument(5, fresh);
  kernel.setArgument(6, picture);
  kernel.setArgument(7, cube);
  try {
    if (row.shape.groups)
      device.enqueueGroups(kernel, {{row.shape.groups, 1, 1}, {row.shape.threads, 1, 1}}).wait();
    else
      device.enqueue(kernel, {row.shape.threads, 1}).wait();
  } catch (const pocm::Error &problem) { // a barrier that opens for nobody
    EXPECT_STREQ(row.kind, "barrier") << problem.what();
  }
  return device.findings();
}

/// The words of each finding, which are also recorded: offsets, sizes and names in them are no less to be right. Who
/// changes some looks at the difference and records them anew:
///
///     POCM_WRITE_RECORDS=1 build/bin/device-check-tests --gtest_filter='*Planted*' && git diff
///     tests/devices/check/Inputs
class Words {
public:
  static constexpr const char *file = POCM_SOURCE_DIR "/tests/devices/check/Inputs/planted_messages.txt";

  static Words &all() {
    static Words words;
    return words;
  }
  void expect(const std::string &name, std::string message) {
    static const std::regex line("planted\\.cpp:[0-9]+"), address("[0-9]{11,}"); // which change
    message = std::regex_replace(std::regex_replace(message, line, "planted.cpp"), address, "ADDRESS");
    now[name] = message;
    if (!writes)
      EXPECT_EQ(message, recorded[name]) << "see Words in this test's source";
  }

private:
  Words() {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
      if (auto colon = line.find(": "); colon != line.npos)
        recorded[line.substr(0, colon)] = line.substr(colon + 2);
  }
  ~Words() {
    if (!writes)
      return;
    std::ofstream out(file);
    for (const auto &[name, message] : now)
      out << name << ": " << message << "\n";
  }
  const bool writes = std::getenv("POCM_WRITE_RECORDS") != nullptr;
  std::map<std::string, std::string> recorded, now;
};

class Planted : public testing::TestWithParam<Row> {};

TEST_P(Planted, isFoundOnceWithKindAndLine) {
  const Row &row = GetParam();
  auto lines = Program::all().marked.find(row.name);
  for (const char *order : {"serial", "reverse", "random:3"}) {
    if (row.shape.threads == 1 && std::string_view(order) != "serial")
      continue;
    std::vector<pocm::Finding> found = check(row, order, Program::all());
    for (const pocm::Finding &f : found)
      EXPECT_TRUE(row.kind && f.kind == row.kind && lines->second.contains(f.line)) << f.line << ": " << f.message;
    EXPECT_EQ(found.size(), row.kind ? 1u : 0u) << "order " << order;
    if (std::string_view(order) == "serial" && found.size() == 1)
      Words::all().expect(row.name, found[0].message);
  }
}

/// What LLVM computes sooner than the source says is no mistake of the source.
TEST_P(Planted, isNotSeenWhereNothingIsWrongInProgramsOfOthers) {
  const Row &row = GetParam();
  if (row.kind)
    return;
  for (const pocm::Finding &f : check(row, "serial", Program::plain()))
    ADD_FAILURE() << f.line << ": " << f.message;
}

/// Nobody else gets its memory soon, so that who still has its address meets nobody's bytes.
TEST(Destroyed, memoryIsNoLongerReachedByAddress) {
  setenv("POCM_CACHE_DIR", "off", 0);
  pocm::Device device = pocm::Device::open("check");
  pocm::Kernel kernel = device.createKernel(pocm::Program::load(Program::all().file), "addressesInside");
  pocm::Buffer out = device.createBuffer(1024);
  pocm::Image image = device.createImage(64, 16, "R32_UINT");
  auto addressOf = [](const pocm::Buffer &b) {
    return reinterpret_cast<std::uintptr_t>(pocm::Inside::of(b)->address());
  };
  auto launch = [&](std::uintptr_t address) {
    const int inside = 224;
    for (unsigned k : {0u, 1u, 5u})
      kernel.setArgument(k, out);
    for (unsigned k : {2u, 6u, 7u})
      kernel.setArgument(k, image);
    kernel.setArgument(3, &address, sizeof(address));
    kernel.setArgument(4, &inside, sizeof(inside));
    device.enqueue(kernel, {1, 1}).wait();
    return device.findings();
  };
  std::uintptr_t old;
  {
    pocm::Buffer memory = device.createBuffer(256);
    old = addressOf(memory);
    EXPECT_TRUE(launch(old).empty());
  }
  pocm::Buffer next = device.createBuffer(256);
  EXPECT_NE(addressOf(next), old);
  EXPECT_TRUE(launch(addressOf(next)).empty());
  std::vector<pocm::Finding> found = launch(old);
  ASSERT_EQ(found.size(), 2u); // it reads and writes
  EXPECT_EQ(found[0].kind, "beyond-allocation");
  EXPECT_EQ(found[0].message, "block by address read of 32 bytes at 224 bytes of an allocation of 256 bytes, which the "
                              "host has destroyed");
  for (int k = 0; k < 200; ++k) // what is kept has an end
    device.createBuffer(1 << 20);
  device.createBuffer(100 << 20);
}

INSTANTIATE_TEST_SUITE_P(All, Planted, testing::ValuesIn(rows),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
