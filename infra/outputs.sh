#!/usr/bin/env bash
# Prints a stage's outputs as assignments for a shell, under the names that infra/README.md uses: ApiUrl is API_URL.
#
#   eval "$(infra/outputs.sh dev)"
set -euo pipefail

stage=${1:?name the stage, such as dev}
for stack in data service; do
  aws cloudformation describe-stacks --stack-name "earshot-$stage-$stack" --output json |
    jq -r '.Stacks[0].Outputs[] | select(.ExportName == null)
      | (.OutputKey | sub("[0-9A-F]{8}$"; "") | gsub("(?<a>[a-z0-9])(?<b>[A-Z])"; "\(.a)_\(.b)") | ascii_upcase) + "=" + (.OutputValue | @sh)'
done
