// Package firehose reads all posts of Bluesky as they are written, from Jetstream, the network's own stream as JSON.
//
// A post gets the Source, the sourceId and the URL that shared/source/bluesky would give it, so that a post found both
// ways is stored once. The stream has only an author's DID, so a post from here has no Author. Its AuthorURL is the
// profile by DID.
//
// Only shared/source/sources imports it.
package firehose

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/coder/websocket"

	"earshot/shared/port/clock"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
)

const name = "firehose"

const (
	// Endpoint is a public instance that Bluesky runs; Jetstream's README lists its siblings.
	Endpoint = "wss://jetstream2.us-east.bsky.network"

	collection = "app.bsky.feed.post"

	// maxEvent is what Jetstream is told to leave out, in bytes; a post's text is some 300 characters, a record 1 MB at
	// most. maxFrame is what is read of an event before the connection is given up: one that ignores maxEvent.
	maxEvent = 64 << 10
	maxFrame = 256 << 10
)

// Options of a Source. Zero values mean what is said beside them.
type Options struct {
	Endpoint  string        // wss://host; Endpoint
	UserAgent string        // as fetch.Agent makes it; "Earshot/2"
	Client    *fetch.Client // for looking authors up; nil: they stay unknown
	Profiles  string        // where authors are looked up; Profiles
	Patience  time.Duration // of one Search, the connection included; 8 s
	Clock     clock.Clock   // the machine's
	AnyHost   bool          // for tests: private addresses and unencrypted connections too
}

// Source is the stream. Its posts have no engagement counters: they are new.
type Source struct {
	endpoint string
	agent    string
	patience time.Duration
	now      clock.Clock
	client   *http.Client
	profiles *fetch.Caller // nil: authors stay unknown
}

// New reads from an instance of Jetstream.
func New(o Options) *Source {
	s := &Source{endpoint: o.Endpoint, agent: cmp.Or(o.UserAgent, fetch.Agent("")), patience: o.Patience, now: o.Clock, client: dialer(o.AnyHost)}
	if s.endpoint == "" {
		s.endpoint = Endpoint
	}
	if s.patience == 0 {
		s.patience = 8 * time.Second
	}
	if s.now == nil {
		s.now = clock.System{}
	}
	if o.Client != nil {
		s.profiles = o.Client.Caller(fetch.Platform{About: s.About(), BaseURL: cmp.Or(o.Profiles, Profiles)})
	}
	return s
}

// About: "Jetstream" (github.com/bluesky-social/jetstream, README) limits no reader. An instance keeps events for a day
// unless it is told otherwise. Some fifty posts a second are written: every minute Max has room for all of them.
func (*Source) About() source.About {
	return source.About{Name: name, Stream: true, Cursor: true, Every: time.Minute, Max: 5000, Reach: 24 * time.Hour}
}

// Search reads on from After, even where that lies before Since, or from Since without it, until the window's end or
// the present, Max posts, or the end of the source's patience, whichever is first. That no event at all comes in that
// time is an error: the network is never still for so long. Next is where the next event may be, at the window's end
// too, for a stream has none: who reads a window to its end is there when a Page has no posts.
//
// The window is of when events passed through the stream: a post's author says when it was written, and says so before
// it arrives.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	cursor := q.Since.UnixMicro()
	if q.After != "" {
		var err error
		if cursor, err = strconv.ParseInt(q.After, 10, 64); err != nil || cursor < 0 {
			return source.Page{}, fmt.Errorf("firehose: After is not a cursor of this source: %q", q.After)
		}
		if at := time.UnixMicro(cursor); at.Before(q.Since) {
			q.Since = at // what a reader that fell behind has not read yet
		}
	}
	if !q.Since.Before(q.Until) || cursor >= q.Until.UnixMicro() {
		return source.Page{Next: q.After}, ctx.Err()
	}
	bounded, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	conn, err := s.connect(bounded, cursor)
	if err != nil {
		if ctx.Err() != nil {
			return source.Page{}, ctx.Err()
		}
		return source.Page{}, err
	}
	defer conn.CloseNow()
	page, err := s.read(bounded, conn, q, cursor)
	switch {
	case ctx.Err() != nil:
		return source.Page{}, ctx.Err()
	case err == nil, page.Next != strconv.FormatInt(cursor, 10):
		return page, nil // it may have broken off: what came is good, and the next Search goes on behind it
	}
	return source.Page{}, failure(err, s.patience)
}

// connect asks for posts; what Jetstream says of accounts comes with them.
func (s *Source) connect(ctx context.Context, cursor int64) (*websocket.Conn, error) {
	query := url.Values{
		"wantedCollections": {collection}, "cursor": {strconv.FormatInt(cursor, 10)}, "maxMessageSizeBytes": {strconv.Itoa(maxEvent)},
	}
	conn, response, err := websocket.Dial(ctx, s.endpoint+"/subscribe?"+query.Encode(), &websocket.DialOptions{
		HTTPClient: s.client, HTTPHeader: http.Header{"User-Agent": {s.agent}},
	})
	if err != nil {
		return nil, refusal(response, err, s.now.Now(), s.patience)
	}
	conn.SetReadLimit(maxFrame)
	return conn, nil
}

// read reads events until one of Search's ends. With an error the page still holds what came before it.
func (s *Source) read(ctx context.Context, conn *websocket.Conn, q source.Query, cursor int64) (page source.Page, err error) {
	limit, present := q.Limit(s.About()), s.now.Now()
	for {
		page.Next = strconv.FormatInt(cursor, 10)
		if len(page.Posts) == limit {
			return page, nil
		}
		_, message, err := conn.Read(ctx)
		if err != nil {
			return page, err
		}
		e, ok := decode(message)
		if !ok || e.Time < cursor {
			continue // one that goes back in time must not have the cursor do so
		}
		if e.passedAt().Compare(q.Until) >= 0 {
			page.Next = strconv.FormatInt(e.Time, 10)
			return page, nil
		}
		if p, ok := e.post(q); ok {
			page.Posts = append(page.Posts, p)
		}
		if cursor = e.Time + 1; e.passedAt().After(present) { // no two events have the same time
			page.Next = strconv.FormatInt(cursor, 10)
			return page, nil
		}
	}
}
