package firehose_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"earshot/shared/post"
	"earshot/shared/source/fetch"
	"earshot/shared/source/firehose"
)

// The AppView as far as it is asked: every author but the gone one has a profile.
func profiles(asked *[][]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		actors := r.URL.Query()["actors"]
		*asked = append(*asked, actors)
		var found []any
		for _, actor := range actors {
			handle := "h-" + actor[len("did:plc:"):] + ".example"
			switch actor {
			case "did:plc:gone":
				continue
			case "did:plc:lost":
				handle = "handle.invalid"
			}
			found = append(found, map[string]any{"did": actor, "handle": handle, "displayName": "Name of " + handle,
				"avatar": "javascript:alert(1)", "followersCount": 7})
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"profiles": append(found, "not a profile")})
	})
}

func by(author string) post.Post {
	page := "https://bsky.app/profile/" + author
	return post.Post{AuthorURL: &page}
}

func TestComplete(t *testing.T) {
	var asked [][]string
	server := httptest.NewServer(profiles(&asked))
	defer server.Close()
	s := firehose.New(firehose.Options{
		Client:   fetch.New(fetch.Options{AnyHost: true, Unpaced: true}),
		Profiles: server.URL,
	})
	named, known := "set.example", by("did:plc:known")
	known.Author = &named
	posts := []post.Post{by("did:plc:a"), by("did:plc:gone"), by("did:plc:a"), by("did:plc:lost"), by("x/../y"), {}, known}
	for n := range 30 {
		posts = append(posts, by(fmt.Sprint("did:plc:n", n)))
	}
	if err := s.Complete(t.Context(), posts); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"h-a.example", "", "h-a.example", "", "", "", "set.example", "h-n0.example"} {
		if got := posts[i].Author; (got == nil) != (want == "") || got != nil && *got != want {
			t.Errorf("post %d: %v, want %q", i, got, want)
		}
	}
	if p := posts[0]; p.AuthorName != "Name of h-a.example" || *p.AuthorFollowers != 7 || p.AuthorAvatar != nil {
		t.Errorf("%+v", p)
	}
	if len(asked) != 2 || len(asked[0]) != 25 || len(asked[1]) != 8 || slices.Contains(asked[0], "did:plc:known") {
		t.Errorf("asked %v", asked)
	}
	server.Close()
	if err := s.Complete(t.Context(), []post.Post{by("did:plc:a")}); err == nil {
		t.Error("nobody answers, and that is no error")
	}
}
