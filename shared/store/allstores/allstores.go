// Package allstores joins the eleven stores for programs that need all of them: the workbench, the tools below infra and
// tests. Lambdas do not import it: each links only the stores that it uses.
package allstores

import (
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/alertstore"
	"earshot/shared/store/archivestore"
	"earshot/shared/store/authstore"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/peoplestore"
	"earshot/shared/store/purgestore"
	"earshot/shared/store/searchstore"
	"earshot/shared/store/setupstore"
	"earshot/shared/store/suggestionstore"
	"earshot/shared/store/summarystore"
	"earshot/shared/store/workspacestore"
)

type (
	mentions   = mentionstore.Store
	listening  = listenstore.Store
	people     = peoplestore.Store
	workspaces = workspacestore.Store
	setups     = setupstore.Store
	suggests   = suggestionstore.Store
	purges     = purgestore.Store
	searches   = searchstore.Store
	archives   = archivestore.Store
	deliveries = deliverystore.Store
	alerts     = alertstore.Store
	grants     = authstore.Store
	summaries  = summarystore.Store
)

// Store is every store over one table.
type Store struct {
	*store.Kernel
	*mentions
	*listening
	*people
	*workspaces
	*setups
	*suggests
	*purges
	*searches
	*archives
	*deliveries
	*alerts
	*grants
	*summaries
}

// New returns the stores over t, which should retry by itself (table.Retrying).
func New(t table.Table, c clock.Clock) *Store {
	k := store.New(t, c)
	return &Store{
		Kernel:     k,
		mentions:   mentionstore.New(k),
		listening:  listenstore.New(k),
		people:     peoplestore.New(k),
		workspaces: workspacestore.New(k),
		setups:     setupstore.New(k),
		suggests:   suggestionstore.New(k),
		purges:     purgestore.New(k),
		searches:   searchstore.New(k),
		archives:   archivestore.New(k),
		deliveries: deliverystore.New(k),
		alerts:     alertstore.New(k),
		grants:     authstore.New(k),
		summaries:  summarystore.New(k),
	}
}
