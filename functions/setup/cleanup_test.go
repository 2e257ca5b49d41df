package setup_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/functions/setup"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/proposal"
	"earshot/shared/store/listenstore"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

const cleanupPath = "/api/v2/setup/cleanup"

func (d desk) pending(t testing.TB) (found setup.SetupCleanup) {
	t.Helper()
	d.Client.As(d.Read).Get(t, cleanupPath).OK(t, &found)
	return found
}

func (d desk) clean(t testing.TB, body string, headers ...string) (done setup.SetupCleaned) {
	t.Helper()
	d.Client.Post(t, cleanupPath, body, headers...).OK(t, &done)
	return done
}

// collected has a keyword's first collection take place.
func (d desk) collected(t testing.TB, keywordID int64) {
	t.Helper()
	task := listenstore.Task{
		WorkspaceID: d.Main.ID,
		KeywordID:   keywordID,
		Source:      "hackernews",
		DueAt:       worldtest.Now,
		Since:       worldtest.Now,
	}
	if err := d.Store.AddTask(t.Context(), task); err != nil {
		t.Fatal(err)
	}
}

// came puts in a mention of a keyword.
func (d desk) came(t testing.TB, id, keywordID int64, body string, score mention.Score) {
	t.Helper()
	m := worldtest.Mention(id, fmt.Sprint("m_", id), worldtest.Now.Add(-time.Duration(id)*time.Hour))
	m.Title, m.Body, m.RelevanceScore, m.Relevant = nil, &body, &score, score.Relevant()
	m.Keywords = []mention.Keyword{{ID: keywordID, Text: "x"}}
	d.Put(t, d.Main.ID, m)
}

// applied is a desk at which a proposal was applied: northwind is 1, wind 2 and southwind 3.
func applied(t *testing.T) desk {
	t.Helper()
	d := newDesk(t)
	d.apply(t, d.ready(t, tailored), `{}`)
	return d
}

func settingsOf(items []setup.SetupCleanupItem) (all []string) {
	for _, i := range items {
		all = append(all, fmt.Sprint(i.Keyword, " ", i.Setting, i.Terms, i.Ready, i.Recommended))
	}
	return all
}

func TestCleanup(t *testing.T) {
	d := newDesk(t)
	if found := d.pending(t); found.Status != "none" || len(found.Items) != 0 {
		t.Errorf("%+v", found)
	}
	d.apply(t, d.ready(t, tailored), `{}`)
	found := d.pending(t)
	want := []string{"northwind additionalTerms[pager on-call alert] false false",
		"southwind excludeWords[snow] false false", "southwind context[Northwind, the pager.] false false"}
	if got := settingsOf(found.Items); found.Status != "waiting" || !slices.Equal(got, want) {
		t.Errorf("%s %q", found.Status, got)
	}
	early := d.clean(t, `{}`)
	if len(early.Written) != 0 || len(early.Skipped) != 3 || early.Skipped[0].Code != "not_collected" {
		t.Errorf("%+v", early)
	}
	named := d.clean(t, `{"keywordIds":[1,99]}`)
	if len(named.Written) != 0 || len(named.Skipped) != 2 || named.Skipped[1].KeywordID != 99 ||
		named.Skipped[1].Code != "nothing_waits" {
		t.Errorf("%+v", named)
	}
	// A source that was searched makes one ready, and so do mentions, however they came in.
	d.collected(t, 3)
	for n, body := range []string{"northwind pager", "northwind alert", "northwind rocks", "northwind is nice",
		"northwind weather"} {
		d.came(t, int64(n+1), 1, body, map[bool]mention.Score{true: mention.High, false: mention.Low}[n < 4])
	}
	d.came(t, 9, 3, "southwind and snow", mention.Low)
	d.came(t, 10, 2, "wind and northwind", mention.High) // of another keyword
	old := worldtest.Mention(11, "m_old", worldtest.Now.AddDate(0, 0, -31))
	old.Keywords[0].ID = 1
	d.Put(t, d.Main.ID, old)
	found = d.pending(t)
	if found.Status != "ready" || len(found.Items) != 3 {
		t.Fatalf("%+v", found)
	}
	if e := found.Items[0]; e.Evidence != (setup.CleanupEvidence{Mentions: 5, Relevant: 4, NotRelevant: 1, WouldRemove: 3,
		WouldRemoveRelevant: 2}) || e.Recommended || !e.Ready {
		t.Errorf("%+v", e)
	}
	if e := found.Items[1]; e.Evidence != (setup.CleanupEvidence{Mentions: 1, NotRelevant: 1, WouldRemove: 1}) ||
		!e.Recommended || !strings.Contains(e.Explanation, "leave out") {
		t.Errorf("%+v", e)
	}
	done := d.clean(t, `{}`)
	wrote := []setup.SetupCleanedSetting{
		{KeywordID: 3, Keyword: "southwind", Setting: "excludeWords", Terms: []string{"snow"}},
		{KeywordID: 3, Keyword: "southwind", Setting: "context", Terms: []string{"Northwind, the pager."}},
	}
	if !reflect.DeepEqual(done.Written, wrote) || len(done.Skipped) != 1 || done.Skipped[0].Code != "not_recommended" ||
		done.Skipped[0].KeywordID != 1 {
		t.Errorf("%+v", done)
	}
	all := d.keywords(t)
	if rival := all[2]; !slices.Equal(rival.ExcludeWords, []string{"sailing", "snow"}) ||
		rival.Context != "Northwind, the pager." || rival.Revision != 2 {
		t.Errorf("%+v", rival)
	}
	if found = d.pending(t); found.Status != "ready" || len(found.Items) != 1 {
		t.Errorf("%+v", found)
	}
	// Named, it is written all the same.
	done = d.clean(t, `{"keywordIds":[1]}`)
	if len(done.Written) != 1 || len(done.Skipped) != 0 ||
		!slices.Equal(d.keywords(t)[0].AdditionalTerms, []string{"pager", "on-call", "alert"}) {
		t.Errorf("%+v", done)
	}
	if found = d.pending(t); found.Status != "none" {
		t.Errorf("%+v", found)
	}
	d.balanced(t)
	again := d.clean(t, `{}`)
	if len(again.Written)+len(again.Skipped) != 0 || d.keywords(t)[0].Revision != 2 {
		t.Errorf("%+v", again)
	}
}

// What users did meanwhile is theirs: it is neither shown nor undone, and what waits for nothing goes away.
func TestCleanupAfterChanges(t *testing.T) {
	d := applied(t)
	d.collected(t, 1)
	d.collected(t, 3)
	change := func(id int64, change func(*keyword.Keyword)) {
		t.Helper()
		if _, err := d.Store.ChangeKeyword(t.Context(), d.Main.ID, id,
			func(k *keyword.Keyword) error { change(k); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	change(1, func(k *keyword.Keyword) { k.AdditionalTerms = []string{"mine"} })
	change(3, func(k *keyword.Keyword) { k.ExcludeWords = append(k.ExcludeWords, "SNOW") })
	found := d.pending(t)
	if got := settingsOf(found.Items); !slices.Equal(got, []string{"southwind context[Northwind, the pager.] true true"}) {
		t.Errorf("%q", got)
	}
	done := d.clean(t, `{}`)
	if len(done.Written) != 1 || len(done.Skipped) != 0 ||
		!slices.Equal(d.keywords(t)[0].AdditionalTerms, []string{"mine"}) {
		t.Errorf("%+v", done)
	}
	if left := d.waiting(t); len(left) != 0 {
		t.Errorf("%v", left)
	}
}

func TestCleanupOfDeletedKeyword(t *testing.T) {
	d := applied(t)
	d.collected(t, 1)
	for _, id := range []int64{1, 3} {
		if err := d.Store.DeleteKeyword(t.Context(), d.Main.ID, id); err != nil {
			t.Fatal(err)
		}
	}
	if found := d.pending(t); found.Status != "none" || len(found.Items) != 0 {
		t.Errorf("%+v", found)
	}
	if done := d.clean(t, `{}`); len(done.Written)+len(done.Skipped) != 0 {
		t.Errorf("%+v", done)
	}
	// The keyword that is left stays listed, though none of its settings waits: exclusions may be found for it.
	if rows, err := d.Store.Cleanups(t.Context(), d.Main.ID); err != nil || len(rows) != 1 || rows[0].Keyword.ID != 2 ||
		rows[0].Gone {
		t.Errorf("%+v %v", rows, err)
	}
}

// plain is a proposal of which no setting waits, as most are.
func plain(id string) proposal.Proposal {
	p := tailored(id)
	for i := range p.Keywords {
		p.Keywords[i].Approval, p.Keywords[i].Approvals = nil, nil
		for _, setting := range proposal.Settings() {
			if p.Keywords[i].Approval == nil {
				p.Keywords[i].Approval = map[proposal.Setting]proposal.Approves{}
			}
			p.Keywords[i].Approval[setting] = proposal.Quietly
		}
	}
	return p
}

// cameBy puts in a mention of keyword 1 by an author.
func (d desk) cameBy(t testing.TB, id int64, author, body string, score mention.Score) {
	t.Helper()
	m := worldtest.Mention(id, fmt.Sprint("m_", id), worldtest.Now.Add(-time.Duration(id)*time.Minute))
	m.Title, m.Body, m.Author, m.RelevanceScore, m.Relevant = nil, &body, &author, &score, score.Relevant()
	m.Keywords = []mention.Keyword{{ID: 1, Text: "northwind"}}
	d.Put(t, d.Main.ID, m)
}

// No setting of the proposal waits. What comes in has noise that the sample did not have: an author who floods, and job
// posts of several authors. The clean-up lists both with figures, and writes them.
func TestCleanup_FoundInMentions(t *testing.T) {
	d := newDesk(t)
	d.apply(t, d.ready(t, plain), `{}`)
	for n := range int64(20) {
		d.cameBy(t, 100+n, fmt.Sprint("customer", n), "northwind pager woke me up", mention.High)
	}
	if found := d.pending(t); found.Status != "none" || len(found.Items) != 0 {
		t.Errorf("before any noise: %+v", found)
	}
	for n := range int64(6) {
		d.cameBy(t, 200+n, "@WindBot", fmt.Sprint("northwind alert at station ", n), mention.Low)
		d.cameBy(t, 300+n, fmt.Sprint("recruiter", n), "northwind pager team is hiring", mention.Low)
	}
	found := d.pending(t)
	want := []string{"northwind excludeWords[hiring] true true", "northwind excludeAuthors[windbot] true true"}
	if got := settingsOf(found.Items); found.Status != "ready" || !slices.Equal(got, want) {
		t.Fatalf("%s %q, want %q", found.Status, got, want)
	}
	figures := setup.CleanupEvidence{Mentions: 32, Relevant: 20, NotRelevant: 12, WouldRemove: 6}
	for _, item := range found.Items {
		if item.Evidence != figures || !strings.Contains(item.Explanation, "Of the 32 posts that came in") {
			t.Errorf("%+v, want %+v", item, figures)
		}
	}
	done := d.clean(t, `{}`)
	if len(done.Written) != 2 || len(done.Skipped) != 0 {
		t.Errorf("%+v", done)
	}
	brand := d.keywords(t)[0]
	if !slices.Contains(brand.ExcludeWords, "hiring") || !slices.Contains(brand.ExcludeAuthors, "windbot") {
		t.Errorf("%+v", brand)
	}
	if found = d.pending(t); found.Status != "none" {
		t.Errorf("after it was written: %+v", found)
	}
	if again := d.clean(t, `{"keywordIds":[1]}`); len(again.Written) != 0 || len(again.Skipped) != 1 ||
		again.Skipped[0].Code != "nothing_waits" {
		t.Errorf("%+v", again)
	}
	// More noise of another kind is found later too.
	for n := range int64(5) {
		d.cameBy(t, 400+n, "gustbot", fmt.Sprint("northwind alert of gust ", n), mention.Low)
	}
	if got := settingsOf(d.pending(t).Items); !slices.Equal(got, []string{"northwind excludeAuthors[gustbot] true true"}) {
		t.Errorf("%q", got)
	}
}

// Requests that run at the same time write a finding once. A repeated Idempotency-Key gets the first response.
func TestCleanup_FoundAtOnce(t *testing.T) {
	d := newDesk(t)
	d.apply(t, d.ready(t, plain), `{}`)
	for n := range int64(6) {
		d.cameBy(t, 200+n, "WindBot", fmt.Sprint("northwind alert at station ", n), mention.Low)
	}
	var mu sync.Mutex
	written := 0
	faulttest.AtOnce(20, func(int) {
		var done setup.SetupCleaned
		d.Client.Post(t, cleanupPath, `{}`).OK(t, &done)
		mu.Lock()
		defer mu.Unlock()
		written += len(done.Written)
	})
	if brand := d.keywords(t)[0]; written != 1 || brand.Revision != 2 || len(brand.ExcludeAuthors) == 0 {
		t.Errorf("%d are written, %+v", written, brand)
	}
	for n := range int64(6) {
		d.cameBy(t, 300+n, "GustBot", fmt.Sprint("northwind alert of gust ", n), mention.Low)
	}
	first := d.clean(t, `{}`, "Idempotency-Key", "k")
	if again := d.clean(t, `{}`, "Idempotency-Key", "k"); len(first.Written) != 1 || !reflect.DeepEqual(first, again) {
		t.Errorf("first %+v, again %+v", first, again)
	}
}

// A keyword that no proposal made is its user's: the clean-up finds nothing for it.
func TestCleanup_OwnKeyword(t *testing.T) {
	d := newDesk(t)
	if _, err := d.Store.CreateKeyword(t.Context(), d.Main.ID, keyword.Keyword{Text: "northwind", ExactMatch: true},
		50); err != nil {
		t.Fatal(err)
	}
	for n := range int64(9) {
		d.cameBy(t, 200+n, "WindBot", fmt.Sprint("northwind alert at station ", n), mention.Low)
	}
	if found := d.pending(t); found.Status != "none" || len(found.Items) != 0 {
		t.Errorf("%+v", found)
	}
}

func TestCleanupFaults(t *testing.T) {
	d := applied(t)
	for body, want := range map[string]string{
		`{"keywordIds":[0,1,1]}`:            "keywordIds[0] range keywordIds[2] duplicate",
		`{"keywordIds":[9007199254740992]}`: "keywordIds[0] range",
		`{"keywordIds":["1"]}`:              "keywordIds[0] type",
		`{"all":true}`:                      "all unknown",
	} {
		var got []string
		for _, detail := range d.Client.Post(t, cleanupPath, body).Is(t, 400, "VALIDATION_ERROR").Details {
			got = append(got, detail.Path+" "+detail.Code)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
	d.collected(t, 1)
	other := d.Client.As(d.OtherKey)
	var found setup.SetupCleanup
	if other.Get(t, cleanupPath).OK(t, &found); found.Status != "none" {
		t.Errorf("%+v", found)
	}
	var done setup.SetupCleaned
	other.Post(t, cleanupPath, `{"keywordIds":[1]}`).OK(t, &done)
	if len(done.Written) != 0 || len(done.Skipped) != 1 || len(d.waiting(t)) != 2 {
		t.Errorf("%+v", done)
	}
	d.Client.As(d.Read).Post(t, cleanupPath, `{}`).Is(t, 403, "FORBIDDEN")
	err := d.Store.ChangeWorkspace(t.Context(), d.Main.ID,
		func(w *workspace.Workspace) error { w.Flags = nil; return nil })
	if err != nil {
		t.Fatal(err)
	}
	d.Client.Get(t, cleanupPath).Is(t, 404, "FEATURE_DISABLED")
	d.Client.Post(t, cleanupPath, `{`).Is(t, 404, "FEATURE_DISABLED")
	d.Client.Post(t, applyPath("x"), `{`).Is(t, 404, "FEATURE_DISABLED")
}

// Whichever write it dies before or after, the same request again has the effect, and with its key the response, of one. There
// is one write a keyword.
func TestCleanup_Killed(t *testing.T) {
	for _, headers := range [][]string{nil, {"Idempotency-Key", "k"}} {
		trials := 0
		faulttest.EachStep(t, 2, func(t *testing.T, step *faulttest.Step) {
			trials++
			d := applied(t)
			d.collected(t, 1)
			d.collected(t, 3)
			client, life := d.mortal(t)
			step.Die(t, life, func() error {
				if answer := client.Post(t, cleanupPath, `{}`, headers...); answer.Status != 200 {
					answer.Is(t, 500, "INTERNAL_ERROR")
					return errors.New("it was killed")
				}
				return nil
			})
			want := 3
			if before := d.keywords(t); headers == nil {
				want -= map[int64]int{1: 0, 2: 1}[before[0].Revision] + map[int64]int{1: 0, 2: 2}[before[2].Revision]
			}
			var done setup.SetupCleaned
			client.Post(t, cleanupPath, `{}`, headers...).OK(t, &done)
			if len(done.Written) != want || len(done.Skipped) != 0 {
				t.Errorf("with %v %d are written, want %d: %+v", headers, len(done.Written), want, done)
			}
			all := d.keywords(t)
			if all[0].Revision != 2 || all[2].Revision != 2 || len(all[0].AdditionalTerms) != 3 || len(d.waiting(t)) != 0 {
				t.Errorf("%+v", all)
			}
		})
		if trials != 2*3 {
			t.Errorf("%d trials, want 2 writes and none before and after", trials)
		}
	}
}

func TestCleanupAtOnce(t *testing.T) {
	d := applied(t)
	d.collected(t, 1)
	d.collected(t, 3)
	var mu sync.Mutex
	written := 0
	faulttest.AtOnce(20, func(int) {
		var done setup.SetupCleaned
		d.Client.Post(t, cleanupPath, `{}`).OK(t, &done)
		mu.Lock()
		defer mu.Unlock()
		written += len(done.Written)
	})
	if all := d.keywords(t); written != 3 || all[0].Revision != 2 || all[2].Revision != 2 {
		t.Errorf("%d are written, %+v", written, all)
	}
}

// With an Idempotency-Key, what was written is answered again.
func TestCleanupRepeated(t *testing.T) {
	d := applied(t)
	d.collected(t, 3)
	first := d.clean(t, `{"keywordIds":[3]}`, "Idempotency-Key", "k")
	answer := d.Client.Post(t, cleanupPath, `{"keywordIds":[3]}`, "Idempotency-Key", "k")
	var again setup.SetupCleaned
	if answer.OK(t, &again); len(first.Written) != 2 || !reflect.DeepEqual(first, again) ||
		answer.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%+v %+v", first, again)
	}
}

// A keyword that is found otherwise from then on is collected anew.
func TestCleanupOfExactMatch(t *testing.T) {
	d := newDesk(t)
	id := d.ready(t, func(id string) proposal.Proposal {
		p := tailored(id)
		p.Keywords[2].ExactMatch = false
		p.Keywords[2].Approval[proposal.SettingExactMatch] = proposal.InCleanup
		return p
	})
	d.apply(t, id, `{"keywordRefs":["competitor_1"]}`)
	if !d.keywords(t)[0].ExactMatch {
		t.Error("it waits")
	}
	d.collected(t, 1)
	done := d.clean(t, `{}`)
	if len(done.Written) != 3 || done.Written[0].Setting != "exactMatch" ||
		!slices.Equal(done.Written[0].Terms, []string{"false"}) || d.keywords(t)[0].ExactMatch {
		t.Errorf("%+v", done)
	}
	if tasks, err := d.Store.Tasks(t.Context(), d.Main.ID); err != nil || len(tasks) != 0 {
		t.Errorf("%+v %v", tasks, err)
	}
}
