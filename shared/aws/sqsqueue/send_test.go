package sqsqueue_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"earshot/shared/aws/account"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/lambdalog/tracetest"
	"earshot/shared/port/queue"
)

// A service answers SendMessageBatch with what no peer does on demand: the next of its answers each time, and the last
// one for ever.
type service struct {
	answers []answer

	mu       sync.Mutex
	requests [][]string // the bodies of each
	traces   []string   // of each message; empty: it has no attributes of the system
}

// An answer is an HTTP status with a body; without a status, the entries in refuse fail with the code there and the
// others are sent.
type answer struct {
	status int
	body   string
	refuse map[string]string // by the message's body
	sender bool              // the refused are the sender's fault
	silent bool              // nothing is said of them
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Entries []struct {
			Id, MessageBody         string
			MessageSystemAttributes map[string]struct{ DataType, StringValue string }
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		panic(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var bodies []string
	for _, entry := range request.Entries {
		bodies = append(bodies, entry.MessageBody)
		told := ""
		for name, value := range entry.MessageSystemAttributes {
			told += name + " " + value.DataType + " " + value.StringValue
		}
		s.traces = append(s.traces, told)
	}
	given := s.answers[min(len(s.requests), len(s.answers)-1)]
	s.requests = append(s.requests, bodies)
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	if given.status != 0 {
		w.WriteHeader(given.status)
		_, _ = io.WriteString(w, given.body)
		return
	}
	type entry map[string]any
	successful, failed := []entry{}, []entry{}
	for _, e := range request.Entries {
		code, refused := given.refuse[e.MessageBody]
		switch {
		case !refused:
			successful = append(successful, entry{"Id": e.Id, "MessageId": "m" + e.Id})
		case !given.silent:
			failed = append(failed, entry{"Id": e.Id, "Code": code, "SenderFault": given.sender,
				"Message": "of " + e.MessageBody})
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"Successful": successful, "Failed": failed})
}

func against(t *testing.T, s *service) queue.Queue {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	env := map[string]string{"QUEUE_ENDPOINT": server.URL, "QUEUE_POSTS": server.URL + "/000000000000/posts"}
	q, err := sqsqueue.FromEnvironment(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func texts(bodies ...string) (messages []queue.Message) {
	for _, body := range bodies {
		messages = append(messages, queue.Message{Body: []byte(body)})
	}
	return messages
}

func TestBatches(t *testing.T) {
	large := func(n int) queue.Message { return queue.Message{Body: bytes.Repeat([]byte("x"), n)} }
	for name, c := range map[string]struct {
		messages []queue.Message
		want     []int // messages of each request
	}{
		"one":               {texts("a"), []int{1}},
		"ten":               {texts(strings.Split("a b c d e f g h i j", " ")...), []int{10}},
		"eleven":            {texts(strings.Split("a b c d e f g h i j k", " ")...), []int{10, 1}},
		"just as much":      {[]queue.Message{large(queue.MaxBody / 2), large(queue.MaxBody / 2)}, []int{2}},
		"a byte too much":   {[]queue.Message{large(queue.MaxBody / 2), large(queue.MaxBody/2 + 1), large(1)}, []int{1, 2}},
		"large among small": {append(append(texts("a", "b"), large(queue.MaxBody)), texts("c")...), []int{2, 1, 1}},
		"fifty":             {texts(strings.Split(strings.Repeat("x", 50), "")...), []int{10, 10, 10, 10, 10}},
		"none":              {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := &service{answers: []answer{{}}}
			if err := against(t, s).Send(t.Context(), queue.Posts, c.messages...); err != nil {
				t.Fatal(err)
			}
			var got []int
			var sent []string
			for _, bodies := range s.requests {
				got = append(got, len(bodies))
				sent = append(sent, bodies...)
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) || len(sent) != len(c.messages) {
				t.Fatalf("requests of %v messages, want %v", got, c.want)
			}
		})
	}
}

// Every message of every attempt carries the trace of who sends it, and none without one.
func TestTrace(t *testing.T) {
	const header = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1"
	for _, c := range []struct{ header, want string }{{header, "AWSTraceHeader String " + header}, {"", ""}} {
		s := &service{answers: []answer{{refuse: map[string]string{"a": "InternalError"}}, {}}}
		ctx := tracetest.With(t.Context(), c.header)
		if err := against(t, s).Send(ctx, queue.Posts, texts(strings.Split("a b c d e f g h i j k", " ")...)...); err != nil {
			t.Fatal(err)
		}
		if want := slices.Repeat([]string{c.want}, 12); !slices.Equal(s.traces, want) {
			t.Errorf("%q: %q", c.header, s.traces)
		}
	}
}

func TestSend_PartialFailures(t *testing.T) {
	fails := func(code string, sender bool) answer {
		return answer{refuse: map[string]string{"bad": code, "worse": code}, sender: sender}
	}
	for name, c := range map[string]struct {
		answers []answer
		want    error // nil: none
		other   bool  // it is an error that may not be repeated
		again   []int // messages of each request
	}{
		"taken the second time": {[]answer{fails("InternalError", false), {}}, nil, false, []int{3, 2}},
		"taken the third time": {[]answer{fails("InternalError", false), fails("ThrottlingException", false), {}}, nil,
			false, []int{3, 2, 2}},
		"never taken":          {[]answer{fails("InternalError", false)}, queue.ErrUnavailable, false, []int{3, 2, 2}},
		"throttled":            {[]answer{fails("RequestThrottled", false)}, queue.ErrThrottled, false, []int{3, 2, 2}},
		"throttled as a fault": {[]answer{fails("KmsThrottled", true)}, queue.ErrThrottled, false, []int{3, 2, 2}},
		"not told of": {[]answer{{refuse: map[string]string{"bad": ""}, silent: true}}, queue.ErrUnavailable, false,
			[]int{3, 1, 1}},
		"refused":              {[]answer{fails("AccessDenied", true)}, nil, true, []int{3}},
		"refused for its text": {[]answer{fails("InvalidMessageContents", true)}, queue.ErrTooLarge, false, []int{3}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &service{answers: c.answers}
			err := against(t, s).Send(t.Context(), queue.Posts, texts("bad", "good", "worse")...)
			wantsKind(t, err, c.want, c.other)
			if err != nil && (strings.Contains(err.Error(), "bad") || strings.Contains(err.Error(), "worse")) {
				t.Error("the error tells the text:", err)
			}
			var got []int
			for _, bodies := range s.requests {
				got = append(got, len(bodies))
			}
			if fmt.Sprint(got) != fmt.Sprint(c.again) {
				t.Errorf("requests of %v messages, want %v", got, c.again)
			}
		})
	}
}

func wantsKind(t *testing.T, err, want error, other bool) {
	t.Helper()
	if (err != nil) != (want != nil || other) || want != nil && !errors.Is(err, want) {
		t.Fatalf("got %v, want %v", err, want)
	}
	for _, kind := range []error{queue.ErrTooLarge, queue.ErrThrottled, queue.ErrUnavailable} {
		if kind != want && errors.Is(err, kind) {
			t.Fatalf("it is %v too: %v", kind, err)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		status   int
		code     string
		want     error
		requests int
	}{
		{400, "ThrottlingException", queue.ErrThrottled, 3},
		{403, "RequestThrottled", queue.ErrThrottled, 3},
		{429, "Whatever", queue.ErrThrottled, 1},
		{500, "InternalFailure", queue.ErrUnavailable, 3},
		{503, "ServiceUnavailable", queue.ErrUnavailable, 3},
		{502, "Whatever", queue.ErrUnavailable, 3},
		{400, "com.amazonaws.sqs#InvalidMessageContents", queue.ErrTooLarge, 1},
		{400, "com.amazonaws.sqs#BatchRequestTooLong", queue.ErrTooLarge, 1},
		{400, "AWS.SimpleQueueService.BatchRequestTooLong", queue.ErrTooLarge, 1},
		{400, "com.amazonaws.sqs#QueueDoesNotExist", nil, 1},
		{403, "AccessDeniedException", nil, 1},
	} {
		t.Run(fmt.Sprint(c.status, c.code), func(t *testing.T) {
			s := &service{answers: []answer{{status: c.status, body: fmt.Sprintf(`{"__type":%q,"message":"m"}`, c.code)}}}
			err := against(t, s).Send(t.Context(), queue.Posts, texts("a")...)
			wantsKind(t, err, c.want, c.want == nil)
			if len(s.requests) != c.requests {
				t.Errorf("%d requests, want %d: %v", len(s.requests), c.requests, err)
			}
		})
	}
}

// A message that SQS read otherwise than it was sent is not taken for sent.
func TestChecksum(t *testing.T) {
	s := &service{answers: []answer{{status: 200, body: `{"Successful":[{"Id":"0","MessageId":"m","MD5OfMessageBody":"` +
		strings.Repeat("0", 32) + `"}],"Failed":[]}`}}}
	err := against(t, s).Send(t.Context(), queue.Posts, texts("a")...)
	wantsKind(t, err, queue.ErrUnavailable, false)
}

func TestSend_NoResponse(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	asker, err := account.From(func(string) string { return "" }, server.URL)
	if err != nil {
		t.Fatal(err)
	}
	q := sqsqueue.New(sqsqueue.NewClient(asker), map[string]string{"q": server.URL + "/q"})
	err = q.Send(t.Context(), "q", texts("a")...)
	wantsKind(t, err, queue.ErrUnavailable, false)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		t.Fatal("the caller's context is well:", err)
	}
}

func TestFromEnvironment(t *testing.T) {
	env := map[string]string{"QUEUE_ENDPOINT": "http://127.0.0.1:1"}
	get := func(name string) string { return env[name] }
	if _, err := sqsqueue.FromEnvironment(get); err == nil {
		t.Fatal("no queue, no error")
	}
	env["QUEUE_EXPORTS"] = "http://127.0.0.1:1/exports"
	q, err := sqsqueue.FromEnvironment(get)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Send(t.Context(), queue.Posts, texts("a")...); err == nil ||
		!strings.Contains(err.Error(), `no queue "posts"`) {
		t.Fatal(err)
	}
	delete(env, "QUEUE_ENDPOINT")
	if _, err := sqsqueue.FromEnvironment(get); err == nil {
		t.Fatal("no account, no error")
	}
}
