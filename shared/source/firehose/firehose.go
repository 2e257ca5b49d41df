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
	// Endpoint is a public instance that Bluesky runs. Jetstream's README lists the others.
	Endpoint = "wss://jetstream2.us-east.bsky.network"

	collection = "app.bsky.feed.post"

	// maxEvent is the size, in bytes, above which Jetstream is told to leave an event out. A post's text has about 300
	// characters, a record at most 1 MB. maxFrame is how much of an event is read before the connection is given up, in
	// case an instance ignores maxEvent.
	maxEvent = 64 << 10
	maxFrame = 256 << 10

	// maxAhead is how far the instance's clock may be ahead of the machine's. A later event is ignored: a cursor in the
	// future would silence the stream until then.
	maxAhead = time.Hour
)

// Options of a Source. The comment of a field ends with what its zero value means.
type Options struct {
	Endpoint  string        // wss://host; Endpoint
	UserAgent string        // from fetch.Agent; "Earshot/2"
	Client    *fetch.Client // looks authors up; if nil, authors stay unknown
	Profiles  string        // the server that looks authors up; Profiles
	Patience  time.Duration // limit of one Search, the connection included; 8 s
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
	profiles *fetch.Caller // if nil, authors stay unknown
}

// New returns a source that reads from an instance of Jetstream.
func New(o Options) *Source {
	s := &Source{
		endpoint: o.Endpoint,
		agent:    cmp.Or(o.UserAgent, fetch.Agent("")),
		patience: o.Patience,
		now:      o.Clock,
		client:   dialer(o.AnyHost),
	}
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

// About: Jetstream limits no reader ("Jetstream", README of github.com/bluesky-social/jetstream). An instance keeps
// events for a day by default. People write about fifty posts a second, so Max has room for a minute's posts.
func (*Source) About() source.About {
	return source.About{Name: name, Stream: true, Cursor: true, Every: time.Minute, Max: 5000, Reach: 24 * time.Hour}
}

// Search reads from After, even if it lies before Since, or from Since if After is empty. It ends at the window's end,
// at the present, after Max posts, or at the end of the source's patience, whichever is first. If no event comes at all
// in that time, it returns an error, because the network is never still for so long. Next is the cursor of the next
// event. A stream has no end, so Next is set at the window's end too. A reader has reached the end when a Page has no
// posts.
//
// The window covers the times when events passed through the stream. A post's author states when it was written, before
// it arrives.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	cursor := q.Since.UnixMicro()
	if q.After != "" {
		var err error
		if cursor, err = strconv.ParseInt(q.After, 10, 64); err != nil || cursor < 0 {
			return source.Page{}, fmt.Errorf("firehose: After is not a cursor of this source: %q", q.After)
		}
		if at := time.UnixMicro(cursor); at.Before(q.Since) {
			q.Since = at // a reader that fell behind has not read these events yet
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
		return page, nil // a broken stream's posts are good, and the next Search continues after them
	}
	return source.Page{}, failure(err, s.patience)
}

// connect subscribes to posts. Jetstream also sends events about accounts.
func (s *Source) connect(ctx context.Context, cursor int64) (*websocket.Conn, error) {
	query := url.Values{
		"wantedCollections":   {collection},
		"cursor":              {strconv.FormatInt(cursor, 10)},
		"maxMessageSizeBytes": {strconv.Itoa(maxEvent)},
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

// read reads events until Search's end. If it returns an error, the page still holds the posts before it.
func (s *Source) read(
	ctx context.Context, conn *websocket.Conn, q source.Query, cursor int64,
) (page source.Page, err error) {
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
		if !ok || e.Time < cursor || e.passedAt().After(present.Add(maxAhead)) {
			continue // an event out of its time must move the cursor neither back nor far ahead
		}
		if e.passedAt().Compare(q.Until) >= 0 {
			page.Next = strconv.FormatInt(max(cursor, q.Until.UnixMicro()), 10)
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
