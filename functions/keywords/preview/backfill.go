package preview

import (
	"context"
	"errors"
	"math"
	"net/http"
	"time"

	"earshot/functions/keywords"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/past"
	"earshot/shared/proposal"
	"earshot/shared/proposal/measure"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

func registerBackfill(api *web.API, p preview) {
	example := Backfill{
		KeywordID:      7,
		Status:         "running",
		Days:           90,
		From:           "2026-08-22T10:15:00.000Z",
		To:             "2026-11-20T10:15:00.000Z",
		Estimate:       Estimate{Low: 40, High: 120},
		PostsRead:      300,
		Matched:        52,
		Stored:         44,
		Billed:         41,
		SkippedSources: map[string]string{},
		StartedAt:      web.Some("2026-11-20T10:15:00.000Z"),
	}
	dry := Backfill{
		KeywordID:      7,
		Status:         "estimated",
		DryRun:         true,
		Days:           90,
		From:           example.From,
		To:             example.To,
		Estimate:       Estimate{Low: 40, High: 120},
		Fits:           web.Some(true),
		Remaining:      web.Some(24_880),
		SkippedSources: map[string]string{},
	}
	web.Register(api, web.Operation{
		ID:      "backfillKeyword",
		Method:  http.MethodPost,
		Path:    "/api/v2/keywords/{id}/backfill",
		Group:   keywords.Group,
		Scope:   workspace.Write,
		Summary: "Bring in a keyword's mentions of the past",
		Description: "Searches the last days of the archive, and of the platforms where they can be searched, for posts " +
			"that the keyword matches. They become mentions as if they had been collected when they were written: under " +
			"their own dates in lists, figures and volumes. A post that the workspace has already is not stored or billed " +
			"again. Without `exactMatch`, the archive finds words that begin with the keyword: posts that have it within " +
			"words only may be left out.\n\nNew mentions count against the month's quota, except those of the seven days " +
			"before the keyword was made. `estimate` is the range of mentions to be billed. With `dryRun` nothing else " +
			"happens, and `fits` says whether the month has room for its upper end. Otherwise that many mentions of the " +
			"month are set aside, and what is not used is returned at the end. QUOTA_EXCEEDED means that there is no room " +
			"for them. It is exact however many backfills start at once.\n\nA backfill begins within a minute. `GET` on " +
			"this path shows its progress. While one runs, the response is that backfill, and no second one starts. A " +
			"backfill that brings in more than was estimated uses the rest of the month too, and ends with the status " +
			"`quota_exhausted` if that is spent.\n\nA paused keyword has no backfill: INVALID_INPUT. If the keyword is " +
			"paused while a backfill runs, the backfill waits until it is resumed, and keeps what is set aside. It ends " +
			"with the keyword's deletion, which returns what is set aside.",
		Codes: []problem.Code{problem.KeywordNotFound, problem.QuotaExceeded, problem.InvalidInput},
		Answers: []web.Answer{
			{Status: http.StatusOK, ContentType: "application/json", Meaning: "The estimate of a dry run.", Body: dry},
			{Status: http.StatusAccepted, ContentType: "application/json", Meaning: "The backfill that runs.", Body: example},
		},
	}, p.backfill)
	web.Register(api, web.Operation{
		ID:      "getKeywordBackfill",
		Method:  http.MethodGet,
		Path:    "/api/v2/keywords/{id}/backfill",
		Group:   keywords.Group,
		Summary: "Read the progress of a keyword's backfills",
		Description: "`lookBack` is the search of the archive that a new keyword begins with. It is null in a deployment " +
			"without an archive, and for a keyword of before. `backfill` is the last one that was asked for.",
		Codes:   []problem.Code{problem.KeywordNotFound},
		Example: Backfills{Backfill: web.Some(example)},
	}, p.backfills)
}

// BackfillKeyword is the body of a backfill.
type BackfillKeyword struct {
	Days   int  `json:"days" minimum:"1" maximum:"90" doc:"How many days to look back from now."`
	DryRun bool `json:"dryRun,omitempty" doc:"true: only estimate."`
}

// BackfillInput holds a backfill.
type BackfillInput struct {
	keywords.KeywordPath
	Body BackfillKeyword
}

// Estimate is a range of mentions.
type Estimate struct {
	Low      int  `json:"low" minimum:"0"`
	High     int  `json:"high" minimum:"0"`
	Complete bool `json:"complete" doc:"Whether the range rests on every post of the archive. If false, it rests on a sample, or on the keyword's own volume."`
}

// Backfill is a search for mentions of the past.
type Backfill struct {
	KeywordID      int64             `json:"keywordId" minimum:"1" maximum:"9007199254740991"`
	Status         string            `json:"status" enum:"estimated,running,completed,quota_exhausted"`
	DryRun         bool              `json:"dryRun"`
	Days           int               `json:"days" minimum:"1"`
	From           string            `json:"from" format:"date-time"`
	To             string            `json:"to" format:"date-time"`
	Estimate       Estimate          `json:"estimate" doc:"Mentions that the backfill bills."`
	Fits           web.Null[bool]    `json:"fits" doc:"Of a dry run: whether the month has room for the upper end of the estimate."`
	Remaining      web.Null[int]     `json:"remaining" doc:"Of a dry run: mentions that the month has left."`
	PostsRead      int               `json:"postsRead" minimum:"0" doc:"Posts that were read so far."`
	Matched        int               `json:"matched" minimum:"0" doc:"Of them: posts that the keyword matches."`
	Stored         int               `json:"stored" minimum:"0" doc:"New mentions so far."`
	Billed         int               `json:"billed" minimum:"0" doc:"Of them: mentions that were paid from what was set aside."`
	SkippedSources map[string]string `json:"skippedSources" doc:"Why a source was not read, by its name."`
	StartedAt      web.Null[string]  `json:"startedAt"`
	FinishedAt     web.Null[string]  `json:"finishedAt"`
}

// Backfills are a keyword's.
type Backfills struct {
	LookBack web.Null[Backfill] `json:"lookBack"`
	Backfill web.Null[Backfill] `json:"backfill"`
}

func (p preview) backfill(ctx context.Context, in *BackfillInput) (*Backfill, error) {
	caller := web.CallerOf(ctx)
	k, err := p.Store.Keyword(ctx, caller.Workspace.ID, in.ID)
	if err != nil {
		return nil, keywords.Refused(ctx, err)
	}
	if k.Paused {
		return nil, problem.New(
			problem.InvalidInput, "The keyword is paused. Resume it with POST /api/v2/keywords/{id}/pause, then backfill.",
		)
	}
	now := p.Clock.Now().UTC().Truncate(time.Millisecond)
	b := listenstore.Backfill{
		WorkspaceID: caller.Workspace.ID,
		KeywordID:   k.ID,
		Kind:        listenstore.Asked,
		Days:        in.Body.Days,
		Since:       now.Add(-time.Duration(in.Body.Days) * past.Day),
		Until:       now,
		Skipped:     map[string]string{},
	}
	if !in.Body.DryRun {
		web.SetStatus(ctx, http.StatusAccepted)
		if running, err := p.running(ctx, b); running != nil || err != nil {
			return running, err
		}
	}
	estimate, skipped, err := p.estimate(ctx, k, b)
	if err != nil {
		return nil, err
	}
	b.Low, b.High, b.Whole = estimate.Low, estimate.High, estimate.Complete
	if in.Body.DryRun {
		usage, err := p.Store.Usage(ctx, caller.Workspace)
		if err != nil {
			return nil, err
		}
		b.Status, b.Skipped = "estimated", skipped
		out := fromBackfill(b)
		left := max(0, usage.Limit-usage.Stored)
		out.DryRun = true
		out.Fits, out.Remaining = web.Some(estimate.High <= left), web.Some(left)
		return &out, nil
	}
	started, err := p.Store.StartBackfill(ctx, b, caller.Workspace.MentionLimit(), web.Repeated(ctx))
	if errors.Is(err, listenstore.ErrBackfillQuota) {
		return nil, problem.New(
			problem.QuotaExceeded,
			"The backfill is estimated to bring in up to %d mentions, and the month has no room for them. Choose fewer "+
				"days, upgrade the plan, or wait until the month ends. A dry run says how many are left.", estimate.High,
		)
	}
	if err != nil {
		return nil, keywords.Refused(ctx, err)
	}
	out := fromBackfill(started)
	return &out, nil
}

// running returns the backfill that runs; nil if there is none.
func (p preview) running(ctx context.Context, b listenstore.Backfill) (*Backfill, error) {
	last, err := p.Store.Backfill(ctx, b.WorkspaceID, b.KeywordID, b.Kind)
	if errors.Is(err, store.ErrNotFound) || err == nil && last.Status != listenstore.BackfillRunning {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := fromBackfill(last)
	return &out, nil
}

func (p preview) backfills(ctx context.Context, in *keywords.KeywordPath) (*Backfills, error) {
	orgID := web.CallerOf(ctx).Workspace.ID
	if _, err := p.Store.Keyword(ctx, orgID, in.ID); err != nil {
		return nil, keywords.Refused(ctx, err)
	}
	out := &Backfills{}
	for kind, into := range map[string]*web.Null[Backfill]{
		listenstore.LookBack: &out.LookBack, listenstore.Asked: &out.Backfill,
	} {
		b, err := p.Store.Backfill(ctx, orgID, in.ID, kind)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		*into = web.Some(fromBackfill(b))
	}
	return out, nil
}

func fromBackfill(b listenstore.Backfill) Backfill {
	out := Backfill{
		KeywordID:      b.KeywordID,
		Status:         string(b.Status),
		Days:           b.Days,
		From:           web.FormatTime(b.Since),
		To:             web.FormatTime(b.Until),
		Estimate:       Estimate{Low: b.Low, High: b.High, Complete: b.Whole},
		PostsRead:      b.Read,
		Matched:        b.Matched,
		Stored:         b.Stored,
		Billed:         b.Paid,
		SkippedSources: b.Skipped,
	}
	if !b.StartedAt.IsZero() {
		out.StartedAt = web.Some(web.FormatTime(b.StartedAt))
	}
	if !b.FinishedAt.IsZero() {
		out.FinishedAt = web.Some(web.FormatTime(b.FinishedAt))
	}
	return out
}

// estimate returns how many mentions a backfill will bill. The archive's matches that the workspace does not have are
// counted. Where platforms are searched too, or posts of the archive are left, the range is that of the keyword's own
// volume if that is higher.
func (p preview) estimate(
	ctx context.Context, k keyword.Keyword, b listenstore.Backfill,
) (e Estimate, skipped map[string]string, err error) {
	filters, err := p.Store.Filters(ctx, b.WorkspaceID)
	if err != nil {
		return e, nil, err
	}
	found, err := p.count(ctx, past.Question{
		Keyword: k, Filters: filters, Since: b.Since, Days: b.Days, Until: b.Until, Most: most,
	})
	if err != nil {
		return e, nil, err
	}
	billed, err := p.billed(ctx, k, b, found)
	if err != nil {
		return e, nil, err
	}
	e = Estimate{Low: billed, High: billed, Complete: found.Whole && !p.Live}
	if !found.Whole && billed > 0 {
		e.High = extrapolated(found, billed)
	}
	if p.Live {
		volume, err := p.Store.KeywordVolume(ctx, b.WorkspaceID, k.ID)
		if err != nil {
			return e, nil, err
		}
		low, high := ownVolume(volume, b.Days)
		e.Low, e.High = max(e.Low, low), max(e.High, high)
	}
	return e, found.Skipped, nil
}

// billed counts the matches that the workspace does not have and that are not free.
func (p preview) billed(
	ctx context.Context, k keyword.Keyword, b listenstore.Backfill, found past.Answer,
) (n int, err error) {
	var charged []mention.Mention
	for _, m := range found.Matches {
		if !keyword.LookedBack(m.PostedAt, []*keyword.Keyword{&k}) {
			charged = append(charged, mention.Mention{SourceID: m.SourceID, PostedAt: m.PostedAt})
		}
	}
	known, err := p.Store.Known(ctx, b.WorkspaceID, charged)
	if err != nil {
		return 0, err
	}
	for _, m := range charged {
		if !known[m.SourceID] {
			n++
		}
	}
	return n, nil
}

// extrapolated returns the upper end for a count of a sample: as many in the time that was not read as in that which
// was, at the confidence of the engine's ranges.
func extrapolated(found past.Answer, counted int) int {
	read, all := 0.0, 0.0
	for _, p := range found.Platforms {
		read += p.To.Sub(p.From).Hours()
		all += p.To.Sub(found.From).Hours()
	}
	_, high := measure.Interval(int64(counted), proposal.CoverageConfidence)
	if read <= 0 {
		return counted
	}
	return int(math.Ceil(high * max(1, all/read)))
}

// ownVolume returns the range of mentions that a keyword's own volume lets expect in some days, without those that it
// has.
func ownVolume(volume listenstore.KeywordVolume, days int) (low, high int) {
	const ref = "keyword"
	analog := measure.Analog{Posts: map[string]int64{"all": volume.Last30}, Window: proposal.Month}
	had := volume.Last30
	if volume.Last30 == volume.Last7 || days < 30 { // a keyword of this week, whose weeks before are not known
		analog = measure.Analog{Posts: map[string]int64{"all": volume.Last7}, Window: proposal.Week}
		had = volume.Last7
	}
	candidates := proposal.Candidates{Candidates: []proposal.Candidate{{Ref: ref}}}
	monthly := measure.Join(
		candidates, nil, map[string]measure.Analog{ref: analog}, nil, time.Time{},
	).Volumes[ref]
	part := float64(days) / proposal.Month.Days()
	low = max(0, int(math.Floor(monthly.Low*part))-int(had))
	return low, max(low, int(math.Ceil(monthly.High*part))-int(had))
}
