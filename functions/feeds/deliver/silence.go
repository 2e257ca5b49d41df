package deliver

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/member"
	"earshot/shared/port/mail"
	"earshot/shared/store/deliverystore"
	"earshot/shared/worker"
)

// mail sends a letter to the destination's addresses that do not have the delivery yet. Addresses that are silenced are
// left out, and the attempt names them. If nobody wants it and nobody has it, the delivery ends and says why.
func (d *desk) mail(
	ctx context.Context, of deliverystore.Delivery, write func(address, unsubscribe string) (mail.Message, error),
) (deliverystore.Delivery, *delivery.Outcome, error) {
	all := d.place.destination.Emails
	silenced, err := d.Store.Silenced(ctx, of.WorkspaceID, of.Endpoint.Owner, all)
	if err != nil {
		return of, nil, err
	}
	wanting := without(all, silenced)
	if len(wanting) == 0 && len(all) > 0 && len(of.Reached) == 0 {
		out := unwanted(silenced)
		out.At = d.Clock.Now()
		return of, &out, nil
	}
	one, out, err := d.each(ctx, of, wanting, func(address string) error {
		if d.Mail == nil {
			return &feed.Undelivered{Reason: "This deployment sends no mail: its operator has set no address to send from."}
		}
		unsubscribe, err := d.unsubscribing(address)
		if err != nil {
			return err
		}
		letter, err := write(address, unsubscribe)
		if err != nil {
			return err
		}
		return d.send(ctx, letter)
	})
	if err == nil && out.OK() {
		out.Reason = strings.TrimSpace(d.leftOut(one, silenced) + " " + out.Reason)
	}
	return one, out, err
}

// leftOut says which addresses did not get a delivery because they are silenced; empty if there are none.
func (d *desk) leftOut(of deliverystore.Delivery, silenced map[string]delivery.Silence) string {
	var all []string
	for _, why := range []struct {
		silence delivery.Silence
		reason  string
	}{
		{delivery.Unsubscribed, "Unsubscribed."},
		{delivery.Bounced, "Bounced for good."},
		{delivery.Complained, "Complained of a mail."},
	} {
		var paths []string
		for _, address := range d.place.destination.Emails {
			if silenced[address] == why.silence && !slices.Contains(of.Reached, address) {
				paths = append(paths, d.pathOf(address))
			}
		}
		if paths != nil {
			all = append(all, strings.Join(paths, ", ")+": "+why.reason)
		}
	}
	return strings.Join(all, " ")
}

// unsubscribing returns where an address ends its mails of the endpoint's owner; empty if the deployment's address is
// unknown.
func (d *desk) unsubscribing(address string) (string, error) {
	return delivery.Subscription{
		WorkspaceID: d.workspace.ID, Owner: d.endpoint.Name.Owner, Address: address,
	}.Link(d.BaseURL, d.workspace.Secret)
}

// send mails a letter that its recipient can unsubscribe from, and whose bounce is known to be of the workspace.
// It counts a fault of the sender, of which an alarm tells the operator.
func (d *desk) send(ctx context.Context, letter mail.Message) error {
	letter.Workspace = d.workspace.ID
	var err error
	if letter.Unsubscribe, err = d.unsubscribing(letter.To); err != nil {
		return err
	}
	err = d.Mail.Send(ctx, letter)
	if errors.Is(err, mail.ErrSender) {
		worker.Count(ctx, "mailStopped", 1)
		d.log.ErrorContext(ctx, "a mail was stopped", slog.Any("cause", err))
	}
	return err
}

// admins returns the addresses of the workspace's admins that want mails of the endpoint's owner.
func (d *desk) admins(ctx context.Context) ([]string, error) {
	members, _, err := d.Store.Members(ctx, d.workspace.ID)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, m := range members {
		if m.Role == member.Admin {
			all = append(all, m.Email)
		}
	}
	silenced, err := d.Store.Silenced(ctx, d.workspace.ID, d.endpoint.Name.Owner, all)
	return without(all, silenced), err
}

func without(all []string, silenced map[string]delivery.Silence) (wanting []string) {
	for _, address := range all {
		if silenced[address] == "" {
			wanting = append(wanting, address)
		}
	}
	return wanting
}

// unwanted returns the outcome of an attempt at addresses that are all silenced. The destination is given up if all of
// them bounced, so that its admins learn of it. It stays in use where people do not want the mails.
func unwanted(silenced map[string]delivery.Silence) delivery.Outcome {
	count := map[delivery.Silence]int{}
	for _, why := range silenced {
		count[why]++
	}
	switch {
	case count[delivery.Bounced] == len(silenced):
		return delivery.Outcome{Status: gone, Reason: "Mail to every address of the destination bounced for good."}
	case count[delivery.Unsubscribed] == len(silenced):
		return delivery.Outcome{Unwanted: true, Reason: "Every address of the destination has unsubscribed."}
	}
	return delivery.Outcome{
		Unwanted: true,
		Reason:   "Every address of the destination has unsubscribed, has bounced, or has complained of a mail.",
	}
}
