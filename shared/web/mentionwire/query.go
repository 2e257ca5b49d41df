package mentionwire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"earshot/shared/filter"
)

// A Query selects the mentions of a list or an export. Its JSON is the same for the same selection, however the client
// wrote it. It is stored with an export until the export is written.
type Query struct {
	IncludeAll bool              `json:"includeAll,omitempty"` // also those that are not relevant
	Filters    []json.RawMessage `json:"filters,omitempty"`    // of either form; all must hold
}

// Add narrows the query by filters in JSON. Empty texts are no filters.
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

// Filter returns the query's filters combined. It returns an error if the grammar no longer accepts a stored filter;
// those of a request have been validated.
func (q Query) Filter() (filter.Filter, error) {
	parts := make([]filter.Filter, len(q.Filters))
	for i, text := range q.Filters {
		part, faults := filter.Parse(text)
		if len(faults) > 0 {
			return filter.Filter{}, errors.New(
				"a stored filter is not valid: " + faults[0].Path + ": " + faults[0].Message,
			)
		}
		parts[i] = part
	}
	return filter.And(parts...), nil
}

// An ExportRequest is what an export selects, as stored until the export is written. It holds the view's filters as
// they were at the request.
type ExportRequest struct {
	Query      Query `json:"query"`
	Engagement bool  `json:"includeEngagementMetrics,omitempty"`
}
