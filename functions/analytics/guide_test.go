package analytics_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"earshot/functions/discovery"
	domain "earshot/shared/analytics"
	"earshot/shared/worldtest"
)

// The guide's figures of what requests use are those of a year of 3,000 mentions, as the table's meter counts them. Each
// request was made before, except the first: digests and summaries are stored.
func TestGuide_CountsFigures(t *testing.T) {
	guide, err := os.ReadFile("../../infra/COSTS.md")
	if err != nil {
		t.Fatal(err)
	}
	w := worldtest.NewWorld(t)
	fillYear(t, w, 3_000, 1)
	served := newMetered(w)
	recent := worldtest.Now.AddDate(0, 0, -89).Format(time.DateOnly)
	body := `{"aggregates":["count"],"startDate":"` + recent + `",`
	year := "volume?startDate=" + worldtest.Now.AddDate(0, 0, -364).Format(time.DateOnly)
	for n, c := range []struct{ name, request string }{
		{"volume of a year, for the first time", year},
		{"volume of 30 days", "volume"},
		{"volume of a year", year},
		{"keywords of 30 days", "keywords"},
		{"dashboard of 30 days, with the 30 before", "dashboard"},
		{"two dimensions, 90 days", body + `"dimensions":["source","sentiment"]}`},
		{"8 keywords by topic and day, 90 days",
			body + `"dimensions":["keyword","tag"],"filters":{"keyword":[1,2,3,4,5,6,7,8]},"time":true}`},
		{"authors of 30 days, from rows", "authors"},
		{"engagement and reach by platform, 90 days, from rows",
			`{"aggregates":["engagement","reach"],"startDate":"` + recent + `","dimensions":["source"]}`},
		{"a text in 90 days, from rows and texts", body + `"filters":{"text":["runbook"]}}`},
	} {
		if n > 0 {
			served.send(t, c.request)
		}
		status, used := served.send(t, c.request)
		row := fmt.Sprintf("| %s | %d | %.0f | %.2f |", c.name, used.Reads, used.ReadUnits, used.ReadUnits*0.125)
		if status != 200 || !strings.Contains(string(guide), row) {
			t.Errorf("%d: the guide has not the row\n%s", status, row)
		}
	}
}

// The guide and the document say what themes of 1,000 mentions in each of two periods of 30 days use: half a unit for
// each mention that is read, and those of the rows that are looked at.
func TestGuide_CountsThemes(t *testing.T) {
	guide, err := os.ReadFile("../../infra/COSTS.md")
	if err != nil {
		t.Fatal(err)
	}
	const aYear = 1_000 * 364 / 30 // mentions, of which the newest 2,000 are there
	w := worldtest.NewWorld(t)
	fillDays(t, w, aYear, 2_000, 1)
	served := newMetered(w)
	request := fmt.Sprintf(`themes {"relevance":[0,1,2,"none"],"startDate":%q,"endDate":%q}`,
		worldtest.Now.AddDate(0, 0, -30).Format(time.RFC3339), worldtest.Now.Add(time.Second).Format(time.RFC3339))
	// It makes the digests of both periods. Of two that are made at once, one may lack the days that both touch.
	served.send(t, "volume?startDate="+worldtest.Now.AddDate(0, 0, -61).Format(time.DateOnly))
	status, used := served.send(t, request)
	units := fmt.Sprintf("%.0f", used.ReadUnits)
	if len(units) > 3 {
		units = units[:len(units)-3] + "," + units[len(units)-3:]
	}
	want := "1,000 mentions in each of the two periods take " + units + " read units."
	if text := strings.ReplaceAll(string(guide), "\n", " "); status != 200 || !strings.Contains(text, want) {
		t.Errorf("%d: the guide has not\n%s", status, want)
	}
	if want = ": " + units + " for 1,000 mentions a period."; !strings.Contains(string(discovery.OpenAPI()), want) {
		t.Errorf("the document has not %q", want)
	}
}

// The guide names the bound from which files pay as the code has it.
func TestGuide_NamesBudget(t *testing.T) {
	guide, err := os.ReadFile("../../infra/COSTS.md")
	if err != nil {
		t.Fatal(err)
	}
	const unit = 8 << 10 // bytes that one read unit reads, eventually consistent
	units := domain.ScanBudget / unit
	text := strings.ReplaceAll(string(guide), "\n", " ")
	for _, want := range []string{
		fmt.Sprintf("A scan of the table counts those within %d MiB of rows", domain.ScanBudget>>20),
		fmt.Sprintf("for at most %d,%03d read units (%.3f)", units/1000, units%1000, float64(units)*0.125e-6),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the guide has not %q", want)
		}
	}
}
