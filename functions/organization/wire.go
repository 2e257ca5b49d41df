package organization

import (
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/web"
	"earshot/shared/workspace"
)

// A Moment is a time of the contract's form on the wire.
type Moment string

// Schema describes it.
func (Moment) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time"}
}

func fromTime(t time.Time) Moment { return Moment(web.FormatTime(t)) }

// fromEnd returns null for a thing without an end.
func fromEnd(t time.Time) web.Null[Moment] { return web.NullIfEmpty(fromTime(t)) }

// A ScopeName is a scope on the wire.
type ScopeName string

// Schema describes it.
func (ScopeName) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: namesOf(workspace.Admin.Implied(), workspace.Scope.String),
		Description: "Scope of the key. write implies read, and admin implies write."}
}

func namesOf[T any](values []T, name func(T) string) []any {
	names := make([]any, len(values))
	for i, value := range values {
		names[i] = name(value)
	}
	return names
}
