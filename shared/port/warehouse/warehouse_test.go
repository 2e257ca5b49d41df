package warehouse_test

import (
	"strings"
	"testing"

	"earshot/shared/port/warehouse"
)

func TestStatement_Check(t *testing.T) {
	for _, c := range []struct {
		name string
		s    warehouse.Statement
		ok   bool
	}{
		{"good", warehouse.Statement{SQL: "SELECT ?, ?, ?", Parameters: []any{"a", int64(1), true}}, true},
		{"empty", warehouse.Statement{}, false},
		{"a parameter too few", warehouse.Statement{SQL: "SELECT ?"}, false},
		{"an int", warehouse.Statement{SQL: "SELECT ?", Parameters: []any{1}}, false},
		{"a NUL", warehouse.Statement{SQL: "SELECT ?", Parameters: []any{"\x00"}}, false},
		{"no UTF-8", warehouse.Statement{SQL: "SELECT ?", Parameters: []any{"\xff"}}, false},
		{"quotes that double", warehouse.Statement{SQL: "SELECT ?", Parameters: []any{strings.Repeat("'", 501)}}, false},
		{"too long", warehouse.Statement{SQL: "SELECT " + strings.Repeat("1,", 100<<10)}, false},
	} {
		if err := c.s.Check(); (err == nil) != c.ok {
			t.Errorf("%s: Check = %v, want ok %v", c.name, err, c.ok)
		}
	}
}
