package keywords_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"earshot/events/message"
	"earshot/functions/collect"
	"earshot/functions/ingest"
	"earshot/functions/keywords"
	"earshot/shared/judge"
	"earshot/shared/listening"
	"earshot/shared/port/queue"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/worldtest"
)

// A platform has one post an hour for every text that it is asked for.
type platform struct {
	asked []source.Query
	now   func() time.Time
}

func (p *platform) About() source.About { return source.About{Name: "hackernews", Max: 1_000} }

func (p *platform) Search(_ context.Context, q source.Query) (source.Page, error) {
	p.asked = append(p.asked, q)
	var page source.Page
	for n := range 9 * 24 {
		posted := p.now().Truncate(time.Hour).Add(-time.Duration(n) * time.Hour)
		if q.Holds(posted) {
			body := fmt.Sprintf("We moved to %s and it is great", q.Text)
			page.Posts = append(page.Posts,
				post.Post{Source: "hackernews", SourceID: fmt.Sprintf("hackernews_%s_%d", q.Text, posted.Unix()),
					URL: "https://posts.example/1", PostedAt: posted, Body: &body})
		}
	}
	return page, nil
}

// A pipe takes in at once what is collected.
type pipe struct{ intake *ingest.Intake }

func (p pipe) Send(ctx context.Context, _ string, messages ...queue.Message) error {
	for _, m := range messages {
		posts, unreadable, err := message.Unpack(m.Body)
		if err != nil || unreadable > 0 {
			return fmt.Errorf("%d unreadable: %w", unreadable, err)
		}
		if _, err := p.intake.Take(ctx, posts); err != nil {
			return err
		}
	}
	return nil
}

// The next tick after a keyword is created collects for it, as it does once a keyword has another text or goes on: and
// what it finds is counted.
func TestFirstCollection(t *testing.T) {
	w := worldtest.NewWorld(t)
	j, err := judge.New()
	if err != nil {
		t.Fatal(err)
	}
	intake := ingest.New(ingest.Options{Mentions: w.Store, Judge: j, Clock: w.Clock,
		Listening: listening.New(listening.Options{Settings: w.Store, Clock: w.Clock, Judging: true})})
	from := &platform{now: w.Clock.Now}
	collector := collect.New(collect.Options{
		Tasks:     w.Store,
		Sources:   []source.Source{from},
		Queue:     pipe{intake},
		Clock:     w.Clock,
		Log:       slog.New(slog.DiscardHandler),
		Listening: listening.New(listening.Options{Settings: w.Store, Clock: w.Clock}),
	})
	// tick is a schedule's minute; it answers for what was asked.
	tick := func() (texts []string) {
		t.Helper()
		w.Clock.Freeze(w.Clock.Now().Add(time.Minute))
		from.asked = nil
		if err := collector.Tick(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, q := range from.asked {
			texts = append(texts, q.Text)
		}
		return texts
	}
	c := serve(t, w)
	read := func(id int64) (k keywords.Keyword) {
		t.Helper()
		c.Get(t, keywordPath(id)).OK(t, &k)
		return k
	}
	if asked := tick(); len(asked) != 0 {
		t.Fatalf("asked for %q", asked)
	}

	k := made(t, c, `{"keyword":"northwind"}`)
	if asked := tick(); !slices.Equal(asked, []string{"northwind"}) {
		t.Fatalf("the tick after its creation asks for %q", asked)
	}
	// 10:16 of the 20th, and back to 10:16 of the 13th: an hour's post each, of which those of the 14th on are of the
	// last 7 days.
	if got, want := read(k.ID).Volume, (keywords.KeywordVolume{Last7d: 6*24 + 11, Last30d: 7 * 24}); got != want {
		t.Errorf("its volume is %+v, want %+v", got, want)
	}
	var list keywords.KeywordList
	if c.Get(t, all).OK(t, &list); list.Data[0].Volume != read(k.ID).Volume {
		t.Errorf("the list has %+v", list.Data[0].Volume)
	}
	// Then it is asked for in its own second of the hour, and not for an hour thereafter.
	due, err := w.Store.Tasks(t.Context(), w.Main.ID)
	if err != nil || len(due) != 1 {
		t.Fatal(due, err)
	}
	w.Clock.Freeze(due[0].DueAt.Add(-time.Minute))
	if asked := tick(); !slices.Equal(asked, []string{"northwind"}) {
		t.Errorf("when it is due, it asks for %q", asked)
	}
	if asked := tick(); len(asked) != 0 {
		t.Errorf("it is asked for again at once: %q", asked)
	}

	c.Patch(t, keywordPath(k.ID), `{"context":"The product."}`).OK(t, nil)
	if asked := tick(); len(asked) != 0 {
		t.Errorf("another context asks for %q", asked)
	}
	c.Patch(t, keywordPath(k.ID), `{"platforms":["reddit"]}`).OK(t, nil)
	tick()
	c.Patch(t, keywordPath(k.ID), `{"platforms":["hackernews","reddit"]}`).OK(t, nil)
	if asked := tick(); !slices.Equal(asked, []string{"northwind"}) {
		t.Errorf("a platform more asks for %q", asked)
	}

	c.Post(t, keywordPath(k.ID)+"/pause", `{"paused":true}`).OK(t, nil)
	for range 61 {
		if asked := tick(); len(asked) != 0 {
			t.Fatalf("paused, it is asked for: %q", asked)
		}
	}
	before := read(k.ID).Volume
	c.Post(t, keywordPath(k.ID)+"/pause", `{"paused":false}`).OK(t, nil)
	if asked := tick(); !slices.Equal(asked, []string{"northwind"}) {
		t.Errorf("no longer paused, it asks for %q", asked)
	}
	if after := read(k.ID).Volume; after.Last30d <= before.Last30d {
		t.Errorf("%+v, and before %+v", after, before)
	}

	c.Patch(t, keywordPath(k.ID), `{"keyword":"southwind"}`).OK(t, nil)
	if asked := tick(); !slices.Equal(asked, []string{"southwind"}) {
		t.Errorf("with another text, the next tick asks for %q", asked)
	}
	if first := from.asked; len(first) == 1 && w.Clock.Now().Sub(first[0].Since) != 7*24*time.Hour {
		t.Errorf("it looks back to %v", first[0].Since)
	}
	c.Delete(t, keywordPath(k.ID)).OK(t, nil)
	for range 61 {
		if asked := tick(); len(asked) != 0 {
			t.Fatalf("deleted, it is asked for: %q", asked)
		}
	}
}
