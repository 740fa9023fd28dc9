//===- FaultLines.cpp - Which source line an instruction of a kernel comes from -----===//
#include "devices/cpu/FaultLines.h"
#include "codegen/cpu/CodeGen.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"
#include <algorithm>

using namespace llvm;

namespace pocm::cpu {

FaultLines::FaultLines(const std::vector<char> &file) {
  auto object = object::ObjectFile::createObjectFile(MemoryBufferRef(StringRef(file.data(), file.size()), "kernel.o"));
  if (!object) {
    consumeError(object.takeError());
    return;
  }
  for (const object::SymbolRef &symbol : (*object)->symbols()) {
    Expected<StringRef> name = symbol.getName();
    Expected<std::uint64_t> value = symbol.getValue();
    Expected<object::section_iterator> section = symbol.getSection();
    if (name && value && section && *name == entrySymbol && *section != (*object)->section_end()) {
      walker = *value - (*section)->getAddress();
      bytes = (*section)->getSize();
    }
    consumeError(name.takeError());
    consumeError(value.takeError());
    consumeError(section.takeError());
  }
  bool any = any_of((*object)->sections(), [](const object::SectionRef &section) {
    Expected<StringRef> name = section.getName();
    if (!name)
      return consumeError(name.takeError()), false;
    return *name == ".debug_line";
  });
  if (!any)
    return;
  std::unique_ptr<DWARFContext> context = DWARFContext::create(**object);
  for (const auto &unit : context->compile_units()) {
    const DWARFDebugLine::LineTable *table = context->getLineTableForUnit(unit.get());
    if (!table)
      continue;
    for (const DWARFDebugLine::Row &row : table->Rows) {
      std::string file;
      table->getFileNameByIndex(row.File, "", DILineInfoSpecifier::FileLineInfoKind::RawValue, file);
      auto known = std::find(files.begin(), files.end(), file);
      auto number = std::uint32_t(known - files.begin());
      if (known == files.end())
        files.push_back(file);
      rows.push_back({row.Address.Address, number, row.EndSequence ? 0 : row.Line});
    }
  }
  auto before = [](const Row &a, const Row &b) { return a.offset < b.offset; };
  if (!std::is_sorted(rows.begin(), rows.end(), before)) // all code lies in one section, whose lines are one sequence
    rows.clear();
}

std::vector<FaultLines::Place> FaultLines::places(std::uintptr_t walk) const & {
  std::vector<Place> all;
  for (const Row &row : rows)
    all.push_back({walk - walker + row.offset, &files[row.file], row.line});
  return all;
}

std::string FaultLines::at(std::uintptr_t pc, std::uintptr_t walk) const {
  std::uint64_t offset = pc - walk + walker;
  auto next = std::upper_bound(rows.begin(), rows.end(), offset,
                               [](std::uint64_t at, const Row &row) { return at < row.offset; });
  if (next == rows.begin() || !std::prev(next)->line)
    return "";
  return files[std::prev(next)->file] + ":" + std::to_string(std::prev(next)->line);
}

} // namespace pocm::cpu
