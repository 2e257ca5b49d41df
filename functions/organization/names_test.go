package organization_test

import (
	"fmt"
	"testing"

	"earshot/shared/worldtest"
)

// One rule holds for every name. A workspace name also has no address, since invitation mails quote
// it.
func TestNames_Refused(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Admin)
	takes := map[string]func(name string) string{
		"org":     func(name string) string { return fmt.Sprintf(`{"name":%q}`, name) },
		"company": func(name string) string { return fmt.Sprintf(`{"name":%q}`, name) },
		"keys":    func(name string) string { return fmt.Sprintf(`{"name":%q,"scope":"read","expiry":"30d"}`, name) },
	}
	send := func(path, name string) []string {
		t.Helper()
		method := client.Patch
		if path == "keys" {
			method = client.Post
		}
		target := "/api/v2/org/" + path
		if path == "org" {
			target = "/api/v2/org"
		}
		answer := method(t, target, takes[path](name))
		if answer.Status < 300 {
			return nil
		}
		var codes []string
		for _, detail := range answer.Is(t, 400, "VALIDATION_ERROR").Details {
			codes = append(codes, detail.Path+" "+detail.Code)
		}
		return codes
	}
	for path := range takes {
		for name, want := range map[string]string{
			"a\u202Eb": "[name pattern]", "a\u200Fb": "[name pattern]", "a\uFDD0b": "[name pattern]",
			"a\uFFFFb": "[name pattern]",
			"\u200B":   "[name min_length]", "\u3164": "[name min_length]", "\uFE0F": "[name min_length]",
			"a\u2028b": "[name pattern]", "Harbour": "[]",
		} {
			if got := fmt.Sprint(send(path, name)); got != want {
				t.Errorf("%s takes %q: %s, want %s", path, name, got, want)
			}
		}
		for _, name := range []string{"Payroll: confirm at https://evil.example/x", "evil.com", "pay@evil.com"} {
			want := map[bool]string{true: "[name pattern]", false: "[]"}[path == "org"]
			if got := fmt.Sprint(send(path, name)); got != want {
				t.Errorf("%s takes %q: %s, want %s", path, name, got, want)
			}
		}
	}
}
