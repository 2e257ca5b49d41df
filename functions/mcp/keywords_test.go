package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/worldtest"
)

// A list of keywords that is too long for a result says which limit fits. Pages of that limit have every keyword once.
func TestListKeywords_TooLong(t *testing.T) {
	s := serve(t)
	const n = 500
	for id := int64(1); id <= n; id++ {
		worldtest.Must(t, s.world.Store.RestoreKeyword(t.Context(), s.world.Main.ID, keyword.Keyword{
			ID: id, Text: fmt.Sprint("keyword ", id), Context: strings.Repeat("What it catches. ", 8),
		}))
	}
	session := s.client(t, s.world.Read)
	type page struct {
		Data       []struct{ ID int64 }
		LeftOut    struct{ Items, Limit int }
		Pagination *struct{ NextCursor *string }
	}
	var whole page
	call(t, session, "list_keywords", `{}`, &whole)
	limit := whole.LeftOut.Limit
	if limit == 0 || limit != len(whole.Data) || limit+whole.LeftOut.Items != n || whole.Pagination != nil {
		t.Fatalf("list_keywords({}) has %d of %d keywords with %+v and pagination %v, want their number as limit",
			len(whole.Data), n, whole.LeftOut, whole.Pagination)
	}
	last, arguments := int64(0), map[string]any{"limit": limit}
	for {
		given, err := json.Marshal(arguments)
		worldtest.Must(t, err)
		var got page
		call(t, session, "list_keywords", string(given), &got)
		for _, k := range got.Data {
			if k.ID != last+1 {
				t.Fatalf("keyword %d follows %d", k.ID, last)
			}
			last = k.ID
		}
		if got.Pagination == nil || got.LeftOut.Items > 0 {
			t.Fatalf("a page of %d lacks %d keywords", limit, got.LeftOut.Items)
		}
		if got.Pagination.NextCursor == nil {
			break
		}
		arguments["cursor"] = *got.Pagination.NextCursor
	}
	if last != n {
		t.Errorf("the pages end with keyword %d, want %d", last, n)
	}
}
