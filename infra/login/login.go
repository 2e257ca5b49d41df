// Package login signs a person in for the program's commands, by OAuth, and keeps the tokens on this machine. Its
// errors are for the person at the terminal: each has an exit status, and no final stop. None has a token.
//
// A login is for one deployment and one resource, because a token is: the commands need one for the REST API, "earshot
// mcp" one for the MCP server. The person allows each separately, and can end each separately.
//
// The program registers itself anew for each login (RFC 7591). A client metadata document would need an https address
// that every deployment can read, which a local program has not, and the server knows no fixed ids. A registration that
// nobody approves expires after a day. The client has no secret: PKCE binds the code to this process, the state binds
// the response to the request, and the issuer in the response excludes another server (RFC 9207).
//
// The words of the program import it.
package login

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"earshot/infra/exit"
)

// The resources that a login can be for, as paths below a deployment's root.
const (
	API = "/api/v2"
	MCP = "/api/mcp/v2"
)

// ErrNone means that nobody is logged in at the deployment, for the resource.
var ErrNone = errors.New("nobody is logged in there")

// Times.
const (
	askTime  = 30 * time.Second // for a response of the server
	lockTime = time.Minute      // for another process to finish a refresh
	lockPoll = 20 * time.Millisecond
	early    = time.Minute // an access token is refreshed this long before it expires
)

// A Store keeps logins in a folder, one file for each deployment and resource, readable for the owner alone.
type Store struct {
	folder string
	http   *http.Client
	now    func() time.Time
}

// New returns the Store of a folder, which need not exist.
func New(folder string) *Store {
	return &Store{
		folder: folder,
		http: &http.Client{Timeout: askTime, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // it could lead a token elsewhere
		}},
		now: time.Now,
	}
}

// A kept is a login's file.
type kept struct {
	Base       string    `json:"base"`
	Resource   string    `json:"resource"`
	ClientID   string    `json:"clientId"`
	Token      string    `json:"tokenEndpoint"`
	Revocation string    `json:"revocationEndpoint"`
	Access     string    `json:"accessToken"`
	Refresh    string    `json:"refreshToken"`
	Scope      string    `json:"scope"`
	ExpiresAt  time.Time `json:"expiresAt"` // of the access token
}

// good reports whether the access token can be used: it is not the one that the server refused, and lives on a while.
func (k kept) good(now time.Time, refused string) bool {
	return k.Access != refused && now.Add(early).Before(k.ExpiresAt)
}

func (k kept) valid() bool {
	return k.Base != "" && k.ClientID != "" && k.Refresh != "" && k.Token != ""
}

// parse reads a login's file. A file that was not written to its end is no login.
func parse(content []byte) (k kept, ok bool) {
	return k, json.Unmarshal(content, &k) == nil && k.valid()
}

// command returns the command that logs in.
func command(base, resource string) string {
	if resource == MCP {
		return "earshot login --mcp --base-url " + base
	}
	return "earshot login --base-url " + base
}

// ended returns the error of a login that the server no longer knows.
func ended(base, resource string) error {
	return exit.Failing(exit.Key, "the login at %s has ended. Run %s", base, command(base, resource))
}
