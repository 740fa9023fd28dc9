// What Clang calls objects, and what users do.
#include "ir/ObjectNames.h"
#include <gtest/gtest.h>

namespace {

struct Case {
  const char *theirs, *ours;
};

const Case cases[] = {
    {"cm::detail::vector_of<float[8]>", "vector<float, 8>"},
    {"cm::detail::matrix_ref_of<unsigned char [4][16]>", "matrix_ref<unsigned char, 4, 16>"},
    {"no member 'x' in 'cm::detail::vector_of<int[8]>'; 'vector_of<int *[2]>'",
     "no member 'x' in 'vector<int, 8>'; 'vector<int *, 2>'"},
    {"'vector<int, 8>' (aka 'vector_of<int[8]>')", "'vector<int, 8>'"},
    {"'floats' (aka 'vector_of<float[8]>')", "'floats' (aka 'vector<float, 8>')"},
    {"no known conversion from 'int' to 'row' (aka 'vector_of<int[8]>')",
     "no known conversion from 'int' to 'row' (aka 'vector<int, 8>')"},
    {"pair<vector_of<pair<int, vector_ref_of<char[2]>>[4]>, int>",
     "pair<vector<pair<int, vector_ref<char, 2>>, 4>, int>"},
    {"could not match 'cm::detail::vector_ref_of' against 'cm::detail::matrix_of'",
     "could not match 'vector_ref' against 'matrix'"},
    {"vector_ref<T, N>, size_of<int>, vector_of<", "vector_ref<T, N>, size_of<int>, vector_of<"},
    {"'f<N4, cm::detail::lsc_hint{4, 0}, cm::detail::lsc_hint{0, 0}, pair<int, int>>' is deprecated; "
     "'g<cm::detail::x>'",
     "'f<N4>' is deprecated; 'g<cm::detail::x>'"},
    {"f<int, cm::detail::lsc_hint{0, 0}", "f<int, cm::detail::lsc_hint{0, 0}"},
    {"matrix_of<T[R][C]>", "matrix<T, R, C>"},
    {"", ""},
};

TEST(ObjectNames, areThoseThatUsersKnow) {
  for (const Case &c : cases)
    EXPECT_EQ(pocm::withObjectNames(c.theirs), c.ours);
}

} // namespace
