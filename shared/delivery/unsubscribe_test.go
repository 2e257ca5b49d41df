package delivery_test

import (
	"strings"
	"testing"

	"earshot/shared/delivery"
)

func TestToken(t *testing.T) {
	secret, other := []byte(strings.Repeat("a", 32)), []byte(strings.Repeat("b", 32))
	mine := delivery.Subscription{
		WorkspaceID: "org_1",
		Owner:       delivery.OfFeed(7),
		Address:     "quietharbor@northwind.example",
	}
	of := func(change func(*delivery.Subscription)) string {
		s := mine
		change(&s)
		token, err := s.Token(secret)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	token := of(func(*delivery.Subscription) {})
	body, signature, _ := strings.Cut(token, ".")
	foreign, err := mine.Token(other)
	if err != nil {
		t.Fatal(err)
	}
	swapped := func(change func(*delivery.Subscription)) string {
		named, _, _ := strings.Cut(of(change), ".")
		return named + "." + signature
	}
	for name, c := range map[string]struct {
		token string
		want  bool
	}{
		"its own":                   {token, true},
		"none":                      {"", false},
		"without a signature":       {body, false},
		"an empty signature":        {body + ".", false},
		"cut":                       {token[:len(token)-1], false},
		"longer":                    {token + "A", false},
		"of the secret of others":   {foreign, false},
		"for another workspace":     {swapped(func(s *delivery.Subscription) { s.WorkspaceID = "org_2" }), false},
		"for another owner":         {swapped(func(s *delivery.Subscription) { s.Owner = delivery.OfFeed(8) }), false},
		"for a notification":        {swapped(func(s *delivery.Subscription) { s.Owner = delivery.OfNotification(7) }), false},
		"for another address":       {swapped(func(s *delivery.Subscription) { s.Address = "b@northwind.example" }), false},
		"of an address of no owner": {"b3JnXzEKCmFAYi5leGFtcGxl." + signature, false},
		"of no base64":              {"%." + signature, false},
		"of more than a token":      {strings.Repeat("A", 1<<16), false},
	} {
		got, ok := delivery.ParseToken(c.token)
		if signed := ok && got.Signed(c.token, secret); signed != c.want {
			t.Errorf("%s: signed is %t, want %t", name, signed, c.want)
		}
		if c.want && got != mine {
			t.Errorf("%s: it names %+v", name, got)
		}
	}
	long := of(func(s *delivery.Subscription) {
		s.WorkspaceID, s.Owner.ID, s.Address = "org_01KAG7Z8M03F5T9QW2X4Y6B8CD", 1<<53-1, strings.Repeat("x", 254)
	})
	if _, ok := delivery.ParseToken(long); !ok || len(long) > 600 {
		t.Errorf("a token of %d characters is read: %t", len(long), ok)
	}
}
