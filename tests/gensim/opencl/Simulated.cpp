// Intel's offline compiler and gensim, with the launches that the peer gets.
#include "Simulated.h"
#include "../Iga.h"

namespace test {

using pocm::opencl::ArgumentKind;

pocm::opencl::Binary compiled(const KernelFile &file, const std::string &target, const BinaryForm &form) {
  Folder folder;
  std::ofstream(folder.file("kernels.cl")) << file.source;
  std::string command = "ocloc compile -file " + folder.file("kernels.cl") + " -device " + target + " -out_dir " +
                        folder.path.string() + " -output kernels -options \"" + file.options + " " + form.options +
                        "\" -internal_options \"" + file.internal + " " + form.internal + "\" > " + folder.file("log") +
                        " 2>&1";
  int status = std::system(command.c_str());
  for (const auto &entry : std::filesystem::directory_iterator(folder.path))
    if (entry.path().extension() == ".bin" && status == 0) {
      std::string bytes = contentsOf(entry.path());
      return pocm::opencl::readBinary({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()});
    }
  throw CompilerRefuses("ocloc refuses the source: " + contentsOf(folder.file("log")));
}

std::vector<std::vector<std::uint8_t>> simulated(pocm::opencl::Program &program, const KernelLaunch &launch,
                                                 bool strict, const std::string &timing) {
  using Kind = LaunchArgument::Kind;
  std::vector<std::vector<std::uint8_t>> contents(launch.arguments.size());
  std::vector<pocm::opencl::Setting> settings(launch.arguments.size());
  for (std::size_t n = 0; n < settings.size(); ++n) {
    const LaunchArgument &a = launch.arguments[n];
    pocm::opencl::Setting &s = settings[n];
    if (a.kind == Kind::Value) {
      s.value = a.bytes;
    } else if (a.kind == Kind::Buffer) {
      s.kind = ArgumentKind::Buffer;
      contents[n] = a.bytes;
      s.buffer = contents[n];
    } else if (a.kind == Kind::Local) {
      s.kind = ArgumentKind::Local;
      s.localBytes = a.localBytes;
    } else if (a.kind == Kind::Sampler) {
      s.kind = ArgumentKind::Sampler;
      s.sampler = a.sampler;
    } else {
      s.kind = ArgumentKind::Image;
      s.image = std::make_shared<pocm::opencl::Image>(a.format, a.size[0], a.size[1], a.size[2]);
      s.image->isArray = a.kind == Kind::ImageArray;
      s.image->bytes = a.bytes;
    }
  }
  constexpr std::uint64_t most = 50'000'000;
  auto report = program.run(launch.kernel, launch.range, settings, {nullptr, most, timing});
  if (strict && !report.findings.empty())
    throw pocm::opencl::Problem(report.findings.front());
  for (std::size_t n = 0; n < settings.size(); ++n)
    if (settings[n].image)
      contents[n] = settings[n].image->bytes;
  return contents;
}

} // namespace test
