package message_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"earshot/events/message"
	"earshot/shared/mention"
	"earshot/shared/port/queue"
	"earshot/shared/post"
)

var now = time.Date(2026, 11, 20, 10, 15, 0, 0, time.UTC)

// texts are any that a platform may answer, and more of those that are hard to write down.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(),
		rapid.StringOfN(rapid.SampledFrom([]rune{0, 1, 0x1b, '"', '\\', '<', 0x2028, 0xFFFD, 0xFFFE, 0xFFFF, 0x202e, 0x10FFFF,
			'é'}), 0, 40, -1))
}

func times() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		return time.UnixMilli(rapid.Int64Range(post.Earliest.UnixMilli(), now.UnixMilli()).Draw(t, "ms")).UTC()
	})
}

func maybe[T any](t *rapid.T, name string, of *rapid.Generator[T]) *T {
	if !rapid.Bool().Draw(t, "has "+name) {
		return nil
	}
	return new(of.Draw(t, name))
}

// posts are such as Clean leaves.
func posts() *rapid.Generator[post.Post] {
	return rapid.Custom(func(t *rapid.T) post.Post {
		p := post.Post{
			Source:          "reddit",
			SourceID:        "reddit_post_" + rapid.StringMatching(`[a-z0-9]{1,10}`).Draw(t, "id"),
			URL:             texts().Draw(t, "url"),
			PostedAt:        times().Draw(t, "posted"),
			Title:           maybe(t, "title", texts()),
			Body:            new("x" + texts().Draw(t, "body")),
			Author:          maybe(t, "author", rapid.StringMatching(`[a-z]+`)),
			AuthorName:      texts().Draw(t, "name"),
			AuthorURL:       maybe(t, "author's url", texts()),
			AuthorAvatar:    maybe(t, "avatar", texts()),
			AuthorFollowers: maybe(t, "followers", rapid.Int64Range(0, mention.MaxID)),
			IsReply:         rapid.Bool().Draw(t, "reply"),
			ImageURL:        texts().Draw(t, "image"),
		}
		if rapid.Bool().Draw(t, "engaged") {
			p.Engagement = rapid.MapOfN(rapid.StringMatching(`[a-z]+`), rapid.Int64Range(-mention.MaxID, mention.MaxID), 1, 5).
				Draw(t, "engagement")
			p.EngagementObservedAt = times().Draw(t, "observed")
		}
		if rapid.Bool().Draw(t, "review") {
			most := rapid.Float64Range(1, post.MaxRating).Draw(t, "max")
			p.Review = &mention.Review{
				Rating:     rapid.Float64Range(0.5, most).Draw(t, "rating"),
				RatingMax:  most,
				Verified:   maybe(t, "verified", rapid.Bool()),
				Response:   texts().Draw(t, "response"),
				TargetName: texts().Draw(t, "target"),
			}
			if rapid.Bool().Draw(t, "answered") {
				p.Review.ResponseAt = times().Draw(t, "response at")
			}
		}
		if err := p.Clean(now); err != nil {
			t.Fatal(err)
		}
		return p
	})
}

// unpacked reads messages, each of which a queue must take.
func unpacked(t interface{ Fatal(...any) }, messages [][]byte, size int) (posts []post.Post) {
	for _, body := range messages {
		if err := queue.Check(queue.Message{Body: body}); err != nil || len(body) > size {
			t.Fatal(len(body), err)
		}
		some, unreadable, err := message.Unpack(body)
		if err != nil || unreadable > 0 || len(some) == 0 {
			t.Fatal(len(some), unreadable, err)
		}
		posts = append(posts, some...)
	}
	return posts
}

// What is packed is unpacked, in its order, from messages that are as large as they may be at most.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(posts(), 0, 12).Draw(t, "posts")
		size := rapid.IntRange(20_000, 60_000).Draw(t, "size")
		messages, left := message.Pack(want, size)
		got := unpacked(t, messages, size)
		if left > 0 || len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("%d left out, got %+v\nwant %+v", left, got, want)
		}
	})
}

// Messages are filled: two that follow each other would not fit into one.
func TestSizes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(2_000, 10_000).Draw(t, "size")
		var all []post.Post
		for _, length := range rapid.SliceOfN(rapid.IntRange(1, 1_000), 1, 60).Draw(t, "lengths") {
			all = append(all, post.Post{Source: "dev", SourceID: "dev_a", PostedAt: now, Body: new(strings.Repeat("x", length))})
		}
		messages, left := message.Pack(all, size)
		if left > 0 || len(unpacked(t, messages, size)) != len(all) {
			t.Fatal("something is left out")
		}
		for i := 1; i < len(messages); i++ {
			first := messages[i][:strings.Index(string(messages[i]), "}")+1]
			if len(messages[i-1])+len(first)-len(`{"posts":[`)+len(",") <= size {
				t.Fatalf("%d bytes of %d, and yet a post is in the next", len(messages[i-1]), size)
			}
		}
	})
}

// A post that alone is larger than a message loses the end of its texts, at a character's end, and nothing else.
func TestOversizedPosts(t *testing.T) {
	const size = 200 << 10
	for name, text := range map[string]string{"plain": "x", "quotes": `"`, "HTML": "<", "control": "\x01",
		"no characters": "\uFFFF", "three bytes": "漢", "a flag": "🇨🇭"} {
		long := strings.Repeat(text, post.MaxText/len(text))
		for _, p := range []post.Post{{Title: &long, Body: &long}, {Body: &long}, {Title: &long}, {Title: new("short"), Body: &long}} {
			p.Source, p.SourceID, p.PostedAt, p.AuthorName = "dev", "dev_a", now, "Quiet Harbor"
			messages, left := message.Pack([]post.Post{{Source: "dev", SourceID: "dev_b", PostedAt: now, Body: new("before")},
				p}, size)
			got := unpacked(t, messages, size)
			if left > 0 || len(got) != 2 || got[1].SourceID != "dev_a" || got[1].AuthorName != "Quiet Harbor" {
				t.Fatalf("%s: %d left out, got %d", name, left, len(got))
			}
			for _, pair := range [][2]*string{{got[1].Title, p.Title}, {got[1].Body, p.Body}} {
				if (pair[0] == nil) != (pair[1] == nil) ||
					pair[0] != nil && (!strings.HasPrefix(*pair[1], *pair[0]) || !utf8.ValidString(*pair[0])) {
					t.Errorf("%s: a text is not the beginning of what it was", name)
				}
			}
			if p.Title != nil && *p.Title == "short" && *got[1].Title != "short" {
				t.Errorf("%s: the short title was cut", name)
			}
			if len(long) != post.MaxText/len(text)*len(text) {
				t.Error("the post itself was changed")
			}
		}
	}
}

// What no message can hold is left out and counted, and takes nothing else with it.
func TestLeftOut(t *testing.T) {
	good := post.Post{Source: "dev", SourceID: "dev_a", PostedAt: now, Body: new("text")}
	nan, huge, wide := good, good, good
	nan.Review = &mention.Review{Rating: math.NaN()}
	huge.Review = &mention.Review{Response: strings.Repeat("x", 300<<10)}
	wide.URL = strings.Repeat("x", 300<<10)
	messages, left := message.Pack([]post.Post{good, nan, huge, good, wide}, 200<<10)
	if got := unpacked(t, messages, 200<<10); left != 3 || len(got) != 2 {
		t.Errorf("%d left out, %d packed", left, len(got))
	}
	if messages, left := message.Pack(nil, 200<<10); len(messages) != 0 || left != 0 {
		t.Error("a message of nothing")
	}
}

// Posts that cannot be read are counted; fields that are not known are passed over.
func TestUnpack(t *testing.T) {
	const good = `{"source":"dev","sourceId":"dev_a","timestamp":"2026-11-20 10:15:00.000","body":"text"}`
	for body, want := range map[string]struct{ posts, unreadable int }{
		`{"posts":[]}`:                                                                 {0, 0},
		`{"posts":[` + good + `,` + good + `]}`:                                        {2, 0},
		`{"version":2,"posts":[` + good + `],"more":{}}`:                               {1, 0},
		`{"posts":[` + good[:len(good)-1] + `,"mood":{"deep":[1]}}` + `]}`:             {1, 0},
		`{"posts":[{},` + good + `,5,null,"x",[]]}`:                                    {1, 5},
		`{"posts":[{"timestamp":"2026-11-20T10:15:00+01:00","title":5},` + good + `]}`: {1, 1},
		`{"posts":[{"timestamp":"yesterday"},{"timestamp":"2026-11-20 10:15:00.000","engagementObservedAt":"now"},` + good +
			`]}`: {1, 2},
		`{"posts":[{"timestamp":"2026-11-20 10:15:00.000","review":{"responseAt":"now"}},{"timestamp":"2026-11-20T10:15:00+01:00"}]}`:     {1, 1},
		`{"posts":[{"timestamp":"2026-11-20 10:15:00.000","engagementMetrics":{"likes":1.5}},{"timestamp":"2026-11-20T10:15:00Z"}]}`:      {1, 1},
		`{"posts":[{"timestamp":"2026-11-20 10:15:00.000","authorFollowers":99999999999999999999},{"timestamp":"2026-02-30T10:15:00Z"}]}`: {0, 2},
	} {
		posts, unreadable, err := message.Unpack([]byte(body))
		if err != nil || len(posts) != want.posts || unreadable != want.unreadable {
			t.Errorf("%s: %d posts, %d unreadable, %v", body, len(posts), unreadable, err)
		}
	}
	for _, body := range []string{"", "null", "{}", "[]", "5", `{"posts":null}`, `{"posts":5}`, `{"posts":[}`,
		`{"workspaceId":"org_a"}`} {
		if _, _, err := message.Unpack([]byte(body)); err == nil {
			t.Errorf("%q is a message of posts", body)
		}
	}
}

// A review without a rating is no review: 0 would say that it was the worst. A rating of 0 is one.
func TestUnpack_NullRating(t *testing.T) {
	for review, want := range map[string]*mention.Review{
		`{"rating":null,"ratingMax":5,"targetName":"Harborline"}`: nil,
		`{"ratingMax":5}`:                  nil,
		`{"rating":null,"ratingMax":null}`: nil,
		`null`:                             nil,
		`{"rating":0,"ratingMax":5}`:       {RatingMax: 5},
		`{"rating":4.5,"ratingMax":5}`:     {Rating: 4.5, RatingMax: 5},
	} {
		posts, _, err := message.Unpack([]byte(`{"posts":[{"timestamp":"2026-11-20 10:15:00.000","review":` + review + `}]}`))
		if err != nil || len(posts) != 1 {
			t.Fatalf("Unpack(%s) = %+v, %v", review, posts, err)
		}
		if got := posts[0].Review; !reflect.DeepEqual(got, want) {
			t.Errorf("Unpack(%s): review = %+v, want %+v", review, got, want)
		}
	}
}

// An unavailable counter is no counter of zero.
func TestUnpack_NullCounter(t *testing.T) {
	posts, _, err := message.Unpack([]byte(
		`{"posts":[{"timestamp":"2026-11-20 10:15:00.000","engagementMetrics":{"likes":null,"views":0}}]}`))
	if err != nil || len(posts) != 1 || fmt.Sprint(posts[0].Engagement) != "map[views:0]" {
		t.Errorf("Unpack = %+v, %v, want the counter views alone", posts, err)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte(`{"posts":[{"source":"dev","sourceId":"dev_a","timestamp":"2026-11-20 10:15:00.000","body":"text","review":{"rating":5}}]}`))
	f.Add([]byte(`{"posts":[null]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		posts, _, err := message.Unpack(body)
		if err != nil {
			return
		}
		kept := posts[:0]
		for _, p := range posts {
			if p.Clean(now) == nil {
				kept = append(kept, p)
			}
		}
		messages, left := message.Pack(kept, queue.MaxBody)
		if got := unpacked(t, messages, queue.MaxBody); len(got)+left != len(kept) {
			t.Errorf("%d of %d posts, %d left out", len(got), len(kept), left)
		}
	})
}
