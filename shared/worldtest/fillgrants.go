package worldtest

import (
	"time"

	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/grant"
	"earshot/shared/member"
	"earshot/shared/store/authstore"
	"earshot/shared/store/deliverystore"
	"earshot/shared/workspace"
)

// grants gives a member's programs three grants, and takes two of them back.
func (f filling) grants() {
	ctx := f.t.Context()
	of, err := f.s.AddMember(ctx, f.orgID, member.Member{Email: f.address("granting"), Role: member.Admin})
	f.must(err)
	const verifier = "a-verifier-of-at-least-forty-three-characters-0"
	var last grant.Grant
	for _, name := range []string{"kept", "revoked", "ended"} {
		last = grant.Grant{
			ID: grant.NewID(f.w.Clock.Now()), WorkspaceID: f.orgID, MemberID: of.ID, ClientID: "https://client.example/id",
			Scope: workspace.Write, Resource: grant.ResourceMCP, CreatedAt: f.w.Clock.Now(),
		}
		secret, code := f.request+name, grant.NewToken(grant.AuthorizationCode, last)
		soon := f.w.Clock.Now().Add(time.Minute)
		f.must(
			f.s.PutRequest(ctx, secret, authstore.Request{ExpiresAt: soon}),
			f.s.Approve(ctx, secret, last, grant.Code{
				RedirectURI: "https://client.example/back", Challenge: grant.Challenge(verifier), ExpiresAt: soon,
			}, code),
		)
		tokens, err := f.s.Exchange(ctx, code, func(grant.Grant, grant.Code) error { return nil })
		f.must(err)
		tokens, err = f.s.Refresh(ctx, tokens.Refresh, func(grant.Grant) error { return nil })
		f.must(err)
		if name == "revoked" {
			f.must(f.s.Revoke(ctx, tokens.Access, last.ClientID))
		}
	}
	f.must(f.s.EndGrantOnce(ctx, f.orgID, last.ID, f.request+"ended"))
	_, err = f.s.First(ctx, f.orgID, f.request+"first")
	f.must(err)
}

// digests gathers mentions for digests: of an interval that is told of, of one that is over, and of one that is open. It
// silences addresses.
func (f filling) digests() {
	ctx := f.t.Context()
	to := delivery.Endpoint{Owner: delivery.OfFeed(1), Kind: string(feed.Webhook)}
	waiting, err := f.s.Announcements(ctx, f.orgID, 1)
	f.done(len(waiting) == 1, err)
	gather := func(at time.Time) {
		f.must(f.s.Gather(ctx, deliverystore.Gathered{
			WorkspaceID: f.orgID, Endpoint: to, FeedID: 1, Destination: feed.Destination{Frequency: feed.Hourly},
			Announcement: waiting[0].ID, At: at, SourceIDs: []string{"told"}, Sequence: 1,
		}))
	}
	gather(Now.Add(-5 * time.Hour))
	f.must(f.s.SealDigest(ctx, f.orgID, to))
	sealed, err := f.s.SealedDigests(ctx, f.orgID, to)
	f.done(len(sealed) == 1, err)
	f.must(f.s.EndDigest(ctx, sealed[0], 1))
	gather(Now.Add(-3 * time.Hour))
	f.must(f.s.SealDigest(ctx, f.orgID, to))
	gather(Now)
	f.must(f.s.RescheduleDigests(ctx, f.orgID, to.Owner, []feed.Destination{{Type: feed.Webhook, Frequency: feed.Daily}}))
	for _, owner := range []delivery.Owner{delivery.OfFeed(1), delivery.OfNotification(1)} {
		unfinished, err := f.s.SealedDigests(ctx, f.orgID, to)
		f.must(err)
		for _, one := range unfinished {
			_, err := f.s.SaveProgress(
				ctx,
				one,
				[]byte("{}"),
				"batch",
				[]deliverystore.Part{{SourceIDs: []string{"a"}, Sequence: 1}},
			)
			f.must(err, f.s.PutOffDigest(ctx, one, Now))
		}
		_, err = f.s.DisabledFirst(ctx, f.orgID, Now)
		f.must(err)
		f.must(
			f.s.Unsubscribe(ctx, f.orgID, owner, f.address("silent")),
			f.s.Bounce(ctx, f.orgID, f.address("bounced"), delivery.Bounced),
			f.s.Bounce(ctx, f.orgID, f.address("mended"), delivery.Bounced),
			f.s.ForgetBounces(ctx, f.orgID, []string{f.address("mended")}),
		)
	}
	f.must(f.s.Unsilence(ctx, f.orgID, delivery.OfFeed(1), nil))
}
