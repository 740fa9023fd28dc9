//===- Photo.cpp - Photographs in files ----------------------------------------------===//
#include "image/Photo.h"
#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <jpeglib.h>
#include <png.h>

namespace pocm::image {
namespace {

constexpr unsigned mostPixels = 1u << 15; // a side

struct Close {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void fail(const std::string &path, const std::string &why) {
  throw std::runtime_error("cannot read photograph '" + path + "': " + why);
}

File open(const std::string &path) {
  File file(std::fopen(path.c_str(), "rb"));
  if (!file)
    fail(path, std::strerror(errno));
  return file;
}

enum class Kind { Png, Jpeg, Other };

Kind kindOf(std::FILE *file) {
  unsigned char head[8] = {};
  std::size_t n = std::fread(head, 1, sizeof(head), file);
  std::rewind(file);
  if (n == sizeof(head) && png_sig_cmp(head, 0, sizeof(head)) == 0)
    return Kind::Png;
  return n >= 3 && head[0] == 0xff && head[1] == 0xd8 && head[2] == 0xff ? Kind::Jpeg : Kind::Other;
}

Photo loadPng(const std::string &path, std::FILE *file) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_stdio(&image, file))
    fail(path, image.message);
  if (image.width > mostPixels || image.height > mostPixels) {
    png_image_free(&image);
    fail(path, "more than " + std::to_string(mostPixels) + " pixels a side");
  }
  image.format = PNG_FORMAT_RGB;
  Photo photo{image.width, image.height, 3, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image))};
  png_color black = {};
  if (!png_image_finish_read(&image, &black, photo.pixels.data(), 0, nullptr))
    fail(path, image.message);
  return photo;
}

struct JpegErrors {
  jpeg_error_mgr base;
  std::jmp_buf back;
  char text[JMSG_LENGTH_MAX];
};

void leaveJpeg(j_common_ptr info) {
  auto *errors = reinterpret_cast<JpegErrors *>(info->err);
  info->err->format_message(info, errors->text);
  std::longjmp(errors->back, 1);
}

/// Returns false with the reason in `errors`. No object with a destructor lives across the jump.
bool decodeJpeg(std::FILE *file, Photo &photo, JpegErrors &errors) {
  jpeg_decompress_struct info = {};
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = leaveJpeg;
  errors.base.output_message = [](j_common_ptr) {};
  if (setjmp(errors.back)) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  jpeg_stdio_src(&info, file);
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_RGB;
  jpeg_start_decompress(&info);
  photo.width = info.output_width;
  photo.height = info.output_height;
  photo.channels = 3;
  photo.pixels.resize(photo.stride() * photo.height);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = photo.pixels.data() + info.output_scanline * photo.stride();
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return true;
}

} // namespace

bool isPhoto(const std::string &path) { return kindOf(open(path).get()) != Kind::Other; }

Photo load(const std::string &path) {
  File file = open(path);
  switch (kindOf(file.get())) {
  case Kind::Png:
    return loadPng(path, file.get());
  case Kind::Jpeg: {
    Photo photo;
    JpegErrors errors;
    if (!decodeJpeg(file.get(), photo, errors))
      fail(path, errors.text);
    return photo;
  }
  case Kind::Other:
    break;
  }
  fail(path, "it is neither a PNG nor a JPEG");
}

void savePng(const std::string &path, const Photo &photo) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = photo.width;
  image.height = photo.height;
  image.format = photo.channels == 1 ? PNG_FORMAT_GRAY : photo.channels == 4 ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;
  if (!png_image_write_to_file(&image, path.c_str(), 0, photo.pixels.data(), 0, nullptr))
    throw std::runtime_error("cannot write '" + path + "': " + image.message);
}

Photo scaled(const Photo &photo, unsigned width, unsigned height) {
  Photo result{width, height, photo.channels, {}};
  result.pixels.resize(result.stride() * height);
  for (unsigned y = 0; y < height; ++y) {
    float fy = std::max(0.f, (float(y) + 0.5f) * float(photo.height) / float(height) - 0.5f);
    unsigned y0 = unsigned(fy), y1 = std::min(y0 + 1, photo.height - 1);
    float wy = fy - float(y0);
    for (unsigned x = 0; x < width; ++x) {
      float fx = std::max(0.f, (float(x) + 0.5f) * float(photo.width) / float(width) - 0.5f);
      unsigned x0 = unsigned(fx), x1 = std::min(x0 + 1, photo.width - 1);
      float wx = fx - float(x0);
      for (unsigned c = 0; c < photo.channels; ++c) {
        auto at = [&](unsigned px, unsigned py) {
          return float(photo.pixels[py * photo.stride() + px * photo.channels + c]);
        };
        float top = at(x0, y0) * (1 - wx) + at(x1, y0) * wx, low = at(x0, y1) * (1 - wx) + at(x1, y1) * wx;
        result.pixels[y * result.stride() + x * photo.channels + c] = std::uint8_t(top * (1 - wy) + low * wy + 0.5f);
      }
    }
  }
  return result;
}

} // namespace pocm::image
