// Package searchwire holds the wire type of a search's results. The function searches stores results in this form, and
// the function search returns them.
package searchwire

import (
	"earshot/shared/search"
	"earshot/shared/web/mentionwire"
)

// A Result is a post that a search found, with the properties of a mention.
type Result struct {
	mentionwire.Mention
	AlreadyInWorkspace bool `json:"alreadyInWorkspace" doc:"Whether the workspace has the mention. Its id is then the mention's. Another result's id belongs to no mention."`
}

// FromResult returns a result's wire form. It has the counters that the source gave.
func FromResult(r search.Result) Result {
	return Result{Mention: mentionwire.FromMention(r.Mention, len(r.Mention.Engagement) > 0), AlreadyInWorkspace: r.Known}
}
