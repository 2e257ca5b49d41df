package main

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/outbound/webhook"
	"earshot/shared/port/clock"
	"earshot/shared/store/allstores"
	"earshot/shared/workspace"
)

// verifier returns what the workbench's receivers verify by: whether a request is signed by a secret of some webhook that
// leads to them.
func verifier(
	stored *allstores.Store, receiver string, now clock.Clock,
) func(ctx context.Context, name string, header http.Header, body []byte) (bool, error) {
	return func(ctx context.Context, name string, header http.Header, body []byte) (bool, error) {
		seconds, err := strconv.ParseInt(header.Get(webhook.HeaderTimestamp), 10, 64)
		if err != nil {
			return false, nil
		}
		m := delivery.Message{
			ID: header.Get(webhook.HeaderID), At: time.Unix(seconds, 0), Body: body,
			Signature: header.Get(webhook.HeaderSignature),
		}
		for after := ""; ; {
			const page = 100
			some, err := stored.Workspaces(ctx, after, page)
			if err != nil {
				return false, err
			}
			for _, listed := range some {
				w, err := stored.Workspace(ctx, listed.ID) // the list has no secrets
				if err != nil {
					return false, err
				}
				if signed, err := signedBy(ctx, stored, w, receiver+name, now.Now(), m); err != nil || signed {
					return signed, err
				}
			}
			if len(some) < page {
				return false, nil
			}
			after = some[len(some)-1].ID
		}
	}
}

// signedBy reports whether a message is signed by a secret of a workspace's webhook with this URL.
func signedBy(
	ctx context.Context, stored *allstores.Store, w workspace.Workspace, url string, now time.Time, m delivery.Message,
) (bool, error) {
	leads := func(destinations []feed.Destination) bool {
		for _, d := range destinations {
			if d.Type == feed.Webhook && d.URL == url {
				return true
			}
		}
		return false
	}
	signed := func(s feed.Signing, owner delivery.Owner) (bool, error) {
		secrets, err := delivery.SecretsOf(s, w.Secret, owner, now)
		return err == nil && secrets.Verify(m), err
	}
	feeds, err := stored.Feeds(ctx, w.ID)
	if err != nil {
		return false, err
	}
	for _, f := range feeds {
		if !leads(f.Destinations) {
			continue
		}
		if yes, err := signed(f.Signing, delivery.OfFeed(f.ID)); err != nil || yes {
			return yes, err
		}
	}
	notifications, err := stored.Notifications(ctx, w.ID)
	if err != nil {
		return false, err
	}
	for _, n := range notifications {
		if !leads(n.Destinations) {
			continue
		}
		if yes, err := signed(n.Signing, delivery.OfNotification(n.ID)); err != nil || yes {
			return yes, err
		}
	}
	alerts, err := stored.Alerts(ctx, w.ID)
	if err != nil {
		return false, err
	}
	for _, a := range alerts {
		if !leads(a.Destinations) {
			continue
		}
		if yes, err := signed(a.Signing, delivery.OfAlert(a.ID)); err != nil || yes {
			return yes, err
		}
	}
	return false, nil
}
