package demo

import (
	"context"
	"errors"

	"earshot/shared/member"
	"earshot/shared/store/allstores"
)

// The workspaces' members. Harbour has no superadmin, so that its one admin shows what happens to the last.
var members = map[string][]member.Member{
	northwind: {
		{Email: "owner@northwind.example", Superadmin: true},
		{Email: "support@northwind.example", Role: member.Ordinary},
	},
	harbour: {
		{Email: "owner@harbour.example", Role: member.Admin},
		{Email: "reports@harbour.example", Role: member.Ordinary},
	},
}

// settle stores a workspace's members. Those that an earlier start has stored stay.
func settle(ctx context.Context, stored *allstores.Store, name, orgID string) error {
	for _, m := range members[name] {
		if _, err := stored.AddMember(ctx, orgID, m); err != nil && !errors.Is(err, member.ErrExists) {
			return err
		}
	}
	return nil
}
