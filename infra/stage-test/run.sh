#!/usr/bin/env bash
# Deploys a throwaway stage, plays the HTTP stories against it, forces one roll-back and one restore, and destroys the stage, also when
# anything failed.
#
#   infra/stage-test/run.sh              # about an hour and a half; less than a dollar
#   infra/stage-test/run.sh destroy testNAME
#   infra/stage-test/run.sh sweep        # destroys every throwaway stage that is older than three hours
#
# It needs what infra/README.md lists under "Before the first deployment", and credentials as infra/stage-test/policy.json says. No step has
# no limit of time. The stage is called test and a number that no other run has; STAGE names another.
set -euo pipefail
cd "$(dirname "$0")/../.."

root=$PWD
cdk=$root/infra/node_modules/.bin/cdk
work=$(mktemp -d)
traffic=''
deployed=''

say() { printf '== %s\n' "$*"; }
die() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# within SECONDS command…: ends a command that takes longer.
within() { timeout --kill-after=60 "$@"; }

# throwaway NAME: refuses any stage that people use.
throwaway() {
  [[ $1 =~ ^test[a-z0-9]{1,12}$ ]] || die "$1 is no throwaway stage; its name is test and up to 12 lowercase letters and digits"
}

# deploy: as make deploy does, and asks nobody.
deploy() { within 2700 env STAGE="$STAGE" "$cdk" deploy --all --require-approval never --progress events; }

stack_status() { aws cloudformation describe-stacks --stack-name "$1" --query 'Stacks[0].StackStatus' --output text; }

# there STACK: whether a stack is there. What else fails is an error, so that a stage is never taken for gone.
there() {
  local said
  if said=$(stack_status "$1" 2>&1); then
    return 0
  fi
  [[ $said == *"does not exist"* ]] && return 1
  die "the stack $1 cannot be looked up: $said"
}

# destroy STAGE: everything of the stage, twice if need be. It needs no build, for a build may be what failed.
destroy() {
  local stage=$1 stack bucket try
  throwaway "$stage"
  say "destroy $stage"
  aws dynamodb delete-table --table-name "earshot-$stage-restored" >/dev/null 2>&1 || true # mostly there is none
  for try in 1 2; do
    for stack in "earshot-$stage-service" "earshot-$stage-data"; do
      if ! there "$stack"; then continue; fi
      # CloudFormation deletes a bucket only when it is empty: those of exports and of the archive's shards.
      aws cloudformation describe-stacks --stack-name "$stack" --output json |
        jq -r '.Stacks[0].Outputs // [] | .[] | select(.OutputKey | endswith("Bucket")) | .OutputValue' |
        while read -r bucket; do
          aws s3 rm --recursive --only-show-errors "s3://$bucket" </dev/null || true
        done
      aws cloudformation delete-stack --stack-name "$stack" || true
      within 2400 aws cloudformation wait stack-delete-complete --stack-name "$stack" || true
    done
    if ! there "earshot-$stage-service" && ! there "earshot-$stage-data"; then
      return 0
    fi
    say "the stacks of $stage are still there after try $try"
  done
  die "the stage $stage is not destroyed: look at its stacks in CloudFormation, and run $0 destroy $stage"
}

# sweep: what a run left that was killed itself.
sweep() {
  local before stacks stage
  before=$(date -u -d '3 hours ago' +%Y-%m-%dT%H:%M:%SZ)
  stacks=$(aws cloudformation describe-stacks --output json |
    jq -r --arg before "$before" '.Stacks[] | select(.CreationTime < $before) | .StackName')
  sed -nE 's/^earshot-(test[a-z0-9]{1,12})-(data|service)$/\1/p' <<<"$stacks" | sort -u >"$work/old"
  while read -r stage; do
    destroy "$stage" </dev/null
  done <"$work/old"
}

# finish: the last thing that is done, however the run ended.
finish() {
  local status=$?
  trap - EXIT
  [ -z "$traffic" ] || kill "$traffic" 2>/dev/null || true
  [ ! -f "$work/bootstrap" ] || cp "$work/bootstrap" dist/discovery/bootstrap
  if [ -n "$deployed" ]; then
    (destroy "$STAGE") || status=1
  fi
  rm -rf "$work"
  exit "$status"
}

operate() { "$work/earshot" operate --stage "$STAGE" --json "$@"; }
story() { within 900 "$work/story" "$@"; }

# key NAME: a member of the JSON on standard input, which a log of GitHub's is told not to show.
key() {
  local value
  value=$(jq -er ".$1")
  [ -z "${GITHUB_ACTIONS:-}" ] || printf '::add-mask::%s\n' "$value" >&2
  printf '%s' "$value"
}

begin() {
  say "build"
  within 1800 make build
  go build -o "$work/earshot" ./functions/local
  go build -o "$work/story" ./infra/story
  say "deploy $STAGE"
  deployed=yes
  deploy
  "$root/infra/outputs.sh" "$STAGE" >"$work/outputs"
  # shellcheck source=/dev/null
  . "$work/outputs"
}

stories() {
  local made posts
  say "stories"
  made=$(operate agency create --name Harbour)
  STORY_MASTER=$(key token <<<"$made")
  made=$(operate workspace create --name Northwind --plan pro)
  workspace=$(key workspace <<<"$made")
  STORY_ADMIN=$(key token <<<"$made")
  made=$(operate key create --owner "$workspace" --scope read)
  STORY_READ=$(key token <<<"$made")
  STORY_URL=$API_URL
  export STORY_URL STORY_ADMIN STORY_READ STORY_MASTER
  story play
  printf 'header = "Authorization: Bearer %s"\n' "$STORY_ADMIN" |
    curl -sSf --max-time 60 --config - --json '{"keyword":"quillmark"}' "$API_URL/api/v2/keywords" >/dev/null
  posts=$(story posts quillmark)
  aws sqs send-message --queue-url "$QUEUE_POSTS" --message-body "$posts" >/dev/null
  story found quillmark --within 10m
}

# roll_back: a version that cannot start is taken back by its canary, and the API goes on.
roll_back() {
  local status
  say "a roll-back"
  cp dist/discovery/bootstrap "$work/bootstrap"
  printf '#!/bin/sh\nexit 1\n' >dist/discovery/bootstrap
  while true; do # what is asked of the version before is answered; of the canary, nothing is
    curl -s --max-time 30 -o /dev/null "$API_URL/llms.txt" || true
    sleep 0.5
  done &
  traffic=$!
  status=0
  deploy || status=$?
  kill "$traffic"
  traffic=''
  cp "$work/bootstrap" dist/discovery/bootstrap
  [ "$status" -ne 0 ] || die "a version that cannot start was deployed"
  within 1800 aws cloudformation wait stack-rollback-complete --stack-name "earshot-$STAGE-service" || true
  status=$(stack_status "earshot-$STAGE-service")
  [ "$status" = UPDATE_ROLLBACK_COMPLETE ] || die "after the roll-back the stack is $status"
  story play
}

# restore: rows that are lost come back from a backup.
restore() {
  local at latest table=earshot-$STAGE-restored tries counted
  say "a restore"
  at=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  for ((tries = 0; ; tries++)); do
    latest=$(aws dynamodb describe-continuous-backups --table-name "$TABLE_MENTIONS" --output json |
      jq -er '.ContinuousBackupsDescription.PointInTimeRecoveryDescription.LatestRestorableDateTime | if type == "number" then todate else . end')
    [ "$(date -u -d "$latest" +%s)" -lt "$(date -u -d "$at" +%s)" ] || break
    [ "$tries" -lt 60 ] || die "after half an hour the table can only be restored to $latest"
    sleep 30
  done
  aws dynamodb query --table-name "$TABLE_MENTIONS" --consistent-read --output json --key-condition-expression 'pk = :w' \
    --expression-attribute-values "{\":w\":{\"S\":\"$workspace\"}}" --projection-expression 'pk, sk' |
    jq -c '.Items[]' >"$work/lost"
  [ "$(wc -l <"$work/lost")" -ge 3 ] || die "the workspace has fewer than three mentions to lose"
  while read -r row; do
    aws dynamodb delete-item --table-name "$TABLE_MENTIONS" --key "$row"
  done <"$work/lost"
  aws dynamodb restore-table-to-point-in-time --source-table-name "$TABLE_MENTIONS" --target-table-name "$table" --restore-date-time "$at" >/dev/null
  for ((tries = 0; ; tries++)); do
    aws dynamodb wait table-exists --table-name "$table" && break
    [ "$tries" -lt 8 ] || die "the table is not restored after an hour"
  done
  counted=$(operate workspace restore "$workspace" --mentions "$table" --yes)
  [ "$(jq -er .back <<<"$counted")" -ge 3 ] || die "lost rows were not put back: $counted"
  story found quillmark --within 1m
  aws dynamodb delete-table --table-name "$table" >/dev/null
}

for tool in aws jq make git go node curl timeout; do
  command -v "$tool" >/dev/null || die "there is no $tool on this machine"
done
case ${1:-run} in
  run)
    STAGE=${STAGE:-test$(printf '%x%02x' "$(date +%s)" "$((RANDOM % 256))")}
    throwaway "$STAGE"
    workspace=''
    trap finish EXIT
    trap 'exit 130' INT TERM
    begin
    stories
    roll_back
    restore
    say "all is well"
    ;;
  destroy)
    trap 'rm -rf "$work"' EXIT
    destroy "${2:?name the stage}"
    ;;
  sweep)
    trap 'rm -rf "$work"' EXIT
    sweep
    ;;
  *) die "$1 is unknown; give nothing, destroy NAME or sweep" ;;
esac
