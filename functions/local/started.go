package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"earshot/functions/local/demo"
	"earshot/functions/local/settings"
	"earshot/shared/analytics/files"
	"earshot/shared/source"
)

// started holds what a person needs to know once the workbench listens.
type started struct {
	base  string
	where string // the data is
	data  string // folder

	program string // as it was called, so that it can be called again
	demo    *demo.Demo

	sources []source.Source // that are collected from

	dayFiles bool // files of days are written

	model string // as its provider names it; empty: none
}

// tell prints what runs and what to do next.
func (s started) tell(to io.Writer) {
	fmt.Fprintf(to, `Earshot listens on %[1]s (Ctrl-C stops it).

  Documentation  %[1]s/api/v2/docs
  Data           %[2]s
  Log            %[3]s (every request; here only what goes wrong)
  Collecting     %[4]s
`, s.base, s.where, filepath.Join(s.data, logName), s.collecting())
	if s.dayFiles {
		fmt.Fprintf(
			to,
			"  Day files      %s (Parquet, a file a day; the first in about two minutes)\n",
			filepath.Join(s.data, files.Root),
		)
	}
	if s.model != "" {
		fmt.Fprintf(to, "  Model          %q\n", s.model)
	}
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

Watch a proposal grow, in another terminal (its own posts are searched when there is no network):

  %s%s propose %s

`, demo.Path(s.data), keys.Read, keys.Write, keys.Admin, keys.OtherWorkspace, keys.AgencyMaster, keys.AgentsPlan,
		s.base, keys.Read,
		s.elsewhere(), word(s.program), demo.Domain)
}

// elsewhere returns the variable that names this workbench's folder to a command, unless the command would find it
// anyway.
func (s started) elsewhere() string {
	if s.data == settings.DefaultData {
		return ""
	}
	return "DATA=" + word(s.data) + " "
}

// word returns a text as one word of a shell.
func word(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return !strings.ContainsRune(plain, r) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// plain letters mean nothing to a shell.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/"

// collecting returns where live posts come from.
func (s started) collecting() string {
	if len(s.sources) == 0 {
		return "from no source (SOURCES=archive); POST /_local/posts takes posts in"
	}
	names := make([]string, len(s.sources))
	for i, source := range s.sources {
		names[i] = source.About().Name
	}
	return strings.Join(names, ", ")
}
