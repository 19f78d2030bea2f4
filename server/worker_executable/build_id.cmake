# Makes the source of workers/worker_build_id.hpp from the note of an executable: three numbers, the name
# "GNU", and the id of 20 bytes.
file(READ ${NOTE} id HEX OFFSET 16 LIMIT 20)
file(WRITE ${SOURCE} "#include \"server/workers/worker_build_id.hpp\"\n
std::string macrostep::server::worker_build_id() { return \"${id}\"; }\n")
