package dynamotable_test

import (
	"encoding/json"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"earshot/shared/aws/dynamotable"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
)

// TestConditions pins what conditions compile to: what a peer accepts, AWS may refuse.
func TestConditions(t *testing.T) {
	now := &clock.Adjustable{}
	now.Freeze(time.Unix(1_900_000_000, 0))
	s := &stub{status: 200, answer: `{}`}
	server := httptest.NewServer(s)
	defer server.Close()
	account, err := dynamotable.AccountFrom(func(string) string { return "" }, server.URL)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := dynamotable.New(dynamotable.NewClient(account), map[string]string{"t": "T"},
		[]table.Schema{{Name: "t"}}, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		condition table.Condition
		want      string // with names and values put in
	}{
		{table.Condition{}, ""},
		{table.Absent(), "(attribute_not_exists(pk) OR expiresAt <= N1900000000)"},
		{table.Present(), "attribute_exists(pk)"},
		{table.Missing("size"), "attribute_not_exists(size)"},
		{table.Equal("a", "x"), "a = Sx"},
		{table.NotEqual("a", 1.0), "(attribute_type(a, SN) AND a <> N1)"},
		{table.All(table.Less("a", int64(3)), table.Any(table.AtMost("b", "y"), table.More("a", int64(1)))),
			"(a < N3 AND (b <= Sy OR a > N1))"},
		{table.All(table.Has("a")), "attribute_exists(a)"},
		{table.All(table.Condition{}, table.Has("a")), "attribute_exists(a)"},
		{table.Any(table.Condition{}, table.Has("a")), ""},
		{table.Any(table.Has("a"), table.All(table.Condition{})), ""},
	} {
		put := aPut
		put.If = c.condition
		if err := opened.Put(t.Context(), put); err != nil {
			t.Fatal(err)
		}
		var request struct {
			ConditionExpression       string
			ExpressionAttributeNames  map[string]string
			ExpressionAttributeValues map[string]map[string]string
		}
		if err := json.Unmarshal([]byte(s.body.Load().(string)), &request); err != nil {
			t.Fatal(err)
		}
		got := request.ConditionExpression
		for placeholder, name := range request.ExpressionAttributeNames {
			if !strings.Contains(got, placeholder) {
				t.Errorf("%q does not use %s, which DynamoDB refuses", got, placeholder)
			}
			got = strings.ReplaceAll(got, placeholder, name)
		}
		for placeholder, value := range request.ExpressionAttributeValues {
			for kind, text := range value {
				got = strings.ReplaceAll(got, placeholder, kind+text)
			}
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.condition, got, c.want)
		}
	}
}

// An item expires in the second that it names, by the clock of the adapter and not the server's.
func TestExpiry_BySecond(t *testing.T) {
	client := peer(t)
	now := &clock.Adjustable{}
	schemas := []table.Schema{{Name: "t"}}
	opened, err := dynamotable.New(client, create(t, client, schemas), schemas, now)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(time.Hour).Truncate(time.Second)
	item := table.Item{"pk": "a", "sk": "b", table.ExpiryAttribute: at.Unix()}
	if err := opened.Put(t.Context(), table.Put{Table: "t", Item: item}); err != nil {
		t.Fatal(err)
	}
	now.Freeze(at.Add(-time.Nanosecond))
	if got, err := opened.Get(t.Context(), table.Get{Table: "t", Key: aKey}); err != nil || !reflect.DeepEqual(got, item) {
		t.Fatal("a moment before:", got, err)
	}
	if err := opened.Put(t.Context(), table.Put{Table: "t", Item: item, If: table.Absent()}); err == nil {
		t.Fatal("a moment before it is there")
	}
	now.Freeze(at)
	if got, err := opened.Get(t.Context(), table.Get{Table: "t", Key: aKey}); err != nil || got != nil {
		t.Fatal("on time:", got, err)
	}
	if err := opened.Put(t.Context(), table.Put{Table: "t", Item: item, If: table.Absent()}); err != nil {
		t.Fatal("on time it is absent:", err)
	}
}
