// Package filters is the function of the filters that hold for all keywords of a workspace ("filters" in the contract).
// They are words, authors, subreddits and repositories that exclude a post, and subreddits to which Reddit is limited.
// The lists are sets: values that mean the same to the matcher are one. A change without effect makes no matcher
// compile again.
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

// Store is the part of the store that the function uses.
type Store interface {
	// GlobalFilters reads a workspace's filters. Filters that were never set have revision 0.
	GlobalFilters(ctx context.Context, orgID string) (listenstore.GlobalFilters, error)
	// ChangeFilters changes them. Of concurrent changes each takes effect once. It writes nothing if the change returns
	// false. Returns table.ErrTooLarge.
	ChangeFilters(
		ctx context.Context, orgID string, change func(*keyword.Filters) (bool, error),
	) (listenstore.GlobalFilters, error)
}

// Options configure the function. A document-only API needs none of them.
type Options struct {
	Store Store
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	f := filters{o.Store}
	const means = "`negativeKeywords` are whole words and phrases, and compare without case. `negativeAuthors` " +
		"are handles. If `positiveSubreddits` has values, posts on Reddit come only from these subreddits. A " +
		"repository is `owner/name`. `owner` stands for all repositories of an owner."
	web.Register(api, web.Operation{
		ID: "getGlobalFilters", Method: http.MethodGet, Path: "/api/v2/filters/global", Group: Group, ETag: true,
		Summary:     "Read the filters that apply to all keywords",
		Description: "Returns all five lists, including empty ones. " + means, Example: example(),
	}, f.get)
	web.Register(api, web.Operation{
		ID:      "updateGlobalFilters",
		Method:  http.MethodPatch,
		Path:    "/api/v2/filters/global",
		Group:   Group,
		Scope:   workspace.Write,
		Summary: "Replace lists of the filters",
		Description: "A list that you give replaces the whole list. The other lists stay. Of values with the " +
			"same meaning, such as `@name` and `name`, the first is kept. " + means,
		Example: example(),
	}, f.replace)
	web.Register(api, web.Operation{
		ID:      "addGlobalFilters",
		Method:  http.MethodPost,
		Path:    "/api/v2/filters/global/add",
		Group:   Group,
		Scope:   workspace.Write,
		Summary: "Add values to a list of the filters",
		Description: "Existing values stay as they are. A list holds at most 500 values. If the new values do " +
			"not all fit, none is added and the response is INVALID_INPUT. " + means,
		Example: example(),
	}, f.add)
	web.Register(api, web.Operation{
		ID:          "removeGlobalFilters",
		Method:      http.MethodPost,
		Path:        "/api/v2/filters/global/remove",
		Group:       Group,
		Scope:       workspace.Write,
		Summary:     "Remove values from a list of the filters",
		Description: "A value that the list does not have is not an error. Values compare by meaning: `r/golang` removes `Golang`.",
		Example:     example(),
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
			return false, problem.New(
				problem.InvalidInput,
				"%s would hold %d values, and a list holds at most %d. Remove some, or add fewer.", l.name, n,
				maxValues,
			)
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
		return nil, problem.New(
			problem.InvalidInput, "The lists together hold more text than can be stored. Remove or shorten values.",
		)
	case err != nil:
		return nil, err
	}
	return fromFilters(changed), nil
}
