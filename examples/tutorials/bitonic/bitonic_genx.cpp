#include <cm/cm.h>
#include <cm/cmtl.h>

// Steps of a bitonic sort: elements i and i + distance are put in order, upwards where bit `size` of i is 0. A thread
// takes 32 elements.

// Distances of 1 to 16 stay inside the registers: every element meets the one whose number differs in one bit.
template <int Distance> _GENX_ void exchange(vector_ref<uint, 32> v, uint first, uint size) {
  vector<uint, 32> other;
#pragma unroll
  for (int i = 0; i < 32; i += 2 * Distance) {
    other.select<Distance, 1>(i) = v.select<Distance, 1>(i + Distance);
    other.select<Distance, 1>(i + Distance) = v.select<Distance, 1>(i);
  }
  vector<uint, 32> number;
  cmtl::cm_vector_assign(number.select_all(), 0, 1);
  number += first;
  // The lower of a pair keeps the smaller where the order goes up.
  vector<ushort, 32> small = ((number & Distance) == 0) == ((number & size) == 0);
  vector<uint, 32> less = cm_min<uint>(v, other), more = cm_max<uint>(v, other);
  more.merge(less, small);
  v = more;
}

_GENX_ void exchange_near(vector_ref<uint, 32> v, uint first, uint size) {
  if (size >= 32)
    exchange<16>(v, first, size);
  if (size >= 16)
    exchange<8>(v, first, size);
  if (size >= 8)
    exchange<4>(v, first, size);
  if (size >= 4)
    exchange<2>(v, first, size);
  exchange<1>(v, first, size);
}

// Sorts 32 elements, up and down in turn.
extern "C" _GENX_MAIN_ void begin(SurfaceIndex data) {
  uint first = (get_thread_origin_y() * 512 + get_thread_origin_x()) * 32;
  vector<uint, 32> v;
  read(data, first * 4, v);
  for (uint size = 2; size <= 32; size *= 2)
    exchange_near(v, first, size);
  write(data, first * 4, v);
}

// The steps of 16 and less of a size.
extern "C" _GENX_MAIN_ void finish(SurfaceIndex data, uint size) {
  uint first = (get_thread_origin_y() * 512 + get_thread_origin_x()) * 32;
  vector<uint, 32> v;
  read(data, first * 4, v);
  exchange_near(v, first, size);
  write(data, first * 4, v);
}

// One step of 32 or more: a thread puts 32 pairs in order.
extern "C" _GENX_MAIN_ void step(SurfaceIndex data, uint size, uint distance) {
  uint pair = (get_thread_origin_y() * 512 + get_thread_origin_x()) * 32;
  uint first = (pair & ~(distance - 1)) * 2 + (pair & (distance - 1));
  vector<uint, 32> low, high;
  read(data, first * 4, low);
  read(data, (first + distance) * 4, high);
  vector<uint, 32> less = cm_min<uint>(low, high), more = cm_max<uint>(low, high);
  bool up = (first & size) == 0;
  low = up ? less : more;
  high = up ? more : less;
  write(data, first * 4, low);
  write(data, (first + distance) * 4, high);
}
