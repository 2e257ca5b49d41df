package peoplestore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/member"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/allstores"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// flaky is a table whose transactions now and then fail before they are done, fail after it, or meet others.
type flaky struct{ table.Table }

func (f flaky) Transact(ctx context.Context, tx table.Transaction) error {
	lost := fmt.Errorf("no answer: %w", table.ErrUnavailable)
	switch chance := rand.N(100); {
	case chance < 6:
		return lost
	case chance < 14:
		if err := f.Table.Transact(ctx, tx); err != nil {
			return err
		}
		return lost
	case chance < 22:
		reasons := make([]table.Reason, len(tx.Writes))
		for i := range reasons {
			reasons[i].Code = table.ReasonNone
		}
		reasons[rand.N(len(reasons))].Code = table.ReasonConflict
		return &table.Canceled{Reasons: reasons}
	}
	return f.Table.Transact(ctx, tx)
}

// A step is something that a client asks for, under the name of a request that it may send again.
type step func(ctx context.Context, s *allstores.Store, request string) error

// stepsIn are what can be asked of a workspace, each with values of its own; keys takes the ids of those that it would
// make. To add one, draw its values before it is returned.
func stepsIn(w *worldtest.World, keys *sync.Map) []func() step {
	org := w.Main.ID
	id := func() int64 { return int64(rand.N(25) + 1) }
	email := func() string { return fmt.Sprintf("m%d@x.io", rand.N(8)) }
	text := func() string { return fmt.Sprint("keyword ", rand.N(30)) }
	return []func() step{
		func() step {
			text := text()
			return func(ctx context.Context, s *allstores.Store, request string) error {
				_, err := s.CreateKeywordOnce(ctx, org, keyword.Keyword{Text: text}, 12, request)
				return err
			}
		},
		func() step {
			id, text := id(), text()
			return func(ctx context.Context, s *allstores.Store, request string) error {
				_, err := s.ChangeKeywordOnce(ctx, org, id, request,
					func(k *keyword.Keyword) error { k.Text, k.Context = text, text+request; return nil })
				return err
			}
		},
		func() step {
			id := id()
			return func(ctx context.Context, s *allstores.Store, request string) error {
				_, err := s.DeleteKeywordOnce(ctx, org, id, request)
				return err
			}
		},
		func() step {
			f := feed.Feed{
				Name:          "a",
				Default:       rand.N(2) == 0,
				SimpleFilters: fmt.Appendf(nil, `{"keyword":[%d,%d]}`, id(), id()),
			}
			return func(ctx context.Context, s *allstores.Store, request string) error {
				_, err := s.CreateFeed(ctx, org, f, request)
				return err
			}
		},
		func() step {
			id, first := id(), rand.N(2) == 0
			return func(ctx context.Context, s *allstores.Store, request string) error {
				_, err := s.ChangeFeed(ctx, org, id, request,
					func(f *feed.Feed) error { f.Name, f.Default = f.Name+"a", first; return nil })
				return err
			}
		},
		func() step {
			id := id()
			return func(ctx context.Context, s *allstores.Store, request string) error {
				return s.DeleteFeed(ctx, org, id, request)
			}
		},
		func() step {
			feedID := id()
			return func(ctx context.Context, s *allstores.Store, request string) error {
				_, err := s.CreateNotification(ctx, org, feed.Notification{Name: "a", FeedID: feedID}, request)
				return err
			}
		},
		func() step {
			id, feedID := id(), id()
			return func(ctx context.Context, s *allstores.Store, request string) error {
				_, err := s.ChangeNotification(ctx, org, id, request, func(n *feed.Notification) error {
					n.FeedID = feedID
					return nil
				})
				return err
			}
		},
		func() step {
			id := id()
			return func(ctx context.Context, s *allstores.Store, request string) error {
				return s.DeleteNotification(ctx, org, id, request)
			}
		},
		func() step {
			m := member.Member{Email: email(), Role: member.Admin, AccountID: "account"}
			return func(ctx context.Context, s *allstores.Store, request string) error {
				return worldtest.InviteOne(ctx, s, org, m, request).Err
			}
		},
		func() step {
			m := member.Member{Email: email(), Role: member.Admin}
			return func(ctx context.Context, s *allstores.Store, _ string) error {
				_, err := s.AddMember(ctx, org, m)
				return err
			}
		},
		func() step {
			m := member.Member{Email: email(), Role: member.Ordinary}
			return func(ctx context.Context, s *allstores.Store, request string) error {
				return worldtest.InviteOne(ctx, s, org, m, request).Err
			}
		},
		func() step {
			email := email()
			return func(ctx context.Context, s *allstores.Store, _ string) error {
				_, err := s.AcceptInvitations(ctx, email, "account "+email, "The first")
				return err
			}
		},
		func() step {
			members, _, err := w.Store.Members(context.Background(), org)
			if err != nil || len(members) == 0 {
				return func(context.Context, *allstores.Store, string) error { return err }
			}
			id := members[rand.N(len(members))].ID
			return func(ctx context.Context, s *allstores.Store, request string) error {
				return s.RemoveMember(ctx, org, id, request)
			}
		},
		func() step {
			key := worldtest.NewKey(w, &w.Main)
			keys.Store(key.ID, nil)
			return func(ctx context.Context, s *allstores.Store, request string) error {
				_, err := s.CreateKeyOnce(ctx, key, request)
				return err
			}
		},
		func() step {
			keys, err := w.Store.Keys(context.Background(), org)
			if err != nil || len(keys) == 0 {
				return func(context.Context, *allstores.Store, string) error { return err }
			}
			id := keys[rand.N(len(keys))].ID
			return func(ctx context.Context, s *allstores.Store, request string) error {
				return s.RevokeKeyOnce(ctx, org, id, request)
			}
		},
		func() step {
			name := text()
			return func(ctx context.Context, s *allstores.Store, _ string) error {
				return s.ChangeWorkspace(ctx, org, func(w *workspace.Workspace) error { w.Name = name; return nil })
			}
		},
		func() step {
			post, j := fmt.Sprint("post", rand.N(3)),
				mention.Judgement{KeywordID: int64(rand.N(2) + 1), Relevant: rand.N(2) == 0}
			return func(ctx context.Context, s *allstores.Store, _ string) error {
				_, err := s.ChangeMention(ctx, org, post, func(m *mention.Mention) (bool, error) { return m.Judge(j), nil })
				return err
			}
		},
	}
}

// Whatever many ask at once, of a table that fails before and after it has done what it was asked, and whatever they
// send again: every count is that of what there is, no row is left without the one that it belongs to, and a key that
// is revoked stays so.
func TestCounts_ClientsAtOnceOnFailingTable(t *testing.T) {
	const clients, asked = 6, 60
	w := worldtest.NewWorld(t)
	for n := range 3 {
		m := worldtest.Mention(int64(n+1), fmt.Sprint("post", n), worldtest.Now)
		m.Keywords = worldtest.KeywordsOf(1, 2)
		w.Put(t, w.Main.ID, m)
	}
	expected := []error{store.ErrNotFound, listenstore.ErrNoFeed, listenstore.ErrKeywordTaken, listenstore.ErrKeywordLimit,
		store.ErrConflict,
		workspacestore.ErrKeyRevoked, member.ErrExists, member.ErrLastAdmin, member.ErrRemoved, table.ErrUnavailable}
	var keys sync.Map
	steps, s := stepsIn(w, &keys), allstores.New(table.Retrying(flaky{w.Table}), w.Clock)
	var group sync.WaitGroup
	for client := range clients {
		group.Go(func() {
			for n := range asked {
				do := steps[rand.N(len(steps))]()
				request := fmt.Sprint("request ", client, " ", n)
				for range rand.N(2) + 1 {
					err := do(t.Context(), s, request)
					if err != nil && !slices.ContainsFunc(expected, func(target error) bool { return errors.Is(err, target) }) {
						t.Error(err)
					}
				}
			}
		})
	}
	group.Wait()
	holdCounts(t, w)
	people{w, t}.consistent(w.Main.ID)
	there, err := w.Store.Keys(t.Context(), w.Main.ID)
	if err != nil {
		t.Fatal(err)
	}
	keys.Range(func(id, _ any) bool {
		known := slices.ContainsFunc(there, func(k workspace.Key) bool { return k.ID == id })
		if key, _, err := w.Store.Credentials(t.Context(), id.(string), ""); err != nil || (key != nil) != known {
			t.Errorf("a key that was made or revoked: %+v, %v", key, err)
		}
		return true
	})
}

// holdCounts holds a workspace's counts to its rows.
func holdCounts(t *testing.T, w *worldtest.World) {
	ctx, org := t.Context(), w.Main.ID
	get := func(partition, sort string) table.Item {
		item, err := w.Table.Get(ctx,
			table.Get{Table: rows.CoreTable, Key: table.Key{Partition: partition, Sort: sort}, Consistent: true})
		if err != nil {
			t.Fatal(err)
		}
		return item
	}
	listed := func(prefix string) (items []table.Item) {
		query := table.Query{Table: rows.CoreTable, Partition: org, Prefix: prefix, Consistent: true}
		for more := true; more; more = query.After != nil {
			page, err := w.Table.Query(ctx, query)
			if err != nil {
				t.Fatal(err)
			}
			items, query.After = append(items, page.Items...), page.Next
		}
		return items
	}
	same := func(what string, count any, there int64) {
		t.Helper()
		if count, _ := count.(int64); count != there {
			t.Errorf("%s: counted %d, there are %d", what, count, there)
		}
	}
	weigh := func(items []table.Item) (sum int64) {
		for _, item := range items {
			weight, _ := item["weight"].(int64)
			sum += weight
		}
		return sum
	}
	keywords, listener := listed("keyword#"), get("listeners", org)
	same("keywords", listener["keywords"], int64(len(keywords)))
	same("keywords' weight", listener["weight"], weigh(keywords))
	same("keywords' texts", int64(len(listed("keywordtext#"))), int64(len(keywords)))
	feeds, together := listed("feed#"), get(org, "feeds")
	same("feeds", together["feeds"], int64(len(feeds)))
	same("feeds' weight", together["weight"], weigh(feeds))
	if first, there := together["default"]; there &&
		!slices.ContainsFunc(feeds, func(f table.Item) bool { return f["id"] == first }) {
		t.Errorf("the default is %v, which is gone", first)
	}
	notifications := listed("notification#")
	same("notifications", get(org, "notifications")["notifications"], int64(len(notifications)))
	for _, n := range notifications {
		if !slices.ContainsFunc(feeds, func(f table.Item) bool { return f["id"] == n["feedId"] }) {
			t.Errorf("notification %v is of feed %v, which is gone", n["id"], n["feedId"])
		}
	}

	owner := get(org, "workspace")
	ids, _ := owner["keys"].([]any)
	keys, err := w.Store.Keys(ctx, org)
	if err != nil || len(keys) != len(ids) {
		t.Errorf("%d keys are named, %d are there, %v", len(ids), len(keys), err)
	}
	for _, key := range keys {
		if key.Workspace.Name != owner["name"] {
			t.Errorf("a key is of %q, which is %v now", key.Workspace.Name, owner["name"])
		}
	}
	if listed := get("workspaces", org); listed["name"] != owner["name"] {
		t.Errorf("%v is listed as %v", owner["name"], listed["name"])
	}

	judged := int64(0)
	for n := range 3 {
		_, err := w.Store.ChangeMention(ctx, org, fmt.Sprint("post", n), func(m *mention.Mention) (bool, error) {
			judged += int64(len(m.Judgements))
			return false, nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	totals, err := w.Store.Feedback(ctx, org)
	if err != nil {
		t.Error(err)
	}
	same("judgements", totals.All.Total(), judged)
}
