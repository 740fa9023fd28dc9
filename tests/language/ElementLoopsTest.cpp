// Loops over elements as C++ programs write them: sums of floats, whose order counts, sums in memory, elements from
// the last to the first, iterations that take what others have written, sums that are read on the way, switches, more
// iterations than a vector has elements. The same text is the kernel and what it is
// compared with, bit for bit; divisors are powers of two, as some targets multiply by reciprocals (docs/numerics.md).
#include "Kernels.h"
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace {

constexpr int count = 64;
constexpr int someNumber = 37; // the kernel's argument

template <class T> struct Elements {
  T of[count];
  T &operator()(int k) { return of[k]; }
};

using Bytes = std::vector<std::uint8_t>;

struct ElementLoop {
  const char *name, *type, *text;
  std::size_t bytes;
  void (*model)(const Bytes &in, Bytes &out, int n);
  void (*fill)(Bytes &to, std::mt19937_64 &random);
};

void fillFloats(Bytes &to, std::mt19937_64 &random) {
  for (std::size_t k = 0; k < to.size() / sizeof(float); ++k) {
    const float far = std::ldexp(1.0f, int(random() % 20) - 10);
    const float x = random() % 16 ? (float(random() % 20001) - 10000) * 1e-4f * far : random() % 2 ? -0.0f : 0.0f;
    std::memcpy(to.data() + k * sizeof(x), &x, sizeof(x));
  }
}
void fillBytes(Bytes &to, std::mt19937_64 &random) {
  for (std::uint8_t &byte : to)
    byte = std::uint8_t(random());
}

// Statements that set r from a and n.
#define LOOPS(name, T, ...)                                                                                            \
  {#name,                                                                                                              \
   #T,                                                                                                                 \
   #__VA_ARGS__,                                                                                                       \
   sizeof(T) * count,                                                                                                  \
   [](const Bytes &in, Bytes &out, [[maybe_unused]] int n) {                                                           \
     Elements<T> a, r;                                                                                                 \
     std::memcpy(&a, in.data(), sizeof(a));                                                                            \
     std::memcpy(&r, in.data() + sizeof(a), sizeof(r));                                                                \
     __VA_ARGS__;                                                                                                      \
     std::memcpy(out.data(), &r, sizeof(r));                                                                           \
   },                                                                                                                  \
   std::is_same_v<T, float> ? fillFloats : fillBytes}

using uchar = std::uint8_t;
using ushort = std::uint16_t;
using uint = std::uint32_t;

const ElementLoop all[] = {
    // elements at some distance, in a ring
    LOOPS(
        ring, uint, uint c[64]; for (int i = 0; i < 64; ++i) c[i] = a(i); for (int k = 1; k < 32; k *= 2) {
          uint b[64];
          for (int i = 0; i < 64; ++i)
            b[i] = c[i] + 3 * c[(i + k) & 63];
          for (int i = 0; i < 64; ++i)
            c[i] = b[i];
        } for (int i = 0; i < 64; ++i) r(i) = c[i]),
    LOOPS(
        ringOfN, uint, for (int k = n; k > 0; k -= 5) {
          uint b[64];
          for (int i = 0; i < 64; ++i)
            b[i] = r(i) ^ (a((i + k) & 63) >> 1);
          for (int i = 0; i < 64; ++i)
            r(i) = b[i];
        }),
    // what former iterations have stored
    LOOPS(twoBack, uint, for (int i = 2; i < 64; ++i) r(i) += r(i - 1) ^ r(i - 2)),
    LOOPS(fourBack, uint, uint c[64]; for (int i = 0; i < 64; ++i) c[i] = a(i); for (int i = 4; i < 64; ++i) c[i] =
                                                                                    c[i - 1] * 3 + c[i - 4];
          for (int i = 0; i < 64; ++i) r(i) = c[i]),
    LOOPS(twoBackOfN, uint, for (int k = 3; k < n; k += 11) for (int i = 2; i < k; ++i) r(i) = r(i - 2) * 5 + r(i - 1)),
    LOOPS(backwards, short, for (int i = 60; i >= 0; i -= 3) r(i) = r(i + 3) - a(i) + r(i + 3) / 2),
    LOOPS(filtered, float, for (int i = 2; i < 64; ++i) {
      float x = a(i) * 0.25f;
      float y = r(i - 1) * 0.5f;
      float z = r(i - 2) * 0.25f;
      r(i) = x + y - z;
    }),
    LOOPS(distances, float, float s = 0; for (int i = 0; i < 64; ++i) {
      float d = a(i) - r(i);
      s += d < 0 ? -d : d;
    } r(0) = s),
    LOOPS(ofSome, float, float s = r(5); for (int i = 0; i < 64; ++i) if (a(i) > r(i)) s += a(i) - r(i); r(1) = s),
    LOOPS(ofOthers, float, float s = -0.0f;
          for (int i = 0; i < 50; ++i) if (a(i) > 1000000) s += r(i) / 4; else if (r(i) < 0) s += a(i) / 8; r(1) = s),
    LOOPS(countedAndSummed, float, float s = 0; int k = 0; for (int i = 0; i < 64; ++i) if (a(i) > 0) {
      s += a(i);
      ++k;
    } r(0) = s;
          r(1) = float(k)),
    LOOPS(several, float, float s = 0; float t = 1; for (int i = 0; i < 31; ++i) {
      float x = a(i) / (r(i) < 1 ? 2.0f : 8.0f);
      s += x;
      t += x > 0 ? x : r(i);
    } r(2) = s - t),
    LOOPS(asFarAsN, float, float s = 0; for (int i = 0; i < n; ++i) {
      float d = a(i) - r(i);
      s += d > 0 ? d : 2 * a(i);
    } r(3) = s),
    LOOPS(differences, float, float s = 100; for (int i = 0; i < 64; ++i) {
      float x = a(i) / 4;
      s -= x;
    } r(0) = s),
    LOOPS(rowsAndColumns, float, for (int i = 0; i < 16; ++i) r(i) = 0;
          for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j) {
            r(i) += a(i * 8 + j);
            r(8 + j) += a(i * 8 + j);
          }),
    LOOPS(rowsAndColumnsOfWords, ushort, for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j) {
      r(i) += a(i * 8 + j);
      r(8 + j) ^= a(i * 8 + j);
    }),
    LOOPS(rowsMeetColumns, uint, for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j) {
      r(i) += a(i * 8 + j);
      r(7 + j) += a(i * 8 + j);
    }),
    LOOPS(moments, float, for (int i = 0; i < 64; ++i) {
      float x = a(i) / 2;
      r(0) += x;
      r(1) += x < 0 ? -x : x;
      r(2) = x > r(2) ? x : r(2);
    }),
    LOOPS(placeUnderACondition, uint, for (int i = 0; i < 64; ++i) if (a(i) & 1) r(n) += a(i)),
    LOOPS(placeThatIsReadFirst, uint, for (int i = 0; i < 64; ++i) {
      a(i) += r(n);
      if (a(i) & 2)
        r(n) = a(i) >> 1;
    } r(0) = a(63)),
    LOOPS(placeThatIsWrittenFirst, uint, for (int i = 0; i < 64; ++i) {
      r(n) = a(i);
      r(n) += 5;
    }),
    LOOPS(placeAmongOthers, uint, for (int i = 0; i < 64; ++i) r(n) += r(i)),
    LOOPS(reversed, uint, for (int i = 0; i < 64; ++i) r(i) = a(63 - i)),
    LOOPS(writtenBackwards, uchar, for (int i = 0; i < 64; ++i) r(63 - i) = uchar(a(i) + i)),
    LOOPS(bothBackwards, ushort, for (int i = 62; i >= 0; --i) r(i + 1) = ushort(r(i) + a(i))),
    LOOPS(againstItself, uint, for (int i = 0; i < 64; ++i) r(i) = r(63 - i) + 1),
    LOOPS(swappedHalves, ushort, for (int i = 0; i < 32; ++i) {
      ushort x = r(i);
      r(i) = r(63 - i);
      r(63 - i) = x;
    }),
    LOOPS(turned, uchar, for (int y = 0; y < 8; ++y) for (int x = 0; x < 8; ++x) r(x * 8 + 7 - y) = a(y * 8 + x)),
    LOOPS(turnedTwice, uchar,
          for (int y = 0; y < 8; ++y) for (int x = 0; x < 8; ++x) r(y * 8 + x) = a((7 - y) * 8 + 7 - x)),
    LOOPS(everyOtherBackwards, uint, for (int i = 0; i < 20; ++i) r(i) = a(60 - 3 * i)),
    LOOPS(someBackwards, uint, for (int i = 0; i < 64; ++i) if (a(63 - i) > r(i)) r(i) = a(63 - i)),
    LOOPS(backwardsAsFarAsN, uint, for (int i = 0; i < n; ++i) r(i) = a(n - 1 - i)),
    LOOPS(convolved, int, for (int i = 0; i < 32; ++i) {
      int s = 0;
      for (int k = 0; k < 9; ++k)
        s += (a(i + k) >> 8) * (a(63 - k) >> 24);
      r(i) = s;
    }),
    LOOPS(anyAndAll, uchar, int any = 0; int each = 5; int others = 3; for (int i = 0; i < 64; ++i) {
      if (a(i) == n * 4)
        any = 1;
      if (a(i) < 3)
        each = n;
      others = a(i) < 250 ? others : i > 70 ? 9 : 4;
    } r(0) = uchar(any);
          r(1) = uchar(each); r(2) = uchar(others)),
    LOOPS(structures, float, struct P {
      float x;
      int n;
      float v;
    };
          P q[16]; for (int i = 0; i < 16; ++i) {
            q[i].x = a(i * 4);
            q[i].n = i;
            q[i].v = a(i * 4 + 1) / 2;
          } for (int s = 0; s < 5; ++s) for (int i = 0; i < 16; ++i) {
            q[i].x += q[i].v;
            if (q[i].x < 0 || q[i].x > 1) {
              q[i].v = -q[i].v;
              q[i].n += 3;
            }
          } for (int i = 0; i < 16; ++i) {
            r(i) = q[i].x;
            r(63 - i) = float(q[i].n);
          }),
    LOOPS(chosenStructures, uint, struct P {
      uchar key;
      ushort of[3];
      uint value;
    };
          P q[16]; for (int i = 0; i < 16; ++i) {
            q[i].key = uchar(a(i));
            for (int k = 0; k < 3; ++k)
              q[i].of[k] = ushort(a(16 + i) >> k);
            q[i].value = a(32 + i);
          } for (int i = 0; i < 64; ++i) {
            P &p = q[a(i) & 15];
            p.value += q[(a(i) >> 4) & 15].of[i % 3];
            p.of[(a(i) >> 8) & 1] ^= ushort(p.key);
            --p.key;
          } for (int i = 0; i < 16; ++i) {
            r(i) = q[i].value;
            r(16 + i) = q[i].of[0] + q[i].of[1] * 65536u;
            r(32 + i) = q[i].key;
          }),
    LOOPS(sortedStructures, uint, struct P {
      uint key;
      ushort from;
    };
          P q[16]; for (int i = 0; i < 16; ++i) {
            q[i].key = a(i) & 255;
            q[i].from = ushort(i);
          } for (int i = 1; i < 16; ++i) for (int j = i; j > 0 && q[j].key < q[j - 1].key; --j) {
            P t = q[j];
            q[j] = q[j - 1];
            q[j - 1] = t;
          } for (int i = 0; i < 16; ++i) {
            r(i) = q[i].key;
            r(16 + i) = q[i].from;
          }),
    LOOPS(cases, uint, for (int i = 0; i < 64; ++i) switch (a(i) & 7) {
      case 1:
      case 3:
        r(i) += a(i);
        break;
      case 2:
        r(i) = a(i) >> 1;
        break;
      case 6:
        break;
      default:
        r(i) ^= 5;
      }),
    LOOPS(neighbours, uint, for (int y = 0; y < 32; ++y) {
      uint bits = 0;
      for (int x = 0; x < 32; ++x) {
        uint k = 0;
        for (int d = -1; d <= 1; ++d)
          k += ((a(y) >> ((x + d) & 31)) & 1) + ((a(y + 1) >> ((x + d) & 31)) & 1);
        if (k == 3 || (k == 2 && ((a(y) >> x) & 1)))
          bits |= 1u << x;
      }
      r(y) = bits;
    }),
    LOOPS(manyIterations, uint, uint t[1000]; for (int i = 0; i < 1000; ++i) t[i] = uint(i) * uint(n) ^ a(i & 63);
          uint s = 0; uint most = 0; int found = 7; for (int i = 0; i < 1000; ++i) {
            s += t[i] >> 3;
            most = t[i] > most ? t[i] : most;
            if (t[i] == 5)
              found = 8;
          } for (int i = 0; i < 64; ++i) r(i) = t[a(i) % 1000] + s;
          r(0) = most; r(1) = uint(found)),
    LOOPS(manyFloats, float, float t[512]; for (int i = 0; i < 512; ++i) t[i] = float(i - 250) / 8; float s = 1;
          for (int i = 0; i < 512; ++i) s += t[i] * t[511 - i]; for (int i = 0; i < 64; ++i) r(i) = a(i) + t[i * 8] - s),
    LOOPS(manySoFar, uint, uint t[1000]; uint s = 3; uint before = uint(n); for (int i = 0; i < 1000; ++i) {
      t[i] = uint(i) * 7919 ^ before;
      before = uint(i) * 3;
    } for (int i = 0; i < 1000; ++i) {
      s += t[i];
      t[i] = s;
    } for (int i = 0; i < 64; ++i) r(i) = t[i * 15] + a(i) + before;
          r(0) = s),
    LOOPS(itselfOften, uint, uint t[512]; for (int i = 0; i < 512; ++i) t[i] = uint(i);
          for (int i = 100; i < 512; ++i) t[i] += t[i - 100]; for (int i = 0; i < 480; ++i) t[i] ^= t[i + 32];
          for (int i = 0; i < 64; ++i) r(i) = t[i * 8] + a(i)),
    LOOPS(fromAnywhere, uint, const int first = n & 15; for (int i = first; i < first + 16; ++i) r(i) += a(i) * uint(i);
          for (int i = 0; i < 16; ++i) r(63 - i) = a(first + i)),
    LOOPS(soFar, uint, uint s = 0; for (int i = 0; i < 64; ++i) {
      s += a(i) & 255;
      r(i) = s;
    }),
    LOOPS(beforeThat, ushort, ushort s = ushort(n); for (int i = 0; i < 50; ++i) {
      r(i) = s;
      s ^= ushort(a(i) * 3);
    } r(63) = s),
    LOOPS(soFarOfSome, uint, uint s = 9; uint k = 0; for (int i = 0; i < 64; ++i) {
      if (a(i) & 1) {
        s -= a(i);
        ++k;
      }
      r(i) = s + k;
    } a(0) = s;
          for (int i = 0; i < 8; ++i) r(i) += a(i)),
    LOOPS(leastAndMost, int, int least = a(0); int most = a(0); for (int i = 0; i < 64; ++i) {
      least = a(i) < least ? a(i) : least;
      most = a(i) > most ? a(i) : most;
      r(i) = (a(i) >> 1) - (least >> 1) + (most >> 2);
    }),
    LOOPS(productsSoFar, uint, uint p = 1; for (int i = 0; i < 31; ++i) r(i) = p *= a(i) | 1),
    LOOPS(soFarAsFarAsN, uint, uint s = 0; for (int i = 0; i < n; ++i) r(i) = s += a(i); r(63) += s),
    LOOPS(sumOfSums, uint, uint s = 0; uint t = 0; int any = 0; for (int i = 0; i < 64; ++i) {
      s += a(i) & 15;
      t += s;
      if (s > 300)
        any = 1;
      r(i) = t;
    } r(0) = s + uint(any)),
    LOOPS(differencesOfNeighbours, int, int before = n; for (int i = 0; i < 64; ++i) {
      r(i) = (a(i) >> 1) - (before >> 1);
      before = a(i);
    } r(5) = before),
    LOOPS(smoothed, float, float before = r(0); for (int i = 1; i < 63; ++i) {
      float now = r(i);
      r(i) = before / 4 + now / 2 + r(i + 1) / 4;
      before = now;
    }),
    LOOPS(twoBefore, uint, uint x = 1; uint y = 2; for (int i = 0; i < 64; ++i) {
      r(i) = x * 3 + y;
      x = y;
      y = a(i);
    }),
    LOOPS(knapsack, uint, for (int k = 0; k < 16; ++k) {
      const int weight = int(a(k) & 15) + 1;
      const uint value = a(16 + k) & 255;
      for (int c = 63; c >= weight; --c) {
        const uint t = r(c - weight) / 2 + value;
        if (t > r(c))
          r(c) = t;
      }
    }),
    LOOPS(correlated, uint, for (int k = 0; k < 40; ++k) {
      uint s = 0;
      for (int i = 0; i + k < 64; ++i)
        s += a(i) * (a(i + k) >> 3);
      r(k) += s;
    }),
    LOOPS(fromChosenOn, ushort, const int k = int(a(0) & 63); uint s = 0; for (int i = 0; k + i < 64; ++i) s ^= a(k + i) * 3u;
          for (int i = 0; i <= k; ++i) s += a(k - i); r(0) = ushort(s)),
    LOOPS(rowsThatMayMeet, uint, const int x = n & 31; const int y = int(a(0) & 31); for (int i = 0; i < 24; ++i) r(x + i) =
                                                                                        r(y + i) + a(i);
          for (int i = 0; i < 24; ++i) r(y + 23 - i) ^= r(x + 23 - i)),
    LOOPS(rowsAgainstRows, float, for (int i = 1; i < 8; ++i) for (int k = 0; k < i; ++k)
                                      for (int j = 0; j < 8; ++j) r(i * 8 + j) -= r(k * 8 + j) / 2),
    LOOPS(copiedStructures, uint, struct P {
      uint x;
      ushort y[3];
      uchar z;
    };
          P q[16]; P of[4]; for (int i = 0; i < 16; ++i) {
            q[i].x = a(i);
            for (int k = 0; k < 3; ++k)
              q[i].y[k] = ushort(a(i) >> k);
            q[i].z = uchar(i);
          } for (int i = 0; i < 4; ++i) of[i] = q[i * 3 + 1];
          for (int i = 0; i < 8; ++i) {
            P t = q[i];
            q[i] = q[15 - i];
            q[15 - i] = t;
          } q[n & 15] = of[n & 3];
          for (int i = 0; i < 16; ++i) {
            r(i) = q[i].x + q[i].y[i % 3];
            r(16 + i) = q[i].z;
            r(32 + i) = of[i & 3].y[2];
          }),
    LOOPS(halves, int, for (int i = 0; i < 64; ++i) r(i) = a(i) >> 8; for (int m = 64; m > 1; m /= 2) {
      int t[64];
      for (int i = 0; i < m / 2; ++i) {
        t[i] = (r(2 * i) + r(2 * i + 1)) >> 1;
        t[m / 2 + i] = r(2 * i) - r(2 * i + 1);
      }
      for (int i = 0; i < m; ++i)
        r(i) = t[i];
    }),
    LOOPS(butterflies, int, for (int len = 2; len <= 64; len *= 2) for (int i = 0; i < 64; i += len)
                                for (int k = 0; k < len / 2; ++k) {
                                  const int x = a(i + k) >> 1, y = a(i + k + len / 2) >> 1;
                                  a(i + k) = x + y;
                                  a(i + k + len / 2) = x - y;
                                } for (int i = 0; i < 64; ++i) r(i) = a(i)),
};

/// A kernel for each, in one program.
std::string source() {
  std::string text = R"(#include <cm/cm.h>
template <class T> _GENX_ inline void load(SurfaceIndex from, int offset, vector_ref<T, 64> to) {
#pragma unroll
  for (int k = 0; k < int(sizeof(T)); ++k) {
    vector<uchar, 64> part;
    read(from, offset + 64 * k, part);
    to.template format<uchar>().template select<64, 1>(64 * k) = part;
  }
}
)";
  for (const ElementLoop &loop : all)
    text += fmt::format(R"(extern "C" _GENX_MAIN_ void {0}(SurfaceIndex in, SurfaceIndex out, int n) {{
  vector<{1}, 64> a, r;
  load<{1}>(in, 0, a);
  load<{1}>(in, 64 * sizeof({1}), r);
  {2};
#pragma unroll
  for (int k = 0; k < int(sizeof({1})); ++k) {{
    vector<uchar, 64> part = r.format<uchar>().select<64, 1>(64 * k);
    write(out, 64 * k, part);
  }}
}}
)",
                        loop.name, loop.type, loop.text);
  return text;
}

class ElementLoops : public testing::TestWithParam<std::string> {};

TEST_P(ElementLoops, areWhatCppSays) {
  pocm::Device device = test::open(GetParam());
  std::mt19937_64 random(5);
  pocm::Program program = test::compile(source());
  for (const ElementLoop &loop : all) {
    pocm::Kernel kernel = device.createKernel(program, loop.name);
    for (int n : {someNumber, 5, 63}) {
      Bytes both(2 * loop.bytes), want(loop.bytes), got(loop.bytes);
      loop.fill(both, random);
      loop.model(both, want, n);
      pocm::Buffer in = device.createBuffer(both.size()), out = device.createBuffer(loop.bytes);
      in.write(both.data(), both.size());
      kernel.setArgument(0, in);
      kernel.setArgument(1, out);
      kernel.setArgument(2, &n, sizeof(n));
      device.enqueue(kernel, {1, 1}).wait();
      out.read(got.data(), got.size());
      EXPECT_EQ(got, want) << loop.name << ", n " << n;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, ElementLoops, testing::ValuesIn(test::cpus()));

} // namespace
