package files_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"earshot/shared/analytics/files"
)

func TestColumns_NamesAreUniqueAndPlain(t *testing.T) {
	plain, seen := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`), map[string]bool{}
	for _, column := range files.Columns() {
		if !plain.MatchString(column.Name) || seen[column.Name] {
			t.Errorf("column %q is not a plain name that occurs once", column.Name)
		}
		seen[column.Name] = true
		if column.Meaning == "" || column.Type == "" {
			t.Errorf("column %q has no type or no meaning", column.Name)
		}
	}
	if seen[files.PartitionWorkspace] || seen[files.PartitionDay] {
		t.Error("a column has the name of a partition, which query engines refuse")
	}
}

func TestKey_NamesPartitions(t *testing.T) {
	day := time.Date(2026, 11, 1, 23, 59, 0, 0, time.UTC)
	key, err := files.Key("org_01KAGW7Z8R4Y6H2N3M5P9Q0S1T", day, 7)
	want := "analytics/workspace=org_01KAGW7Z8R4Y6H2N3M5P9Q0S1T/day=2026-11-01/mentions-0000000007.parquet"
	if err != nil || key != want {
		t.Errorf("Key = %q, %v, want %q", key, err, want)
	}
}

func TestKey_HostileWorkspace(t *testing.T) {
	for _, id := range []string{
		"", ".", "..", "../org_x", "org_x/../org_y", "org_x/day=2026-11-01", `org_x\..`, "org_x%2f", "org=x", "org_x ",
		"org_\x00",
		"org_é", "org_x\n", "org.x", strings.Repeat("x", 65),
	} {
		if key, err := files.Key(id, time.Unix(0, 0), 1); err == nil {
			t.Errorf("Key(%q) = %q, want an error", id, key)
		}
	}
}
