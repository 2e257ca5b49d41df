// Package filters is the function of what holds for all keywords of a workspace ("filters" in the contract): words, authors, subreddits
// and repositories that keep a post out, and subreddits that Reddit is narrowed to. The lists are sets: values that mean the same to
// the matcher are one, and a change that changes nothing makes nobody compile anything anew.
package filters

import (
	"context"
	"errors"
	"net/http"

	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/store/listenstore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Group names the function, its tag and its folder.
const Group = "filters"

// Store is what the function asks of the store.
type Store interface {
	// GlobalFilters reads a workspace's filters; those that never were set have no revision.
	GlobalFilters(ctx context.Context, orgID string) (listenstore.GlobalFilters, error)
	// ChangeFilters changes them, each change once however many change at once; nothing is written when the change answers false.
	// Answers table.ErrTooLarge.
	ChangeFilters(ctx context.Context, orgID string, change func(*keyword.Filters) (bool, error)) (listenstore.GlobalFilters, error)
}

// Options are what the function works with. A document-only API needs none of it.
type Options struct {
	Store Store
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	f := filters{o.Store}
	const means = "Words and phrases of `negativeKeywords` count whole, and without case; `negativeAuthors` are handles; `positiveSubreddits`, when " +
		"there are any, are the only ones that posts on Reddit are taken from; a repository is `owner/name`, and `owner` stands for all of an owner's."
	web.Register(api, web.Operation{
		ID: "getGlobalFilters", Method: http.MethodGet, Path: "/api/v2/filters/global", Group: Group, ETag: true,
		Summary:     "Read the filters that hold for all keywords",
		Description: "All five lists, empty ones too. " + means, Example: example(),
	}, f.get)
	web.Register(api, web.Operation{
		ID: "updateGlobalFilters", Method: http.MethodPatch, Path: "/api/v2/filters/global", Group: Group, Scope: workspace.Write,
		Summary: "Replace lists of the filters",
		Description: "Each list that is given takes the place of what it was; the others stay. Of values that mean the same, such as `@name` and `name`, the " +
			"first is kept. " + means,
		Example: example(),
	}, f.replace)
	web.Register(api, web.Operation{
		ID: "addGlobalFilters", Method: http.MethodPost, Path: "/api/v2/filters/global/add", Group: Group, Scope: workspace.Write,
		Summary: "Add values to a list of the filters",
		Description: "What is there already stays as it is. A list holds 500 values; when not all that are new find room, none is added and the answer is " +
			"INVALID_INPUT. " + means,
		Example: example(),
	}, f.add)
	web.Register(api, web.Operation{
		ID: "removeGlobalFilters", Method: http.MethodPost, Path: "/api/v2/filters/global/remove", Group: Group, Scope: workspace.Write,
		Summary:     "Remove values from a list of the filters",
		Description: "What is not there is no error. Values are compared by what they mean: `r/golang` removes `Golang`.", Example: example(),
	}, f.remove)
}

type filters struct{ store Store }

func (f filters) get(ctx context.Context, _ *struct{}) (*GlobalFilters, error) {
	kept, err := f.store.GlobalFilters(ctx, web.CallerOf(ctx).Workspace.ID)
	if err != nil {
		return nil, err
	}
	return fromFilters(kept), nil
}

func (f filters) replace(ctx context.Context, in *UpdateGlobalFiltersInput) (*GlobalFilters, error) {
	return f.change(ctx, func(kept *keyword.Filters) (changed bool, err error) {
		for _, l := range lists {
			if given := in.Body.list(l.name); given != nil && l.replace(kept, given) {
				changed = true
			}
		}
		return changed, nil
	})
}

func (f filters) add(ctx context.Context, in *ChangeGlobalFiltersInput) (*GlobalFilters, error) {
	l := listOf(in.Body.List)
	return f.change(ctx, func(kept *keyword.Filters) (bool, error) {
		added := l.add(kept, in.Body.Values)
		if n := len(*l.of(kept)); added && n > maxValues {
			return false, problem.New(problem.InvalidInput, "%s would hold %d values, and a list holds %d at most. Remove some, or add fewer.", l.name, n, maxValues)
		}
		return added, nil
	})
}

func (f filters) remove(ctx context.Context, in *ChangeGlobalFiltersInput) (*GlobalFilters, error) {
	l := listOf(in.Body.List)
	return f.change(ctx, func(kept *keyword.Filters) (bool, error) { return l.remove(kept, in.Body.Values), nil })
}

func (f filters) change(ctx context.Context, change func(*keyword.Filters) (bool, error)) (*GlobalFilters, error) {
	changed, err := f.store.ChangeFilters(ctx, web.CallerOf(ctx).Workspace.ID, change)
	switch {
	case errors.Is(err, table.ErrTooLarge):
		return nil, problem.New(problem.InvalidInput, "The lists together hold more text than can be kept. Remove values that are not needed, or shorten them.")
	case err != nil:
		return nil, err
	}
	return fromFilters(changed), nil
}
