package mentions_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"earshot/functions/mentions"
	"earshot/shared/mention"
	"earshot/shared/worldtest"
)

func TestByAuthor(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	for i, author := range []string{"QuietHarbor", "@quietharbor", "quietharbor", "other"} {
		m := worldtest.Mention(int64(i+1), fmt.Sprint("s", i), worldtest.Now.Add(time.Duration(i)*time.Minute))
		m.Author, m.Source = &author, "reddit"
		if i == 1 {
			low := mention.Low
			m.Relevant, m.RelevanceScore = false, &low
		}
		w.Put(t, w.Main.ID, m)
		w.Put(t, w.Other.ID, m)
	}
	elsewhere := worldtest.Mention(9, "elsewhere", worldtest.Now)
	elsewhere.Author, elsewhere.Source = pointer("quietharbor"), "github"
	w.Put(t, w.Main.ID, elsewhere)
	list := func(query string) (ids []int64, next *string) {
		t.Helper()
		var page mentions.MentionList
		client.Get(t, "/api/v2/mentions/by-author?"+query).OK(t, &page)
		for _, m := range page.Data {
			ids = append(ids, m.ID)
		}
		return ids, page.Pagination.NextCursor.Value
	}
	for _, query := range []string{"source=reddit&handle=quietharbor", "source=REDDIT&handle=%40QUIETHARBOR",
		"profileUrl=" + url.QueryEscape("https://www.reddit.com/user/QuietHarbor/"),
		"profileUrl=reddit.com/u/quietharbor&source=reddit&handle=quietharbor"} {
		if ids, next := list(query); fmt.Sprint(ids) != "[3 2 1]" || next != nil {
			t.Errorf("%s: %v", query, ids)
		}
	}
	ids, next := list("source=reddit&handle=quietharbor&limit=2")
	rest, end := list("source=reddit&handle=QuietHarbor&limit=50&cursor=" + *next)
	if fmt.Sprint(ids, rest) != "[3 2] [1]" || end != nil {
		t.Errorf("%v, then %v", ids, rest)
	}
	if ids, _ := list("source=reddit&handle=nobody"); len(ids) != 0 {
		t.Errorf("nobody wrote %v", ids)
	}
	for _, c := range []struct{ query, code, want string }{
		{"", "VALIDATION_ERROR", "query.handle required\nquery.source required"},
		{"limit=0", "VALIDATION_ERROR", "query.handle required\nquery.limit minimum\nquery.source required"},
		{"handle=%40&source=reddit&x=1", "VALIDATION_ERROR", "query.handle format\nquery.x unknown"},
		{"profileUrl=https://x.com/%40", "INVALID_INPUT", "has none of the forms"},
		{"source=reddit", "VALIDATION_ERROR", "query.handle required"},
		{"handle=quietharbor", "VALIDATION_ERROR", "query.source required"},
		{"source=reddit&handle=%40", "VALIDATION_ERROR", "query.handle format"},
		{"source=reddit&handle=x&limit=51", "VALIDATION_ERROR", "query.limit maximum"},
		{"source=reddit&handle=x&author=y", "VALIDATION_ERROR", "query.author unknown"},
		{"source=reddit&handle=x&cursor=" + *next, "INVALID_INPUT", "cursor"},
		{"profileUrl=https://people.example/reddit/x", "INVALID_INPUT", "https://www.reddit.com/user/<handle>"},
		{"profileUrl=reddit.com/u/quietharbor&source=github", "INVALID_INPUT", "another author"},
		{"profileUrl=reddit.com/u/quietharbor&handle=other", "INVALID_INPUT", "another author"},
	} {
		found := client.Get(t, "/api/v2/mentions/by-author?"+c.query).Is(t, 400, c.code)
		text := found.Message
		for _, detail := range found.Details {
			text += "\n" + detail.Path + " " + detail.Code
		}
		if !strings.Contains(text, c.want) {
			t.Errorf("%s: %s", c.query, text)
		}
	}
	client.Token = w.AgentsKey
	client.Get(t, "/api/v2/mentions/by-author").Is(t, 403, "UPGRADE_REQUIRED")
}

func TestTags(t *testing.T) {
	w := worldtest.NewWorld(t)
	var tags mentions.TagList
	serve(t, w).Get(t, "/api/v2/tags").OK(t, &tags)
	if len(tags.Data) != len(mention.Tags()) {
		t.Errorf("%d tags", len(tags.Data))
	}
	for _, tag := range tags.Data {
		if tag.Description == "" {
			t.Errorf("%s means nothing", tag.Tag)
		}
	}
}
