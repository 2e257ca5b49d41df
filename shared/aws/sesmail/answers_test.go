package sesmail_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/shared/aws/sesmail"
	"earshot/shared/port/mail"
)

// A service answers with what no peer does on demand: the next of its answers each time, and the last one for ever.
type service struct {
	answers []answer

	mu       sync.Mutex
	requests [][]byte
}

// An answer is an HTTP status with a body, or what becomes of the connection.
type answer struct {
	status int
	body   string
	cut    bool          // the connection is cut in place of an answer
	after  time.Duration // how long it takes, if not the client goes first
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	s.mu.Lock()
	given := s.answers[min(len(s.requests), len(s.answers)-1)]
	s.requests = append(s.requests, body)
	s.mu.Unlock()
	select {
	case <-time.After(given.after):
	case <-r.Context().Done():
	}
	if given.cut {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(given.status)
	_, _ = io.WriteString(w, given.body)
}

func (s *service) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

// against is the adapter against a service, with more of its environment.
func against(t *testing.T, s *service, more ...string) mail.Mailer {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return from(t, append([]string{"MAIL_ENDPOINT", server.URL}, more...)...)
}

func from(t *testing.T, pairs ...string) mail.Mailer {
	t.Helper()
	env := map[string]string{"MAIL_FROM": "Earshot <mail@earshot.example>"}
	for i := 0; i < len(pairs); i += 2 {
		env[pairs[i]] = pairs[i+1]
	}
	mailer, err := sesmail.FromEnvironment(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	return mailer
}

var message = mail.Message{
	To:      "quietharbor@northwind.example",
	Subject: "wanderlust",
	Text:    "wanderlust",
	HTML:    "<p>wanderlust",
}

func taken() answer { return answer{status: 200, body: `{"MessageId":"m"}`} }

func is(status int, code string) answer {
	return answer{
		status: status,
		body:   fmt.Sprintf(`{"__type":%q,"message":"Email address is not verified: quietharbor@northwind.example"}`, code),
	}
}

// Only what SES surely did not take is sent again.
func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		answers  []answer
		want     error
		requests int
	}{
		"taken":                   {[]answer{taken()}, nil, 1},
		"rejected":                {[]answer{is(400, "MessageRejected")}, mail.ErrThrottled, 1},
		"the domain is not shown": {[]answer{is(400, "MailFromDomainNotVerifiedException")}, mail.ErrThrottled, 1},
		"suspended":               {[]answer{is(400, "AccountSuspendedException")}, mail.ErrThrottled, 1},
		"paused":                  {[]answer{is(400, "SendingPausedException")}, mail.ErrThrottled, 1},
		"bad":                     {[]answer{is(400, "BadRequestException")}, mail.ErrRefused, 1},
		"throttled once":          {[]answer{is(429, "TooManyRequestsException"), taken()}, nil, 2},
		"throttled":               {[]answer{is(429, "TooManyRequestsException")}, mail.ErrThrottled, 3},
		"the day's quota":         {[]answer{is(400, "LimitExceededException")}, mail.ErrThrottled, 3},
		"throttled by a gateway":  {[]answer{{status: 429, body: "<html>"}}, mail.ErrUnavailable, 1},
		"failed":                  {[]answer{is(500, "InternalFailure"), taken()}, mail.ErrUnavailable, 1},
		"down":                    {[]answer{is(503, "ServiceUnavailable"), taken()}, mail.ErrUnavailable, 1},
		"a gateway":               {[]answer{{status: 502, body: "<html>"}, taken()}, mail.ErrUnavailable, 1},
		"took too long":           {[]answer{is(408, "RequestTimeout"), taken()}, mail.ErrUnavailable, 1},
		"garbled":                 {[]answer{{status: 200, body: `{"MessageId":`}, taken()}, mail.ErrUnavailable, 1},
		"cut off":                 {[]answer{{cut: true}, taken()}, mail.ErrUnavailable, 1},
		"not allowed":             {[]answer{is(403, "AccessDeniedException")}, nil, 1},
		"no such set":             {[]answer{is(404, "NotFoundException")}, nil, 1},
		"throttled, then rejected": {[]answer{is(429, "TooManyRequestsException"), is(400, "BadRequestException")},
			mail.ErrRefused, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &service{answers: c.answers}
			err := against(t, s).Send(t.Context(), message)
			last := c.answers[min(s.count(), len(c.answers))-1]
			switch {
			case c.want != nil && !errors.Is(err, c.want), c.want == nil && last.status == 200 && err != nil,
				c.want == nil && last.status != 200 && !isMistake(err):
				t.Error(err)
			}
			answered := fmt.Sprint(last)
			sender := slices.ContainsFunc([]string{"MessageRejected", "MailFromDomainNotVerified", "AccountSuspended",
				"SendingPaused", "AccessDenied", "NotFound"}, func(code string) bool { return strings.Contains(answered, code) })
			if errors.Is(err, mail.ErrSender) != sender {
				t.Errorf("a fault of the sender: %t, want %t: %v", !sender, sender, err)
			}
			for _, kind := range []error{mail.ErrInvalid, mail.ErrRefused, mail.ErrThrottled, mail.ErrUnavailable, context.Canceled,
				context.DeadlineExceeded} {
				if kind != c.want && errors.Is(err, kind) {
					t.Errorf("it is %v too: %v", kind, err)
				}
			}
			for cause := err; cause != nil; cause = errors.Unwrap(cause) {
				if strings.Contains(cause.Error(), "northwind") || strings.Contains(cause.Error(), "wanderlust") {
					t.Error("a cause tells the message:", cause)
				}
			}
			if s.count() != c.requests {
				t.Errorf("%d requests, want %d", s.count(), c.requests)
			}
		})
	}
}

// isMistake says whether an error is none that the port names, such as that a configuration set is not there.
func isMistake(err error) bool {
	return err != nil && !errors.Is(err, mail.ErrInvalid) && !errors.Is(err, mail.ErrRefused) &&
		!errors.Is(err, mail.ErrThrottled) &&
		!errors.Is(err, mail.ErrUnavailable) && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// What the caller does not wait for is not sent a second time.
func TestSend_CanceledMidway(t *testing.T) {
	s := &service{answers: []answer{{after: time.Minute, status: 200}}}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	if err := against(t, s).Send(ctx, message); !errors.Is(err, context.Canceled) || errors.Is(err, mail.ErrUnavailable) {
		t.Error(err)
	}
	if s.count() > 1 {
		t.Errorf("%d requests", s.count())
	}
}

// A server that is not there has not taken it.
func TestSend_NoServer(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	err = from(t, "MAIL_ENDPOINT", "http://"+address).Send(t.Context(), message)
	if !errors.Is(err, mail.ErrThrottled) || errors.Is(err, mail.ErrUnavailable) ||
		!strings.Contains(err.Error(), "refused") || strings.Contains(err.Error(), "northwind") {
		t.Fatal(err)
	}
}

// The request as SES reads it: one person, both texts, and all of them in UTF-8.
func TestRequest(t *testing.T) {
	for name, c := range map[string]struct {
		environment []string
		message     mail.Message
		want        string
	}{
		"both texts": {nil, message, `{"FromEmailAddress":"\"Earshot\" <mail@earshot.example>","Destination":{"ToAddresses":["quietharbor@northwind.example"]},
			"Content":{"Simple":{"Subject":{"Data":"wanderlust","Charset":"UTF-8"},"Body":{"Text":{"Data":"wanderlust","Charset":"UTF-8"},
			"Html":{"Data":"<p>wanderlust","Charset":"UTF-8"}}}}}`},
		"text alone, with a set, from a name of UTF-8": {
			[]string{"MAIL_FROM", "Grüße <mail@earshot.example>", "MAIL_CONFIGURATION_SET", "deliveries"},
			mail.Message{To: "A@B.example", Subject: "Grüße 👍", Text: "日本\r\n.\n"},
			`{"FromEmailAddress":"=?utf-8?q?Gr=C3=BC=C3=9Fe?= <mail@earshot.example>","ConfigurationSetName":"deliveries",
			"Destination":{"ToAddresses":["A@B.example"]},"Content":{"Simple":{"Subject":{"Data":"Grüße 👍","Charset":"UTF-8"},
			"Body":{"Text":{"Data":"日本\r\n.\n","Charset":"UTF-8"}}}}}`},
		"with an address to unsubscribe, of a workspace": {[]string{"MAIL_FROM", "mail@earshot.example"},
			mail.Message{
				To:          "a@b.example",
				Subject:     "x",
				Text:        "y",
				Unsubscribe: "https://earshot.example/u?token=t",
				Workspace:   "org_1",
			},
			`{"FromEmailAddress":"mail@earshot.example","Destination":{"ToAddresses":["a@b.example"]},"Content":{"Simple":
			{"Subject":{"Data":"x","Charset":"UTF-8"},"Body":{"Text":{"Data":"y","Charset":"UTF-8"}},
			"Headers":[{"Name":"List-Unsubscribe","Value":"<https://earshot.example/u?token=t>"},
			{"Name":"List-Unsubscribe-Post","Value":"List-Unsubscribe=One-Click"}]}},
			"EmailTags":[{"Name":"workspace","Value":"org_1"}]}`},
		"from an address alone": {[]string{"MAIL_FROM", "mail@earshot.example"},
			mail.Message{To: "a@b.example", Subject: "x", Text: "y"},
			`{"FromEmailAddress":"mail@earshot.example","Destination":{"ToAddresses":["a@b.example"]},"Content":{"Simple":
			{"Subject":{"Data":"x","Charset":"UTF-8"},"Body":{"Text":{"Data":"y","Charset":"UTF-8"}}}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := &service{answers: []answer{taken()}}
			if err := against(t, s, c.environment...).Send(t.Context(), c.message); err != nil {
				t.Fatal(err)
			}
			var got, want any
			if err := errors.Join(json.Unmarshal(s.requests[0], &got), json.Unmarshal([]byte(c.want), &want)); err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("asked with %v\nwant       %v", got, want)
			}
		})
	}
}

func TestFromEnvironment(t *testing.T) {
	env := map[string]string{"MAIL_ENDPOINT": "http://127.0.0.1:1"}
	get := func(name string) string { return env[name] }
	if mailer, err := sesmail.FromEnvironment(get); mailer != nil || err != nil {
		t.Errorf("without an address to send from: %v, %v", mailer, err)
	}
	for _, address := range []string{"earshot", "a@b.example, c@d.example", "Earshot", "<>"} {
		env["MAIL_FROM"] = address
		if _, err := sesmail.FromEnvironment(get); err == nil {
			t.Errorf("%q is taken for an address", address)
		}
	}
	env["MAIL_FROM"] = "mail@earshot.example"
	if _, err := sesmail.FromEnvironment(get); err != nil {
		t.Error(err)
	}
	delete(env, "MAIL_ENDPOINT")
	if _, err := sesmail.FromEnvironment(get); err == nil {
		t.Error("no account, no error")
	}
}
