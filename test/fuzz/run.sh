#!/usr/bin/env bash
# Fuzzes a service that runs, once for each kind of caller, and counts what was refused for being too fast.
#   test/fuzz/run.sh .leadwire/demo.json [options of schemathesis]
# Needs: schemathesis (PyPI) and node on the PATH, a build (npm run build), a service started with `AUTH_FAILURES_PER_MINUTE=0 npm start`.
set -euo pipefail
cd "$(dirname "$0")"
demo=$(realpath "${1:?where is demo.json?}")
shift
leadwire=../../dist/cli/main.js

read_demo() { node -p "JSON.parse(fs.readFileSync('$demo', 'utf8')).$1"; }
url=$(read_demo base_url)
all=$(read_demo org_api_key)
read_only=$(read_demo read_only_api_key)
MONGODB_URI=$(read_demo mongodb_uri)
LEADWIRE_RECORDS=$(mktemp)
export MONGODB_URI LEADWIRE_RECORDS

# 120 calls a minute are too few: the keys get more for the time of the test.
limit() { # key, options of key-limits
  local key=$1 org id
  shift
  # A run just before may have used the minute up: curl waits as it is told.
  read -r org id < <(curl -sS --retry 3 "$url/api/v1/whoami" -H "Authorization: Bearer $key" |
    node -p 'const { organization, key } = JSON.parse(fs.readFileSync(0, "utf8")).data; `${organization.id} ${key.id}`')
  node "$leadwire" operator key-limits --org "$org" --key "$id" "$@"
}
answers() { # a pattern of statuses, one of endpoints
  curl -sS "$url/metrics" | awk -v want="endpoint=\"${2:-.*}\",status=\"$1\"" \
    '$0 ~ "^leadwire_http_requests_total" && $0 ~ want { sum += $NF } END { print sum + 0 }'
}

finish() {
  rm "$LEADWIRE_RECORDS"
  for key in "$all" "$read_only"; do limit "$key" --default; done
}
trap finish EXIT
for key in "$all" "$read_only"; do limit "$key" --calls 10000 --writes 10000; done
node ../../dist/test/fuzz/main.js "$url" "$all" >"$LEADWIRE_RECORDS"
read_records() { node -p "JSON.parse(fs.readFileSync('$LEADWIRE_RECORDS', 'utf8')).$1"; }
before=$(answers '...')
slowed=$(answers 429)
failed=$(answers '5..')
doors=(ingestLead pingLead lookUpLead postOutcome runAction)
accepted=()
for door in "${doors[@]}"; do accepted+=("$(answers '2..' "$door")"); done
status=0
fuzz() { # role, header
  local role=$1
  shift
  printf '\n== %s\n' "$role"
  schemathesis --config-file schemathesis.toml run "$url/api/v1/openapi.json" --checks all "$@" || status=$?
}
fuzz "a supplier's key" -H "x-api-key: $(read_records supplier_key)" "$@"
fuzz "a buyer's secret" -H "X-Buyer-Secret: $(read_records buyer_secret)" "$@"
fuzz 'nobody' "$@"
fuzz 'a key that only reads' -H "Authorization: Bearer $read_only" "$@"
# Last: it changes the campaigns of the leads.
fuzz 'a key with all permissions' -H "Authorization: Bearer $all" "$@"
printf '\n%s answers, of them 429: %s, 5xx: %s\n' \
  $(($(answers '...') - before)) $(($(answers 429) - slowed)) $(($(answers '5..') - failed))
# A door that accepted nothing was tried at its lock only.
for i in "${!doors[@]}"; do
  printf '%s accepted %s\n' "${doors[i]}" $(($(answers '2..' "${doors[i]}") - accepted[i]))
done
exit "$status"
