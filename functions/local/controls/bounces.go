package controls

import (
	"net/http"
	"slices"
	"strings"

	"earshot/shared/web/problem"
)

type bounceCommand struct {
	To   string `json:"to"`
	Kind string `json:"kind"`
}

type bounceAnswer struct {
	Workspace string `json:"workspace"` // that the mail was of
}

// bounce has the last mail to an address bounce, or has its reader complain.
func (c *controls) bounce(r *http.Request) (any, error) {
	var command bounceCommand
	if err := readCommand(r, &command); err != nil {
		return nil, err
	}
	if !slices.Contains(c.BounceKinds, command.Kind) {
		return nil, problem.Invalid(problem.Detail{
			Path: "kind", Code: "enum", Message: "Must be one of " + strings.Join(c.BounceKinds, ", ") + ".",
		})
	}
	mails, err := c.Outbox.List(r.Context(), maxListed)
	if err != nil {
		return nil, err
	}
	for _, sent := range mails {
		if sent.Workspace != "" && strings.EqualFold(sent.To, command.To) {
			return bounceAnswer{sent.Workspace}, c.Bounce(r.Context(), command.Kind, sent.Workspace, sent.To)
		}
	}
	return nil, problem.New(
		problem.NotFound, "No mail of a feed or a notification to this address is in the outbox. GET /_local/outbox lists them.",
	)
}
