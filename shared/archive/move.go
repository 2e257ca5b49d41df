package archive

import (
	"context"
	"fmt"

	"earshot/shared/port/clock"
	"earshot/shared/post"
)

// Earlier is an archive whose posts move into this one.
type Earlier interface {
	// After returns posts behind a place, in an order that stays, and the place of the last one. The first place is
	// empty. It returns no posts at the end.
	After(ctx context.Context, place string) (posts []post.Post, last string, err error)
}

// Move adds the posts of an earlier archive, and returns how many it read. It may be killed anywhere and be called
// again: it goes on behind the posts that the manifest says were moved. After its end it would begin anew and add
// nothing, so the caller removes the earlier archive.
func Move(ctx context.Context, s Store, now clock.Clock, from Earlier) (moved int, err error) {
	m, err := s.ArchiveManifest(ctx)
	if err != nil {
		return 0, fmt.Errorf("archive: move posts: %w", err)
	}
	for place := m.Moved; ; {
		posts, last, err := from.After(ctx, place)
		if err != nil {
			return moved, fmt.Errorf("archive: move posts: %w", err)
		}
		if err := Add(ctx, s, now, posts); err != nil {
			return moved, err
		}
		if moved, place = moved+len(posts), last; len(posts) == 0 {
			place = ""
		}
		if _, err := Change(ctx, s, func(m *Manifest) bool {
			m.Moved = place
			return true
		}); err != nil {
			return moved, fmt.Errorf("archive: note how far posts moved: %w", err)
		}
		if place == "" {
			return moved, nil
		}
	}
}
