# Runs $DOCS_BLOCK.sh with the variables and in the directory that the block before has left. Goes on after a
# command that fails, as a reader would, and notes its exit code in $DOCS_BLOCK.failures.
if [ -e "$DOCS_FOLDER/state" ]; then . "$DOCS_FOLDER/state"; fi
docs_block=$DOCS_BLOCK
set -o pipefail -E -a
trap 'docs_code=$?; printf "%s\t%s\n" "$docs_code" "$BASH_COMMAND" >>"$docs_block.failures"' ERR
. "$docs_block.sh"
trap - ERR
{
  unset DOCS_BLOCK docs_block docs_code
  export -p | grep -v '^declare -x \(PWD\|OLDPWD\|SHLVL\)'
  printf 'cd %q\n' "$PWD"
} >"$DOCS_FOLDER/state"
# Servers that the block has started end with it.
if [ -e "$DOCS_FOLDER/servers" ]; then
  while read -r pid; do kill "$pid"; done <"$DOCS_FOLDER/servers"
  rm "$DOCS_FOLDER/servers"
fi
exit 0
