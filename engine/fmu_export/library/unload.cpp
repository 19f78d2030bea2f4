// The C++ runtime linked into this library reserves memory for exceptions thrown when there is no
// other left. Nothing frees it when the library is unloaded, so this does.
#ifdef MACROSTEP_OWN_CXX_RUNTIME
namespace __gnu_cxx {
void __freeres();
}

[[gnu::destructor]] static void unload() {
  __gnu_cxx::__freeres();
}
#endif
