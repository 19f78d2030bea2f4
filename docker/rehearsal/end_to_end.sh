# shellcheck shell=bash
# What rehearse.sh asks of the server in the image.

get() { curl -fsS --noproxy '*' --max-time 30 "$url$1"; }
until_healthy() {
  local tenths
  for ((tenths = 0; tenths < 10 * healthy_wait_s; tenths++)); do
    healthy && return
    ! ended || break
    sleep 0.1
  done
  server_log
  fail "the health check does not succeed"
}
in_order() {
  local status=0
  stop || status=$?
  [ "$status" = 0 ] || fail "the server ended with status $status after SIGTERM"
  if get /readyz >/dev/null 2>&1; then fail "it still answers"; fi
}

end_to_end() {
  local id assets asset tenths database recommended row owner
  if get /readyz >/dev/null 2>&1; then fail "port $port answers before the server has started"; fi
  start
  until_healthy
  say "  ok  healthy, as the user $image_user"

  get / >"$scratch/page.html"
  mapfile -t assets < <(grep -oE '(src|href)="/?[^":]+\.(js|css|svg)"' "$scratch/page.html" | sed 's/^[a-z]*="//; s/"$//')
  [ "${#assets[@]}" -ge 2 ] || fail "the page names ${#assets[@]} assets: it was built without the dashboard"
  for asset in "${assets[@]}"; do
    get "/${asset#/}" >"$scratch/asset" && [ -s "$scratch/asset" ] || fail "the page's $asset is not served"
  done
  say "  ok  the page and its ${#assets[@]} assets"

  id=$(curl -fsS --noproxy '*' --max-time 30 -H 'Content-Type: application/json' \
    --data '{"problem": "linear_oscillator", "name": "in the image"}' "$url/api/v1/searches" | jq -r .id)
  for ((tenths = 0; tenths < 10 * search_wait_s; tenths++)); do
    [ "$(get "/api/v1/searches/$id" | jq -r .status)" != succeeded ] || break
    sleep 0.1
  done
  recommended=$(get "/api/v1/searches/$id" | jq -S .recommendation)
  jq -e '.macro_step_s > 0' <<<"$recommended" >/dev/null || fail "the search recommends nothing"
  say "  ok  a search over REST: $(get "/api/v1/searches/$id" | jq -r .sentence)"

  database=$(data)/macrostep.db
  [ -s "$database" ] || fail "the database is not in the volume"
  owner=$(stat -c %u "$database")
  [ "$owner" != 0 ] || fail "the database belongs to root"
  row=$(sqlite3 -readonly "$database" \
    "SELECT search_name, macro_step_s FROM v_recommendations WHERE search_id = '$id' AND rule = 'max_min'")
  [ "$row" = "in the image|$(jq -r .macro_step_s <<<"$recommended")" ] || fail "SQL on the volume says '$row'"
  say "  ok  SQL on the data volume: $row"

  in_order
  say "  ok  it ends in order at SIGTERM"
  start
  until_healthy
  [ "$(get "/api/v1/searches/$id" | jq -S .recommendation)" = "$recommended" ] || fail "the search is gone after a restart"
  in_order
  say "  ok  after a restart the search is still there"
  for_others "$database"
}

# As the documentation says for other machines; then where 127.0.0.1 does not answer.
for_others() { # DATABASE
  local token file address
  token=$(head -c 24 /dev/urandom | base64)
  file=$(data)/token
  (umask 077 && printf '%s\n' "$token" >"$file")
  chown --reference="$1" "$file"
  start "MACROSTEP_LISTEN=0.0.0.0:$port" MACROSTEP_TOKEN_FILE=/var/lib/macrostep/token
  until_healthy
  if get /api/v1/searches >/dev/null 2>&1; then fail "with a token it answers who has none"; fi
  curl -fsS --noproxy '*' --max-time 30 -H "Authorization: Bearer $token" "$url/api/v1/searches" >/dev/null ||
    fail "it does not answer who has the token"
  in_order
  rm "$file"
  say "  ok  with a token, where other machines reach it, it is healthy, and closed to those who have none"
  address=127.0.0.2:$port
  start "MACROSTEP_LISTEN=$address"
  until_healthy
  in_order
  say "  ok  at $address it is healthy, too"
}

# FMUs in the image, by what it is allowed: what the documentation says of the options of the engine.
foreign_code() {
  fmus runs 'with the options of compose.yaml' as-it-is
  fmus refused 'under a profile that forbids namespaces, as that of Docker' no-namespaces
  fmus runs 'under it with seccomp lifted, /proc being covered in part' no-seccomp
  fmus runs 'under it without a sandbox, as one may ask for' no-namespaces --fmu-sandbox=none
}
fmus() { # runs|refused HOW RIGHTS [OPTION]
  local expected=$1 how=$2 said status=0
  said=$(shell "$3" "cd \$(mktemp -d) && macrostep fmu export linear_oscillator m1 --fmi 2 --out m1.fmu &&
    macrostep fmu validate m1.fmu ${4:-}" 2>&1) || status=$?
  case $expected:$status in
    *:77) say "  --  FMUs $how: only an engine can tell"; return ;;
    runs:0) grep -q 'follows the rules' <<<"$said" || fail "FMUs $how: $said" ;;
    refused:[1-9]*) grep -q 'sandbox' <<<"$said" || fail "FMUs $how: $said" ;;
    *) fail "FMUs $how ended with status $status: $said" ;;
  esac
  say "  ok  FMUs $how: $expected: $(grep -E 'sandbox|bwrap|follows' <<<"$said" | tail -n 1 | sed 's/--fmu-sandbox.*//')"
}
