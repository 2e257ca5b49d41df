package ingest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/functions/ingest"
	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/port/model"
	"earshot/shared/post"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/workspacestore"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A scripted model gives every post that it is asked about the same opinion, and notes the texts.
type scripted struct {
	mu    sync.Mutex
	asked []string
	err   error
	wait  bool // until the context ends
}

func (s *scripted) Complete(ctx context.Context, r model.Request) (model.Answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var document struct {
		Posts []struct{ ID, Text string } `json:"posts"`
	}
	lines := strings.Split(r.Prompt, "\n")
	if err := json.Unmarshal([]byte(lines[1]), &document); err != nil {
		return model.Answer{}, err
	}
	var opinions []string
	for _, p := range document.Posts {
		s.asked = append(s.asked, p.Text)
		opinions = append(opinions,
			fmt.Sprintf(`{"id": %q, "relevance": 0, "comment": "The model says so.", "tags": ["hiring"]}`, p.ID))
	}
	if s.wait {
		<-ctx.Done()
		return model.Answer{}, ctx.Err()
	}
	return model.Answer{
		Text:         `{"posts": [` + strings.Join(opinions, ",") + `]}`,
		InputTokens:  100,
		OutputTokens: 50,
		Complete:     true,
	}, s.err
}

func (s *scripted) forget() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = nil
	return asked
}

func (w *world) advised(m model.Model, daily int) *ingest.Intake {
	options := w.options(w.Store)
	options.Advised = judge.NewAdvised(w.judge, m,
		workspacestore.ModelBudget{Store: w.Store.Kernel, Daily: daily, Kind: workspacestore.Judge}, 20*time.Second)
	return ingest.New(options)
}

// A model is asked about posts that are new to a workspace, once, however often they come.
func TestModelIsAskedOnce(t *testing.T) {
	w := newWorld(t)
	m := &scripted{}
	i := w.advised(m, 1_000_000)
	posts := many(12)
	if got := w.take(t, i, append(posts, posts[3])...).Mentions; got != (mentionstore.Taken{Stored: 12, Duplicate: 1}) {
		t.Errorf("%+v", got)
	}
	if asked := m.forget(); len(asked) != 12 {
		t.Errorf("asked about %d posts: %q", len(asked), asked)
	}
	for id, mentioned := range w.mentions(t, w.Main.ID) {
		if len(mentioned.Tags) != 2 || mentioned.Tags[0] != "own_brand_mention" || mentioned.Tags[1] != "hiring" {
			t.Errorf("%s has the tags %v", id, mentioned.Tags)
		}
	}
	w.take(t, i, many(15)...)
	if asked := m.forget(); len(asked) != 3 {
		t.Errorf("asked about %d posts", len(asked))
	}
	w.take(t, i, many(15)...)
	if asked := m.forget(); len(asked) != 0 {
		t.Errorf("asked about %d posts", len(asked))
	}
	// An edit is another text: the model is asked about the latest one, once.
	edits := append(many(1), many(1)...)
	edits[0].EditedAt, edits[1].EditedAt = edits[0].PostedAt.Add(20*time.Second), edits[1].PostedAt.Add(10*time.Second)
	edits[0].Body = new("I left northwind for another shop")
	for range 2 {
		w.take(t, i, edits...)
	}
	if asked := m.forget(); len(asked) != 1 || !strings.Contains(asked[0], "another shop") {
		t.Errorf("after edits asked about %q, want the latest one", asked)
	}
}

// Where the judge is unsure, the model's word stands.
func TestModelDecidesTheUnsure(t *testing.T) {
	w := newWorld(t)
	m := &scripted{}
	company := workspace.Company{
		Name:         "Northwind",
		Description:  "Software for online shops: checkout, stock and shipping",
		ExcludeTerms: []string{"weather"},
	}
	must(t, w.Store.PutCompany(t.Context(), w.Main.ID, company))
	subjects := []*judge.Subject{w.judge.Subject(company, w.keyword, nil)}
	var unsure *post.Post
	for _, text := range []string{"northwind blew over the hills", "the northwind doth blow and we shall have snow",
		"saw a boat called northwind at the pier",
		"northwind and the sun is a fable", "our northwind sample data has customers and orders",
		"a northwind brings weather and the shop is closed",
		"northwind is a street with a shop", "the northwind stock fell", "northwind again",
		"weather: northwind, and shipping is late"} {
		if p := saying(1, text); w.judge.Judge(w.judge.Read(&p), &p, subjects).Unsure {
			unsure = &p
			break
		}
	}
	if unsure == nil {
		t.Fatal("the judge is sure of everything")
	}
	w.take(t, w.advised(m, 1_000_000), *unsure)
	if got := w.mention(t, w.Main.ID, unsure.SourceID); got.RelevanceComment != "The model says so." ||
		*got.RelevanceScore != mention.High {
		t.Errorf("%+v", got)
	}
}

// A budget that is spent, a model that fails and one that answers nothing leave the judge's own verdict.
func TestWithoutModel(t *testing.T) {
	alone := newWorld(t)
	alone.take(t, alone.intake(), many(12)...)
	want := alone.mentions(t, alone.Main.ID)
	for name, c := range map[string]struct {
		model *scripted
		daily int
		asked int
	}{
		"no budget":       {&scripted{}, 100, 0},
		"refused":         {&scripted{err: model.ErrRefused}, 1_000_000, 10},
		"throttled":       {&scripted{err: model.ErrThrottled}, 1_000_000, 10},
		"something else":  {&scripted{err: errors.New("no")}, 1_000_000, 10},
		"nothing in time": {&scripted{wait: true}, 1_000_000, 10},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second+200*time.Millisecond) // 15 of them are for storing
			defer cancel()
			outcome, err := w.advised(c.model, c.daily).Take(ctx, many(12))
			if err != nil || outcome.Mentions.Stored != 12 {
				t.Fatal(outcome, err)
			}
			if asked := c.model.forget(); len(asked) > c.asked {
				t.Errorf("asked about %d posts", len(asked))
			}
			for id, got := range w.mentions(t, w.Main.ID) {
				if got.RelevanceComment != want[id].RelevanceComment || *got.RelevanceScore != *want[id].RelevanceScore {
					t.Errorf("%s: %+v", id, got)
				}
			}
		})
	}
}

// Each workspace's budget of the day is its own, and no more is asked than it allows.
func TestModelBudget(t *testing.T) {
	w := newWorld(t)
	w.listen(t, w.Other.ID, keyword.Keyword{Text: "northwind"})
	m := &scripted{}
	i := w.advised(m, 5_000)
	asked := 0
	for n := range 20 {
		w.take(t, i, saying(n, fmt.Sprint("northwind is great, says shop number ", n)))
		asked += len(m.forget())
	}
	if asked == 0 || asked >= 40 || asked%2 != 0 {
		t.Errorf("asked %d times of 40", asked)
	}
	use, err := w.Store.ModelUse(t.Context(), w.Main.ID)
	must(t, err)
	if got, each := use.ByKind[workspacestore.Judge], int64(asked/2); got.Input != each*100 || got.Output != each*50 {
		t.Errorf("the judge used %+v, want %d times 100 and 50", got, each)
	}
	w.Clock.Freeze(worldtest.Now.Add(24 * time.Hour))
	w.take(t, i, saying(50, "northwind is great"))
	if got := len(m.forget()); got != 2 {
		t.Errorf("asked %d times the next day", got)
	}
}

// Nothing is asked about what will not be stored.
func TestModelAndQuota(t *testing.T) {
	w := newWorld(t)
	w.listen(t, w.Agents.ID, keyword.Keyword{Text: "southwind"})
	limit := w.Agents.Plan.Limits().Mentions
	for n := 0; n < limit; n += 1_000 {
		var batch []mention.Mention
		for i := range 1_000 {
			batch = append(batch, worldtest.Mention(0, fmt.Sprint("old", n+i), worldtest.Now))
		}
		_, err := w.Store.Ingest(t.Context(), w.Agents.ID, limit, batch)
		must(t, err)
	}
	m := &scripted{}
	if got := w.take(t, w.advised(m, 1_000_000),
		saying(1, "southwind is great")).Mentions; got != (mentionstore.Taken{OverQuota: 1}) {
		t.Errorf("%+v", got)
	}
	if asked := m.forget(); len(asked) != 0 {
		t.Errorf("asked about %q", asked)
	}
}

// What a deployment's alarm looks at: how often the model was asked, and how often in vain.
func TestHandler_CountsModelFailures(t *testing.T) {
	for name, c := range map[string]struct {
		model *scripted
		want  any // of modelFailures
	}{
		"answered":  {&scripted{}, 0.0},
		"refused":   {&scripted{err: model.ErrRefused}, 1.0},
		"throttled": {&scripted{err: model.ErrThrottled}, 1.0},
	} {
		t.Run(name, func(t *testing.T) {
			handle, log := handler(newWorld(t).advised(c.model, 1_000_000))
			if again := call(t, handle, body(t, many(3)...)); len(again) > 0 {
				t.Errorf("%v come again", again)
			}
			got := counts(t, log)
			for name, want := range map[string]any{"modelRequests": 1.0, "modelFailures": c.want} {
				if got[name] != want {
					t.Errorf("%s is %v, want %v", name, got[name], want)
				}
			}
		})
	}
}
