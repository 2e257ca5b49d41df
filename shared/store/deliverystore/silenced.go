package deliverystore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"earshot/shared/delivery"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// The rows of silenced addresses do not expire. They go when a person enables the owner's destinations, and with the
// workspace. Addresses that differ in case are one.

func silencedKey(orgID string, of delivery.Owner, address string) table.Key {
	return table.Key{Partition: rows.Deliveries(orgID), Sort: silencedOf(of) + strings.ToLower(address)}
}

func silencedOf(of delivery.Owner) string { return rows.SortSilenced + of.String() + "#" }

func bouncedKey(orgID, address string) table.Key {
	return table.Key{Partition: rows.Deliveries(orgID), Sort: rows.SortBounced + strings.ToLower(address)}
}

// Unsubscribe takes an address from an owner's mails. It keeps the time of the first call.
func (s *Store) Unsubscribe(ctx context.Context, orgID string, of delivery.Owner, address string) error {
	return s.silence(ctx, silencedKey(orgID, of, address), delivery.Unsubscribed)
}

// Bounce takes an address from the mails of all owners of a workspace, because it bounced or complained. It keeps the
// reason and the time of the first call.
func (s *Store) Bounce(ctx context.Context, orgID, address string, why delivery.Silence) error {
	return s.silence(ctx, bouncedKey(orgID, address), why)
}

func (s *Store) silence(ctx context.Context, key table.Key, why delivery.Silence) error {
	err := s.Table.Put(ctx, table.Put{Table: rows.CoreTable, If: table.Absent(), Item: table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		"why":                    string(why),
		"silencedAt":             rows.FromTime(s.Instant()),
	}})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("silence an address: %w", err)
	}
	return nil
}

// ForgetBounces lets mail go again to those of the addresses that bounced. Those that complained stay silenced.
func (s *Store) ForgetBounces(ctx context.Context, orgID string, addresses []string) error {
	failed := make([]error, len(addresses))
	parallel.Few(writesAtOnce, len(addresses), func(i int) {
		err := s.Table.Delete(ctx, table.Delete{
			Table: rows.CoreTable, Key: bouncedKey(orgID, addresses[i]), If: table.Equal("why", string(delivery.Bounced)),
		})
		var conflict *table.ConditionFailed
		if !errors.As(err, &conflict) {
			failed[i] = err
		}
	})
	if err := errors.Join(failed...); err != nil {
		return fmt.Errorf("forget bounces: %w", err)
	}
	return nil
}

// Silenced returns which of the addresses get no mail of an owner, as they are written there, and why. What an address
// asked for itself comes before a bounce.
func (s *Store) Silenced(
	ctx context.Context, orgID string, of delivery.Owner, addresses []string,
) (map[string]delivery.Silence, error) {
	keys := make([]table.Key, 0, 2*len(addresses))
	for _, address := range addresses {
		keys = append(keys, silencedKey(orgID, of, address), bouncedKey(orgID, address))
	}
	items, err := s.All(ctx, unique(keys))
	if err != nil {
		return nil, err
	}
	why := map[table.Key]delivery.Silence{}
	for _, item := range items {
		if item != nil {
			why[table.KeyOf(item)] = delivery.Silence(rows.Text(item, "why"))
		}
	}
	silenced := map[string]delivery.Silence{}
	for i, address := range addresses {
		for _, key := range []table.Key{keys[2*i+1], keys[2*i]} {
			if found, ok := why[key]; ok {
				silenced[address] = found
			}
		}
	}
	return silenced, nil
}

// Unsilence lets an owner's mails go again to all addresses that unsubscribed from them. It forgets the bounces of the
// given addresses.
func (s *Store) Unsilence(ctx context.Context, orgID string, of delivery.Owner, addresses []string) error {
	var keys []table.Key
	for _, address := range addresses {
		keys = append(keys, bouncedKey(orgID, address))
	}
	err := s.Each(ctx, table.Query{
		Table: rows.CoreTable, Partition: rows.Deliveries(orgID), Prefix: silencedOf(of), Consistent: true,
	}, func(item table.Item) { keys = append(keys, table.KeyOf(item)) })
	if err != nil {
		return fmt.Errorf("list silenced addresses: %w", err)
	}
	failed := make([]error, len(keys))
	parallel.Few(writesAtOnce, len(keys), func(i int) {
		failed[i] = s.Table.Delete(ctx, table.Delete{Table: rows.CoreTable, Key: keys[i]})
	})
	if err := errors.Join(failed...); err != nil {
		return fmt.Errorf("let mail go to addresses again: %w", err)
	}
	return nil
}
