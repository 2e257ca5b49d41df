package controls

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"earshot/shared/embedded/fault"
	"earshot/shared/store"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// faultList lists the faults that are still to come.
type faultList struct {
	Faults []fault.Fault `json:"faults"`
}

func (c *controls) faults() faultList { return faultList{append([]fault.Fault{}, c.Faults.List()...)} }

func (c *controls) listFaults(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	return c.faults(), nil
}

func (c *controls) addFault(r *http.Request) (any, error) {
	var added fault.Fault
	if err := readCommand(r, &added); err != nil {
		return nil, err
	}
	if err := c.Faults.Add(added); err != nil {
		// The set names the field first: "fault: port "tabel": must be one of table".
		message := strings.TrimPrefix(err.Error(), "fault: ")
		field, _, _ := strings.Cut(message, " ")
		return nil, problem.Invalid(problem.Detail{Path: field, Code: "enum", Message: message})
	}
	return c.faults(), nil
}

func (c *controls) clearFaults(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	c.Faults.Clear()
	return c.faults(), nil
}

type flagCommand struct {
	Workspace string `json:"workspace"`
	Flag      string `json:"flag"`
	On        *bool  `json:"on"`
}

type flagAnswer struct {
	Workspace string   `json:"workspace"`
	Flags     []string `json:"flags"` // all that are on
}

// setFlag switches a beta on or off for a workspace.
func (c *controls) setFlag(r *http.Request) (any, error) {
	var command flagCommand
	if err := readCommand(r, &command); err != nil {
		return nil, err
	}
	flags := []string{workspace.FlagSetupOnboarding}
	var faults []problem.Detail
	if command.Workspace == "" {
		faults = append(
			faults, problem.Detail{Path: "workspace", Code: "required", Message: "Name a workspace by its id."},
		)
	}
	if !slices.Contains(flags, command.Flag) {
		faults = append(
			faults,
			problem.Detail{Path: "flag", Code: "enum", Message: "Must be one of " + strings.Join(flags, ", ") + "."},
		)
	}
	if command.On == nil {
		faults = append(faults, problem.Detail{Path: "on", Code: "required", Message: "Must be true or false."})
	}
	if len(faults) > 0 {
		return nil, problem.Invalid(faults...)
	}
	answer := flagAnswer{Workspace: command.Workspace}
	err := c.Store.ChangeWorkspace(r.Context(), command.Workspace, func(w *workspace.Workspace) error {
		w.Flags = slices.DeleteFunc(w.Flags, func(flag string) bool { return flag == command.Flag })
		if *command.On {
			w.Flags = append(w.Flags, command.Flag)
		}
		answer.Flags = append([]string{}, w.Flags...)
		return nil
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil, problem.New(problem.OrgNotFound, "There is no workspace with this id.")
	}
	return answer, err
}

type clockCommand struct {
	Now jsontext.Value `json:"now"`
}

type clockAnswer struct {
	Now string `json:"now"`
}

// Years that the clock can be set to. A clock that is centuries off would overflow differences of times.
const (
	firstYear = 1970
	lastYear  = 2200
)

// setClock sets the present, from which time goes on; null puts the clock back to the machine's.
func (c *controls) setClock(r *http.Request) (any, error) {
	var command clockCommand
	if err := readCommand(r, &command); err != nil {
		return nil, err
	}
	var now time.Time
	switch command.Now.Kind() {
	case 'n':
	case '"':
		token, _ := jsontext.AppendUnquote(nil, command.Now) // it was read as JSON
		parsed, err := time.Parse(time.RFC3339Nano, string(token))
		if err != nil || parsed.UTC().Year() < firstYear || parsed.UTC().Year() > lastYear {
			return nil, problem.Invalid(problem.Detail{
				Path:    "now",
				Code:    "format",
				Message: "Must be a time as RFC 3339 writes it, such as 2026-11-20T09:30:00Z, in the years 1970 to 2200.",
			})
		}
		now = parsed
	default:
		return nil, problem.Invalid(
			problem.Detail{Path: "now", Code: "required", Message: "Must be a time as RFC 3339 writes it, or null."},
		)
	}
	c.Clock.Set(now)
	return clockAnswer{c.Clock.Now().Format("2006-01-02T15:04:05.000Z")}, nil
}
