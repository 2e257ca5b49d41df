# shellcheck shell=bash
# lib.sh is what the parts of the tour share. Read the parts, and run them while `make run` runs in another terminal.
# A part needs bash, curl and node. It needs no other part and can be run again. A request with an unexpected outcome
# ends it.
#
# ADDR and DATA have the meaning that they have for `make run`. Set them as you set them there.

data=${DATA:-$(dirname "${BASH_SOURCE[0]}")/../../.earshot}
workbench=http://${ADDR:-127.0.0.1:8080}
# RUN is the time in milliseconds, so it differs from run to run. Names that may exist only once contain it.
# shellcheck disable=SC2034 # The parts use it.
RUN=$(node -p 'Date.now()')
# KEY is the API key that requests are sent with.
KEY=

[ -r "$data/demo.json" ] || {
  echo "There is no $data/demo.json. Start \`make run\` first, with its demo and with the same DATA." >&2
  exit 1
}

# step prints what comes next.
step() { printf '\n== %s\n' "$*"; }

# demo prints a value of the demo, such as keys.read. The demo's keys are in the folder of its data.
demo() { pick "a.$1" <"$data/demo.json"; }

# pick prints what a JavaScript expression takes from the JSON on standard input, which it calls a.
pick() { node -p "const a = JSON.parse(require('fs').readFileSync(0)); $1"; }

# in_days DAYS prints the time that is DAYS from now. A fraction or an expression is welcome.
in_days() { node -p "new Date(Date.now() + $1 * 864e5).toISOString()"; }

# call EXPECTED METHOD PATH [CURL-ARGUMENT...] sends a request and prints the body of the response. EXPECTED is ok or
# the code of an error. Any other outcome is a failure.
call() {
  local expected=$1 method=$2 path=$3 response status
  shift 3
  response=$(curl --silent --show-error --write-out '\n%{http_code}' \
    --request "$method" "$workbench$path" "$@") || return
  status=${response##*$'\n'}
  response=${response%$'\n'*}
  response=${response%$'\n'}
  case "$expected $status $response" in
    "ok 2"*) ;;
    "$expected "[45]*"\"code\":\"$expected\""*) ;;
    *)
      printf '%s %s: the response is %s, want %s: %s\n' "$method" "$path" "$status" "$expected" "$response" >&2
      return 1
      ;;
  esac
  printf '%s\n' "$response"
}

# ask METHOD PATH [BODY [CURL-ARGUMENT...]] sends a request to the API with the key KEY. It shows the request first.
ask() { api ok "$@"; }

# refused CODE METHOD PATH [BODY [CURL-ARGUMENT...]] is ask for a request that gets the error CODE.
refused() { api "$@"; }

# api is ask and refused. Its first argument is the EXPECTED of call.
api() {
  local expected=$1 method=$2 path=$3 body=${4-}
  shift $(($# < 4 ? 3 : 4))
  printf '> %s /api/v2%s%s%s\n' "$method" "$path" "${body:+ $body}" "${*:+ $*}" >&2
  call "$expected" "$method" "/api/v2$path" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \
    ${body:+--data "$body"} "$@"
}

# bench METHOD PATH [BODY [CURL-ARGUMENT...]] sends a request to /_local/, which needs no key. The body @- is standard
# input.
bench() {
  local method=$1 path=$2 body=${3-}
  shift $(($# < 3 ? 2 : 3))
  [ "$body" != @- ] || body=$(cat)
  printf '> %s /_local%s%s%s\n' "$method" "$path" "${body:+ $body}" "${*:+ $*}" >&2
  call ok "$method" "/_local$path" ${body:+--data-binary "$body"} "$@"
}

# await PATH STATUS... polls until the status of PATH is none of these.
await() {
  local path=$1 status
  shift
  while true; do
    status=$(ask GET "$path" | pick a.status) || return
    case " $* " in
      *" $status "*) sleep 0.2 ;;
      *) return ;;
    esac
  done
}
