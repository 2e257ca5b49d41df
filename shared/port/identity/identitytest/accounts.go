package identitytest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"earshot/shared/port/identity"
)

func testAccount(e *env) {
	e.findsNobody("first@northwind.example")
	first := e.signUp("first@northwind.example", "Someone 日本 'O\"")
	quiet := e.signUp("quietharbor@northwind.example", "")
	if first == quiet {
		e.Error("two accounts with one id")
	}
	for range 2 { // and its id does not change
		e.finds(
			"first@northwind.example",
			identity.Account{ID: first, Email: "first@northwind.example", Name: "Someone 日本 'O\""},
		)
		e.finds("quietharbor@northwind.example", identity.Account{ID: quiet, Email: "quietharbor@northwind.example"})
	}
}

// testCase: addresses that differ in case are one, and letters that only look or fold alike are others.
func testCase(e *env) {
	account := identity.Account{Email: "kate.brian+x@northwind.example", Name: "Kate"}
	account.ID = e.signUp(account.Email, account.Name)
	for _, email := range []string{account.Email, "Kate.Brian+X@Northwind.Example", strings.ToUpper(account.Email)} {
		e.finds(email, account)
	}
	for _, email := range []string{
		"\u212Aate.brian+x@northwind.example", // the Kelvin sign, whose lower case is k
		"kate.br\u0131an+x@northwind.example", // a dotless i, whose upper case is I
		"kate.bri\u0430n+x@northwind.example", // a Cyrillic letter
	} {
		e.findsNobody(email)
	}
}

// testSimilar looks up texts that resemble an address, or that have a meaning in the query languages of directories.
func testSimilar(e *env) {
	e.signUp("first@northwind.example", "The first")
	e.signUp("adam@northwind.example", "Adam")
	for _, email := range []string{
		"a@northwind.example", "ad@northwind.example", "first@northwind.exampl", "first@northwind.example.org",
		"da@northwind.example",
		"first@harbour.example", "first+x@northwind.example", "a.da@northwind.example", "ad_@northwind.example",
		"ad?@northwind.example",
		"a*@northwind.example", "*@northwind.example", "ad%@northwind.example", "%@%", "*@*", ".*@.*",
		"ad[a]@northwind.example",
		`first"@northwind.example`, `"first"@northwind.example`, `first@northwind.example"`, `first\@northwind.example`,
		`first@northwind.example\`,
		`x@y"or"email"^="first`, `x"||email="first@northwind.example`, `x'or'1'='1@y`, `first@northwind.example\"`, `a@b\\"`,
	} {
		e.findsNobody(email)
	}
}

// testNoAddress looks up texts that cannot be addresses.
func testNoAddress(e *env) {
	id := e.signUp("first@northwind.example", "The first")
	for _, email := range []string{
		"", " ", "@", "first", id, "first@", "@northwind.example", " first@northwind.example", "first@northwind.example ",
		"first@northwind.example\n",
		"first@north wind.example", "first\x00@northwind.example", "first@northwind.example\x00", "\xff@northwind.example",
		"first@northwind.example\u2028",
		strings.Repeat("a", 250) + "@northwind.example", strings.Repeat("a", 1<<20) + "@b.example",
	} {
		e.findsNobody(email)
	}
}

// testPretenders tests that a person who has not finished signing up, or has not verified the address, has no account.
func testPretenders(e *env) {
	if len(e.Pretend) == 0 {
		e.Skip("everyone in the directory has signed up")
	}
	for _, name := range slices.Sorted(maps.Keys(e.Pretend)) {
		email := strings.ReplaceAll(name, " ", "-") + "@northwind.example"
		e.must(e.Pretend[name](e.Context(), email))
		e.findsNobody(email)
	}
}

func testCanceled(e *env) {
	id := e.signUp("first@northwind.example", "The first")
	e.join("org_1", id)
	ctx, cancel := context.WithCancel(e.Context())
	cancel()
	_, found := e.Directory.Account(ctx, "first@northwind.example")
	for name, err := range map[string]error{
		"find": found, "join": e.Directory.Join(ctx, "org_2", id), "leave": e.Directory.Leave(ctx, "org_1", id),
		"create": e.Directory.CreateGroup(ctx, "org_3"), "delete": e.Directory.DeleteGroup(ctx, "org_1"),
	} {
		if !errors.Is(err, context.Canceled) || errors.Is(err, identity.ErrUnavailable) ||
			errors.Is(err, identity.ErrNoAccount) {
			e.Errorf("%s: %v", name, err)
		}
	}
	e.members("org_1", id)
	e.groups("org_1")
}
