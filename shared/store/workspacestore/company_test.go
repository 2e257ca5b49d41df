package workspacestore_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

func TestCompanyRevisions(t *testing.T) {
	w := worldtest.NewWorld(t)
	at := func(minutes int) time.Time { return worldtest.Now.Add(time.Duration(minutes) * time.Minute) }
	read := func(revision int64, updated time.Time) workspace.Company {
		t.Helper()
		c, err := w.Store.Company(t.Context(), w.Main.ID)
		if err != nil || c.Revision != revision || !c.UpdatedAt.Equal(updated) {
			t.Errorf("%+v, %v; want revision %d of %s", c, err, revision, updated)
		}
		return c
	}
	rename := func(name string) {
		t.Helper()
		changed, err := w.Store.ChangeCompany(t.Context(), w.Main.ID,
			func(c *workspace.Company) error { c.Name = name; return nil })
		if err != nil {
			t.Fatal(err)
		}
		stored, err := w.Store.Company(t.Context(), w.Main.ID)
		if err != nil || fmt.Sprintf("%+v", stored) != fmt.Sprintf("%+v", changed) {
			t.Errorf("answered %+v, stored %+v, %v", changed, stored, err)
		}
	}
	read(0, time.Time{})
	rename("")
	read(1, at(0))
	w.Clock.Freeze(at(1))
	rename("")
	read(1, at(0))
	rename("Northwind")
	read(2, at(1))
	w.Clock.Freeze(at(2))
	if err := w.Store.PutCompany(t.Context(), w.Main.ID, workspace.Company{Name: "Put", Products: []string{"p"}}); err != nil {
		t.Fatal(err)
	}
	if c := read(3, at(2)); c.Name != "Put" || len(c.Products) != 1 || len(c.Handles) != 0 {
		t.Errorf("%+v", c)
	}
	refused := errors.New("no")
	if _, err := w.Store.ChangeCompany(t.Context(), w.Main.ID,
		func(c *workspace.Company) error { c.Name = "x"; return refused }); !errors.Is(err, refused) {
		t.Error(err)
	}
	if c := read(3, at(2)); c.Name != "Put" {
		t.Errorf("%+v", c)
	}
	if other, err := w.Store.Company(t.Context(), w.Other.ID); err != nil || !other.UpdatedAt.IsZero() {
		t.Errorf("%+v, %v", other, err)
	}
}

// A row that was stored before rows had revisions changes as any.
func TestCompanyWithoutARevision(t *testing.T) {
	w := worldtest.NewWorld(t)
	err := w.Table.Put(t.Context(),
		table.Put{Table: rows.CoreTable, Item: table.Item{table.PartitionAttribute: w.Main.ID, table.SortAttribute: "company",
			"name": "Old", "updatedAt": "2026-11-01T00:00:00.000Z"}})
	if err != nil {
		t.Fatal(err)
	}
	changed, err := w.Store.ChangeCompany(t.Context(), w.Main.ID,
		func(c *workspace.Company) error { c.Audience = "all"; return nil })
	if err != nil || changed.Name != "Old" || changed.Audience != "all" || changed.Revision != 1 {
		t.Errorf("%+v, %v", changed, err)
	}
}

// Fifty that change one row at once are all heard.
func TestManySettle(t *testing.T) {
	w := worldtest.NewWorld(t)
	faulttest.AtOnce(50, func(i int) {
		_, err := w.Store.ChangeCompany(t.Context(), w.Main.ID, func(c *workspace.Company) error {
			c.ExcludeTerms = append(c.ExcludeTerms, fmt.Sprint(i))
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	c, err := w.Store.Company(t.Context(), w.Main.ID)
	if err != nil || len(c.ExcludeTerms) != 50 || c.Revision != 50 {
		t.Errorf("%d of revision %d, %v", len(c.ExcludeTerms), c.Revision, err)
	}
}

// A change that another gets in front of is made again, on what the other has left.
func TestCompanyChangesInBetween(t *testing.T) {
	w := worldtest.NewWorld(t)
	for round := range 2 { // on a company that is not there yet, and on one that is
		called := 0
		changed, err := w.Store.ChangeCompany(t.Context(), w.Main.ID, func(c *workspace.Company) error {
			if called++; called == 1 {
				if _, err := w.Store.ChangeCompany(t.Context(), w.Main.ID,
					func(c *workspace.Company) error { c.Name = fmt.Sprint("name ", round); return nil }); err != nil {
					t.Error(err)
				}
			}
			c.Audience = fmt.Sprint("audience ", round)
			return nil
		})
		if err != nil || called != 2 || changed.Name != fmt.Sprint("name ", round) ||
			changed.Audience != fmt.Sprint("audience ", round) {
			t.Errorf("%d calls: %+v, %v", called, changed, err)
		}
	}
}

func TestCompany_KeepsHandlesThatTheAPILacks(t *testing.T) {
	w := worldtest.NewWorld(t)
	put := workspace.Company{Name: "Delta", Handles: []string{"Delta", "DeltaNews"}}
	if err := w.Store.PutCompany(t.Context(), w.Main.ID, put); err != nil {
		t.Fatal(err)
	}
	rename := func(c *workspace.Company) error { c.Name = "Delta Air Lines"; return nil }
	if _, err := w.Store.ChangeCompany(t.Context(), w.Main.ID, rename); err != nil {
		t.Fatal(err)
	}
	if c, err := w.Store.Company(t.Context(), w.Main.ID); err != nil || !slices.Equal(c.Handles, put.Handles) {
		t.Errorf("Company() = %q, %v, want %q", c.Handles, err, put.Handles)
	}
}
