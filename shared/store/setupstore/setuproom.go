package setupstore

import (
	"context"

	"earshot/shared/keyword"
	"earshot/shared/parallel"
	"earshot/shared/proposal"
	"earshot/shared/workspace"
)

// Room returns what a workspace has room for on its plan. Returns ErrNotFound if there is no such workspace.
func (s *Store) Room(ctx context.Context, orgID string) (proposal.Room, error) {
	var w workspace.Workspace
	var keywords []keyword.Keyword
	err := parallel.Together(
		func() (err error) { w, err = s.workspace.Workspace(ctx, orgID); return err },
		func() (err error) { keywords, err = s.listen.Keywords(ctx, orgID); return err })
	if err != nil {
		return proposal.Room{}, err
	}
	r := proposal.Room{
		Allowance: float64(w.MentionLimit()),
		Keywords:  max(w.Plan.Limits().Keywords-len(keywords), 0),
		Tracked:   make([]string, len(keywords)),
		Platforms: keyword.Platforms(),
	}
	for i, k := range keywords {
		r.Tracked[i] = k.Text
		if k.Paused {
			r.Paused = append(r.Paused, k.Text)
		}
		if k.Same(unscoped(k)) {
			r.Bare = append(r.Bare, k.Text)
		}
	}
	return r, nil
}

// unscoped returns a keyword without the settings that exclude posts with its text.
func unscoped(k keyword.Keyword) keyword.Keyword {
	k.AdditionalTerms, k.ExcludeWords, k.WildcardExcludeWords, k.ExcludeAuthors, k.Platforms = nil, nil, nil, nil, nil
	k.ExactMatch, k.CaseSensitive, k.Paused = true, false, false
	return k
}
