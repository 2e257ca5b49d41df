package mentionstore

import (
	"fmt"
	"testing"
	"time"
)

// Each mention has the same chance to be in a sample, whatever its time and id: counts by day, by minute and by the
// last digit of the id differ as little as chance allows (chi-squared with 9 degrees of freedom, 1 of 1,000).
func TestLowest_Fair(t *testing.T) {
	const all, most, groups = 40_000, 4_000, 10
	kept := lowest{most: most}
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	by := map[string]map[string]int{"day": {}, "minute": {}, "id": {}}
	groupsOf := map[string]map[string]string{}
	for i := range all {
		moment := fmt.Sprintf("%s#%016d", start.Add(time.Duration(i)*20*time.Second).Format(timestampForm), 1_000_000+i)
		groupsOf[moment] = map[string]string{"day": fmt.Sprint(i * groups / all), "minute": fmt.Sprint(i / 3 % groups),
			"id": fmt.Sprint(i % groups)}
		kept.add(place{moment: moment})
	}
	places := kept.places()
	if len(places) != most {
		t.Fatalf("sample of %d has %d", most, len(places))
	}
	for _, p := range places {
		for name, group := range groupsOf[p.moment] {
			by[name][group]++
		}
	}
	for name, counts := range by {
		squared, expected := 0.0, float64(most)/groups
		for _, n := range counts {
			squared += (float64(n) - expected) * (float64(n) - expected) / expected
		}
		if len(counts) != groups || squared > 27.9 {
			t.Errorf("by %s: %v, chi-squared %.1f, want at most 27.9", name, counts, squared)
		}
	}
}
