package mentionwire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"earshot/shared/filter"
)

// A Query is what selects the mentions of a list or an export. As JSON it is the same for the same selection, however the client
// wrote it, and is kept with an export until it is written.
type Query struct {
	IncludeAll bool              `json:"includeAll,omitempty"` // also those that are not relevant
	Filters    []json.RawMessage `json:"filters,omitempty"`    // of either form; all must hold
}

// Add narrows the query by filters as they were written; empty ones are none.
func (q *Query) Add(written ...string) error {
	for _, text := range written {
		if text == "" {
			continue
		}
		decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
		decoder.UseNumber()
		var tree any
		if err := decoder.Decode(&tree); err != nil {
			return fmt.Errorf("read a filter: %w", err)
		}
		sorted, err := json.Marshal(tree)
		if err != nil {
			return fmt.Errorf("write a filter: %w", err)
		}
		q.Filters = append(q.Filters, sorted)
	}
	return nil
}

// Filter is what the query's filters take together. An error is for a stored filter that the grammar does not take any more: what a
// request brings has been looked at.
func (q Query) Filter() (filter.Filter, error) {
	parts := make([]filter.Filter, len(q.Filters))
	for i, text := range q.Filters {
		part, faults := filter.Parse(text)
		if len(faults) > 0 {
			return filter.Filter{}, errors.New("a stored filter is not valid: " + faults[0].Path + ": " + faults[0].Message)
		}
		parts[i] = part
	}
	return filter.And(parts...), nil
}

// An ExportRequest is what an export holds, as it is kept until it is written. The view's filters are those of when it was asked for.
type ExportRequest struct {
	Query      Query `json:"query"`
	Engagement bool  `json:"includeEngagementMetrics,omitempty"`
}
