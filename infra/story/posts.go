package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"time"

	"earshot/events/message"
	"earshot/shared/port/queue"
	"earshot/shared/post"
)

// posted is how many posts a message has.
const posted = 3

// wordOfPosts matches the words that posts can be about. A word is also a part of their ids.
var wordOfPosts = regexp.MustCompile(`^[a-z]{3,40}$`)

// printPosts writes a message of posts about a word. The same word gives the same ids.
func printPosts(out io.Writer, word string, now time.Time) error {
	if !wordOfPosts.MatchString(word) {
		return fmt.Errorf("the word is %q; give 3 to 40 lowercase letters", word)
	}
	var posts []post.Post
	for i := range posted {
		title, author := fmt.Sprintf("We moved everything to %s this week", word), "tidewatcher"
		body := fmt.Sprintf("The export of our own data to %s took a minute. Part %d.", word, i+1)
		posts = append(
			posts,
			post.Post{Source: "hackernews", SourceID: idOf(word, i), Title: &title, Body: &body, Author: &author,
				URL: "https://posts.example/" + word, PostedAt: now.Add(-time.Duration(i+1) * time.Minute)},
		)
	}
	bodies, left := message.Pack(posts, queue.MaxBody)
	if len(bodies) != 1 || left > 0 {
		return fmt.Errorf("the posts are %d messages, and %d fit none", len(bodies), left)
	}
	_, err := fmt.Fprintln(out, string(bodies[0]))
	return err
}

func idOf(word string, i int) string { return fmt.Sprintf("hackernews_story_%s_%d", word, i) }

// pause is the time between two looks.
const pause = 5 * time.Second

// found waits until all posts about the word are mentions, then reads one by its id and exports the list.
func (at target) found(ctx context.Context, word string, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within+answerTime)
	defer cancel()
	for deadline := time.Now().Add(within); ; {
		var list struct{ Data []struct{ SourceID string } }
		got, err := at.send(ctx, "POST", "/api/v2/mentions", at.read, `{"includeAll":true,"limit":100}`)
		if err == nil {
			err = got.ok(&list)
		}
		if err != nil {
			return err
		}
		seen := map[string]bool{}
		for _, each := range list.Data {
			seen[each.SourceID] = true
		}
		there := 0
		for i := range posted {
			if seen[idOf(word, i)] {
				there++
			}
		}
		if there == posted {
			break
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d of %d posts about %s are mentions after %s", there, posted, word, within)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
	s := &scene{target: at, ctx: ctx}
	var one struct {
		SourceID, Relevance string
	}
	s.ok(&one, "GET", "/api/v2/mentions/by-id?id="+url.QueryEscape(idOf(word, 0)), at.read, "")
	s.want(one.SourceID == idOf(word, 0) && one.Relevance != "", "the mention is %+v", one)
	var file struct{ Data []json.RawMessage }
	s.ok(&file, "POST", "/api/v2/mentions/export", at.read, `{"format":"json","includeAll":true}`)
	s.want(len(file.Data) >= posted, "the export has %d mentions, want at least %d", len(file.Data), posted)
	return s.err
}
