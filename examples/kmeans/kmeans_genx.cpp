#include <cm/cm.h>

#define MOST 64   // centroids at most
#define POINTS 16 // points that are looked at together

// First phase: the nearest centroid of each point, and the sums of the points of each centroid. Points are pairs x, y;
// the centroids are in registers as long as the thread lives, and so are the sums: a row x, y, count for each centroid.
// A thread adds its rows to the shared sums of its part: 4 floats for each centroid.
extern "C" _GENX_MAIN_ void assign(SurfaceIndex points, SurfaceIndex centroids, SurfaceIndex labels, SurfaceIndex sums,
                                   int count, int perThread, int clusters) {
  int thread = get_thread_origin_y() * 256 + get_thread_origin_x();
  int first = thread * perThread, end = cm_min<int>(first + perThread, count);
  if (first >= count)
    return;
  vector<float, 2 * MOST> centroid;
#pragma unroll
  for (int i = 0; i < 2 * MOST; i += 32)
    read(centroids, i * 4, centroid.select<32, 1>(i));
  matrix<float, MOST, 4> sum = 0;

  for (int at = first; at < end; at += POINTS) {
    vector<float, 2 * POINTS> pairs;
    read(points, at * 8, pairs);
    vector<float, POINTS> x = pairs.select<POINTS, 2>(0), y = pairs.select<POINTS, 2>(1);
    vector<float, POINTS> nearest = 3.402823466e+38f;
    vector<uint, POINTS> label = 0;
    for (int c = 0; c < clusters; c++) {
      vector<float, POINTS> dx = x - centroid(2 * c), dy = y - centroid(2 * c + 1);
      vector<float, POINTS> distance = dx * dx + dy * dy;
      label.merge(c, distance < nearest);
      nearest = cm_min<float>(nearest, distance);
    }
    write(labels, at * 4, label); // what is past the end of the buffer is dropped

    matrix<float, POINTS, 4> point;
    point.column(0) = x;
    point.column(1) = y;
    point.column(2) = 1;
    point.column(3) = 0;
    if (at + POINTS <= end)
#pragma unroll
      for (int i = 0; i < POINTS; i++)
        sum.row(label(i)) += point.row(i);
    else
      for (int i = 0; i < end - at; i++)
        sum.row(label(i)) += point.row(i);
  }

  for (int c = 0; c < clusters; c += 4)
    write(sums, (thread * MOST + c) * 16, sum.select<4, 1, 4, 1>(c, 0).format<float>());
}

// Second phase, one thread for each centroid: the sums of all threads, in the order of the threads, and the centroid in
// their middle. A centroid without points stays where it is.
extern "C" _GENX_MAIN_ void move(SurfaceIndex sums, SurfaceIndex centroids, int threads) {
  int c = get_thread_origin_x();
  vector<float, 4> sum = 0, part;
  for (int t = 0; t < threads; t++) {
    read(sums, (t * MOST + c) * 16, part);
    sum += part;
  }
  if (sum(2) > 0) {
    vector<float, 2> middle = sum.select<2, 1>(0) / sum(2);
    vector<uint, 2> where;
    where(0) = c * 2;
    where(1) = c * 2 + 1;
    write(centroids, 0, where, middle);
  }
}
