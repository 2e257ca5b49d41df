package worldtest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"earshot/shared/analytics/files"
	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/filter"
	"earshot/shared/keyword"
	"earshot/shared/keyword/suggest"
	"earshot/shared/member"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/search"
	"earshot/shared/store/allstores"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/setupstore"
	"earshot/shared/store/suggestionstore"
	"earshot/shared/store/workspacestore"
	"earshot/shared/story"
	"earshot/shared/summary"
	"earshot/shared/workspace"
)

// Fill gives a workspace rows of every kind that the stores keep of one. It calls each operation that writes for a
// workspace, or one that calls it. Tests must not rely on what it fills, or how often. A test of the stores checks that
// it misses no operation.
func Fill(t testing.TB, w *World, orgID string) {
	t.Helper()
	f := filling{t, w.Store, w, orgID, "filled-" + orgID}
	f.workspace()
	keywords := f.keywords()
	f.feeds(keywords[0])
	f.alerts()
	f.people()
	f.mentions(keywords[0])
	f.deliveries()
	f.digests()
	f.grants()
	f.suggestions(keywords[0])
	f.searches()
	f.summaries()
	f.setup()
	f.counters()
	f.exports()
	f.dayFiles()
	f.upgrade()
}

type filling struct {
	t       testing.TB
	s       *allstores.Store
	w       *World
	orgID   string
	request string // begins the names of requests
}

func (f filling) must(errs ...error) {
	f.t.Helper()
	for _, err := range errs {
		Must(f.t, err)
	}
}

// done fails the test unless an operation reports that it took effect.
func (f filling) done(did bool, err error) {
	f.t.Helper()
	if Must(f.t, err); !did {
		f.t.Fatal("it was not done")
	}
}

func (f filling) workspace() {
	ctx := f.t.Context()
	f.must(f.s.ChangeWorkspace(ctx, f.orgID, func(o *workspace.Workspace) error {
		o.Flags = []string{workspace.FlagSetupOnboarding}
		return nil
	}))
	for range 2 {
		token := workspace.NewToken(Now)
		_, err := f.s.CreateKeyOnce(
			ctx,
			workspace.Key{ID: token.KeyID, Digest: token.Digest(), Scope: workspace.Read, CreatedAt: Now,
				Workspace: &workspace.Workspace{ID: f.orgID}},
			f.request+token.KeyID,
		)
		f.must(err)
	}
	keys, err := f.s.Keys(ctx, f.orgID)
	f.must(err, f.s.RevokeKeyOnce(ctx, f.orgID, keys[0].ID, f.request+"revoked"))
}

func (f filling) keywords() (made []keyword.Keyword) {
	ctx := f.t.Context()
	for _, text := range []string{"northwind", "quietharbor", "driftwood"} {
		k, err := f.s.CreateKeywordOnce(ctx, f.orgID, keyword.Keyword{Text: text, ExactMatch: true}, 50, f.request+text)
		f.must(err)
		made = append(made, k)
		f.must(
			f.s.AddTask(
				ctx,
				listenstore.Task{WorkspaceID: f.orgID, KeywordID: k.ID, Source: "hackernews", DueAt: Now, Query: text},
			),
		)
	}
	f.must(f.s.RemoveTask(ctx, listenstore.Task{WorkspaceID: f.orgID, KeywordID: made[2].ID, Source: "hackernews"}))
	f.must(f.s.RestoreKeyword(ctx, f.orgID, keyword.Keyword{ID: 900, Text: "restored"}))
	_, err := f.s.ChangeKeywordOnce(
		ctx, f.orgID, made[1].ID, f.request+"change",
		func(k *keyword.Keyword) error { k.Text = "quiet harbor"; return nil },
	)
	f.must(err)
	for _, kind := range []string{listenstore.LookBack, listenstore.Asked} {
		b, err := f.s.StartBackfill(ctx, listenstore.Backfill{
			WorkspaceID: f.orgID, KeywordID: made[0].ID, Kind: kind, Days: 7, Since: Now.AddDate(0, 0, -7), Until: Now, High: 3,
		}, 1<<30, f.request+kind)
		f.must(err)
		b, mine, err := f.s.ClaimBackfill(ctx, b, time.Minute)
		f.done(mine, err)
		b.Source, b.Skipped = "archive/dev", map[string]string{"reddit": "it is down"}
		f.done(f.s.SaveBackfill(ctx, b))
		if kind == listenstore.Asked {
			f.must(f.s.EndBackfill(ctx, b, listenstore.BackfillCompleted))
		}
	}
	_, err = f.s.DeleteKeywordOnce(ctx, f.orgID, made[2].ID, f.request+"delete")
	f.must(
		err, f.s.Planned(ctx, f.orgID, "a plan"),
		f.s.PutFilters(ctx, f.orgID, keyword.Filters{NegativeKeywords: []string{"sailing"}}),
		f.s.PutCompany(ctx, f.orgID, workspace.Company{Name: "Northwind", Domain: "northwind.example"}),
	)
	_, err = f.s.ChangeCompany(ctx, f.orgID, func(c *workspace.Company) error { c.Audience = "engineers"; return nil })
	f.must(err)
	task, mine, err := f.s.ClaimTask(
		ctx, listenstore.Task{WorkspaceID: f.orgID, KeywordID: made[0].ID, Source: "hackernews", DueAt: Now},
		time.Minute,
	)
	f.done(mine, err)
	finished := task
	finished.LastError = "the platform did not answer"
	f.must(f.s.FinishTask(ctx, task, finished))
	return made
}

func (f filling) feeds(k keyword.Keyword) {
	ctx := f.t.Context()
	mail := []feed.Destination{{Type: feed.Email, Emails: []string{"first@northwind.example"}}}
	made, err := f.s.CreateFeed(ctx, f.orgID, feed.Feed{Name: "All", Default: true, Destinations: mail,
		SimpleFilters: fmt.Appendf(nil, `{"keyword":[%d]}`, k.ID)}, f.request+"feed")
	f.must(err, f.s.RestoreFeed(ctx, f.orgID, feed.Feed{ID: 900, Name: "Restored"}))
	_, err = f.s.ChangeFeed(
		ctx, f.orgID, made.ID, f.request+"feed changed", func(v *feed.Feed) error { v.Name = "Everything"; return nil },
	)
	f.must(err, f.s.DeleteFeed(ctx, f.orgID, 900, f.request+"feed deleted"))
	for range 2 {
		_, err = f.s.CreateNotification(
			ctx, f.orgID, feed.Notification{Name: "Daily", FeedID: made.ID, Destinations: mail}, "",
		)
		f.must(err)
	}
	all, err := f.s.Notifications(ctx, f.orgID)
	f.must(err)
	_, err = f.s.ChangeNotification(
		ctx, f.orgID, all[0].ID, f.request+"told", func(n *feed.Notification) error { n.Enabled = true; return nil },
	)
	f.must(err, f.s.DeleteNotification(ctx, f.orgID, all[1].ID, f.request+"untold"))
}

// deliveries makes an announcement, a delivery in each state, and an endpoint.
func (f filling) deliveries() {
	ctx := f.t.Context()
	bill := mentionstore.Bill{Limit: 100, Shows: func(*mention.Mention) []int64 { return []int64{1} }}
	for _, name := range []string{"told", "untold"} {
		taken, err := f.s.IngestBilled(ctx, f.orgID, bill, []mention.Mention{Mention(0, name, Now)})
		f.done(taken.Stored == 1, err)
	}
	waiting, err := f.s.Announcements(ctx, f.orgID, 10)
	f.done(len(waiting) == 2, err)
	_, err = f.s.Number(ctx, waiting[0])
	f.must(err, f.s.EndAnnouncement(ctx, waiting[1]))
	to := delivery.Endpoint{Owner: delivery.OfFeed(1), Kind: string(feed.Email)}
	made := make([]deliverystore.Delivery, 3)
	for i := range made {
		made[i] = deliverystore.Delivery{
			WorkspaceID: f.orgID,
			ID:          delivery.ID(Now, f.orgID, to.String(), delivery.MentionCreated, fmt.Sprint(i)),
			Endpoint:    to,
			Type:        delivery.MentionCreated,
			FeedID:      1,
			SourceIDs:   []string{"told"},
			Sequence:    1,
			CreatedAt:   Now,
			State:       delivery.First(Now),
		}
	}
	f.must(f.s.AddDeliveries(ctx, made), f.s.WakeEndpoint(ctx, f.orgID, to))
	claimed, ok, err := f.s.ClaimEndpoint(ctx, f.orgID, to, time.Minute)
	f.done(ok, err)
	due, err := f.s.DueDeliveries(ctx, f.orgID, to, 10)
	f.done(len(due) == 3, err)
	_, err = f.s.RecordAttempt(ctx, due[0], delivery.Outcome{At: Now, Status: 500, Reason: "no"}, 0)
	f.must(err)
	_, err = f.s.GiveUpDelivery(ctx, due[1])
	due[2].Reached = []string{f.address("reached")}
	f.must(err, f.s.RecordReached(ctx, due[2]))
	claimed.Health = claimed.Health.After(delivery.Outcome{At: Now, Status: 410})
	ok, err = f.s.ReleaseEndpoint(ctx, claimed, Now.Add(time.Minute))
	f.done(ok, err)
	f.must(f.s.EnableEndpoint(ctx, f.orgID, to))
	_, err = f.s.ResendDelivery(ctx, f.orgID, due[1].ID, f.request+"resent", nil)
	f.must(err)
}

// address returns a mail address that only this workspace has.
func (f filling) address(name string) string {
	return name + "@" + strings.ToLower(f.orgID[4:]) + ".example"
}

func (f filling) people() {
	ctx := f.t.Context()
	owner, err := f.s.AddMember(
		ctx, f.orgID, member.Member{Email: f.address("owner"), Role: member.Admin, AccountID: "acc-" + f.orgID},
	)
	f.must(err)
	gone, err := f.s.AddMember(
		ctx, f.orgID, member.Member{Email: f.address("gone"), Role: member.Admin, AccountID: "gone-" + f.orgID},
	)
	f.must(err, f.s.RemoveMember(ctx, f.orgID, gone.ID, f.request+"gone"))
	f.invitations(owner.ID)
	moves, err := f.s.Moves(ctx, f.orgID)
	f.must(err)
	for i, move := range moves {
		due, mine, err := f.s.ClaimMove(ctx, f.orgID, move.AccountID, "a claim")
		f.done(mine, err)
		if i == 0 {
			_, _, err := f.s.FinishMove(ctx, f.orgID, due)
			f.must(err)
			continue
		}
		f.must(f.s.ReleaseMove(ctx, f.orgID, due))
	}
}

// invitations leaves open an invitation of the workspace, and an agency's invitations of a person with and a person
// without an account. Others are over.
func (f filling) invitations(keyID string) {
	ctx := f.t.Context()
	invite := func(name string) member.Invitation {
		result := InviteOne(
			ctx, f.s, f.orgID, member.Member{Email: f.address(name), Role: member.Ordinary}, f.request+name,
		)
		f.must(result.Err)
		return result.Invitation
	}
	open, withdrawn := invite("open"), invite("withdrawn")
	invite("accepted")
	f.done(f.s.ClaimMail(ctx, f.orgID, open, "a claim"))
	f.must(f.s.SettleMail(ctx, f.orgID, open, "a claim", member.MailSent), f.s.Withdraw(ctx, f.orgID, withdrawn.ID),
		f.s.LookAgain(ctx, f.orgID, open.ID, Now.Add(time.Hour)))
	_, err := f.s.ExpireInvitation(ctx, f.orgID, open.ID) // its time is not over
	f.must(err)
	_, err = f.s.AcceptInvitations(ctx, f.address("accepted"), "accepted-"+f.orgID, "Accepted")
	f.must(err)
	by := member.Inviter{
		AgencyID:   f.w.Agency.ID,
		Agency:     f.w.Agency.Name,
		KeyID:      keyID,
		Workspaces: []workspace.Workspace{{ID: f.orgID, Name: "Filled"}},
	}
	for _, seat := range f.s.Invite(ctx, by, f.orgID, []member.Member{{Email: f.address("told"), Role: member.Ordinary},
		{Email: f.address("known"), Role: member.Ordinary, AccountID: "known-" + f.orgID}}) {
		f.must(seat.Err)
	}
	revoked := invite("taken back")
	f.done(f.s.ClaimResend(ctx, f.orgID, revoked, "a further claim", f.request+"resent"))
	f.must(f.s.RevokeInvitation(ctx, f.orgID, revoked.ID, f.request+"revocation"))
}

func (f filling) mentions(k keyword.Keyword) {
	ctx := f.t.Context()
	named := func(id int64, posted time.Time) mention.Mention {
		m := Mention(id, fmt.Sprint("post", id), posted)
		m.Keywords = []mention.Keyword{{ID: k.ID, Text: k.Text}}
		return m
	}
	taken, err := f.s.Ingest(
		ctx, f.orgID, 100,
		[]mention.Mention{named(0, Now.Add(-time.Hour)), Mention(0, "other", Now.Add(-26*time.Hour))},
	)
	f.done(taken.Stored == 2, err)
	f.w.Put(
		f.t, f.orgID, named(11, Now.AddDate(0, 0, -1)), named(12, Now.AddDate(0, 0, -200)),
		named(13, Now.AddDate(0, 0, -400)),
	)
	for _, relevant := range []bool{true, false} {
		_, err = f.s.ChangeMention(ctx, f.orgID, "post11", func(m *mention.Mention) (bool, error) {
			return m.Judge(mention.Judgement{KeywordID: k.ID, Relevant: relevant, Source: mention.FromAPI}), nil
		})
		f.must(err)
	}
	_, err = f.s.Observe(ctx, f.orgID, "post11", map[string]int64{"points": 99}, Now)
	f.must(err)
	summarized, err := f.s.PutSummaries(ctx, f.orgID,
		[]mention.Summary{{Day: Now.Truncate(24*time.Hour).AddDate(0, 0, -1)}})
	f.done(summarized == 1, err)
	f.must(f.s.PutDigests(ctx, f.orgID, k.ID, []mention.Digest{{Day: Now.AddDate(0, 0, -8), Content: []byte{1}}}))
	f.words(named)
	old, _, err := f.s.Archive(ctx, f.orgID, 0)
	f.done(old.Copied == 2, err)
	// It puts back rows of mentions like those above.
	back, err := f.s.RestoreMentions(ctx, f.w.Table, rows.MentionsTable, f.orgID, true)
	f.done(back.Rows > 0 && back.Lost == 0, err)
}

// words has a list store the words of a day, one with as many mentions as that takes, and the terms of mentions that were
// put in. Then the day's terms are gathered.
func (f filling) words(named func(id int64, posted time.Time) mention.Mention) {
	ctx := f.t.Context()
	day := Now.AddDate(0, 0, -9).Truncate(24 * time.Hour)
	mentions := make([]mention.Mention, 100)
	for i := range mentions {
		mentions[i] = named(1000+int64(i), day.Add(time.Duration(i)*time.Minute))
		mentions[i].StoryID = story.OfMention(&mentions[i]).String()
	}
	ended := allstores.New(f.w.Table, f.w.Clock) // of a process that ends before it stores their terms
	f.must(ended.PutMentions(ctx, f.orgID, mentions)...)
	f.must(f.s.PutMentions(ctx, f.orgID, []mention.Mention{named(2000, day.AddDate(0, 0, -2))})...)
	parsed, faults := filter.Parse([]byte(`{"text":["nowhere"]}`))
	f.done(len(faults) == 0, nil)
	selects := filter.Compile(parsed)
	_, err := f.s.Mentions(ctx, mentionstore.MentionsQuery{
		WorkspaceID: f.orgID, All: true, Filter: selects, Limit: 1, Start: day.AddDate(0, 0, -1),
	})
	f.must(err)
	windows := [][2]time.Time{{day, day.AddDate(0, 0, 1)}}
	_, _, whole, err := f.s.Sample(ctx, f.orgID, selects, windows, 1<<20, 1, func(*filter.Row) {})
	f.done(whole, err)
	page, err := f.w.Table.Query(ctx, table.Query{
		Table: rows.CountersTable, Partition: f.orgID, Prefix: rows.SortWords, Consistent: true,
	})
	f.done(len(page.Items) == 1, err)
	page, err = f.w.Table.Query(ctx, table.Query{
		Table: rows.CountersTable, Partition: f.orgID, Prefix: rows.SortTerms, Consistent: true,
	})
	f.done(len(page.Items) > 0, err)
	gathered, _, err := f.s.GatherTerms(ctx, f.orgID, 0)
	f.done(gathered.Days == 1, err)
}

func (f filling) suggestions(k keyword.Keyword) {
	ctx := f.t.Context()
	var found []suggest.Suggestion
	for _, word := range []string{"open", "taken", "refused"} {
		found = append(
			found,
			suggest.Suggestion{
				ID:        suggest.NewID(k.ID, suggest.AddExcludeWords, []string{word}),
				Type:      suggest.AddExcludeWords,
				KeywordID: k.ID,
				Keyword:   k.Text,
				Values:    []string{word},
				Reason:    "Counted.",
			},
		)
	}
	_, err := f.s.KeepSuggestions(
		ctx, f.orgID, suggestionstore.Learned{}, func([]suggest.Refused) []suggest.Suggestion { return found },
	)
	f.must(err)
	_, err = f.s.AcceptSuggestion(ctx, f.orgID, found[1].ID)
	f.must(err, f.s.RejectSuggestion(ctx, f.orgID, found[2].ID))
}

// searches makes a search that completed, one that failed and one under way.
func (f filling) searches() {
	ctx := f.t.Context()
	begin := func(id string) search.Search {
		begun, err := f.s.BeginSearch(ctx, search.Search{
			ID:          "srch_" + id,
			WorkspaceID: f.orgID,
			Status:      search.Running,
			CreatedAt:   Now,
			ExpiresAt:   Now.Add(time.Hour),
		}, 50, f.request+"search "+id)
		f.must(err)
		return begun
	}
	completed := begin("completed")
	parts, err := f.s.PutSearchResults(ctx, completed, "attempt", []json.RawMessage{[]byte(`{}`)})
	f.must(err)
	completed.Attempt, completed.Parts = "attempt", parts
	completed, err = f.s.CompleteSearch(ctx, completed, 100, []string{"found"})
	f.done(completed.Status == search.Completed && completed.Stats.Consumed == 1, err)
	failed, err := f.s.FailSearch(ctx, f.orgID, begin("failed").ID, "Failed.", Now)
	f.done(failed.Status == search.Failed, err)
	f.done(f.s.SearchProgress(ctx, f.orgID, begin("running").ID, search.Stats{RawMatches: 1}))
}

// summaries makes a summary that completed and one that failed.
func (f filling) summaries() {
	ctx := f.t.Context()
	for _, id := range []string{"sum_completed", "sum_failed"} {
		_, err := f.s.BeginSummary(ctx, summary.Summary{
			ID:          id,
			WorkspaceID: f.orgID,
			Status:      summary.Running,
			Start:       Now.Add(-time.Hour),
			End:         Now,
			CreatedAt:   Now,
			ExpiresAt:   Now.Add(time.Hour),
		}, f.request+id)
		f.must(err)
	}
	f.done(f.s.CompleteSummary(ctx, f.orgID, "sum_completed", summary.Content{Headline: "No mentions."}))
	failed, err := f.s.FailSummary(ctx, f.orgID, "sum_failed", "Failed.")
	f.done(failed.Status == summary.Failed, err)
}

// setup makes three drafts: one whose proposal is applied and partly cleaned up after more runs than are kept, one with
// a run under way, and one whose domain is being scanned.
func (f filling) setup() {
	ctx := f.t.Context()
	const runs = 7
	applied := f.scanned("applied")
	for n := range runs {
		key := f.run(applied, fmt.Sprint("run", n))
		f.stages(key)
		f.must(f.s.FinishRun(ctx, key, proposal.End{Status: proposal.Ready, Proposal: f.proposal(applied)}))
	}
	made, err := f.s.ApplySetup(
		ctx,
		f.orgID,
		applied,
		50,
		f.request+"apply",
		func(proposal.Draft, proposal.Run, map[string]setupstore.EarlierKeyword) (setupstore.SetupChoice, error) {
			return setupstore.SetupChoice{Keywords: []string{"brand"}, Feeds: []string{"feed"}}, nil
		},
	)
	f.done(len(made.Keywords) == 1 && len(made.Feeds) == 1, err)
	_, err = f.s.CleanUp(
		ctx, f.orgID, made.Keywords[0].ID, []proposal.Setting{proposal.SettingExcludeWords}, nil, f.request+"clean", nil,
	)
	f.must(err)
	f.stages(f.run(f.scanned("under way"), "run"))
	_, err = f.s.CreateDraftOnce(ctx, f.orgID, "northwind.example", f.request+"scanning")
	f.must(
		err,
		f.s.RestoreDraft(
			ctx,
			f.orgID,
			proposal.Draft{
				ID:        workspace.NewID(proposal.PrefixDraft, Now),
				Domain:    "northwind.example",
				Status:    proposal.Failed,
				CreatedAt: Now,
				UpdatedAt: Now,
				Revision:  1,
			},
		),
	)
}

func (f filling) scanned(request string) (draftID string) {
	ctx := f.t.Context()
	d, err := f.s.CreateDraftOnce(ctx, f.orgID, "northwind.example", f.request+request)
	f.must(err, f.s.ScanDone(ctx, f.orgID, d.ID, &proposal.Profile{Company: "Northwind", Language: "english"}, ""))
	_, err = f.s.EditProfile(
		ctx, f.orgID, d.ID, func(p *proposal.Profile) error { p.Audience = "engineers"; return nil },
	)
	f.must(err)
	return d.ID
}

func (f filling) run(draftID, request string) proposal.Key {
	key, started, err := f.s.StartRunOnce(
		f.t.Context(), f.orgID, draftID, proposal.Balanced, "", time.Hour, f.request+draftID+request,
	)
	f.done(started, err)
	return key
}

func (f filling) stages(key proposal.Key) {
	ctx := f.t.Context()
	step := proposal.Step{Stage: proposal.StageMeasure, Status: proposal.StepRunning, Line: "Measuring", StartedAt: Now}
	_, err := f.s.BeginStep(ctx, key, step)
	f.must(err)
	_, err = f.s.KeepPart(ctx, key, "measure.hackernews", []byte("a part"))
	f.must(err)
	spent, err := f.s.SpendSurvey(ctx, key, 1, 10)
	f.done(spent, err)
	step.Status = proposal.StepOK
	f.must(f.s.EndStep(ctx, key, step, []byte("an outcome")))
}

func (f filling) proposal(draftID string) *proposal.Proposal {
	return &proposal.Proposal{
		ID:      "prop",
		DraftID: draftID,
		Keywords: []proposal.Keyword{
			{
				Ref:             "brand",
				Keyword:         "harborline",
				Tag:             keyword.OwnBrand,
				ExactMatch:      true,
				FeedRef:         "feed",
				ExcludeWords:    []string{"sailing"},
				AdditionalTerms: []string{"pager", "alert", "rota"},
				Approvals: []proposal.Approval{
					{Setting: proposal.SettingExcludeWords, Terms: []string{"sailing"}, Approval: proposal.InCleanup},
					{
						Setting:  proposal.SettingAdditionalTerms,
						Terms:    []string{"pager", "alert", "rota"},
						Approval: proposal.InCleanup,
					},
				},
			},
		},
		Feeds: []proposal.Feed{
			{
				Ref:         "feed",
				Name:        "Brand",
				Purpose:     proposal.ForBrand,
				KeywordRefs: []string{"brand"},
				Visible:     true,
				Source:      proposal.FromSetup,
			},
		},
	}
}

func (f filling) counters() {
	ctx := f.t.Context()
	hour := Now.Truncate(time.Hour)
	_, ok, err := f.s.Take(ctx, f.orgID, hour, 500)
	f.done(ok, err)
	for range 2 {
		ok, err = f.s.TakeExport(ctx, f.orgID, hour, 5)
		f.done(ok, err)
	}
	f.must(f.s.ReturnExport(ctx, f.orgID, hour), f.s.Dismiss(ctx, f.orgID, "an-item"))
	for _, purpose := range []string{"", "setup", "ai"} {
		ok, err = workspacestore.ModelBudget{Store: f.s.Kernel, Daily: 100, For: purpose}.Spend(ctx, f.orgID, 10)
		f.done(ok, err)
	}
	f.must(workspacestore.ModelBudget{Store: f.s.Kernel, Kind: workspacestore.Judge}.Count(ctx, f.orgID, 7, 3))
	claim := workspace.Claim{
		WorkspaceID: f.orgID,
		ID:          "kept",
		Owner:       "req_1",
		Now:         Now,
		Lease:       time.Minute,
		Keep:        24 * time.Hour,
	}
	_, err = f.s.Begin(ctx, claim)
	f.must(
		err, f.s.Keep(ctx, claim, workspace.StoredAnswer{Status: 200, Body: []byte(strings.Repeat(f.orgID, 20_000))}),
	)
	claim.ID = "released"
	_, err = f.s.Begin(ctx, claim)
	f.must(err, f.s.Release(ctx, claim))
}

// Exports returns the exports that Fill stores: one with its file, and one that is being written.
func Exports(orgID string) []mentionstore.Export {
	e := mentionstore.Export{
		ID:          "exp_done",
		WorkspaceID: orgID,
		Status:      mentionstore.ExportCompleted,
		Format:      "csv",
		Request:     []byte(`{}`),
		Rows:        1,
		CreatedAt:   Now,
		FinishedAt:  Now,
		ExpiresAt:   Now.Add(mentionstore.ExportKept),
	}
	e.Key = e.FileKey()
	return []mentionstore.Export{
		e,
		{
			ID:          "exp_running",
			WorkspaceID: orgID,
			Status:      mentionstore.ExportRunning,
			Format:      "json",
			Request:     []byte(`{}`),
			CreatedAt:   Now,
			ExpiresAt:   Now.Add(mentionstore.ExportKept),
		},
	}
}

func (f filling) exports() {
	ctx := f.t.Context()
	for _, e := range Exports(f.orgID) {
		running := e
		running.Status, running.Key, running.FinishedAt = mentionstore.ExportRunning, "", time.Time{}
		ok, err := f.s.PutExport(ctx, running)
		f.done(ok, err)
		ok, err = f.s.HoldExportSlot(ctx, f.orgID, e.ID, mentionstore.ExportSlots, Now.Add(time.Hour))
		f.done(ok, err)
		if e.Status.Settled() {
			ok, err = f.s.BeginExport(ctx, running, Now.Add(time.Hour))
			f.done(ok, err)
			f.must(f.s.EndExport(ctx, e, mentionstore.ExportSlots))
		}
	}
}

// DayFileKeys lists the keys of the files of days that Fill records for a workspace. Fill stores no files.
func DayFileKeys(orgID string) (keys []string) {
	for number := range int64(3) {
		key, err := files.Key(orgID, Now.AddDate(0, 0, -1), number+1)
		if err != nil {
			panic("worldtest: " + err.Error())
		}
		keys = append(keys, key)
	}
	return keys
}

func (f filling) dayFiles() {
	ctx, keys := f.t.Context(), DayFileKeys(f.orgID)
	f.must(f.s.AnnounceFiles(ctx, f.orgID, Now, Now))
	ok, err := f.s.PutDayFile(ctx, f.orgID, &mentionstore.DayFile{
		Day:     Now.AddDate(0, 0, -1),
		State:   mentionstore.DayWriting,
		Since:   Now,
		Number:  3,
		Key:     keys[0],
		Pending: keys[1],
		Old:     []mentionstore.OldFile{{Key: keys[2], Since: Now}},
	})
	f.done(ok, err)
}

// upgrade leaves a link to the upgrade page, and a wish that was made by another.
func (f filling) upgrade() {
	ctx := f.t.Context()
	link := workspacestore.UpgradeLink{WorkspaceID: f.orgID, KeyID: "key_1", ExpiresAt: Now.Add(15 * time.Minute)}
	open, spent := workspace.NewLinkSecret(), workspace.NewLinkSecret()
	f.must(f.s.CreateUpgradeLink(ctx, open.Digest(), link), f.s.CreateUpgradeLink(ctx, spent.Digest(), link),
		f.s.SpendUpgradeLink(ctx, spent.Digest(), link, workspace.Scale))
}
