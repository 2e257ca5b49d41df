package operate

import (
	"time"

	"earshot/infra/exit"
	"earshot/shared/archive"
)

type postCommands struct {
	Delete deletePost `cmd:"" help:"Delete a post from the archive of posts, for good. Workspaces keep their mentions of it."`
}

type deletePost struct {
	SourceID string    `arg:"" help:"Its sourceId, as searches and mentions show it." placeholder:"SOURCEID"`
	PostedAt time.Time `required:"" format:"2006-01-02T15:04:05Z07:00" help:"When it was posted, as searches and mentions show it." placeholder:"2026-11-24T09:00:00Z"`
	Yes      bool      `help:"Delete it. Nothing brings it back."`
}

// Run deletes the post's text, and lists the post as deleted, so that no search finds it and no source brings it back.
// It may be repeated.
func (c deletePost) Run(o *operator) error {
	id, there, err := archive.IDOf(o, o.store, c.SourceID, c.PostedAt)
	switch {
	case err != nil:
		return err
	case id == 0:
		return exit.Failing(
			exit.Refused, "the archive has no post %s of %s: copy both from a search's result or a mention",
			printable(c.SourceID), moment(c.PostedAt),
		)
	case there && !c.Yes:
		return exit.Failing(
			exit.Refused, "the post %s would be deleted for good: send --yes to delete it", printable(c.SourceID),
		)
	case there:
		if err := archive.Delete(o, o.store, o.clock, []archive.ID{id}); err != nil {
			return err
		}
	}
	return o.print.said(
		map[string]string{"deleted": c.SourceID},
		printable(c.SourceID)+" is deleted from the archive: no search finds it any more, and no source brings it back.",
		"Its words leave the index within a day. Workspaces keep their mentions of it.",
	)
}
