//===- Roofline.cpp - What a kernel does under what a machine can do -----------------------===//
#include "html/Roofline.h"
#include "html/Elements.h"
#include "html/Format.h"
#include <algorithm>
#include <cmath>

namespace pocm::html {
namespace {

constexpr double width = 560, height = 260; ///< Of the picture.

/// Names in the picture, each where it meets no other one and no circle.
class Names {
public:
  struct Spot {
    double x, y;
    const char *anchor; ///< Which end of the text x is: start, middle or end.
  };
  struct Box {
    double left, top, right, bottom;
    bool meets(const Box &o) const { return left < o.right && o.left < right && top < o.bottom && o.top < bottom; }
  };
  void keepFree(const Box &box) { taken.push_back(box); }
  /// The text at the first of the spots that has room for it, or else at the first one.
  std::string put(const std::string &text, const std::vector<Spot> &spots) {
    auto found = std::ranges::find_if(spots, [&](const Spot &s) { return hasRoom(boxOf(text, s)); });
    const Spot &spot = found == spots.end() ? spots.front() : *found;
    keepFree(boxOf(text, spot));
    return format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", spot.x, spot.y, spot.anchor) + escaped(text) +
           "</text>";
  }

private:
  std::vector<Box> taken;

  /// Of text of 11 pixels (Style.h), with a little room around it.
  static Box boxOf(const std::string &text, const Spot &s) {
    constexpr double letter = 6.2, above = 11, below = 5;
    const double length = letter * double(text.size()) + 4;
    const double left = s.x - 2 - (s.anchor[0] == 's' ? 0 : s.anchor[0] == 'e' ? length - 4 : length / 2 - 2);
    return {left, s.y - above, left + length, s.y + below};
  }
  bool hasRoom(const Box &box) const {
    return box.left >= 0 && box.right <= width &&
           std::ranges::none_of(taken, [&](const Box &other) { return box.meets(other); });
  }
};

/// Where values lie in the picture. Bounds are exponents of ten.
struct Axes {
  static constexpr double left = 54, bottom = 34, top = 12, right = 20;
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

  /// Up as fast as bytes come, then level.
  std::string roof(const Roofline::Rate &rate, double peak) const {
    const double knee = peak / rate.bytes, from = start(rate);
    return format("<polyline class=\"roof\" points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>", x(from), y(rate.bytes * from),
                  x(knee), y(peak), x(std::pow(10, x1)), y(peak));
  }
  /// The highest roof's name stands above it, others' below, away from its line; in the middle or where there is room.
  std::string roofName(Names &names, const Roofline::Rate &rate, double peak, bool highest) const {
    std::vector<Names::Spot> spots;
    for (double part : {0.5, 0.65, 0.35, 0.8, 0.2}) {
      const double at = std::pow(peak / rate.bytes, part) * std::pow(start(rate), 1 - part);
      spots.push_back({x(at) + (highest ? -6 : 8), y(rate.bytes * at) + (highest ? 0 : 10), highest ? "end" : "start"});
    }
    return names.put(rate.name + " " + scaled(rate.bytes, "B/s"), spots);
  }

  static constexpr double radius = 5;
  Names::Box circleOf(const Roofline::Point &p, double done) const {
    return {x(p.operations) - radius, y(done) - radius, x(p.operations) + radius, y(done) + radius};
  }
  std::string point(const Roofline::Point &p, double done) const {
    return format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\" fill=\"var(--hot)\"><title>", x(p.operations), y(done),
                  radius) +
           escaped(p.name) + format(": %.2f operations a byte</title></circle>", p.operations);
  }
  std::string pointName(Names &names, const Roofline::Point &p, double done) const {
    const double at = x(p.operations), level = y(done);
    return names.put(p.name, {{at + 8, level + 4, "start"},
                              {at - 8, level + 4, "end"},
                              {at, level + 19, "middle"},
                              {at, level - 11, "middle"}});
  }

private:
  /// Where a roof comes into the picture.
  double start(const Roofline::Rate &rate) const { return std::max(std::pow(10, x0), std::pow(10, y0) / rate.bytes); }
};

} // namespace

std::string Roofline::svg() const {
  const Axes axes(*this);
  std::string out = format("<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\">", width, height) + axes.grid();
  for (const Rate &rate : roofs)
    out += axes.roof(rate, peak);
  Names names;
  for (const Point &p : points) {
    out += axes.point(p, done);
    names.keepFree(axes.circleOf(p, done));
  }
  const double end = width - Axes::right, level = axes.y(peak);
  out += names.put(scaled(peak, "op/s"),
                   {{end, level - 5, "end"}, {end - 90, level - 5, "end"}, {end - 180, level - 5, "end"}});
  for (const Point &p : points)
    out += axes.pointName(names, p, done);
  for (const Rate &rate : roofs)
    out += axes.roofName(names, rate, peak,
                         std::ranges::all_of(roofs, [&](const Rate &r) { return r.bytes <= rate.bytes; }));
  return out + "</svg>\n";
}

} // namespace pocm::html
