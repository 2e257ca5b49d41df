package authorize_test

import (
	"strings"
	"testing"
	"time"

	"earshot/functions/authorize"
	"earshot/shared/worldtest"
)

func TestRegister(t *testing.T) {
	d := newDesk(t)
	answer := d.Post(t, "/oauth/register", `{"redirect_uris":["http://localhost:1/cb"],"client_name":" Note\u202ebook ",`+
		`"token_endpoint_auth_method":"client_secret_basic","logo_uri":"https://evil.example/logo.png"}`)
	var made authorize.ClientRegistered
	answer.JSON(t, &made)
	if answer.Status != 201 || made.Method != "none" || made.Name != "Note book" ||
		strings.Contains(string(answer.Body), "secret") {
		t.Fatalf("register: %d %s", answer.Status, answer.Body)
	}
	d.cookie = ""
	request := asked("client_id", made.ID, "redirect_uri", "http://localhost:50123/cb")
	_, shown := d.consent(d.member.Email, request)
	if !strings.Contains(string(shown.Body), "It registered itself.") {
		t.Errorf("the page is %s", shown.Body)
	}
	d.approve(d.member.Email, request, "read")
	d.Clock.Freeze(worldtest.Now.Add(48 * time.Hour)) // approved, so it lives on
	d.approve(d.member.Email, request, "read")
	d.Clock.Freeze(worldtest.Now.Add(100 * 24 * time.Hour))
	if answer := d.visit("/oauth/authorize?" + request.Encode()); answer.Status != 400 {
		t.Errorf("an expired client: %d", answer.Status)
	}
}

func TestRegister_Refused(t *testing.T) {
	d := newDesk(t)
	for body, want := range map[string]string{
		``:                     "invalid_client_metadata",
		`[]`:                   "invalid_client_metadata",
		`{}`:                   "invalid_redirect_uri",
		`{"redirect_uris":[]}`: "invalid_redirect_uri",
		`{"Redirect_URIs":["https://a.example/"]}`:                                                    "invalid_redirect_uri", // an unknown member
		`{"redirect_uris":["https://a.example/"],"redirect_uris":["https://b.example/"]}`:             "invalid_client_metadata",
		"{\"redirect_uris\":[\"https://a.example/\"],\"client_name\":\"\xff\"}":                       "invalid_client_metadata",
		`{"redirect_uris":["https://a.example/"]} {}`:                                                 "invalid_client_metadata",
		`{"redirect_uris":["http://a.example/"]}`:                                                     "invalid_redirect_uri",
		`{"redirect_uris":["javascript:alert(1)"]}`:                                                   "invalid_redirect_uri",
		`{"redirect_uris":["https://a.example/"],"grant_types":["client_credentials"]}`:               "invalid_client_metadata",
		`{"redirect_uris":["https://a.example/"],"response_types":["token"]}`:                         "invalid_client_metadata",
		`{"redirect_uris":["https://a.example/` + strings.Repeat("x", 1000) + `"]}`:                   "invalid_redirect_uri",
		`{"redirect_uris":["https://a.example/"` + strings.Repeat(`,"https://a.example/"`, 20) + `]}`: "invalid_redirect_uri",
	} {
		d.refused(body, d.Post(t, "/oauth/register", body), 400, want)
	}
}

func TestRegister_TooMany(t *testing.T) {
	d := newDesk(t)
	const body = `{"redirect_uris":["https://a.example/"]}`
	for range 20 {
		if answer := d.Post(t, "/oauth/register", body); answer.Status != 201 {
			t.Fatalf("register: %d", answer.Status)
		}
	}
	d.refused("one more", d.Post(t, "/oauth/register", body), 429, "temporarily_unavailable")
	d.Clock.Freeze(worldtest.Now.Add(time.Hour))
	if answer := d.Post(t, "/oauth/register", body); answer.Status != 201 {
		t.Errorf("an hour later: %d", answer.Status)
	}
}

// The document of a client is read as strictly as a registration: a member in other letter case is unknown, and one
// that is given twice makes the document unusable.
func TestFetch_Strict(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"other case": func(text string) string { return strings.Replace(text, `"redirect_uris"`, `"Redirect_uris"`, 1) },
		"twice": func(text string) string {
			return strings.Replace(text, `{`, `{"redirect_uris":["https://other.example/"],`, 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.documents[clientID] = change(document(clientID, "Notebook", back))
			if answer := d.visit("/oauth/authorize?" + asked().Encode()); answer.Status != 400 {
				t.Errorf("authorize = %d %s, want 400", answer.Status, answer.Body)
			}
		})
	}
}
