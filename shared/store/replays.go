package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// Rows of the counters table that this file owns:
//
//	pk org_…  sk "answer#<id>"      a claim and, once it is stored, its response
//	pk org_…  sk "answer#<id>#001"  further parts of a response that one item cannot hold
const (
	partBytes = 350 << 10 // of a response in one item, whose other attributes need room too
)

func claimKey(claim workspace.Claim) table.Key {
	return table.Key{Partition: claim.WorkspaceID, Sort: rows.SortAnswer + claim.ID}
}

// Begin claims an Idempotency-Key in one conditional write. Returns nil if this request has the claim, else the stored
// claim or response.
func (s *Kernel) Begin(ctx context.Context, claim workspace.Claim) (*workspace.Kept, error) {
	key, now := claimKey(claim), claim.Now
	err := s.Table.Put(ctx, table.Put{
		Table: rows.CountersTable,
		Item: table.Item{
			table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort,
			"fingerprint": claim.Fingerprint[:], "owner": claim.Owner, "leaseEnds": now.Add(claim.Lease).UnixMilli(),
			table.ExpiryAttribute: now.Add(claim.Keep).Unix(),
		},
		// A claim is void if its request died or its response has expired.
		If: table.Any(table.Absent(), table.AtMost("leaseEnds", now.UnixMilli())),
	})
	var failed *table.ConditionFailed
	if err == nil {
		return nil, nil
	}
	if !errors.As(err, &failed) {
		return nil, fmt.Errorf("claim: %w", err)
	}
	item := failed.Item
	if item == nil {
		if item, err = s.Get(ctx, rows.CountersTable, key); err != nil {
			return nil, err
		}
	}
	if rows.Text(item, "owner") == claim.Owner {
		return nil, nil // this very claim, sent twice by a retry
	}
	kept := &workspace.Kept{}
	if fingerprint := rows.Bytes(item, "fingerprint"); len(fingerprint) == sha256.Size {
		kept.Fingerprint = [sha256.Size]byte(fingerprint)
	}
	if parts := rows.Integer(item, "parts"); parts > 0 && kept.Fingerprint == claim.Fingerprint {
		answer, err := s.answer(ctx, key, item, parts)
		if err != nil {
			return nil, err
		}
		kept.Answer = answer
	}
	return kept, nil
}

// answer reads all parts of a stored response.
func (s *Kernel) answer(
	ctx context.Context, key table.Key, first table.Item, parts int64,
) (*workspace.StoredAnswer, error) {
	body := rows.Bytes(first, "body")
	if parts > 1 {
		gets := make([]table.Get, 0, parts-1)
		for part := int64(1); part < parts; part++ {
			gets = append(gets, table.Get{Table: rows.CountersTable, Key: partKey(key, part), Consistent: true})
		}
		rest, err := table.GetAll(ctx, s.Table, gets)
		if err != nil {
			return nil, fmt.Errorf("read a stored response: %w", err)
		}
		for _, item := range rest {
			body = append(body, rows.Bytes(item, "body")...)
		}
	}
	answer := &workspace.StoredAnswer{Status: int(rows.Integer(first, "status")), Body: body}
	if err := json.Unmarshal([]byte(rows.Text(first, "header")), &answer.Header); err != nil {
		return nil, fmt.Errorf("read a stored response: %w", err)
	}
	return answer, nil
}

func partKey(key table.Key, part int64) table.Key {
	return table.Key{Partition: key.Partition, Sort: fmt.Sprintf("%s#%03d", key.Sort, part)}
}

// Keep stores the response of the request that holds the claim. It writes the row that marks the response as complete
// last.
func (s *Kernel) Keep(ctx context.Context, claim workspace.Claim, answer workspace.StoredAnswer) error {
	key, expires := claimKey(claim), claim.Now.Add(claim.Keep).Unix()
	first, rest := append([]byte{}, answer.Body...), []byte(nil)
	if len(first) > partBytes {
		first, rest = first[:partBytes], first[partBytes:]
	}
	parts := int64(1)
	for ; len(rest) > 0; parts++ {
		part := rest[:min(len(rest), partBytes)]
		rest = rest[len(part):]
		at := partKey(key, parts)
		err := s.Table.Put(ctx, table.Put{Table: rows.CountersTable, Item: table.Item{
			table.PartitionAttribute: at.Partition,
			table.SortAttribute:      at.Sort,
			"body":                   part,
			table.ExpiryAttribute:    expires,
		}})
		if err != nil {
			return fmt.Errorf("store a part of a response: %w", err)
		}
	}
	header, err := json.Marshal(answer.Header)
	if err != nil {
		return fmt.Errorf("store a response: %w", err)
	}
	_, err = s.Table.Update(ctx, table.Update{
		Table: rows.CountersTable, Key: key, If: table.Equal("owner", claim.Owner),
		Set: map[string]any{
			"status":              int64(answer.Status),
			"header":              string(header),
			"body":                first,
			"parts":               parts,
			table.ExpiryAttribute: expires,
		},
		Remove: []string{"leaseEnds"},
	})
	if err != nil {
		return fmt.Errorf("store a response: %w", err)
	}
	return nil
}

// Release ends a claim if this request still holds it and has stored no response.
func (s *Kernel) Release(ctx context.Context, claim workspace.Claim) error {
	err := s.Table.Delete(ctx, table.Delete{Table: rows.CountersTable, Key: claimKey(claim),
		If: table.All(table.Equal("owner", claim.Owner), table.Missing("parts"))})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("release a claim: %w", err)
	}
	return nil
}
