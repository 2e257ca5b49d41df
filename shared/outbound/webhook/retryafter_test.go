package webhook_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"earshot/shared/outbound/webhook"
)

func TestRetryAfter(t *testing.T) {
	const year = 365 * 24 * time.Hour
	now := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "120": 2 * time.Minute, " 7 ": 7 * time.Second, "0": 0, "-5": 0, "1.5": 0, "soon": 0, "+3": 0,
		"86401": 24*time.Hour + time.Second, strings.Repeat("9", 400): year,
		now.Add(90 * time.Second).Format(http.TimeFormat): 90 * time.Second,
		now.Add(-time.Hour).Format(http.TimeFormat):       0,
		now.Add(2 * year).Format(http.TimeFormat):         year,
	} {
		if got := webhook.RetryAfter(header, now); got != want {
			t.Errorf("RetryAfter(%.40q) = %v, want %v", header, got, want)
		}
	}
}
