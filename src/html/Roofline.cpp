//===- Roofline.cpp - What a kernel does under what a machine can do -----------------------===//
#include "html/Roofline.h"
#include "html/Elements.h"
#include "html/Format.h"
#include <algorithm>
#include <cmath>

namespace pocm::html {
namespace {

/// Where values lie in the picture. Bounds are exponents of ten.
struct Axes {
  static constexpr double width = 560, height = 260, left = 54, bottom = 34, top = 12, right = 20;
  double x0, x1, y0, y1;

  explicit Axes(const Roofline &r) {
    auto byRate = [](const Roofline::Rate &a, const Roofline::Rate &b) { return a.bytes < b.bytes; };
    auto [least, most] = std::minmax_element(r.roofs.begin(), r.roofs.end(), byRate);
    x0 = std::floor(std::log10(r.peak / most->bytes)) - 1;
    x1 = std::ceil(std::log10(r.peak / least->bytes)) + 1;
    for (const Roofline::Point &p : r.points) {
      x0 = std::min(x0, std::floor(std::log10(p.operations)));
      x1 = std::max(x1, std::ceil(std::log10(p.operations) + 0.1));
    }
    y1 = std::ceil(std::log10(std::max(r.peak, r.done)) + 0.05);
    y0 = std::min(y1 - 3, std::floor(std::log10(r.done)));
  }
  double x(double v) const { return left + (width - left - right) * (std::log10(v) - x0) / (x1 - x0); }
  double y(double v) const { return top + (height - top - bottom) * (y1 - std::log10(v)) / (y1 - y0); }

  std::string grid() const {
    std::string out;
    for (double e = x0; e <= x1; ++e) {
      const double at = x(std::pow(10, e));
      out += format("<line class=\"axis\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", at, top, at,
                    height - bottom);
      out += format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g</text>", at, height - bottom + 14,
                    std::pow(10, e));
    }
    for (double e = y0; e <= y1; ++e) {
      const double at = y(std::pow(10, e));
      out +=
          format("<line class=\"axis\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", left, at, width - right, at);
      out += format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", left - 5, at + 4) +
             scaled(std::pow(10, e), "") + "</text>";
    }
    return out + format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">operations a byte</text>",
                        (left + width) / 2, height - 4);
  }

  /// Up as fast as bytes come, then level. The highest one's name stands above it, others' below, away from its line.
  std::string roof(const Roofline::Rate &rate, double peak, bool highest) const {
    const double knee = peak / rate.bytes, from = std::max(std::pow(10, x0), std::pow(10, y0) / rate.bytes),
                 middle = std::sqrt(from * knee);
    return format("<polyline class=\"roof\" points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>", x(from), y(rate.bytes * from),
                  x(knee), y(peak), x(std::pow(10, x1)), y(peak)) +
           format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x(middle) + (highest ? -6 : 8),
                  y(rate.bytes * middle) + (highest ? 0 : 10), highest ? "end" : "start") +
           escaped(rate.name) + " " + scaled(rate.bytes, "B/s") + "</text>";
  }

  std::string point(const Roofline::Point &p, double done) const {
    const std::string name = escaped(p.name);
    return format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"var(--hot)\"><title>", x(p.operations), y(done)) +
           name +
           format(": %.2f operations a byte</title></circle><text x=\"%.1f\" y=\"%.1f\">", p.operations,
                  x(p.operations) + 8, y(done) + 4) +
           name + "</text>";
  }
};

} // namespace

std::string Roofline::svg() const {
  const Axes axes(*this);
  std::string out = format("<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\">", Axes::width, Axes::height) + axes.grid();
  for (const Rate &rate : roofs)
    out += axes.roof(rate, peak, std::ranges::all_of(roofs, [&](const Rate &r) { return r.bytes <= rate.bytes; }));
  out += format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>", Axes::width - Axes::right,
                axes.y(peak) - 5, scaled(peak, "op/s").c_str());
  for (const Point &p : points)
    out += axes.point(p, done);
  return out + "</svg>\n";
}

} // namespace pocm::html
