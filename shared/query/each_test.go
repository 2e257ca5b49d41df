package query_test

import (
	"testing"

	"earshot/shared/post"
	"earshot/shared/query"
)

func TestEach_OneAlternativeEach(t *testing.T) {
	q, faults := query.Parse(`acme -jobs OR "beta gamma" author:jane`)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	body := "We use acme here"
	want := []struct {
		text    string
		matches bool
	}{{"acme -jobs", true}, {`"beta gamma" author:jane`, false}}
	each := q.Each()
	if len(each) != len(want) {
		t.Fatalf("Each() returned %d queries, want %d", len(each), len(want))
	}
	for i, one := range each {
		if one.String() != want[i].text {
			t.Errorf("Each()[%d] = %s, want %s", i, one, want[i].text)
		}
		if got := one.Matches(&post.Post{Source: "hackernews", Body: &body}, ""); got != want[i].matches {
			t.Errorf("%s matches: %v, want %v", one, got, want[i].matches)
		}
	}
	if none := (query.Query{}).Each(); len(none) != 0 {
		t.Errorf("Each() of no query = %v, want none", none)
	}
}
