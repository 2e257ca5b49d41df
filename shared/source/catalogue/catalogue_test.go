package catalogue_test

import (
	"slices"
	"strings"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/source/catalogue"
)

func TestPlatforms(t *testing.T) {
	var names []string
	for _, p := range catalogue.Platforms() {
		names = append(names, p.Name)
		if p.Title == "" {
			t.Errorf("%q has no title", p.Name)
		}
		if p.Closed != "" && (!strings.HasSuffix(p.Closed, ".") || len(p.Closed) < 40) {
			t.Errorf("%s: %q is no sentence", p.Name, p.Closed)
		}
		if searched := slices.Contains(catalogue.Searched(), p.Name); searched == (p.Closed != "") {
			t.Errorf("%s is closed and searched, or neither", p.Name)
		}
		if found, ok := catalogue.Find(p.Name); !ok || found != p {
			t.Errorf("%s is not found", p.Name)
		}
	}
	if !slices.Equal(names, keyword.Platforms()) {
		t.Errorf("the table has %v, keywords name %v", names, keyword.Platforms())
	}
	if _, ok := catalogue.Find("myspace"); ok {
		t.Error("it finds what is not there")
	}
}
