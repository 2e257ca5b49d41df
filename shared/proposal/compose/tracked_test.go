package compose_test

import "testing"

// What a keyword brings that the workspace tracks bare is not selected beside it; the brand, which is tracked, is what
// K1 asks for.
func TestTrackedBareBringsOthers(t *testing.T) {
	w := distinctive()
	w.Plan.Tracked = []string{"Acmely", "unrelated"}
	for _, bare := range [][]string{{"Acmely"}, nil} {
		w.Plan.Bare = bare
		_, p := made(t, w)
		if brand := keywordOf(t, p, "brand"); bare != nil && !brand.SelectedByDefault {
			t.Errorf("the brand, which is tracked, is not selected")
		}
		selected := proposes(p, "brand_domain") && keywordOf(t, p, "brand_domain").SelectedByDefault
		if selected != (bare == nil) {
			t.Errorf("with %v tracked bare, the domain is selected: %v", bare, selected)
		}
	}
}
