package events

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"earshot/events/message"
	"earshot/events/message/due"
	"earshot/events/message/summarize"
)

// records calls check with every message of every sample.
func records(t *testing.T, check func(t *testing.T, function, name string, record events.SQSMessage)) {
	t.Helper()
	seen := 0
	for _, function := range Functions() {
		for _, name := range Names(function) {
			event, err := Open(function, name)
			if err != nil {
				t.Fatal(err)
			}
			if event.Trigger != Queue {
				continue
			}
			batch, err := event.Messages()
			if err != nil {
				t.Fatal(err)
			}
			for _, record := range batch.Records {
				seen++
				t.Run(function+"/"+name+"/"+record.MessageId, func(t *testing.T) { check(t, function, name, record) })
			}
		}
	}
	if seen == 0 {
		t.Fatal("no messages")
	}
}

// A message is as SQS delivers it, and what it says twice agrees with itself.
func TestMessagesAreConsistent(t *testing.T) {
	queues := map[string]string{"ingest": "posts", "exports": "exports", "scan": "scans", "invitations": "invitations",
		"backfills": "backfills", "searches": "searches", "summaries": "summaries", "deliver": "deliveries"}
	ids := map[string]bool{}
	id := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	records(t, func(t *testing.T, function, _ string, record events.SQSMessage) {
		if !id.MatchString(record.MessageId) || ids[record.MessageId] || ids[record.ReceiptHandle] {
			t.Errorf("%s or %s is no id, or another message's too", record.MessageId, record.ReceiptHandle)
		}
		ids[record.MessageId], ids[record.ReceiptHandle] = true, true
		if want := digest(record.Body); record.Md5OfBody != want {
			t.Errorf("the body's digest is %s", want)
		}
		arn := "arn:aws:sqs:" + record.AWSRegion + ":123456789012:earshot-dev-" + queues[function]
		if record.EventSource != "aws:sqs" || record.EventSourceARN != arn {
			t.Errorf("from %s %s, want %s", record.EventSource, record.EventSourceARN, arn)
		}
		sent, first := number(t, record, "SentTimestamp"), number(t, record, "ApproximateFirstReceiveTimestamp")
		if receives := number(t, record, "ApproximateReceiveCount"); receives < 1 || first < sent ||
			len(record.Attributes) != 4 {
			t.Errorf("attributes %v", record.Attributes)
		}
		if sender := record.Attributes["SenderId"]; !strings.HasPrefix(sender, "AROAEXAMPLE") {
			t.Errorf("sent by %s, which is not made up", sender)
		}
	})
}

func number(t *testing.T, record events.SQSMessage, attribute string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(record.Attributes[attribute], 10, 64)
	if err != nil {
		t.Errorf("%s: %v", attribute, err)
	}
	return n
}

// A body is what the functions that send to its queue write, but where the sample's name says otherwise.
func TestBodiesAreMessages(t *testing.T) {
	unreadable := 0
	records(t, func(t *testing.T, function, name string, record events.SQSMessage) {
		if !json.Valid([]byte(record.Body)) {
			if name != "unreadable" {
				t.Errorf("%q", record.Body)
			}
			unreadable++
			return
		}
		body := any(new(message.Posts))
		switch function {
		case "exports":
			body = new(message.Export)
		case "backfills":
			body = new(message.Backfill)
		case "searches":
			body = new(message.Search)
		case "summaries":
			body = new(summarize.Summary)
		case "deliver":
			body = new(due.Work)
		case "scan":
			body = new(message.Scan)
		case "invitations":
			body = new(message.Invitations)
		}
		strictly(t, []byte(record.Body), body)
		again, err := json.Marshal(body)
		if err != nil || string(again) != record.Body {
			t.Errorf("%v\ngot  %s\nwant %s", err, again, record.Body)
		}
		if posts, ok := body.(*message.Posts); ok {
			checkPosts(t, *posts, time.UnixMilli(number(t, record, "SentTimestamp")))
		}
	})
	if unreadable == 0 {
		t.Error("no sample is of a message that cannot be read")
	}
}

// checkPosts wants posts that can be kept, none of them anybody's: they and their authors are at names that RFC 2606 keeps free.
func checkPosts(t *testing.T, posts message.Posts, sent time.Time) {
	t.Helper()
	if len(posts.Posts) == 0 {
		t.Error("no posts")
	}
	for _, wire := range posts.Posts {
		p, err := wire.ToPost()
		if err == nil {
			err = p.Clean(sent)
		}
		if err != nil {
			t.Errorf("%s: %v", wire.SourceID, err)
		}
		for _, address := range []string{wire.URL, valueOf(wire.AuthorURL), valueOf(wire.AuthorAvatar), wire.ImageURL} {
			if host, _, _ := strings.Cut(strings.TrimPrefix(address, "https://"), "/"); address != "" &&
				!strings.HasSuffix(host, ".example") {
				t.Errorf("%s is not made up", address)
			}
		}
	}
}

func valueOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
