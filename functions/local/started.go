package main

import (
	"fmt"
	"io"
	"path/filepath"

	"earshot/functions/local/demo"
)

// started is what there is to know once the workbench listens.
type started struct {
	base  string
	where string // the data is
	data  string // folder
	demo  *demo.Demo
}

// tell says what runs and what to do next.
func (s started) tell(to io.Writer) {
	fmt.Fprintf(to, `Earshot listens on %[1]s (Ctrl-C stops it).

  Documentation  %[1]s/api/v2/docs
  Data           %[2]s
  Log            %[3]s (every request; here only what goes wrong)
`, s.base, s.where, filepath.Join(s.data, logName))
	if s.demo == nil {
		fmt.Fprint(to, "\nDEMO=off: nothing was put in, so there is no key. Start without it for a demo with keys.\n")
		return
	}
	keys := s.demo.Keys
	fmt.Fprintf(to, `
A demo agency with three workspaces: northwind, harbour (the agency's own) and robots (on the Agents plan).
Their keys, for this machine only, are in %s:

  read            %s
  write           %s
  admin           %s
  otherWorkspace  %s
  agencyMaster    %s
  agentsPlan      %s

Try this:

  curl -s '%s/api/v2/mentions' -H 'Authorization: Bearer %s' -H 'Content-Type: application/json' -d '{"limit": 3}'

`, demo.Path(s.data), keys.Read, keys.Write, keys.Admin, keys.OtherWorkspace, keys.AgencyMaster, keys.AgentsPlan, s.base, keys.Read)
}
