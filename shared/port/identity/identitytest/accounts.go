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
	e.findsNobody("ada@northwind.example")
	ada := e.signUp("ada@northwind.example", "Ada 日本 'O\"")
	quiet := e.signUp("quietharbor@northwind.example", "")
	if ada == quiet {
		e.Error("two accounts with one id")
	}
	for range 2 { // and its id does not change
		e.finds("ada@northwind.example", identity.Account{ID: ada, Email: "ada@northwind.example", Name: "Ada 日本 'O\""})
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

// testSimilar looks up what is near an address, or means more than one in some languages of queries.
func testSimilar(e *env) {
	e.signUp("ada@northwind.example", "Ada")
	e.signUp("adam@northwind.example", "Adam")
	for _, email := range []string{
		"a@northwind.example", "ad@northwind.example", "ada@northwind.exampl", "ada@northwind.example.org", "da@northwind.example",
		"ada@harbour.example", "ada+x@northwind.example", "a.da@northwind.example", "ad_@northwind.example", "ad?@northwind.example",
		"a*@northwind.example", "*@northwind.example", "ad%@northwind.example", "%@%", "*@*", ".*@.*", "ad[a]@northwind.example",
		`ada"@northwind.example`, `"ada"@northwind.example`, `ada@northwind.example"`, `ada\@northwind.example`, `ada@northwind.example\`,
		`x@y"or"email"^="ada`, `x"||email="ada@northwind.example`, `x'or'1'='1@y`, `ada@northwind.example\"`, `a@b\\"`,
	} {
		e.findsNobody(email)
	}
}

// testNoAddress looks up what no address can be.
func testNoAddress(e *env) {
	id := e.signUp("ada@northwind.example", "Ada")
	for _, email := range []string{
		"", " ", "@", "ada", id, "ada@", "@northwind.example", " ada@northwind.example", "ada@northwind.example ", "ada@northwind.example\n",
		"ada@north wind.example", "ada\x00@northwind.example", "ada@northwind.example\x00", "\xff@northwind.example", "ada@northwind.example\u2028",
		strings.Repeat("a", 250) + "@northwind.example", strings.Repeat("a", 1<<20) + "@b.example",
	} {
		e.findsNobody(email)
	}
}

// testPretenders: who has not finished signing up, or has not shown that the address is theirs, has no account.
func testPretenders(e *env) {
	if len(e.Pretend) == 0 {
		e.Skip("whoever is in the directory has signed up")
	}
	for _, name := range slices.Sorted(maps.Keys(e.Pretend)) {
		email := strings.ReplaceAll(name, " ", "-") + "@northwind.example"
		e.must(e.Pretend[name](e.Context(), email))
		e.findsNobody(email)
	}
}

func testCanceled(e *env) {
	id := e.signUp("ada@northwind.example", "Ada")
	e.join("org_1", id)
	ctx, cancel := context.WithCancel(e.Context())
	cancel()
	_, found := e.Directory.Account(ctx, "ada@northwind.example")
	for name, err := range map[string]error{
		"find": found, "join": e.Directory.Join(ctx, "org_2", id), "leave": e.Directory.Leave(ctx, "org_1", id),
	} {
		if !errors.Is(err, context.Canceled) || errors.Is(err, identity.ErrUnavailable) || errors.Is(err, identity.ErrNoAccount) {
			e.Errorf("%s: %v", name, err)
		}
	}
	e.members("org_1", id)
	e.members("org_2")
}
