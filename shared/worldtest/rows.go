package worldtest

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// Row is a row of a World's tables.
type Row struct {
	Table string
	table.Key
	Item table.Item
}

// String names the row by its table and key.
func (r Row) String() string { return fmt.Sprintf("%s: %q %q", r.Table, r.Partition, r.Sort) }

// Rows returns all rows of a World's tables that have not expired, ordered by table and key.
func Rows(t testing.TB, w *World) (listed []Row) {
	t.Helper()
	for _, schema := range rows.Schemas() {
		keys, err := w.keys(t.Context(), schema.Name)
		Must(t, err)
		gets := make([]table.Get, len(keys))
		for i, key := range keys {
			gets[i] = table.Get{Table: schema.Name, Key: key, Consistent: true}
		}
		items, err := table.GetAll(t.Context(), table.Retrying(w.Table), gets)
		Must(t, err)
		for i, item := range items {
			if item != nil {
				listed = append(listed, Row{schema.Name, keys[i], item})
			}
		}
	}
	return listed
}

// keys returns the keys of all rows of a table, in order. The port has no way to ask for them.
func (w *World) keys(ctx context.Context, name string) (keys []table.Key, err error) {
	if lister, ok := w.Table.(interface {
		Keys(ctx context.Context, name string) ([]table.Key, error)
	}); ok {
		return lister.Keys(ctx, name)
	}
	client, names, err := w.place.peer()
	if err != nil {
		return nil, err
	}
	physical := names[name]
	pages := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{TableName: &physical})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		text := func(item map[string]types.AttributeValue, name string) string {
			value, _ := item[name].(*types.AttributeValueMemberS)
			return value.Value
		}
		for _, item := range page.Items {
			keys = append(
				keys, table.Key{Partition: text(item, table.PartitionAttribute), Sort: text(item, table.SortAttribute)},
			)
		}
	}
	slices.SortFunc(keys, func(a, b table.Key) int {
		return cmp.Or(strings.Compare(a.Partition, b.Partition), strings.Compare(a.Sort, b.Sort))
	})
	return keys, nil
}

// Left returns the rows of all tables that name something, such as a workspace by its id: in their keys, in the name of
// an attribute or in a value, however deep, packed or not.
func Left(t testing.TB, w *World, id string) []Row {
	t.Helper()
	return slices.DeleteFunc(Rows(t, w), func(row Row) bool { return !names(map[string]any(row.Item), id) })
}

func names(value any, id string) bool {
	switch value := value.(type) {
	case string:
		return strings.Contains(value, id)
	case []byte:
		if bytes.Contains(value, []byte(id)) {
			return true
		}
		packed, err := gzip.NewReader(bytes.NewReader(value))
		if err != nil {
			return false
		}
		text, _ := io.ReadAll(packed) // up to where it is no gzip any more
		return bytes.Contains(text, []byte(id))
	case []any:
		return slices.ContainsFunc(value, func(element any) bool { return names(element, id) })
	case map[string]any:
		for name, member := range value {
			if strings.Contains(name, id) || names(member, id) {
				return true
			}
		}
	}
	return false
}
