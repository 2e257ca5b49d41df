package isolation_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// texts are everything that the bench holds, one text each, in order: the rows of every table of every file, the files
// that workers wrote, and what was sent by other ways than mail.
func (b *bench) texts(t testing.TB) (found []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(b.folder, "*.db"))
	must(t, err)
	for _, file := range files {
		found = append(found, everyRow(t, file)...)
	}
	blobs, err := filepath.Glob(filepath.Join(b.folder, "files", "*.blob"))
	must(t, err)
	for _, path := range blobs {
		content, err := os.ReadFile(path)
		must(t, err)
		found = append(found, fileOf+filepath.Base(path)+" "+string(content))
	}
	b.sent.mu.Lock()
	defer b.sent.mu.Unlock()
	found = append(found, b.sent.lines...)
	slices.Sort(found)
	return found
}

// How texts begin that name a workspace by its name alone, and those of none, which are the adapters' own.
const (
	mailOf = "mail.db mails "
	fileOf = "file "
)

var nobodys = []string{
	"earshot.db schemas ", "identity.db accounts ", "identity.db sqlite_sequence ", "mail.db sqlite_sequence ",
}

// decided reports whether a text is a request of sign-in that was decided. It tells nobody: not the person, nor where.
func decided(text string) bool {
	return strings.HasPrefix(text, "earshot.db table counters request#") && strings.Contains(text, "gdecided\xf5")
}

// rows are those of the texts that are an agency's.
func (b *bench) rows(t testing.TB, a *agency) []string {
	t.Helper()
	ids, names, owners := []string{a.ID}, []string{a.Name}, []string{a.ID}
	for _, of := range a.tenants {
		names, owners = append(names, of.Name), append(owners, of.ID)
		for _, id := range of.ids {
			if identifier.MatchString(id) {
				ids = append(ids, id) // also of what is kept by itself, as the content of drafts is
			}
		}
	}
	for _, owner := range owners {
		keys, err := b.Store.Keys(t.Context(), owner)
		must(t, err)
		for _, key := range keys {
			ids = append(ids, key.ID)
		}
	}
	return slices.DeleteFunc(b.texts(t), func(text string) bool {
		by := ids
		if strings.HasPrefix(text, mailOf) || strings.HasPrefix(text, fileOf) {
			by = names
		}
		return !slices.ContainsFunc(by, func(mark string) bool { return strings.Contains(text, mark) })
	})
}

// apart holds every row to be one agency's: what belonged to both, or to nobody, could tell the one of the other.
func (w world) apart(t *testing.T) {
	here, _ := twins(t, w.folder)
	times := map[string]int{}
	for _, a := range []*agency{w.a, w.b} {
		for _, row := range here.rows(t, a) {
			times[row]++
		}
	}
	for _, row := range here.texts(t) {
		bookkeeping := slices.ContainsFunc(nobodys, func(begins string) bool { return strings.HasPrefix(row, begins) }) ||
			decided(row) && times[row] == 0
		if times[row] != 1 && !bookkeeping {
			t.Errorf("%d agencies have %.300q", times[row], row)
		}
	}
}

// everyRow reads a file of SQLite as it is: whoever reads it by the port would not see what is expired.
func everyRow(t testing.TB, file string) (found []string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?mode=ro&_pragma=query_only(1)")
	must(t, err)
	defer db.Close()
	query := func(text string, do func(values []any)) {
		rows, err := db.QueryContext(t.Context(), text)
		must(t, err)
		defer rows.Close()
		columns, err := rows.Columns()
		must(t, err)
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		for rows.Next() {
			must(t, rows.Scan(into...))
			do(values)
		}
		must(t, rows.Err())
	}
	var tables []string
	query("SELECT name FROM sqlite_schema WHERE type = 'table'",
		func(values []any) { tables = append(tables, fmt.Sprint(values...)) })
	for _, name := range tables {
		query(`SELECT * FROM "`+name+`"`, func(values []any) {
			text := filepath.Base(file) + " " + name
			for _, value := range values {
				if bytes, is := value.([]byte); is {
					value = string(bytes)
				}
				text += fmt.Sprint(" ", value)
			}
			found = append(found, text)
		})
	}
	return found
}

// same tells what is in one of two lists of rows and not in the other.
func same(t *testing.T, what string, before, after []string) {
	t.Helper()
	if len(before) < 100 {
		t.Errorf("%s: only %d rows", what, len(before))
	}
	for _, row := range before {
		if _, there := slices.BinarySearch(after, row); !there {
			t.Errorf("%s: gone or changed: %.300q", what, row)
		}
	}
	for _, row := range after {
		if _, there := slices.BinarySearch(before, row); !there {
			t.Errorf("%s: new: %.300q", what, row)
		}
	}
}
