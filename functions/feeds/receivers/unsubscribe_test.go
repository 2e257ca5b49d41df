package receivers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"earshot/shared/delivery"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

const formType = "application/x-www-form-urlencoded"

// open sends a request without a key, and fails the test unless it gets a page on which nothing can run.
func (l *log) open(t *testing.T, method, token, body string) worldtest.Answer {
	t.Helper()
	target := "/api/v2/unsubscribe"
	if token != "" {
		target += "?token=" + token
	}
	answer := l.As("").Do(t, worldtest.Request{
		Method: method, Target: target, Body: body, Header: []string{"Content-Type", formType},
	})
	policy := answer.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "form-action 'self'") ||
		answer.Header.Get("Referrer-Policy") != "no-referrer" ||
		answer.Header.Get("Content-Type") != "text/html; charset=utf-8" ||
		strings.Contains(string(answer.Body), "<script") || strings.Contains(string(answer.Body), "ZgotmplZ") {
		t.Errorf("%s: %v\n%s", method, answer.Header, answer.Body)
	}
	return answer
}

func (l *log) silenced(t *testing.T, of delivery.Owner, addresses ...string) map[string]delivery.Silence {
	t.Helper()
	silenced, err := l.Store.Silenced(t.Context(), l.Main.ID, of, addresses)
	worldtest.Must(t, err)
	return silenced
}

func TestUnsubscribe(t *testing.T) {
	l := newLog(t)
	worldtest.Must(t, l.Store.ChangeWorkspace(t.Context(), l.Main.ID, func(w *workspace.Workspace) error {
		w.Name = "<script>Co"
		return nil
	}))
	const address, other = "QuietHarbor@northwind.example", "b@northwind.example"
	mine := delivery.OfNotification(l.notification)
	token, err := delivery.Subscription{WorkspaceID: l.Main.ID, Owner: mine, Address: address}.Token(l.Main.Secret)
	worldtest.Must(t, err)
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodGet} {
		if shown := l.open(t, method, token, ""); shown.Status != 200 ||
			!strings.Contains(string(shown.Body), `method="post"`) {
			t.Errorf("%s: %d %s", method, shown.Status, shown.Body)
		}
		if silenced := l.silenced(t, mine, address); len(silenced) != 0 {
			t.Fatalf("%s has unsubscribed: %v", method, silenced)
		}
	}
	for _, body := range []string{"List-Unsubscribe=One-Click", ""} {
		done := l.open(t, http.MethodPost, token, body)
		if text := string(done.Body); done.Status != 200 || !strings.Contains(text, address) ||
			!strings.Contains(text, "admin") ||
			strings.Contains(text, token) {
			t.Errorf("%d %s", done.Status, text)
		}
	}
	silenced := l.silenced(t, mine, strings.ToLower(address), other)
	if len(silenced) != 1 || silenced[strings.ToLower(address)] != delivery.Unsubscribed {
		t.Errorf("silenced are %v", silenced)
	}
	if silenced := l.silenced(t, delivery.OfFeed(l.feed), address); len(silenced) != 0 {
		t.Errorf("of the feed too are silenced %v", silenced)
	}
	worldtest.Must(t, l.Store.Unsubscribe(t.Context(), l.Main.ID, delivery.OfNotification(10*l.notification), address))
	l.Post(t, fmt.Sprintf("/api/v2/notifications/%d/enable", l.notification), "").OK(t, nil)
	if silenced := l.silenced(t, mine, address); len(silenced) != 0 {
		t.Errorf("after enabling, silenced are %v", silenced)
	}
	if silenced := l.silenced(t, delivery.OfNotification(10*l.notification), address); len(silenced) != 1 {
		t.Error("enabling has subscribed to another owner's mails")
	}
}

// Wrong tokens get one page, with one status, and change nothing.
func TestUnsubscribe_WrongToken(t *testing.T) {
	l := newLog(t)
	mine := delivery.Subscription{WorkspaceID: l.Main.ID, Owner: delivery.OfFeed(l.feed), Address: "a@northwind.example"}
	token := func(s delivery.Subscription, secret []byte) string {
		text, err := s.Token(secret)
		worldtest.Must(t, err)
		return text
	}
	theirs, nobodys := mine, mine
	theirs.WorkspaceID, nobodys.WorkspaceID = l.Other.ID, workspace.NewID(workspace.PrefixWorkspace, worldtest.Now)
	pages := map[string]bool{}
	for name, text := range map[string]string{
		"none": "", "cut": token(mine, l.Main.Secret)[:40], "forged": token(mine, l.Other.Secret), "noise": "%C3%A9..",
		"another workspace": token(theirs, l.Main.Secret), "no workspace": token(nobodys, l.Main.Secret),
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			answer := l.open(t, method, text, "")
			if pages[string(answer.Body)] = true; answer.Status != 404 {
				t.Errorf("%s %s: %d", method, name, answer.Status)
			}
		}
	}
	if len(pages) != 1 {
		t.Errorf("%d pages", len(pages))
	}
	for page := range pages { // the link of a mail of a workspace that is deleted leads here
		if want := "If the workspace was deleted, its mails have ended too."; !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if silenced := l.silenced(t, mine.Owner, mine.Address); len(silenced) != 0 {
		t.Errorf("silenced are %v", silenced)
	}
}
