package authstore

import (
	"context"
	"fmt"
	"time"

	"earshot/shared/grant"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Client reads a client that registered itself, or the stored copy of a metadata document. Returns store.ErrNotFound if
// there is none that is good.
func (s *Store) Client(ctx context.Context, id string) (grant.Client, error) {
	item, err := s.Get(ctx, rows.CountersTable, clientKey(id))
	if err != nil {
		return grant.Client{}, err
	}
	if !s.good(item) || rows.Text(item, "id") != id {
		return grant.Client{}, store.ErrNotFound
	}
	return grant.Client{
		ID:           id,
		Name:         rows.Text(item, "name"),
		RedirectURIs: rows.Texts(item, "redirects"),
		CreatedAt:    rows.ToTime(rows.Text(item, "createdAt")),
		ExpiresAt:    untilOf(item),
	}, nil
}

// PutClient stores a client in place of an earlier copy.
func (s *Store) PutClient(ctx context.Context, c grant.Client) error {
	item := keyed(clientKey(c.ID), c.ExpiresAt)
	item["id"], item["name"], item["createdAt"] = c.ID, c.Name, rows.FromTime(c.CreatedAt)
	item["redirects"] = rows.FromTexts(c.RedirectURIs)
	if err := s.Table.Put(ctx, table.Put{Table: rows.CountersTable, Item: item}); err != nil {
		return fmt.Errorf("store a client: %w", err)
	}
	return nil
}

// KeepClient makes a client good until a later time. A client that is gone stays gone.
func (s *Store) KeepClient(ctx context.Context, id string, until time.Time) error {
	err := s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{table.Update{
		Table: rows.CountersTable,
		Key:   clientKey(id),
		If:    table.More(goodUntil, rows.FromMoment(s.Clock.Now())),
		Set:   map[string]any{goodUntil: rows.FromMoment(until), table.ExpiryAttribute: until.Unix() + 1},
	}}})
	_, err = store.Conditional(err, "keep a client")
	return err
}

func clientKey(id string) table.Key { return digestKey(rows.PartitionClient, id, rows.SortClient) }
