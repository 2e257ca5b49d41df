#!/usr/bin/env bash
# An agency runs many workspaces with one master key. It makes and deletes them, and lets people into several at once.
set -euo pipefail
# shellcheck source=infra/tour/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

KEY=$(demo keys.agencyMaster)
bakers=baker$RUN@bakery.example

# within WORKSPACE PATH asks inside a workspace. For everything but the agency's own operations, a master key names
# the workspace that it acts in.
within() { ask GET "$2" '' -H "x-earshot-organization-id: $1"; }

step "Make two workspaces for two clients."
bakery=$(ask POST /agency/workspaces '{"name": "Bakery", "domain": "bakery.example"}' | pick a.id)
cafe=$(ask POST /agency/workspaces '{"name": "Cafe", "plan": "pro"}' | pick a.id)
step "List the agency's workspaces."
ask GET /agency/workspaces | pick 'a.data.map(w => w.name + ", " + w.plan).join("; ")'

invitation='{"targetOrgIds": ["'$bakery'", "'$cafe'"], "role": "org:member",
  "emails": ["'$bakers'", "barista'$RUN'@cafe.example", "late'$RUN'@cafe.example"]}'
step "Invite three people into both. Each gets one mail, for the first workspace, and the second waits for them."
ask POST /agency/members/invite "$invitation" | pick 'a.results.map(r => r.email + " " + r.action).join("; ")'
step "Send the same invitation again: nobody gets a second mail."
ask POST /agency/members/invite "$invitation" | pick 'a.results.map(r => r.email + " " + r.action).join("; ")'
step "See the mails in the workbench's outbox."
bench GET /outbox | pick 'a.mails.filter(m => m.to.includes("'"$RUN"'"))
  .map(m => "mail to " + m.to + ": " + m.subject).join("\n")'

step "Sign up as one of them: both workspaces let the person in."
bench POST /accounts '{"email": "'"$bakers"'"}' | pick 'a.granted.length + " workspaces have let in " + a.email'
step "See the members of each workspace. The header x-earshot-organization-id names it."
within "$bakery" /org/members | pick 'a.data.map(m => m.email).join()'
within "$cafe" /org/members | pick 'a.data.map(m => m.email).join()'

step "Put the workbench's clock thirty-one days ahead."
bench POST /clock '{"now": "'"$(in_days 31)"'"}'
step "The others' invitations have expired."
within "$cafe" /org/members/invitations | pick 'a.data.map(i => i.email + " " + i.status).join("; ")'
step "Run the schedule that takes expired invitations away."
bench POST /schedules/invitecleanup
within "$cafe" /org/members/invitations
step "Put the clock back."
bench POST /clock '{"now": null}'

step "Delete a workspace. Its keys end at once."
ask DELETE "/agency/workspaces/$bakery"
step "Delete it again: the agency no longer has it."
refused WORKSPACE_NOT_IN_AGENCY DELETE "/agency/workspaces/$bakery"
step "Run the schedule that purges in the background what the workspace had collected."
bench POST /schedules/purge
step "See the agency, with how many workspaces it has and may have."
ask GET /agency
