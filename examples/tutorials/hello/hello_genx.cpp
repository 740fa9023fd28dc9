#include <cm/cm.h>

// Every thread says where it is.
extern "C" _GENX_MAIN_ void hello(int year) {
  printf("Hello from thread (%d, %d) in %d\n", get_thread_origin_x(), get_thread_origin_y(), year);
}
