// How much there is of a random program. What one costs is what it holds, nearly all of it for the compiler. Most are
// small, so that there are many, and ten thousand of them hold more of each thing than fifteen
// hundred long ones.
#pragma once

namespace pocm::fuzz {

struct Amounts {
  int scalars, columns; ///< Variables at most, one at least: scalars, and as long as SIMD control flow is wide.
  int fewest, vectors, matrices; ///< Of other shapes: vectors at least and at most, matrices at most.
  int functions;                 ///< So many of a hundred programs have some.
  int least, most;               ///< Statements outside of others.
  int inside, nested;            ///< Statements in a body at most, and bodies in each other.
};

//                              variables      of 100  statements
constexpr Amounts smallProgram{1, 1, 0, 1, 1, 6, 1, 1, 1, 2};
constexpr Amounts middleProgram{2, 2, 1, 2, 1, 30, 1, 3, 4, 3};
constexpr Amounts largeProgram{4, 3, 1, 4, 2, 30, 4, 14, 4, 3};

/// Which programs there are: of a hundred, so many are large, and so many of the others are of the middle size.
struct Mix {
  int large, middle;
  int groups;        ///< So many have groups of threads.
  int elsewhere;     ///< So many accesses of those are to other than shared local memory.
  int leaving;       ///< So many statements in loops of channels leave them.
  unsigned together; ///< Programs of one source.
  unsigned plain;    ///< One of so many fives of sources is for the plain CPU, whose code takes LLVM longest.
};
constexpr Mix shortPrograms{2, 5, 30, 10, 11, 100, 16}, longPrograms{10, 100, 60, 40, 5, 25, 8};

} // namespace pocm::fuzz
