package feed_test

import (
	"errors"
	"testing"

	"earshot/shared/feed"
)

func TestSends(t *testing.T) {
	first, second := feed.Destination{Type: feed.Email}, feed.Destination{Type: feed.Webhook}
	f := feed.Feed{Destinations: []feed.Destination{first, second}}
	at := func(i int) *int { return &i }
	for _, c := range []struct {
		n    feed.Notification
		want []feed.DestinationType
		err  error
	}{
		{feed.Notification{}, nil, nil},
		{feed.Notification{Destinations: []feed.Destination{second}}, []feed.DestinationType{feed.Webhook}, nil},
		{feed.Notification{FeedIndex: at(0)}, []feed.DestinationType{feed.Email}, nil},
		{feed.Notification{FeedIndex: at(1)}, []feed.DestinationType{feed.Webhook}, nil},
		{feed.Notification{FeedIndex: at(2)}, nil, feed.ErrIndex},
		{feed.Notification{FeedIndex: at(-1)}, nil, feed.ErrIndex},
	} {
		got, err := c.n.Sends(f)
		if !errors.Is(err, c.err) || len(got) != len(c.want) {
			t.Errorf("%+v: %v %v", c.n, got, err)
			continue
		}
		for i := range got {
			if got[i].Type != c.want[i] {
				t.Errorf("%+v: %v", c.n, got)
			}
		}
	}
}
