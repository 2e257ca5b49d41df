package settings_test

import (
	"strings"
	"testing"
	"time"

	"earshot/functions/local/settings"
)

func from(pairs ...string) (settings.Settings, error) {
	return settings.From(func(name string) string {
		for _, pair := range pairs {
			if value, ok := strings.CutPrefix(pair, name+"="); ok {
				return value
			}
		}
		return ""
	})
}

func TestDefaults(t *testing.T) {
	got, err := from()
	want := settings.Settings{Host: "127.0.0.1", Port: 8080, Data: ".earshot", Demo: true, Live: true}
	if err != nil || got != want {
		t.Fatalf("got %+v, %v", got, err)
	}
	if got.Address() != "127.0.0.1:8080" || got.BaseURL(8080) != "http://127.0.0.1:8080" {
		t.Errorf("%s %s", got.Address(), got.BaseURL(8080))
	}
}

func TestAnalyticsFiles(t *testing.T) {
	for value, want := range map[string]bool{"on": true, "off": false, "": false} {
		if got, err := from("ANALYTICS_FILES=" + value); err != nil || got.AnalyticsFiles != want {
			t.Errorf("ANALYTICS_FILES=%s: %v, %v, want %v", value, got.AnalyticsFiles, err, want)
		}
	}
}

func TestAhead(t *testing.T) {
	for value, want := range map[string]time.Duration{"": 0, "90m": 90 * time.Minute, "87600h": settings.MaxAhead} {
		if got, err := from("AHEAD=" + value); err != nil || got.Ahead != want {
			t.Errorf("AHEAD=%s: %v, %v, want %v", value, got.Ahead, err, want)
		}
	}
}

func TestAddress(t *testing.T) {
	for value, want := range map[string][2]string{
		"127.0.0.1:0":    {"127.0.0.1:0", "http://127.0.0.1:99"},
		"127.8.9.1:81":   {"127.8.9.1:81", "http://127.8.9.1:99"},
		"localhost:8081": {"127.0.0.1:8081", "http://localhost:99"},
		"[::1]:8081":     {"[::1]:8081", "http://[::1]:99"},
	} {
		got, err := from("ADDR=" + value)
		if err != nil || got.Address() != want[0] || got.BaseURL(99) != want[1] {
			t.Errorf("%s: %s %s %v", value, got.Address(), got.BaseURL(99), err)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ setting, want string }{
		{"ADDR=8080", "not a host and a port"},
		{"ADDR=127.0.0.1:http", "not a host and a port"},
		{"ADDR=127.0.0.1:70000", "not a host and a port"},
		{"ADDR=:8080", "other machines"},
		{"ADDR=0.0.0.0:8080", "other machines"},
		{"ADDR=[::]:8080", "other machines"},
		{"ADDR=192.0.2.7:8080", "other machines"},
		{"ADDR=localhost.example:8080", "other machines"},
		{"DEMO=no", "neither on nor off"},
		{"SOURCES=none", "neither live nor archive"},
		{"ANALYTICS_FILES=yes", "neither on nor off"},
		{"AHEAD=an hour", "no time from 0s"},
		{"AHEAD=-1m", "no time from 0s"},
		{"AHEAD=87601h", "no time from 0s"},
		{"TABLE_ENDPOINT=127.0.0.1:8000", "not the URL"},
		{"TABLE_ENDPOINT=ftp://127.0.0.1", "not the URL"},
	} {
		if _, err := from(c.setting); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.setting, err)
		}
	}
}
