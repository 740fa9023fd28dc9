// Hello world: a kernel prints from each of its threads.
//
//     hello PROGRAM.isa
#include "tutorial.h"

int main(int argc, char **argv) {
  return tutorial::main(argc, argv, [](const std::string &path) {
    tutorial::Session session(path);
    CHECK(session.device->InitPrintBuffer());
    CmKernel *kernel = session.kernel("hello");
    tutorial::setAll(kernel, 2021);
    session.run(session.task({kernel}), session.space(4, 2));
    CHECK(session.device->FlushPrintBuffer());
    return 0;
  });
}
