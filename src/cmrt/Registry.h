//===- Registry.h - Objects that a device owns for the application ---------------===//
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

namespace pocm::cmrt {

/// Objects of one class, by address. What the application never destroys dies with the registry. Any thread.
template <class T> class Registry {
public:
  T *add(std::unique_ptr<T> object) {
    std::lock_guard guard(lock);
    T *p = object.get();
    objects.emplace(p, std::move(object));
    return p;
  }
  /// False when the object is not one of these; it is not touched then.
  template <class Interface> bool remove(Interface *object) {
    std::unique_ptr<T> last;
    std::lock_guard guard(lock);
    auto found = objects.find(static_cast<T *>(object));
    if (found == objects.end())
      return false;
    last = std::move(found->second);
    objects.erase(found);
    return true;
  }
  template <class Interface> bool has(Interface *object) const {
    std::lock_guard guard(lock);
    return objects.contains(static_cast<T *>(object));
  }
  /// Calls use(object) when it is one of these; it is not destroyed meanwhile. False when it is none.
  template <class Interface, class Use> bool with(Interface *object, Use use) const {
    std::lock_guard guard(lock);
    auto found = objects.find(static_cast<T *>(object));
    if (found == objects.end())
      return false;
    use(*found->second);
    return true;
  }
  /// Whether `holds` is true of one of them.
  template <class Predicate> bool any(Predicate holds) const {
    std::lock_guard guard(lock);
    for (const auto &[address, object] : objects)
      if (holds(*object))
        return true;
    return false;
  }
  void clear() {
    std::lock_guard guard(lock);
    objects.clear();
  }

private:
  mutable std::mutex lock;
  std::unordered_map<T *, std::unique_ptr<T>> objects;
};

} // namespace pocm::cmrt
