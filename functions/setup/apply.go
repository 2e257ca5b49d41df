package setup

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"

	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/setupstore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Applications writes what is chosen of proposals.
type Applications interface {
	// ApplySetup writes all of a choice or nothing, each ref once. Answers store.ErrNotFound for a draft without a run,
	// what choose answers, a store.KeywordRoomError, store.ErrKeywordTooLarge, store.ErrFeedLimit,
	// store.ErrFeedTooLarge and store.ErrConflict.
	ApplySetup(
		ctx context.Context, orgID, draftID string, limit int, request string,
		choose func(proposal.Draft, proposal.Run, map[string]setupstore.EarlierKeyword) (setupstore.SetupChoice, error),
	) (setupstore.SetupApplied, error)
}

type apply struct{ store Applications }

func registerApply(api *web.API, applications Applications) {
	web.Register(api, web.Operation{
		ID:      "applySetup",
		Method:  http.MethodPost,
		Path:    proposalsPath + "/{id}/apply",
		Group:   Group,
		Scope:   workspace.Write,
		Flag:    workspace.FlagSetupOnboarding,
		Summary: "Apply a proposal",
		Description: "Creates the keywords and feeds of a proposal that is `ready`, or makes the choice that one " +
			"with `needs_narrowing` asks for. The draft is `applied` from then on. Send `{}` to apply what the " +
			"proposal selects: keywords and options with `selectedByDefault`, and the visible feeds that have one " +
			"of the keywords. A list that you give replaces this selection, and can name anything in the proposal. " +
			"An empty list selects nothing. Everything is written, or nothing.\n\nA proposal with `needs_narrowing`, or " +
			"one that the plan has become too small for, has to be narrowed by what you send: name keywords in " +
			"`keywordRefs`, options in `optionIds`, or both. The volumes of what you " +
			"choose must fit the plan's allowance together. A keyword costs the middle of its volume. With an option it " +
			"costs the option's `projectedMonthly`.\n\nAn option sets the `additionalTerms` of its keyword, and " +
			"narrows its platforms where its description says so. The keyword must be applied with it or before " +
			"it. Each keyword can have one option. A feed shows those of its keywords that are applied, now or " +
			"before, and those of feeds that are merged into it. A feed of the brand becomes the default if the workspace had no feed.\n\nSettings that are approved " +
			"as `quiet` are written now. Settings approved as `cleanup` wait for the clean-up after the first " +
			"collection. They are the additionalTerms of the own brand, unless the keyword says otherwise. If " +
			"the workspace has no company profile, the profile's company, domain, description, products and " +
			"audience are written too. Mentions are judged by them.\n\nEach ref is created once. Applying again " +
			"returns what exists, with `created` false. It can also apply refs that were left out before. A " +
			"feed that nobody has changed takes in keywords that are applied later. What was deleted since is " +
			"not created again. `skipped` lists what was not done. ITEM_EXISTS in it is a keyword that the " +
			"workspace tracks already. That keyword stays as it is and stands for the ref.\n\nINVALID_INPUT " +
			"means that the proposal is not ready, that the choice is more than the allowance, or that the profile " +
			"was edited since. KEYWORD_LIMIT_EXCEEDED means that the plan has no room for all selected keywords. Select fewer.",
		Codes:   []problem.Code{problem.SetupProposalNotFound, problem.InvalidInput, problem.KeywordLimitExceeded},
		Example: exampleApplied(),
	}, apply{applications}.apply)
}

func (a apply) apply(ctx context.Context, in *ApplySetupInput) (*SetupApplied, error) {
	caller := web.CallerOf(ctx).Workspace
	limit := caller.Plan.Limits().Keywords
	choose := func(d proposal.Draft, run proposal.Run,
		before map[string]setupstore.EarlierKeyword) (setupstore.SetupChoice, error) {
		return in.Body.choose(d, run, before, float64(caller.MentionLimit()))
	}
	done, err := a.store.ApplySetup(ctx, caller.ID, in.ID, limit, web.Repeated(ctx), choose)
	var room *setupstore.KeywordRoomError
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, problem.New(
			problem.SetupProposalNotFound, "This draft has no proposal. POST %s with its draftId first.", proposalsPath,
		)
	case errors.As(err, &room):
		return nil, noRoom(caller.Plan, *room)
	case errors.Is(err, listenstore.ErrKeywordTooLarge):
		return nil, problem.New(
			problem.InvalidInput,
			"The workspace's keywords would be too large together. Apply fewer, or shorten the lists of others. "+
				"Nothing was written.",
		)
	case errors.Is(err, listenstore.ErrFeedLimit):
		return nil, problem.New(
			problem.InvalidInput,
			"The workspace has no room for further feeds. Delete some, or send an empty feedRefs. Nothing was written.",
		)
	case errors.Is(err, listenstore.ErrFeedTooLarge):
		return nil, problem.New(
			problem.InvalidInput,
			"The workspace's feeds would be too large together. Delete some, or send an empty feedRefs. Nothing was written.",
		)
	case errors.Is(err, store.ErrConflict):
		return nil, problem.New(problem.InvalidInput,
			"Other requests keep changing the draft, its keywords or its feeds. Apply again.").
			Because(err)
	case err != nil:
		return nil, err
	}
	answer := fromApplied(in.ID, done)
	return &answer, nil
}

// noRoom refuses keywords that the plan has no room for, and says how many fit.
func noRoom(plan workspace.Plan, room setupstore.KeywordRoomError) error {
	remedy := "Delete keywords, or upgrade the plan."
	if left := room.Limit - room.Have; left > 0 {
		remedy = fmt.Sprintf("Name at most %d in keywordRefs, delete keywords, or upgrade the plan.", left)
	}
	keywords := "keywords"
	if room.New == 1 {
		keywords = "keyword"
	}
	return problem.New(
		problem.KeywordLimitExceeded,
		"The proposal would add %d %s to the %d that the workspace has, and the plan %s has room for %d. %s Nothing was written.",
		room.New, keywords, room.Have, plan, room.Limit, remedy,
	)
}

// choose is what the body means of a run's proposal. allowance is what the plan allows now, mentions a month: the
// proposal may have been made on a larger plan.
func (b ApplySetup) choose(
	d proposal.Draft, run proposal.Run, before map[string]setupstore.EarlierKeyword, allowance float64,
) (choice setupstore.SetupChoice, err error) {
	if err := applicable(d, run); err != nil {
		return choice, err
	}
	p := *run.Proposal
	allowance = min(p.Totals.Allowance, allowance)
	p.Totals.Allowance = allowance
	var faults []problem.Detail
	choice.Keywords = b.KeywordRefs
	if b.KeywordRefs == nil {
		choice.Keywords = refsOf(
			p.Keywords, func(k proposal.Keyword) (string, bool) { return k.Ref, k.SelectedByDefault },
		)
	}
	was := func(ref string) bool { _, applied := before[ref]; return applied }
	// A keyword that was there and was deleted is made; one that was made of the ref and deleted is not made again.
	makes := func(ref string) bool { return !was(ref) || before[ref].Deleted && !before[ref].Made }
	adds := len(b.OptionIDs) > 0 || slices.ContainsFunc(choice.Keywords, makes)
	narrows := run.Ended == proposal.NeedsNarrowing || adds && p.Totals.DedupedMonthly > allowance
	if narrows && b.KeywordRefs == nil && b.OptionIDs == nil {
		return choice, tooMuch(p, run.Ended, p.Totals.DedupedMonthly)
	}
	faults = append(
		faults,
		named(
			"keywordRefs", b.KeywordRefs,
			refsOf(p.Keywords, func(k proposal.Keyword) (string, bool) { return k.Ref, true }),
		)...)
	applied := func(ref string) bool { return was(ref) || slices.Contains(choice.Keywords, ref) }

	faults = append(
		faults,
		named(
			"optionIds", b.OptionIDs, refsOf(p.Options, func(o proposal.Option) (string, bool) { return o.ID, true }),
		)...)
	choice.Options = b.OptionIDs
	chosen := map[string]string{} // keywords to options
	if b.OptionIDs == nil {
		for _, o := range p.Options {
			if o.SelectedByDefault && !was(o.KeywordRef) && applied(o.KeywordRef) && chosen[o.KeywordRef] == "" {
				chosen[o.KeywordRef] = o.ID
				choice.Options = append(choice.Options, o.ID)
			}
		}
	}
	for i, id := range b.OptionIDs {
		at := slices.IndexFunc(p.Options, func(o proposal.Option) bool { return o.ID == id })
		if at < 0 || slices.Index(b.OptionIDs, id) < i {
			continue
		}
		switch ref := p.Options[at].KeywordRef; {
		case chosen[ref] != "":
			faults = append(faults, problem.Detail{Path: fmt.Sprintf("optionIds[%d]", i), Code: "conflict",
				Message: fmt.Sprintf("The keyword %q has another option already. Choose one.", ref)})
		case !applied(ref):
			faults = append(faults, problem.Detail{Path: fmt.Sprintf("optionIds[%d]", i), Code: "keyword_not_applied",
				Message: fmt.Sprintf("Its keyword %q is not applied. Name it in keywordRefs.", ref)})
		default:
			chosen[ref] = id
		}
	}

	choice.Feeds = b.FeedRefs
	if b.FeedRefs == nil {
		choice.Feeds = refsOf(
			p.Feeds, func(f proposal.Feed) (string, bool) { return f.Ref, f.Visible && showsAny(p, f, applied) },
		)
	}
	faults = append(
		faults,
		named("feedRefs", b.FeedRefs, refsOf(p.Feeds, func(f proposal.Feed) (string, bool) { return f.Ref, true }))...)
	if len(faults) > 0 {
		return setupstore.SetupChoice{}, problem.Invalid(faults...)
	}
	for ref, earlier := range before { // it keeps its option unless another is chosen
		if chosen[ref] == "" {
			chosen[ref] = earlier.Option
		}
	}
	tracked := func(ref string) bool {
		return slices.Contains(choice.Keywords, ref) && makes(ref) || was(ref) && !before[ref].Deleted
	}
	if monthly := cost(p, tracked, chosen); narrows && monthly > allowance {
		return setupstore.SetupChoice{}, tooMuch(p, run.Ended, monthly)
	}
	return choice, nil
}

// cost returns how many posts a month the tracked keywords bring together, each with its option if it has one. Posts that
// several bring count for each.
func cost(p proposal.Proposal, tracked func(ref string) bool, chosen map[string]string) (monthly float64) {
	for _, k := range p.Keywords {
		if !tracked(k.Ref) {
			continue
		}
		at := slices.IndexFunc(p.Options, func(o proposal.Option) bool { return o.ID == chosen[k.Ref] })
		if at < 0 {
			monthly += k.Volume.Mid()
		} else {
			monthly += p.Options[at].ProjectedMonthly
		}
	}
	return monthly
}

// tooMuch refuses a choice that the allowance has no room for, and names one that it has room for. A proposal that
// ended as ready was made for a larger plan: another is narrowed for the present one.
func tooMuch(p proposal.Proposal, ended proposal.Status, monthly float64) error {
	monthly = math.Round(monthly) // as the proposal's own sentences round it
	if ended == proposal.Ready {
		return problem.New(problem.InvalidInput,
			"The proposal was made for a larger plan: the choice would bring about %.0f "+
				"mentions a month, and the plan allows %.0f. Propose again with POST %s, or name fewer keywords in keywordRefs.",
			monthly, p.Totals.Allowance, proposalsPath)
	}
	said := "The proposal needs narrowing: the choice would bring about %.0f mentions a month, and the plan allows %.0f. "
	o, found := p.BestFit()
	if !found {
		return problem.New(problem.InvalidInput, said+"Name fewer keywords in keywordRefs, or upgrade the plan and propose "+
			"again with POST %s.", monthly, p.Totals.Allowance, proposalsPath)
	}
	return problem.New(problem.InvalidInput, said+"Name fewer keywords in keywordRefs or options in optionIds: "+
		"keywordRefs [%q] with optionIds [%q] is about %.0f. Or upgrade the plan, and propose again with POST %s.",
		monthly, p.Totals.Allowance, o.KeywordRef, o.ID, math.Round(o.ProjectedMonthly), proposalsPath)
}

// applicable says why a proposal cannot be applied.
func applicable(d proposal.Draft, run proposal.Run) error {
	again := fmt.Sprintf("POST %s", proposalsPath)
	switch {
	case d.Status.Running():
		return problem.New(
			problem.InvalidInput,
			"A proposal is still being made of the draft. Poll GET %s/%s until status is ready, and apply then.",
			proposalsPath, d.ID,
		)
	case d.Status == proposal.Failed:
		return problem.New(
			problem.InvalidInput, "The last run failed, and there is no proposal to apply. Propose again with %s.",
			again,
		)
	case d.ProfileRevision != run.ProfileRevision:
		return problem.New(
			problem.InvalidInput, "The profile was edited after this proposal was made. Propose again with %s.", again,
		)
	case !d.Status.Shown() && d.Status != proposal.Applied, run.Proposal == nil:
		return problem.New(problem.InvalidInput, "The draft has no proposal that is ready. Propose with %s.", again)
	}
	return nil
}

// named are the faults of a list of refs: what the proposal does not have, and what is there twice.
func named(list string, refs, known []string) (faults []problem.Detail) {
	for i, ref := range refs {
		at := fmt.Sprintf("%s[%d]", list, i)
		switch {
		case !slices.Contains(known, ref):
			faults = append(faults, problem.Detail{
				Path: at, Code: "unknown", Message: "The proposal has no such item. Read it, and name one that it has.",
			})
		case slices.Index(refs, ref) < i:
			faults = append(faults, problem.Detail{Path: at, Code: "duplicate", Message: "It is named twice. Name it once."})
		}
	}
	return faults
}

// refsOf are the refs of those that are taken.
func refsOf[T any](of []T, take func(T) (string, bool)) []string {
	refs := []string{}
	for _, one := range of {
		if ref, taken := take(one); taken {
			refs = append(refs, ref)
		}
	}
	return refs
}

// showsAny reports whether a feed, or a feed that is merged into it, has an applied keyword. Merging is at most as deep
// as there are feeds.
func showsAny(p proposal.Proposal, f proposal.Feed, applied func(ref string) bool) bool {
	into := []string{f.Ref}
	for range p.Feeds {
		for _, other := range p.Feeds {
			if slices.Contains(into, other.MergedIntoRef) && !slices.Contains(into, other.Ref) {
				into = append(into, other.Ref)
			}
		}
	}
	return slices.ContainsFunc(p.Feeds, func(one proposal.Feed) bool {
		return slices.Contains(into, one.Ref) && slices.ContainsFunc(one.KeywordRefs, applied)
	})
}
