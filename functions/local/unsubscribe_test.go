package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A mail of a feed leads its reader out of the feed's mails, by a program and by the page, and a bounce does the same.
func TestUnsubscribe(t *testing.T) {
	b := begin(t)
	key := b.demo.Keys.Admin
	const one, two = "quietharbor@northwind.example", "tidewatcher@northwind.example"
	var made struct{ ID int64 }
	b.keyed(t, "POST", "/api/v2/feeds", key, fmt.Sprintf(`{"name":"Told","destinations":[{"type":"EMAIL","frequency":"instant",
		"emailDestination":{"emails":[%q,%q]}}]}`, one, two)).ok(t, &made)
	posts := 0
	// mailed posts a mention, and returns the links in the mails of it, by their recipients.
	mailed := func() map[string]string {
		t.Helper()
		b.ask(t, "DELETE", "/_local/outbox", "").ok(t, nil)
		posts++
		b.ask(t, "POST", "/_local/posts", fmt.Sprintf(`{"source":"hackernews","sourceId":"hackernews_comment_4800000%d",`+
			`"author":"quietharbor","url":"https://news.example/1","timestamp":%q,`+
			`"body":"Northwind woke me up for the outage before the customers noticed. Love it."}`,
			posts, time.Now().UTC().Format(time.RFC3339))).ok(t, nil)
		for range 100 {
			time.Sleep(100 * time.Millisecond)
			var log struct{ Data []struct{ Status string } }
			b.keyed(t, "GET", fmt.Sprintf("/api/v2/deliveries?feedId=%d", made.ID), key, "").ok(t, &log)
			if len(log.Data) != posts || log.Data[0].Status == "pending" {
				continue
			}
			var outbox struct {
				Mails []struct {
					To      string
					Headers map[string]string
				}
			}
			b.ask(t, "GET", "/_local/outbox", "").ok(t, &outbox)
			links := map[string]string{}
			for _, mail := range outbox.Mails {
				links[mail.To] = strings.TrimPrefix(strings.Trim(mail.Headers["List-Unsubscribe"], "<>"), b.url)
			}
			return links
		}
		t.Fatal("nothing is delivered")
		return nil
	}
	links := mailed()
	if len(links) != 2 || !strings.HasPrefix(links[one], "/api/v2/unsubscribe?token=") || links[one] == links[two] {
		t.Fatalf("mails with %v", links)
	}
	b.ask(t, "GET", links[one], "").ok(t, nil)
	if links := mailed(); len(links) != 2 {
		t.Fatalf("after a GET, mails with %v", links)
	}
	b.ask(t, "POST", links[one], "List-Unsubscribe=One-Click", "Content-Type", "application/x-www-form-urlencoded").
		ok(t, nil)
	if links := mailed(); len(links) != 1 || links[two] == "" {
		t.Fatalf("after a POST, mails with %v", links)
	}
	b.ask(t, "POST", "/_local/bounces", fmt.Sprintf(`{"to":%q,"kind":"complaint"}`, two)).ok(t, nil)
	if links := mailed(); len(links) != 0 {
		t.Fatalf("after a complaint, mails with %v", links)
	}
	b.keyed(t, "POST", fmt.Sprintf("/api/v2/feeds/%d/enable", made.ID), key, "").ok(t, nil)
	if links := mailed(); len(links) != 2 {
		t.Errorf("after enabling, mails with %v", links)
	}
}
