// What the kernels of this folder compute, as loops that one would write in C++.
#pragma once

#include <cstdint>

using Bytes = std::uint8_t;

void plainMedian(const Bytes *in, Bytes *out, int width, int height);
void plainSobel(const Bytes *in, Bytes *out, int width, int height);
void plainBilateral(const Bytes *in, Bytes *out, int width, int height);
void plainSmaller(const Bytes *in, Bytes *out, int width, int height); // bytes of the input
void plainNv12(const Bytes *luma, const Bytes *chroma, Bytes *out, int width, int height);
void plainFft64(const float *in, const float *factors, float *out, int count);
void plainDct(const std::int16_t *in, const float *factors, std::int16_t *out, int width, int height);
void plainHaar(const std::int16_t *in, std::int16_t *out, int width, int height);
void plainMandelbrot(std::int32_t *out, float x0, float y0, float step, int limit, int width, int height);
void plainOptions(const float *stock, const float *strike, const float *years, float *call, float *put, int count);
void plainLu(const float *in, float *out, int count);
void plainCentres(const float *x, const float *y, const float *places, float *sums, int parts);
void plainSoftmax(const float *in, float *out, int rows);
void plainBytes(const std::int8_t *weights, const std::int8_t *in, std::int32_t *out, int width, int rows);
void plainHeat(const float *in, float *out, int width, int height);
void plainQuarter(std::uint32_t *out, int steps, int lanes);
void plainCrc(const std::uint32_t *in, const std::uint32_t *table, std::uint32_t *out, int count, int groups);
void plainSearch(const Bytes *in, std::uint32_t *out, const Bytes *pattern, int parts);
void plainHamming(const std::uint32_t *in, std::uint32_t *out, const std::uint32_t *query, int count);
void plainLife(const std::uint32_t *in, std::uint32_t *out, int pitch, int words, int rows);
void plainSha256(const std::uint32_t *in, const std::uint32_t *constants, std::uint32_t *out, int groups);
void plainBase64(const Bytes *in, Bytes *out, int count);
void plainPlanes(const Bytes *in, std::uint32_t *out, int parts);
void plainBlend(const Bytes *over, const Bytes *under, Bytes *out, int width, int height);
void plainUtf8(const Bytes *in, std::uint32_t *out, int parts);
void plainLongest(const Bytes *in, std::uint32_t *out, int pieces);
void plainMorton(const std::uint32_t *in, std::uint32_t *out, int width, int height);
void plainHalves(const _Float16 *weights, const _Float16 *in, float *out, int width, int rows);
void plainTones(const Bytes *in, const Bytes *tables, Bytes *out, int width, int height);
void plainFir(const std::int16_t *in, std::int16_t *out, const std::int16_t *taps, int count);
void plainTop(const float *in, float *out, int rows);
void plainUnpack(const Bytes *in, std::uint16_t *out, int pairs);
void plainWays(const float *a, const float *b, float *c, int n);
void plainLabels(const std::uint32_t *in, std::uint32_t *out, int width, int height);
void plainRuns(const Bytes *in, std::uint16_t *out, int parts);
void plainEdits(const Bytes *in, std::uint16_t *out, int groups);
void plainChacha(const std::uint32_t *key, std::uint32_t *out, int groups);
void plainRounds(const std::uint32_t *in, const std::uint32_t *tables, const std::uint32_t *keys, std::uint32_t *out,
                 int groups);
void plainAdler(const Bytes *in, std::uint32_t *out, int parts);
void plainPoints(const float *in, float *out, const float *by, int count);
void plainRays(const float *in, const float *boxes, float *out, int count, int groups);
void plainYuv(const Bytes *in, Bytes *out, int parts);
void plainPlaces(const std::uint32_t *in, const std::uint32_t *table, std::uint32_t *out, int count);
void plainDecimals(const std::uint32_t *in, Bytes *out, int count);
void plainEdges(const Bytes *in, Bytes *out, int width, int height);
void plainHalfcolour(const Bytes *in, Bytes *light, Bytes *blue, Bytes *red, int width, int height);
void plainLarger(const Bytes *in, Bytes *out, int width, int height); // of the input
void plainSpheres(const float *in, const float *all, float *out, int count, int groups);
void plainNoise(const std::uint32_t *table, float *out, float scale, int width, int height);
void plainFewer(const float *in, const float *taps, float *out, int count);
void plainDeterminants(const float *in, float *out, int count);
void plainParts(const std::uint32_t *in, std::uint32_t *out, std::uint32_t pivot, int parts);
void plainBitmatrix(const std::uint32_t *in, std::uint32_t *out, int count);
void plainVotes(const std::int16_t *in, const std::int32_t *angles, std::uint32_t *out, int count, int lines);
void plainSteps(std::uint32_t *out, int count);
void plainMatches(const std::uint32_t *in, const std::uint32_t *earlier, std::uint32_t *out, int count);
void plainDraws(const std::uint32_t *chances, const std::uint32_t *others, std::uint32_t *out, int count);
void plainRoots(const float *in, float *out, int count);
void plainUpwards(const std::uint32_t *parents, std::uint32_t *out, int count);
void plainPaths(const std::uint32_t *in, std::uint32_t *out, int count);
void plainAlign(const Bytes *shorts, const Bytes *longs, std::int16_t *out, int count);
void plainDigits(const std::uint32_t *in, std::uint32_t *out, int count);
void plainNeighbours(const float *in, const float *all, float *out, int count);
void plainCells(const Bytes *in, std::uint32_t *out, int width, int height);
void plainEarlier(const Bytes *in, Bytes *out, int count);
void plainRunning(const std::uint32_t *in, std::uint32_t *out, int count);
void plainChamfer(const Bytes *in, Bytes *out, int width, int height);
void plainSensor(const Bytes *in, Bytes *out, int width, int height);
void plainMerged(const std::uint32_t *in, std::uint32_t *out, int count);
void plainKeys(const std::uint32_t *in, const std::uint32_t *table, std::uint32_t *out, int count);
void plainRowbytes(const float *in, std::int8_t *out, float *factors, int rows);
void plainNorms(const float *in, float *out, int rows);
void plainLattice(const float *in, float *out, int pitch, int rows, int cells, float omega);
void plainFourbit(const Bytes *weights, const _Float16 *scales, const float *x, float *y, int rows, int width);
void plainAttention(const float *queries, const float *keys, const float *values, float *out, int queryCount,
                    int count);
void plainTables(const std::uint32_t *in, const std::uint32_t *table, const std::uint32_t *keys, std::uint32_t *out,
                 int blocks);
void plainSponge(const std::uint64_t *in, const std::uint64_t *constants, std::uint64_t *out, int groups);
void plainPerspective(const std::uint32_t *in, std::uint32_t *out, const float *m, int width, int height);
void plainCube(const std::uint32_t *in, const std::uint32_t *colours, std::uint32_t *out, int count);
void plainCodes(const std::uint32_t *in, const std::uint16_t *table, Bytes *out, int streams);
void plainLists(const std::uint32_t *links, std::uint32_t *out, int count);
void plainTrellis(const std::int16_t *in, const std::int16_t *signs, std::uint64_t *ways, std::int16_t *costs,
                  int streams, int count);
void plainSystems(const float *in, float *out, int groups);
void plainLimbs(const std::uint32_t *in, std::uint32_t *out, int groups);
void plainKept(const std::uint32_t *in, std::uint32_t *out, std::uint32_t *counts, std::uint32_t limit, int groups);
void plainZigzag(const std::int16_t *in, const std::int16_t *factors, const std::uint16_t *order, std::int16_t *out,
                 std::uint32_t *lengths, int blocks);
void plainMotion(const Bytes *now, const Bytes *before, std::uint32_t *out, int width, int across, int down);
void plainFields(const Bytes *in, Bytes *out, int width, int rows);
void plainVertices(const float *in, float *out, const float *m, int count);
void plainBorders(const float *in, float *out, int width, int height);
void plainLetters(const Bytes *in, Bytes *out, int letter, int count);
void plainLayers(const std::int8_t *a, const std::int8_t *b, std::int8_t *out, int zero, int count);
