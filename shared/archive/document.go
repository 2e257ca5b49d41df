package archive

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	klauspost "github.com/klauspost/compress/flate"

	"earshot/events/message"
	"earshot/shared/post"
)

// dictionary begins every document's text, so that names and addresses that most posts have take next to no bytes. It
// never changes: stored documents need it.
const dictionary = `{"source":"producthunt","sourceId":"news_article_youtube_video_twitter_tweet_stackoverflow_` +
	`question_` +
	`podcasts_episode_newsletter_issue_medium_story_github_issue_dev_article_bluesky_post_hackernews_story_reddit_post_` +
	`hackernews_comment_reddit_comment_","url":"https://www.youtube.com/watch?v=https://stackoverflow.com/questions/` +
	`https://github.com//issues/https://dev.to/https://medium.com/https://x.com//status/` +
	`https://bsky.app/profile/did:plc:.bsky.social/post/https://news.ycombinator.com/item?id=` +
	`https://www.reddit.com/r//comments/","timestamp":"2026-01-01 00:00:00.000","title":"","body":"` +
	` that with this from have your which there would about because people should could their really think ` +
	` what when they will more some other than like just know make time good work using ","author":"","authorName":"",` +
	`"authorUrl":"https://bsky.app/profile/https://www.reddit.com/user/https://news.ycombinator.com/user?id=",` +
	`"authorAvatar":"https://cdn.bsky.app/img/avatar/plain/did:plc:@jpeg","authorFollowers":1,"isReply":true,` +
	`"imageUrl":"https://","engagementMetrics":{"likes":0,"reposts":0,"replies":0,"quotes":0,"views":0,"points":0,` +
	`"comments":0,"upvotes":0,"score":0},"engagementObservedAt":"2026-01-01T00:00:00Z"}`

// maxContent bounds what a packed document unpacks to.
const maxContent = 4 << 20

// packers keeps compressors for reuse.
var packers = sync.Pool{New: func() any { return &packer{} }}

// plain is how many documents a packer packs without tables.
const plain = 64

// A packer packs documents. A compressor's tables take 0.6 ms of a process that has just started, most of it for memory
// that is touched for the first time. A packer therefore does without them until it has packed plain documents, which
// are 6 % larger.
type packer struct {
	packed int
	tables *klauspost.Writer // packs as small as compress/flate, which takes 3 ms for its first document
}

// pack returns the document of a post.
func (p *packer) pack(of *post.Post) (Document, error) {
	text, err := json.Marshal(message.FromPost(*of))
	if err != nil {
		return Document{}, fmt.Errorf("archive: pack a post: %w", err)
	}
	var packed bytes.Buffer
	if p.packed++; p.packed <= plain {
		err = klauspost.StatelessDeflate(&packed, text, true, []byte(dictionary))
	} else {
		err = p.deflate(&packed, text)
	}
	if err != nil {
		return Document{}, fmt.Errorf("archive: pack a post: %w", err)
	}
	return Document{Name: nameOf(of.SourceID), Content: packed.Bytes()}, nil
}

func (p *packer) deflate(to io.Writer, text []byte) error {
	if p.tables == nil {
		p.tables, _ = klauspost.NewWriterDict(nil, klauspost.DefaultCompression, []byte(dictionary)) // the level is valid
	}
	p.tables.Reset(to)
	if _, err := p.tables.Write(text); err != nil {
		return err
	}
	return p.tables.Close()
}

// pack returns the document of a post.
func pack(p *post.Post) (Document, error) {
	by := packers.Get().(*packer)
	defer packers.Put(by)
	return by.pack(p)
}

// PackedSize returns the bytes of a post's packed document, or 0 if the post cannot be packed.
func PackedSize(p *post.Post) int64 {
	d, err := pack(p)
	if err != nil {
		return 0
	}
	return int64(len(d.Content))
}

// unpackers keeps decompressors for reuse: each holds 50 KB.
var unpackers = sync.Pool{New: func() any { return flate.NewReaderDict(bytes.NewReader(nil), []byte(dictionary)) }}

// Unpack returns the post of a document.
func Unpack(d *Document) (post.Post, error) {
	r := unpackers.Get().(io.ReadCloser)
	defer unpackers.Put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(d.Content), []byte(dictionary)); err != nil {
		return post.Post{}, fmt.Errorf("archive: unpack a post: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(r, maxContent))
	if err != nil {
		return post.Post{}, fmt.Errorf("archive: unpack a post: %w", err)
	}
	var wire message.Post
	if err := json.Unmarshal(text, &wire); err != nil {
		return post.Post{}, fmt.Errorf("archive: unpack a post: %w", err)
	}
	p, err := wire.ToPost()
	if err != nil {
		return post.Post{}, fmt.Errorf("archive: unpack a post: %w", err)
	}
	return p, nil
}

// nameOf returns the hash of a sourceId.
func nameOf(sourceID string) int64 {
	digest := sha256.Sum256([]byte(sourceID))
	return int64(binary.BigEndian.Uint64(digest[:]) &^ (1 << 63))
}
