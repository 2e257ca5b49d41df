package setup

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"earshot/shared/mention"
	"earshot/shared/proposal"
	"earshot/shared/proposal/cleanup"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/setupstore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Cleanups keeps what waits for the clean-up.
type Cleanups interface {
	// Cleanups lists the keywords that were made of proposals, with their settings that wait, oldest first.
	Cleanups(ctx context.Context, orgID string) ([]setupstore.Waiting, error)
	// RecentMentions reads the newest mentions of some keywords.
	RecentMentions(ctx context.Context, orgID string, keywords ...int64) ([]mention.Mention, error)
	// Cleaned is what a request of this name has written already.
	Cleaned(ctx context.Context, orgID, request string) ([]setupstore.CleanedSetting, error)
	// CleanUp writes settings that wait of a keyword, and changes that were found. Answers store.ErrNotFound,
	// store.ErrKeywordTooLarge and store.ErrConflict.
	CleanUp(
		ctx context.Context, orgID string, id int64, settings []proposal.Setting, found []cleanup.Change, request string,
		before []setupstore.CleanedSetting,
	) (
		[]setupstore.CleanedSetting, error)
}

type cleaner struct{ store Cleanups }

func registerCleanup(api *web.API, cleanups Cleanups) {
	c := cleaner{cleanups}
	web.Register(api, web.Operation{
		ID:      "getSetupCleanup",
		Method:  http.MethodGet,
		Path:    cleanupPath,
		Group:   Group,
		Flag:    workspace.FlagSetupOnboarding,
		Summary: "List settings that wait for the clean-up",
		Description: "Lists settings of applied proposals that were not written at once, and exclusions that were " +
			"found in what came in since. `status` is `none` if there is no such setting, `waiting` until the first " +
			"collection of a keyword has taken place, and `ready` from then on.\n\nAn author or a word is found if at " +
			"least five mentions of the keyword have it, and all of them are not relevant. A word must also be of " +
			"several authors, in more mentions than chance explains.\n\nEach setting of a ready keyword was tried " +
			"alone, and its figures are counted. It was tried on the keyword's mentions among the newest 2,000 of " +
			"the last 30 days, as far as the keyword " +
			"matches them now.\n\nA setting is not recommended if it would remove more relevant mentions than " +
			"others, or a mention that a user marked as relevant. Settings that somebody has written or changed " +
			"since are not listed.",
		Example: exampleCleanup(),
	}, c.show)
	web.Register(api, web.Operation{
		ID:      "runSetupCleanup",
		Method:  http.MethodPost,
		Path:    cleanupPath,
		Group:   Group,
		Scope:   workspace.Write,
		Flag:    workspace.FlagSetupOnboarding,
		Summary: "Write settings that wait for the clean-up",
		Description: "Send `{}` to write the recommended settings of all ready keywords. With `keywordIds`, all " +
			"waiting settings of these keywords are written, recommended or not. A setting that is not written " +
			"keeps waiting, and `skipped` says why. Each setting is written once. All settings of a keyword are " +
			"written together.",
		Codes:   []problem.Code{problem.InvalidInput},
		Example: exampleCleaned(),
	}, c.clean)
}

const cleanupPath = "/api/v2/setup/cleanup"

func (c cleaner) show(ctx context.Context, _ *struct{}) (*SetupCleanup, error) {
	orgID := web.CallerOf(ctx).Workspace.ID
	waiting, err := c.store.Cleanups(ctx, orgID)
	if err != nil {
		return nil, err
	}
	items, err := c.look(ctx, orgID, waiting)
	if err != nil {
		return nil, err
	}
	answer := fromItems(items)
	return &answer, nil
}

// look tries what waits of keywords.
func (c cleaner) look(ctx context.Context, orgID string, waiting []setupstore.Waiting) ([]cleanup.Item, error) {
	var ids []int64
	for _, w := range waiting {
		if !w.Gone {
			ids = append(ids, w.Keyword.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	mentions, err := c.store.RecentMentions(ctx, orgID, ids...)
	if err != nil {
		return nil, err
	}
	var items []cleanup.Item
	for _, w := range waiting {
		var of []mention.Mention
		for _, m := range mentions {
			if slices.ContainsFunc(m.Keywords, func(k mention.Keyword) bool { return k.ID == w.Keyword.ID }) {
				of = append(of, m)
			}
		}
		items = append(items, cleanup.Look(w.Keyword, w.Waits, of, w.Collected || len(of) > 0)...)
	}
	return items, nil
}

// clean writes keyword by keyword. A request that died on the way and is sent again goes on where it was, and answers
// for all of it.
func (c cleaner) clean(ctx context.Context, in *RunSetupCleanupInput) (*SetupCleaned, error) {
	orgID, request, named := web.CallerOf(ctx).Workspace.ID, web.Repeated(ctx), in.Body.KeywordIDs
	written, err := c.store.Cleaned(ctx, orgID, request)
	if err != nil {
		return nil, err
	}
	waiting, err := c.store.Cleanups(ctx, orgID)
	if err != nil {
		return nil, err
	}
	ids := named
	if named == nil {
		ids = each(waiting, func(w setupstore.Waiting) int64 { return w.Keyword.ID })
	}
	waiting = slices.DeleteFunc(waiting, func(w setupstore.Waiting) bool { return !slices.Contains(ids, w.Keyword.ID) })
	items, err := c.look(ctx, orgID, waiting)
	if err != nil {
		return nil, err
	}
	idle := map[int64]bool{}
	for _, w := range waiting {
		idle[w.Keyword.ID] = len(w.Waits) == 0 && !w.Gone
	}
	skipped := []SetupCleanupSkipped{}
	listed, settings, found := map[int64]bool{}, map[int64][]proposal.Setting{}, map[int64][]cleanup.Change{}
	for _, item := range items {
		listed[item.KeywordID] = true
		switch {
		case !item.Ready:
			skipped = append(skipped, skippedItem(item, skipNotCollected))
		case named == nil && !item.Recommended:
			skipped = append(skipped, skippedItem(item, skipNotRecommended))
		case item.Found:
			change := cleanup.Change{Setting: item.Setting, Terms: item.Terms}
			found[item.KeywordID] = append(found[item.KeywordID], change)
		default:
			settings[item.KeywordID] = append(settings[item.KeywordID], item.Setting)
		}
	}
	for _, id := range ids {
		chosen := len(settings[id]) + len(found[id])
		if listed[id] && chosen == 0 || named == nil && idle[id] && chosen == 0 {
			continue
		}
		// Of a keyword that is not listed, what waits is in place, decided otherwise or without its keyword: it is
		// taken away.
		wrote, err := c.store.CleanUp(ctx, orgID, id, settings[id], found[id], request, written)
		switch {
		case errors.Is(err, listenstore.ErrKeywordTooLarge):
			skipped = append(skipped, skippedKeyword(id, skipTooLarge))
			continue
		case errors.Is(err, store.ErrConflict):
			return nil, problem.New(problem.InvalidInput, "Other requests keep changing keyword %d. Send the request again.", id).
				Because(err)
		case err != nil && !errors.Is(err, store.ErrNotFound):
			return nil, err
		}
		before := slices.ContainsFunc(written, func(w setupstore.CleanedSetting) bool { return w.KeywordID == id })
		if len(wrote) == 0 && !before && (named != nil || chosen > 0) {
			skipped = append(skipped, skippedKeyword(id, skipNothing))
		}
		written = append(written, wrote...)
	}
	return &SetupCleaned{Written: each(written, fromCleaned), Skipped: skipped}, nil
}
