package cognitoidentity_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"earshot/shared/aws/cognitoidentity"
	"earshot/shared/port/identity"
)

// A service answers with what no peer does on demand: for each operation the next of its answers, and the last one for ever.
type service struct {
	answers map[string][]answer

	mu       sync.Mutex
	requests []string // operations and what they were asked with
	asked    map[string]int
}

type answer struct {
	status int
	body   string
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	operation := strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "AWSCognitoIdentityProviderService.")
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	given := s.answers[operation]
	if len(given) == 0 {
		panic("nothing to answer to " + operation)
	}
	next := given[min(s.asked[operation], len(given)-1)]
	s.asked[operation]++
	s.requests = append(s.requests, operation+" "+string(body))
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	w.WriteHeader(next.status)
	_, _ = io.WriteString(w, next.body)
}

func against(t *testing.T, answers map[string][]answer) (*cognitoidentity.Directory, *service) {
	t.Helper()
	s := &service{answers: answers, asked: map[string]int{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	env := map[string]string{"IDENTITY_ENDPOINT": server.URL, "USER_POOL_ID": "us-east-1_pool"}
	directory, err := cognitoidentity.FromEnvironment(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	return directory, s
}

func is(code string) answer { return says(code, "User first@northwind.example") }

func says(code, message string) answer {
	status := 400
	if strings.HasPrefix(code, "Internal") {
		status = 500
	}
	return answer{status, fmt.Sprintf(`{"__type":%q,"message":%q}`, code, message)}
}

// noGroup and noPool are as Cognito words them. Their code is the same.
var (
	noGroup = says("ResourceNotFoundException", "Group not found.")
	noPool  = says("ResourceNotFoundException", "User pool us-east-1_pool does not exist.")
)

// entry is a user as the API tells of them; of made, the number of seconds counts.
func entry(attributes, name, status, verified, email string, enabled bool, made int) string {
	return fmt.Sprintf(`{"Username":%q,"UserStatus":%q,"Enabled":%v,"UserCreateDate":%d,%q:[{"Name":"email","Value":%q},
		{"Name":"email_verified","Value":%q},{"Name":"name","Value":"The first"},{"Name":"empty"}]}`, name, status, enabled,
		made, attributes, email, verified)
}

func found(status, verified, email string, enabled bool) answer {
	return answer{200, entry("UserAttributes", "sub", status, verified, email, enabled, 1)}
}

func listed(token string, entries ...string) answer {
	body := `{"Users":[` + strings.Join(entries, ",") + `]`
	if token != "" {
		body += fmt.Sprintf(`,"PaginationToken":%q`, token)
	}
	return answer{200, body + "}"}
}

func TestAccount(t *testing.T) {
	const email = "first@northwind.example"
	user := func(name, status, verified, email string, enabled bool, made int) string {
		return entry("Attributes", name, status, verified, email, enabled, made)
	}
	external := func(name string, made int) string { return user(name, "EXTERNAL_PROVIDER", "true", email, true, made) }
	for name, c := range map[string]struct {
		alias answer
		list  []answer
		want  string // id; empty: no account
	}{
		"by alias":                    {found("CONFIRMED", "true", email, true), nil, "sub"},
		"by alias, in capitals":       {found("CONFIRMED", "true", "FIRST@northwind.EXAMPLE", true), nil, "sub"},
		"must choose a new password":  {found("RESET_REQUIRED", "true", email, true), nil, "sub"},
		"nobody":                      {is("UserNotFoundException"), []answer{listed("")}, ""},
		"no alias can be so":          {is("InvalidParameterException"), []answer{listed("")}, ""},
		"unconfirmed":                 {found("UNCONFIRMED", "true", email, true), []answer{listed("")}, ""},
		"invited by an administrator": {found("FORCE_CHANGE_PASSWORD", "true", email, true), []answer{listed("")}, ""},
		"archived":                    {found("ARCHIVED", "true", email, true), []answer{listed("")}, ""},
		"compromised":                 {found("COMPROMISED", "true", email, true), []answer{listed("")}, ""},
		"unverified":                  {found("CONFIRMED", "false", email, true), []answer{listed("")}, ""},
		"disabled":                    {found("CONFIRMED", "true", email, false), []answer{listed("")}, ""},
		"named so, with another mail": {found("CONFIRMED", "true", "third@northwind.example", true), []answer{listed("")},
			""},
		"from another provider": {is("UserNotFoundException"), []answer{listed("", external("google_1", 1))},
			"google_1"},
		"beside one who began": {found("UNCONFIRMED", "false", email, true),
			[]answer{listed("", external("google_1", 1))}, "google_1"},
		"from two, the first": {is("UserNotFoundException"),
			[]answer{listed("", external("b", 2), external("c", 1), external("a", 2))}, "c"},
		"from two at once": {is("UserNotFoundException"), []answer{listed("", external("b", 2), external("a", 2))}, "a"},
		"behind pages": {is("UserNotFoundException"),
			[]answer{listed("t1"), listed("t2"), listed("", external("x", 1))}, "x"},
		"unverified there": {is("UserNotFoundException"),
			[]answer{listed("", user("x", "EXTERNAL_PROVIDER", "false", email, true, 1))}, ""},
		"disabled there": {is("UserNotFoundException"),
			[]answer{listed("", user("x", "EXTERNAL_PROVIDER", "true", email, false, 1))}, ""},
		"another address there": {is("UserNotFoundException"),
			[]answer{listed("", user("x", "CONFIRMED", "true", "first@northwind.example.org", true, 1))}, ""},
		"with its own case, from list": {is("UserNotFoundException"),
			[]answer{listed("", user("x", "CONFIRMED", "true", "First@Northwind.example", true, 1))}, "x"},
	} {
		t.Run(name, func(t *testing.T) {
			directory, s := against(t, map[string][]answer{"AdminGetUser": {c.alias}, "ListUsers": c.list})
			got, err := directory.Account(t.Context(), "First@Northwind.example")
			if c.want == "" && !errors.Is(err, identity.ErrNoAccount) ||
				c.want != "" && (err != nil || got.ID != c.want || got.Name != "The first") {
				t.Fatalf("%+v, %v; %v", got, err, s.requests)
			}
			if len(s.requests) != 1+len(c.list) {
				t.Errorf("%d requests: %v", len(s.requests), s.requests)
			}
		})
	}
}

// What is asked is the folded address, quoted as a filter wants it, and the pages by their tokens.
func TestRequests(t *testing.T) {
	directory, s := against(t,
		map[string][]answer{"AdminGetUser": {is("UserNotFoundException")}, "ListUsers": {listed("next"), listed("")}})
	if _, err := directory.Account(t.Context(), `A"\B@northwind.example`); !errors.Is(err, identity.ErrNoAccount) {
		t.Fatal(err)
	}
	var asked struct{ Username, Filter, PaginationToken, UserPoolId string }
	for i, want := range []string{
		`us-east-1_pool a"\b@northwind.example  `,
		`us-east-1_pool  email = "a\"\\b@northwind.example" `,
		`us-east-1_pool  email = "a\"\\b@northwind.example" next`,
	} {
		asked.Username, asked.Filter, asked.PaginationToken = "", "", ""
		_, body, _ := strings.Cut(s.requests[i], " ")
		if err := json.Unmarshal([]byte(body), &asked); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(asked.UserPoolId, " ", asked.Username, " ", asked.Filter, " ", asked.PaginationToken); got != want {
			t.Errorf("asked with %q, want %q", got, want)
		}
	}
}

// Addresses that Cognito's parameters have no room for are not asked for.
func TestLookup_LongAddress(t *testing.T) {
	for length, requests := range map[int]int{128: 2, 129: 1, 246: 1, 247: 0} {
		directory, s := against(t,
			map[string][]answer{"AdminGetUser": {is("UserNotFoundException")}, "ListUsers": {listed("")}})
		email := strings.Repeat("a", length-len("@b.example")) + "@b.example"
		if _, err := directory.Account(t.Context(), email); !errors.Is(err, identity.ErrNoAccount) ||
			len(s.requests) != requests {
			t.Errorf("%d characters: %v, %d requests, want %d", length, err, len(s.requests), requests)
		}
	}
}

// A list without an end is an error, not an answer.
func TestList_Endless(t *testing.T) {
	directory, _ := against(t,
		map[string][]answer{"AdminGetUser": {is("UserNotFoundException")}, "ListUsers": {listed("again")}})
	if _, err := directory.Account(t.Context(), "first@northwind.example"); !errors.Is(err, identity.ErrUnavailable) {
		t.Fatal(err)
	}
}

func TestJoin(t *testing.T) {
	well := answer{200, "{}"}
	for name, c := range map[string]struct {
		add, create []answer
		want        error
		requests    string
	}{
		"a group that is there": {[]answer{well}, nil, nil, "add"},
		"a group that is not":   {[]answer{noGroup, well}, []answer{well}, nil, "add create add"},
		"another made it":       {[]answer{noGroup, well}, []answer{is("GroupExistsException")}, nil, "add create add"},
		"nobody":                {[]answer{is("UserNotFoundException")}, nil, identity.ErrNoAccount, "add"},
		"nobody, in a new group": {[]answer{noGroup, is("UserNotFoundException")}, []answer{well}, identity.ErrNoAccount,
			"add create add"},
		"busy at first": {[]answer{is("TooManyRequestsException"), well}, nil, nil, "add add"},
		"busy":          {[]answer{is("TooManyRequestsException")}, nil, identity.ErrUnavailable, "add add add"},
		"down":          {[]answer{is("InternalErrorException")}, nil, identity.ErrUnavailable, "add add add"},
		"no pool":       {[]answer{noPool}, nil, nil, "add"},
		"no pool, in other words": {[]answer{is("ResourceNotFoundException")}, []answer{is("ResourceNotFoundException")}, nil,
			"add create"},
		"the group vanishes":      {[]answer{noGroup}, []answer{well}, identity.ErrUnavailable, "add create add"},
		"not allowed":             {[]answer{is("AccessDeniedException")}, nil, nil, "add"},
		"not allowed to make one": {[]answer{noGroup}, []answer{is("NotAuthorizedException")}, nil, "add create"},
		"no more groups": {[]answer{noGroup}, []answer{is("LimitExceededException")}, nil,
			"add create create create"},
	} {
		t.Run(name, func(t *testing.T) {
			directory, s := against(t, map[string][]answer{"AdminAddUserToGroup": c.add, "CreateGroup": c.create})
			err := directory.Join(t.Context(), "org_1", "sub")
			last := c.add[len(c.add)-1].status
			switch {
			case c.want == nil && last == 200 && err != nil, c.want != nil && !errors.Is(err, c.want),
				c.want == nil && last != 200 && !isMistake(err):
				t.Error(err)
			}
			var requests []string
			for _, request := range s.requests {
				operation, _, _ := strings.Cut(request, " ")
				requests = append(requests, map[string]string{"AdminAddUserToGroup": "add", "CreateGroup": "create"}[operation])
			}
			if got := strings.Join(requests, " "); got != c.requests {
				t.Errorf("requests: %s; want %s", got, c.requests)
			}
			tellsNothing(t, err)
		})
	}
}

func TestLeave(t *testing.T) {
	for name, c := range map[string]struct {
		answer  answer
		want    error
		mistake bool
	}{
		"a member":    {answer{200, "{}"}, nil, false},
		"no group":    {noGroup, nil, false},
		"no pool":     {noPool, nil, true},
		"nobody":      {is("UserNotFoundException"), nil, false},
		"busy":        {is("TooManyRequestsException"), identity.ErrUnavailable, false},
		"not allowed": {is("AccessDeniedException"), nil, true},
	} {
		directory, _ := against(t, map[string][]answer{"AdminRemoveUserFromGroup": {c.answer}})
		err := directory.Leave(t.Context(), "org_1", "sub")
		if isMistake(err) != c.mistake || !c.mistake && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		tellsNothing(t, err)
	}
}

// What Cognito answers to making and to deleting a group: it is done, to be repeated, or a mistake in the configuration.
func TestGroups(t *testing.T) {
	type outcome struct {
		requests int
		want     error
		mistake  bool
	}
	well, repeat, mistake := outcome{1, nil, false}, outcome{3, identity.ErrUnavailable, false}, outcome{1, nil, true}
	for name, c := range map[string]struct {
		answers         []answer
		create, destroy outcome
	}{
		"done":                    {[]answer{{200, "{}"}}, well, well},
		"there already":           {[]answer{is("GroupExistsException")}, well, mistake},
		"not there":               {[]answer{noGroup}, mistake, well},
		"no pool":                 {[]answer{noPool}, mistake, mistake},
		"no pool, in other words": {[]answer{is("ResourceNotFoundException")}, mistake, well}, // see missing
		"throttled":               {[]answer{is("TooManyRequestsException")}, repeat, repeat},
		"throttled at first": {[]answer{is("TooManyRequestsException"), {200, "{}"}}, outcome{2, nil, false},
			outcome{2, nil, false}},
		"done, and not heard": {[]answer{{502, ""}, is("GroupExistsException")}, outcome{2, nil, false},
			outcome{2, nil, true}},
		"gone, and not heard": {[]answer{{502, ""}, noGroup}, outcome{2, nil, true}, outcome{2, nil, false}},
		"down":                {[]answer{is("InternalErrorException")}, repeat, repeat},
		"a gateway":           {[]answer{{502, "<html>first@northwind.example"}}, repeat, repeat},
		"not authorized":      {[]answer{is("NotAuthorizedException")}, mistake, mistake},
		"not allowed":         {[]answer{is("AccessDeniedException")}, mistake, mistake},
		"cannot be read":      {[]answer{is("InvalidParameterException")}, mistake, mistake},
		"no more groups":      {[]answer{is("LimitExceededException")}, outcome{3, nil, true}, outcome{3, nil, true}},
	} {
		for _, operation := range []struct {
			name string
			do   func(context.Context, *cognitoidentity.Directory) error
			want outcome
		}{
			{"CreateGroup", func(ctx context.Context, d *cognitoidentity.Directory) error { return d.CreateGroup(ctx, "org_1") },
				c.create},
			{"DeleteGroup", func(ctx context.Context, d *cognitoidentity.Directory) error { return d.DeleteGroup(ctx, "org_1") },
				c.destroy},
		} {
			t.Run(name+"/"+operation.name, func(t *testing.T) {
				t.Parallel() // repeats wait
				directory, s := against(t, map[string][]answer{operation.name: c.answers})
				err := operation.do(t.Context(), directory)
				if isMistake(err) != operation.want.mistake || !operation.want.mistake && !errors.Is(err, operation.want.want) {
					t.Error(err)
				}
				if len(s.requests) != operation.want.requests {
					t.Errorf("%d requests, want %d", len(s.requests), operation.want.requests)
				}
				if asked := operation.name + ` {"GroupName":"org_1","UserPoolId":"us-east-1_pool"}`; s.requests[0] != asked {
					t.Errorf("asked: %s", s.requests[0])
				}
				tellsNothing(t, err)
			})
		}
	}
}

// A group without a name, which Cognito has no room for, is not asked for.
func TestGroup_NoName(t *testing.T) {
	directory, s := against(t, nil)
	if err := directory.CreateGroup(t.Context(), ""); !isMistake(err) {
		t.Error(err)
	}
	if err := directory.Join(t.Context(), "", "sub"); !isMistake(err) {
		t.Error(err)
	}
	if err := errors.Join(directory.DeleteGroup(t.Context(), ""), directory.Leave(t.Context(), "", "sub")); err != nil ||
		len(s.requests) > 0 {
		t.Errorf("DeleteGroup and Leave without a name = %v after the requests %v, want nil and no request", err, s.requests)
	}
}

func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		answer  answer
		mistake bool
	}{
		"busy":         {is("TooManyRequestsException"), false},
		"down":         {is("InternalErrorException"), false},
		"a gateway":    {answer{502, "<html>first@northwind.example"}, false},
		"garbled":      {answer{200, `{"Username":"first@northwind.example"`}, false},
		"not allowed":  {is("AccessDeniedException"), true},
		"no such pool": {noPool, true},
	} {
		t.Run(name, func(t *testing.T) {
			directory, _ := against(t, map[string][]answer{"AdminGetUser": {c.answer}})
			_, err := directory.Account(t.Context(), "first@northwind.example")
			if isMistake(err) != c.mistake || errors.Is(err, identity.ErrUnavailable) == c.mistake {
				t.Error(err)
			}
			tellsNothing(t, err)
		})
	}
}

// isMistake says whether an error is none that the port names.
func isMistake(err error) bool {
	return err != nil && !errors.Is(err, identity.ErrNoAccount) && !errors.Is(err, identity.ErrUnavailable) &&
		!errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// tellsNothing fails the test if an error, or a cause, names a person.
func tellsNothing(t *testing.T, err error) {
	t.Helper()
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		if strings.Contains(cause.Error(), "northwind") {
			t.Error("the error tells whom it was about:", cause)
		}
	}
}

func TestFromEnvironment(t *testing.T) {
	env := map[string]string{"IDENTITY_ENDPOINT": "http://127.0.0.1:1"}
	get := func(name string) string { return env[name] }
	if _, err := cognitoidentity.FromEnvironment(get); err == nil {
		t.Error("no pool, no error")
	}
	env["USER_POOL_ID"] = "us-east-1_pool"
	directory, err := cognitoidentity.FromEnvironment(get)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := directory.Account(t.Context(), "first@northwind.example"); !errors.Is(err, identity.ErrUnavailable) ||
		errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	delete(env, "IDENTITY_ENDPOINT")
	if _, err := cognitoidentity.FromEnvironment(get); err == nil {
		t.Error("no account, no error")
	}
}
