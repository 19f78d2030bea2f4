# cmake -DWEB=… -DNPM=… -P npm_install.cmake: brings web/node_modules in line with package-lock.json.
# Every build tree shares it, so the work is done under a lock and only when the lock file changed.
file(LOCK ${WEB}/.npm-install.lock GUARD PROCESS TIMEOUT 600)
file(SHA256 ${WEB}/package-lock.json wanted)
set(stamp ${WEB}/node_modules/.macrostep-lock-sha256)
if(EXISTS ${stamp})
  file(READ ${stamp} installed)
  if(installed STREQUAL wanted)
    return()
  endif()
endif()
execute_process(
  COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
  WORKING_DIRECTORY ${WEB} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "npm ci failed in ${WEB}:\n${text}\n"
    "The dashboard needs a package registry once; -DMACROSTEP_WEB=OFF builds without it.")
endif()
file(WRITE ${stamp} ${wanted})
