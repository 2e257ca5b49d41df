package setupstore

import (
	"context"

	"earshot/shared/keyword"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// OutcomesAndRoom is Outcomes, with what the run's workspace has room for on its plan, in one round trip of two
// requests. Returns ErrNotFound also if there is no such workspace.
func (s *Store) OutcomesAndRoom(
	ctx context.Context, key proposal.Key, run proposal.Run, stages ...proposal.Stage,
) (contents [][]byte, room proposal.Room, err error) {
	owner := table.Get{Table: rows.CoreTable, Key: rows.OwnerKey(key.WorkspaceID), Consistent: true}
	var others []table.Item
	var keywords []keyword.Keyword
	err = parallel.Together(
		func() (err error) { contents, others, err = s.outcomes(ctx, key, run, stages, owner); return err },
		func() (err error) { keywords, err = s.listen.Keywords(ctx, key.WorkspaceID); return err })
	if err == nil && others[0] == nil {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, proposal.Room{}, err
	}
	return contents, roomOf(rows.ToWorkspace(others[0]), keywords), nil
}

// roomOf returns what a workspace with these keywords has room for.
func roomOf(w workspace.Workspace, keywords []keyword.Keyword) proposal.Room {
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
	return r
}

// unscoped returns a keyword without the settings that exclude posts with its text.
func unscoped(k keyword.Keyword) keyword.Keyword {
	k.AdditionalTerms, k.ExcludeWords, k.WildcardExcludeWords, k.ExcludeAuthors, k.Platforms = nil, nil, nil, nil, nil
	k.ExactMatch, k.CaseSensitive, k.Paused = true, false, false
	return k
}
