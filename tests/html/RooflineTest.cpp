// Names in the picture of a roofline do not lie over each other, over circles, or outside, wherever a kernel is.
#include "html/Roofline.h"
#include <gtest/gtest.h>
#include <regex>

namespace {

using pocm::html::Roofline;

struct Box {
  std::string what;
  double left, top, right, bottom;
  bool meets(const Box &o) const { return left < o.right && o.left < right && top < o.bottom && o.top < bottom; }
};

/// Those of names and circles; numbers along the axes stand outside of the picture's field.
std::vector<Box> boxesOf(const std::string &svg) {
  constexpr double letter = 5.8, above = 9, below = 3; // of 11 pixels
  const std::regex text(R"re(<text x="([-0-9.]+)" y="([-0-9.]+)"(?: text-anchor="(\w+)")?>([^<]*)</text>)re"),
      circle(R"re(<circle cx="([-0-9.]+)" cy="([-0-9.]+)" r="([0-9.]+)")re");
  std::vector<Box> boxes;
  for (std::sregex_iterator m(svg.begin(), svg.end(), text), end; m != end; ++m) {
    const std::string name = (*m)[4], anchor = (*m)[3];
    if (name.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos || name == "operations a byte")
      continue;
    const double x = std::stod((*m)[1]), y = std::stod((*m)[2]), width = letter * double(name.size());
    const double left = x - (anchor == "end" ? width : anchor == "middle" ? width / 2 : 0);
    boxes.push_back({name, left, y - above, left + width, y + below});
  }
  for (std::sregex_iterator m(svg.begin(), svg.end(), circle), end; m != end; ++m) {
    const double x = std::stod((*m)[1]), y = std::stod((*m)[2]), r = std::stod((*m)[3]);
    boxes.push_back({"circle", x - r, y - r, x + r, y + r});
  }
  return boxes;
}

TEST(RooflinePicture, namesMeetNothing) {
  for (double operations = 0.02; operations < 300; operations *= 1.13)
    for (double share : {0.02, 0.2, 0.55, 0.9, 1.0, 1.6, 4.3}) {
      const double peak = 170e9, bytes = 32e9, done = share * std::min(peak, bytes * operations);
      const Roofline chart{done, peak, {{"copies", bytes}}, {{"kernel", operations}}};
      const std::vector<Box> boxes = boxesOf(chart.svg());
      ASSERT_EQ(boxes.size(), 4u);
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        EXPECT_TRUE(boxes[i].left >= 0 && boxes[i].right <= 560) << boxes[i].what << " at " << operations;
        for (std::size_t k = 0; k < i; ++k)
          EXPECT_FALSE(boxes[i].meets(boxes[k]))
              << boxes[i].what << " over " << boxes[k].what << ": " << operations << " operations a byte, " << share;
      }
    }
}

} // namespace
