package setup_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/proposal/rule"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

// poll reads a proposal's status as it came.
func (d desk) poll(t testing.TB, id string) map[string]any {
	t.Helper()
	var found map[string]any
	d.Client.As(d.Read).Get(t, "/api/v2/setup/proposals/"+id).OK(t, &found)
	keys := slices.Sorted(maps.Keys(found))
	want := []string{"agentFallback", "degraded", "domain", "draftId", "finishedAt", "guideVersion", "model", "proposal",
		"stale", "startedAt", "status",
		"steps", "tier", "timeline"}
	if !slices.Equal(keys, want) {
		t.Errorf("keys %q", keys)
	}
	return found
}

func TestPollThroughAllStates(t *testing.T) {
	d := newDesk(t)
	id := d.scanned(t)
	d.Client.Get(t, "/api/v2/setup/proposals/"+id).Is(t, 404, "SETUP_PROPOSAL_NOT_FOUND")
	key := d.proposed(t, id)
	began := "2026-11-20T10:15:00.000Z"
	want := map[string]any{"draftId": id, "domain": "northwind.example", "status": "proposing", "stale": false,
		"tier": "balanced", "model": "some.model",
		"guideVersion": proposal.GuideVersion, "agentFallback": false, "startedAt": began, "finishedAt": nil,
		"steps": []any{}, "degraded": []any{},
		"timeline": []any{}, "proposal": nil}
	if found := d.poll(t, id); !reflect.DeepEqual(found, want) {
		t.Errorf("got  %v\nwant %v", found, want)
	}
	var steps, timeline []any
	for i, stage := range proposal.Pipeline() {
		at := worldtest.Now.Add(time.Duration(i+1) * time.Second)
		d.Clock.Freeze(at)
		stamp := at.Format("2006-01-02T15:04:05.000Z")
		_, err := d.Store.BeginStep(t.Context(), key,
			proposal.Step{Stage: stage.Name, Status: proposal.StepRunning, Line: stage.Line, StartedAt: at})
		if err != nil {
			t.Fatal(err)
		}
		want["status"] = string(stage.Status)
		want["steps"] = append(slices.Clone(steps),
			map[string]any{"stage": string(stage.Name), "status": "running", "line": stage.Line, "startedAt": stamp, "ms": nil})
		want["timeline"] = append(slices.Clone(timeline),
			map[string]any{"kind": "stage", "name": string(stage.Name), "status": "running", "ms": nil})
		if found := d.poll(t, id); !reflect.DeepEqual(found, want) {
			t.Errorf("during %s\ngot  %v\nwant %v", stage.Name, found, want)
		}
		took := 1234567 * time.Microsecond
		ended := proposal.Step{
			Stage:     stage.Name,
			Status:    proposal.StepOK,
			Line:      "Done",
			StartedAt: at,
			Took:      took,
			Timeline: []proposal.Entry{
				{Kind: proposal.EntryTool, Name: "measure_keyword", Status: "ok"},
				{Kind: proposal.EntryStage, Name: string(stage.Name), Status: "ok", Took: &took}},
		}
		if stage.Name == proposal.StageAgent {
			ended.Status, ended.Degraded = proposal.StepFailed, []proposal.Degradation{proposal.Degrade(proposal.AgentFailed)}
			want["degraded"] = []any{map[string]any{"code": "agent_failed", "message": ended.Degraded[0].Message}}
		}
		if err := d.Store.EndStep(t.Context(), key, ended, nil); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, map[string]any{"stage": string(stage.Name), "status": string(ended.Status), "line": "Done",
			"startedAt": stamp, "ms": 1234.0})
		timeline = append(timeline, map[string]any{"kind": "tool", "name": "measure_keyword", "status": "ok", "ms": nil},
			map[string]any{"kind": "stage", "name": string(stage.Name), "status": "ok", "ms": 1234.0})
	}
	etag := d.Client.Get(t, "/api/v2/setup/proposals/"+id).Header.Get("ETag")
	if again := d.Client.Get(t, "/api/v2/setup/proposals/"+id, "If-None-Match", etag); again.Status != 304 {
		t.Errorf("nothing is new: %d", again.Status)
	}
	made := example(id)
	d.finish(t, key, proposal.End{Status: proposal.Ready, Proposal: &made, AgentFallback: true})
	want["status"], want["steps"], want["timeline"], want["agentFallback"] = "ready", steps, timeline, true
	want["finishedAt"] = worldtest.Now.Add(5 * time.Second).Format("2006-01-02T15:04:05.000Z")
	found := d.poll(t, id)
	shown, _ := found["proposal"].(map[string]any)
	if want["proposal"] = shown; shown["id"] != "prop_1" || !reflect.DeepEqual(found, want) {
		t.Errorf("got  %v\nwant %v", found, want)
	}
	if read, err := d.Store.Draft(t.Context(), d.Main.ID, id); err != nil || read.Status != proposal.Ready {
		t.Errorf("%+v %v", read, err)
	}
	d.Client.Patch(t, "/api/v2/setup/drafts/"+id, `{"profile":{"company":"Northwind"}}`).OK(t, nil)
	if found := d.poll(t, id); found["stale"] != false {
		t.Error("an edit that changed nothing made it stale")
	}
	d.Client.Patch(t, "/api/v2/setup/drafts/"+id, `{"profile":{"company":"Southwind"}}`).OK(t, nil)
	if found := d.poll(t, id); found["stale"] != true || found["proposal"] == nil {
		t.Errorf("%v", found)
	}
	next := d.proposed(t, id)
	if found := d.poll(t, id); found["stale"] != false || found["proposal"] != nil || found["status"] != "proposing" ||
		found["finishedAt"] != nil {
		t.Errorf("another run: %v", found)
	}
	d.Client.Patch(t, "/api/v2/setup/drafts/"+id, `{"profile":{"company":"Eastwind"}}`).OK(t, nil)
	if found := d.poll(t, id); found["stale"] != true || found["status"] != "proposing" {
		t.Errorf("edited while it is made: %v", found)
	}
	d.finish(t, next, proposal.End{Status: proposal.NeedsNarrowing, Proposal: &made})
	if found := d.poll(t, id); found["status"] != "needs_narrowing" || found["proposal"] == nil {
		t.Errorf("%v", found)
	}
	// Applied, the proposal is no more for review.
	_, err := d.Table.Update(t.Context(),
		table.Update{Table: rows.CoreTable, Key: table.Key{Partition: d.Main.ID, Sort: "draft#" + id},
			Set: map[string]any{"status": "applied"}})
	if err != nil {
		t.Fatal(err)
	}
	if found := d.poll(t, id); found["status"] != "applied" || found["proposal"] != nil {
		t.Errorf("%v", found)
	}
	third := d.proposed(t, id)
	d.finish(t, third, proposal.End{Status: proposal.Failed, Message: "The rules refuse it."})
	if found := d.poll(t, id); found["status"] != "failed" || found["proposal"] != nil {
		t.Errorf("%v", found)
	}
}

func TestPollWithoutModel(t *testing.T) {
	d := newDesk(t)
	id := d.scanned(t)
	if _, _, err := d.Store.StartRun(t.Context(), d.Main.ID, id, proposal.Thorough, "", proposal.RunLimit); err != nil {
		t.Fatal(err)
	}
	if found := d.poll(t, id); found["model"] != nil || found["tier"] != "thorough" {
		t.Errorf("%v", found)
	}
	for length, code := range map[int]string{1: "SETUP_PROPOSAL_NOT_FOUND", 64: "SETUP_PROPOSAL_NOT_FOUND", 65: "VALIDATION_ERROR"} {
		answer := d.Client.Get(t, "/api/v2/setup/proposals/"+fmt.Sprintf("%0*d", length, 0))
		answer.Is(t, map[bool]int{true: 404, false: 400}[length < 65], code)
	}
	for _, odd := range []string{"draft_%23", "%00", "draft_%F0%9D%84%9E", "..%2F", "draft_" + id} {
		d.Client.Get(t, "/api/v2/setup/proposals/"+odd).Is(t, 404, "SETUP_PROPOSAL_NOT_FOUND")
	}
}

// A poll is two round trips beside those of every request: the key, and the hour's counter.
func TestRoundTripsOfAPoll(t *testing.T) {
	d := newDesk(t)
	id := d.scanned(t)
	d.finish(t, d.proposed(t, id), proposal.End{Status: proposal.Failed})
	ctx, meter := table.WithMeter(t.Context())
	if _, _, err := d.Store.Setup(ctx, d.Main.ID, id); err != nil {
		t.Fatal(err)
	}
	if used := meter.Total(); used.Reads != 2 || used.Writes != 0 {
		t.Errorf("%+v", used)
	}
}

// example is a proposal with something in every place.
func example(draftID string) proposal.Proposal {
	saved := 12.5
	return proposal.Proposal{
		ID:           "prop_1",
		DraftID:      draftID,
		Domain:       "northwind.example",
		SkillVersion: proposal.SkillVersion,
		Model:        proposal.NoModel,
		Archetype:    proposal.Standard,
		Keywords: []proposal.Keyword{
			{
				Ref:             "brand",
				Keyword:         "northwind",
				Tag:             keyword.OwnBrand,
				Route:           proposal.Anchored,
				ExactMatch:      true,
				AdditionalTerms: []string{"pager"},
				Platforms:       []string{"reddit"},
				Context:         "Northwind, the <pager>.",
				FeedRef:         "feed",
				Explanation:     "You see what is said of you.",
				Confidence:      0.5,
				Volume: proposal.Volume{
					Low:    1,
					High:   30,
					Band:   proposal.BandQuiet,
					Basis:  proposal.BasisSampled,
					Window: proposal.Week,
					PerSource: []proposal.SourceCount{{
						Source: "hackernews",
						Count:  3,
						Window: proposal.Week,
						Factor: 1,
						Low:    1,
						High:   30,
					}},
				},
				Sample: &proposal.Sample{
					Scored:        3,
					RelevanceRate: 1,
					Clusters:      []proposal.Cluster{{Label: "x", Share: 1}},
				},
				Reasons:           []proposal.Reason{{Basis: proposal.ByRule, Ref: "K1", Text: "It is the brand."}},
				Flags:             []proposal.Flag{proposal.FlagSparse},
				SelectedByDefault: true,
				OptionGroup:       "brand",
				Approvals: []proposal.Approval{{
					Setting:  proposal.SettingAdditionalTerms,
					Terms:    []string{"pager"},
					Approval: proposal.InCleanup,
					Reason:   "x",
				}},
				Approval: map[proposal.Setting]proposal.Approves{
					proposal.SettingAdditionalTerms: proposal.InCleanup,
					proposal.SettingTag:             proposal.Quietly,
				},
			}, {
				Ref:                  "bare",
				Keyword:              "southwind",
				Tag:                  keyword.Competitor,
				Route:                proposal.Bare,
				AdditionalTermsLogic: keyword.All,
				FeedRef:              "feed",
				Volume: proposal.Volume{
					High:   1,
					Band:   proposal.BandQuiet,
					Basis:  proposal.BasisPrior,
					Window: proposal.Month,
				},
			},
		},
		Options: []proposal.Option{{ID: "o", KeywordRef: "brand", Label: "Wider"}},
		Feeds: []proposal.Feed{
			{
				Ref:         "feed",
				Name:        "Brand",
				Purpose:     proposal.ForBrand,
				KeywordRefs: []string{"brand"},
				Visible:     true,
				Source:      proposal.FromSetup,
			},
			{
				Ref:           "other",
				Purpose:       proposal.Merged,
				ContentTerms:  []string{"x"},
				MergedIntoRef: "feed",
				Source:        proposal.FromMentions,
				Gate:          proposal.FeedGate{DuplicateOf: "feed"},
			},
		},
		Platforms: proposal.Platforms{On: []string{"reddit"}, Off: []proposal.PlatformOff{{Source: "tiktok", Reason: "x"}}},
		Totals: proposal.Totals{
			ProjectedMonthly: 15,
			DedupedMonthly:   15,
			Allowance:        5000,
			Band:             proposal.Pass,
			NarrowingApplied: []proposal.Narrowing{
				{Step: proposal.Split, Target: "brand", Reason: "x"},
				{Step: proposal.SourceOff, Target: "tiktok", SavedMonthly: &saved}},
		},
		Warnings:      []proposal.Warning{{Code: "x", Message: "y"}, {Code: "x", Keyword: "northwind"}},
		Measurement:   proposal.Measurement{MeasuredAt: worldtest.Now, Sources: []string{"hackernews"}},
		Confidence:    0.7,
		AgentFallback: true,
	}
}

// What is optional is left out, what is not is there: null, or an array without elements.
func TestProposalOnTheWire(t *testing.T) {
	d := newDesk(t)
	id := d.scanned(t)
	made := example(id)
	d.finish(t, d.proposed(t, id), proposal.End{Status: proposal.Ready, Proposal: &made})
	shown := d.poll(t, id)["proposal"].(map[string]any)
	first, second := shown["keywords"].([]any)[0].(map[string]any), shown["keywords"].([]any)[1].(map[string]any)
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"platforms", first["platforms"], []any{"reddit"}},
		{"no platforms", second["platforms"], nil},
		{"no sample", second["sample"], nil},
		{"option group", first["optionGroup"], "brand"},
		{"logic", first["additionalTermsLogic"], "any"},
		{"other logic", second["additionalTermsLogic"], "all"},
		{"approval", first["approval"], map[string]any{"additionalTerms": "cleanup", "tag": "quiet"}},
		{"no approval", second["approval"], map[string]any{}},
		{"approvals", first["approvals"],
			[]any{map[string]any{"setting": "additionalTerms", "terms": []any{"pager"}, "approval": "cleanup", "reason": "x"}}},
		{"no terms", second["additionalTerms"], []any{}},
		{"no reasons", second["reasons"], []any{}},
		{"volume", first["volume"].(map[string]any)["perSource"],
			[]any{map[string]any{"source": "hackernews", "count": 3.0, "window": "7d", "factor": 1.0,
				"low": 1.0, "high": 30.0}}},
		{"sample", first["sample"],
			map[string]any{"scored": 3.0, "relevanceRate": 1.0, "clusters": []any{map[string]any{"label": "x", "share": 1.0}}}},
		{"narrowing", shown["totals"].(map[string]any)["narrowingApplied"], []any{
			map[string]any{"step": "split", "target": "brand", "savedMonthly": nil, "reason": "x"},
			map[string]any{"step": "source_off", "target": "tiktok", "savedMonthly": 12.5, "reason": ""}}},
		{"warnings", shown["warnings"], []any{map[string]any{"code": "x", "message": "y"},
			map[string]any{"code": "x", "keyword": "northwind", "message": ""}}},
		{"feeds", shown["feeds"], []any{
			map[string]any{"ref": "feed", "name": "Brand", "purpose": "brand", "keywordRefs": []any{"brand"}, "visible": true,
				"source": "setup",
				"gate":   map[string]any{"weeklySample": 0.0, "relevanceRate": 0.0, "dominantClusterShare": 0.0}},
			map[string]any{"ref": "other", "name": "", "purpose": "merged", "keywordRefs": []any{}, "contentTerms": []any{"x"},
				"visible":       false,
				"mergedIntoRef": "feed", "source": "mentions",
				"gate": map[string]any{"weeklySample": 0.0, "relevanceRate": 0.0, "dominantClusterShare": 0.0,
					"duplicateOf": "feed"}}}},
		{"measurement", shown["measurement"],
			map[string]any{"measuredAt": "2026-11-20T10:15:00.000Z", "sources": []any{"hackernews"}, "unmeasured": []any{}}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	for _, key := range []string{"optionGroup"} {
		if _, there := second[key]; there {
			t.Errorf("%s is there", key)
		}
	}
}

// Whatever the bounds of a proposal allow is an answer that the document allows: the client holds each to it.
func TestEveryProposalFitsTheDocument(t *testing.T) {
	d := newDesk(t)
	id := d.scanned(t)
	hour := 0
	rapid.Check(t, func(r *rapid.T) {
		hour++
		d.Clock.Freeze(worldtest.Now.Add(time.Duration(hour) * time.Hour))
		p := drawn(r, id)
		d.finish(t, d.proposed(t, id), proposal.End{Status: proposal.Ready, Proposal: &p})
		found := d.poll(t, id)
		if shown, _ := found["proposal"].(map[string]any); shown == nil || len(shown["keywords"].([]any)) != len(p.Keywords) {
			r.Fatalf("%v", found)
		}
	})
}

// What the document refuses, the engine's gate refuses: so that no proposal that leaves the engine is an answer that it
// does not allow.
func TestGateRefusesWhatTheDocumentDoes(t *testing.T) {
	for i, way := range wild() {
		p := example("draft_x")
		p.Keywords[0].AdditionalTermsLogic = keyword.Any
		before := len(rule.Schema(p))
		way(&p)
		if after := len(rule.Schema(p)); after <= before {
			t.Errorf("way %d: %d findings, %d without it", i, after, before)
		}
	}
}
