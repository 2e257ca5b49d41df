package main

import (
	"context"
	"slices"

	"earshot/shared/store/allstores"
)

// members returns a list of the addresses of all workspaces' members.
func members(stored *allstores.Store) func(context.Context) ([]string, error) {
	return func(ctx context.Context) (emails []string, err error) {
		const most = 100
		workspaces, err := stored.Workspaces(ctx, "", most)
		if err != nil {
			return nil, err
		}
		for _, w := range workspaces {
			people, _, err := stored.Members(ctx, w.ID)
			if err != nil {
				return nil, err
			}
			for _, m := range people {
				emails = append(emails, m.Email)
			}
		}
		slices.Sort(emails)
		return slices.Compact(emails), nil
	}
}
