package warehousetest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"earshot/shared/port/warehouse"
)

// A fake returns what a test expects, except for one fault.
type fake struct {
	rows  [][]*string
	fault func(context.Context, warehouse.Statement, warehouse.Result, error) (warehouse.Result, error)
}

func (f fake) Query(ctx context.Context, s warehouse.Statement) (warehouse.Result, error) {
	result, err := warehouse.Result{Rows: f.rows}, s.Check()
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && s.SQL == "SELECT nothing FROM nowhere" {
		err = errors.New("no such table")
	}
	if err != nil {
		result.Rows = nil
	}
	if f.fault != nil {
		return f.fault(ctx, s, result, err)
	}
	return result, err
}

func TestRun_RightWarehouse(t *testing.T) {
	Run(t, func(_ *testing.T, rows [][]*string) warehouse.Warehouse { return fake{rows: rows} }, Options{})
}

// The suite finds each fault, by the tests that are there for it and by no others.
func TestRun_Faults(t *testing.T) {
	type result = warehouse.Result
	cells := func(change func(*string) *string) func(context.Context, warehouse.Statement, result, error) (result, error) {
		return func(_ context.Context, _ warehouse.Statement, r result, err error) (result, error) {
			var rows [][]*string
			for _, row := range r.Rows {
				var changed []*string
				for _, cell := range row {
					changed = append(changed, change(cell))
				}
				rows = append(rows, changed)
			}
			r.Rows = rows
			return r, err
		}
	}
	empty, null := "", "NULL"
	invalid := []string{"Empty", "TooFewParameters", "TooManyParameters", "OfAnotherType", "NUL", "NotUTF8",
		"LongParameter", "LongSQL"}
	for i := range invalid {
		invalid[i] = "Invalid/" + invalid[i]
	}
	for _, c := range []struct {
		name  string
		fault func(context.Context, warehouse.Statement, result, error) (result, error)
		found []string
	}{
		{"NULL as an empty text", cells(func(cell *string) *string {
			if cell == nil {
				return &empty
			}
			return cell
		}), []string{"Values"}},
		{"NULL as a text", cells(func(cell *string) *string {
			if cell == nil {
				return &null
			}
			return cell
		}), []string{"Values"}},
		{"an empty text as NULL", cells(func(cell *string) *string {
			if cell != nil && *cell == "" {
				return nil
			}
			return cell
		}), []string{"Values"}},
		{"one page only", func(_ context.Context, _ warehouse.Statement, r result, err error) (result, error) {
			r.Rows = r.Rows[:min(len(r.Rows), 999)]
			return r, err
		}, []string{"Pages"}},
		{"a header as a row", func(_ context.Context, s warehouse.Statement, r result, err error) (result, error) {
			if err == nil {
				r.Rows = append([][]*string{row("n", "source")}, r.Rows...)
			}
			return r, err
		}, []string{"Values", "NoRow", "Pages", "Parameters"}},
		{"the last row first", func(_ context.Context, _ warehouse.Statement, r result, err error) (result, error) {
			r.Rows = slices.Clone(r.Rows)
			slices.Reverse(r.Rows)
			return r, err
		}, []string{"Values", "Pages", "Parameters"}},
		{"the false parameter as true", func(_ context.Context, s warehouse.Statement, r result, err error) (result, error) {
			if len(s.Parameters) == 6 {
				r.Rows = append(slices.Clone(r.Rows), row("6"))
			}
			return r, err
		}, []string{"Parameters"}},
		{"errors without the port's", func(_ context.Context, _ warehouse.Statement, r result, err error) (result, error) {
			if err != nil {
				err = errors.New("failed")
			}
			return r, err
		}, append([]string{"Canceled"}, invalid...)},
		{"every error to be repeated", func(_ context.Context, _ warehouse.Statement, r result, err error) (result, error) {
			if err != nil {
				err = warehouse.ErrUnavailable
			}
			return r, err
		}, append([]string{"Refused", "Canceled"}, invalid...)},
		{"no error", func(_ context.Context, _ warehouse.Statement, r result, _ error) (result, error) {
			return r, nil
		}, append([]string{"Refused", "Canceled"}, invalid...)},
		{"rows with an error", func(_ context.Context, _ warehouse.Statement, r result, err error) (result, error) {
			if err != nil {
				r.Rows = [][]*string{row("1")}
			}
			return r, err
		}, append([]string{"Refused", "Canceled"}, invalid...)},
		{"fewer bytes than none", func(_ context.Context, _ warehouse.Statement, r result, err error) (result, error) {
			if err == nil {
				r.Scanned = -1
			}
			return r, err
		}, []string{"Values", "NoRow", "Pages", "Parameters"}},
	} {
		var found []string
		for _, test := range tests() {
			if test.check(t.Context(), fake{rows: test.rows, fault: c.fault}) != "" {
				found = append(found, test.name)
			}
		}
		if !slices.Equal(found, c.found) {
			t.Errorf("%s: found by %v, want %v", c.name, found, c.found)
		}
	}
}
