package feeds_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"earshot/shared/feed"
	"earshot/shared/worldtest"
)

// with is a body with destinations.
func with(destinations ...string) string {
	return `{"name":"a","destinations":[` + strings.Join(destinations, ",") + `]}`
}

func emailTo(addresses, more string) string {
	return `{"type":"EMAIL","emailDestination":{"emails":[` + addresses + `]}` + more + `}`
}

func slackTo(channels string) string {
	return `{"type":"SLACK","slackDestination":{"channels":[` + channels + `]}}`
}

func webhookTo(url string) string {
	quoted, _ := json.Marshal(url)
	return `{"type":"WEBHOOK","webhookDestination":{"url":` + string(quoted) + `}}`
}

// To add a case, write a destination as it is sent, and as it is answered.
func TestDestinationsAreAnswered(t *testing.T) {
	d := newDesk(t)
	rest := func(of, value string) string {
		text := ""
		for _, name := range []string{"email", "slack", "webhook"} {
			if name == of {
				text += `,"` + name + `Destination":` + value
			} else {
				text += `,"` + name + `Destination":null`
			}
		}
		return text + `,"summary":false}`
	}
	mail := rest("email", `{"emails":["a@b.co"]}`)
	for _, c := range []struct{ sent, want string }{
		{emailTo(`"a@b.co"`, ""),
			`{"type":"EMAIL","frequency":"instant","deliveryMode":"batch","time":null,"timezone":null,"dayOfWeek":null` + mail},
		{emailTo(`"a@b.co","A@b.co","o'neil+x_y@sub.b.co","a@b.co"`, ""),
			`{"type":"EMAIL","frequency":"instant","deliveryMode":"batch","time":null,"timezone":null,"dayOfWeek":null` +
				rest("email", `{"emails":["a@b.co","o'neil+x_y@sub.b.co"]}`)},
		{emailTo(`"a@b.co"`, `,"frequency":"daily","deliveryMode":"individual"`),
			`{"type":"EMAIL","frequency":"daily","deliveryMode":"individual","time":"09:00","timezone":"UTC","dayOfWeek":null` +
				mail},
		{emailTo(`"a@b.co"`, `,"frequency":"weekly","time":"23:59","timezone":"America/Argentina/Buenos_Aires"`),
			`{"type":"EMAIL","frequency":"weekly","deliveryMode":"batch","time":"23:59","timezone":"America/Argentina/Buenos_Aires","dayOfWeek":"monday"` + mail},
		{emailTo(`"a@b.co"`, `,"frequency":"weekly","dayOfWeek":"sunday","time":null,"timezone":"Etc/GMT+5"`),
			`{"type":"EMAIL","frequency":"weekly","deliveryMode":"batch","time":"09:00","timezone":"Etc/GMT+5","dayOfWeek":"sunday"` + mail},
		{emailTo(`"a@b.co"`, `,"frequency":"weekly","summary":true`),
			`{"type":"EMAIL","frequency":"weekly","deliveryMode":"batch","time":"09:00","timezone":"UTC","dayOfWeek":"monday"` +
				strings.Replace(mail, `"summary":false`, `"summary":true`, 1)},
		{emailTo(`"a@b.co"`, `,"frequency":"hourly","dayOfWeek":"sunday","time":"10:00","timezone":"Europe/Berlin"`),
			`{"type":"EMAIL","frequency":"hourly","deliveryMode":"batch","time":null,"timezone":null,"dayOfWeek":null` + mail},
		{emailTo(`"a@b.co"`, `,"frequency":"daily","dayOfWeek":"sunday","slackDestination":null,"webhookDestination":null`),
			`{"type":"EMAIL","frequency":"daily","deliveryMode":"batch","time":"09:00","timezone":"UTC","dayOfWeek":null` +
				mail},
		{slackTo(`"C2","C1","C2"`),
			`{"type":"SLACK","frequency":"instant","deliveryMode":"batch","time":null,"timezone":null,"dayOfWeek":null` +
				rest("slack", `{"channels":["C2","C1"]}`)},
		{webhookTo("https://hooks.example.com/x?a=<1>&b=2"),
			`{"type":"WEBHOOK","frequency":"instant","deliveryMode":"batch","time":null,"timezone":null,"dayOfWeek":null` +
				rest("webhook", `{"url":"https://hooks.example.com/x?a=<1>&b=2"}`)},
		{`{"type":"WEBHOOK","webhookDestination":{"url":"https://relay.example.com/","format":"teams"}}`,
			`{"type":"WEBHOOK","frequency":"instant","deliveryMode":"batch","time":null,"timezone":null,"dayOfWeek":null` +
				rest("webhook", `{"url":"https://relay.example.com/","format":"teams"}`)},
	} {
		f := d.create(t, with(c.sent))
		if len(f.Destinations) != 1 || string(f.Destinations[0]) != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.sent, f.Destinations, c.want)
			continue
		}
		// What was answered can be sent.
		var again shown
		d.Patch(t, feedPath(f.ID), with(string(f.Destinations[0]))).OK(t, &again)
		if string(again.Destinations[0]) != c.want || string(d.read(t, f.ID).Destinations[0]) != c.want {
			t.Errorf("%s became %s", c.want, again.Destinations[0])
		}
	}
	all := d.create(t, with(emailTo(`"a@b.co"`, ""), slackTo(`"C1"`), webhookTo("https://hooks.example.com"))).Destinations
	if len(all) != 3 {
		t.Errorf("%s", all)
	}
}

// To add a refusal, write a body and the code.
func TestDestinationsThatAreRefused(t *testing.T) {
	d := newDesk(t)
	d.create(t, `{"name":"a"}`)
	email := emailTo(`"a@b.co"`, "")
	zone := func(name string) string { return emailTo(`"a@b.co"`, `,"timezone":"`+name+`"`) }
	for _, c := range []struct{ body, code, message string }{
		{with(`{"type":"EMAIL"}`), "INVALID_DESTINATION", "destinations[0] has the type EMAIL. Give it emailDestination."},
		{with(`{"type":"SLACK"}`), "INVALID_DESTINATION", "destinations[0] has the type SLACK. Give it slackDestination."},
		{with(email, `{"type":"WEBHOOK"}`), "INVALID_DESTINATION",
			"destinations[1] has the type WEBHOOK. Give it webhookDestination."},
		{with(`{"type":"WEBHOOK","webhookDestination":null}`), "INVALID_DESTINATION", ""},
		{with(`{"type":"SLACK","emailDestination":{"emails":["a@b.co"]}}`), "INVALID_DESTINATION", ""},
		{with(emailTo(`"a@b.co"`, `,"slackDestination":{"channels":[]}`)), "INVALID_DESTINATION",
			"destinations[0] has the type EMAIL. Leave slackDestination out."},
		{with(emailTo(`"a@b.co"`, `,"slackDestination":{}`)), "INVALID_DESTINATION", ""},
		{with(emailTo(`"a@b.co"`, `,"webhookDestination":{"url":""}`)), "INVALID_DESTINATION", ""},
		{with(email, slackTo(`"C1"`), email), "INVALID_DESTINATION",
			"destinations[2] is the second destination of the type EMAIL. Put both into one."},
		{with(email, email, email, email), "INVALID_DESTINATION", ""},
		{with(emailTo(`"a@b.co"`, `,"frequency":"daily","summary":true`)), "INVALID_DESTINATION",
			"destinations[0] has a summary and the frequency daily. Only weekly digests have one: choose weekly, or leave summary out."},
		{with(emailTo(`"a@b.co"`, `,"summary":true`)), "INVALID_DESTINATION", ""},
		{with(zone("Europe/Atlantis")), "INVALID_TIMEZONE", ""},
		{with(zone("")), "INVALID_TIMEZONE", ""},
		{with(zone("Local")), "INVALID_TIMEZONE", ""},
		{with(zone("europe/berlin")), "INVALID_TIMEZONE", ""},
		{with(zone("Europe/../Europe/Berlin")), "INVALID_TIMEZONE", ""},
		{with(zone("posix/Europe/Berlin")), "INVALID_TIMEZONE", ""},
		{with(zone("+01:00")), "INVALID_TIMEZONE", ""},
		{with(zone(strings.Repeat("A", 5000))), "INVALID_TIMEZONE", ""},
		{with(email, slackTo("")), "SLACK_CHANNEL_REQUIRED", ""},
		{with(`{"type":"SLACK","slackDestination":{}}`), "SLACK_CHANNEL_REQUIRED", ""},
		{with(slackTo(`"C1","C9"`)), "SLACK_CHANNEL_NOT_FOUND", ""},
		{with(slackTo(`"one"`)), "SLACK_CHANNEL_NOT_FOUND", ""},
		{with(slackTo(`""`)), "SLACK_CHANNEL_NOT_FOUND", ""},
		{with(webhookTo("")), "WEBHOOK_URL_INVALID", ""},
		{with(webhookTo("http://hooks.example.com/")), "WEBHOOK_URL_INVALID",
			"destinations[0].webhookDestination.url: expected https://."},
		{with(webhookTo("https://127.0.0.1/")), "WEBHOOK_URL_INVALID", ""},
	} {
		for _, answer := range []worldtest.Answer{d.Post(t, "/api/v2/feeds", c.body), d.Patch(t, feedPath(1), c.body)} {
			if told := answer.Problem(t); told.Code != c.code || c.message != "" && told.Message != c.message {
				t.Errorf("%.200s: %s %s", c.body, told.Code, told.Message)
			}
		}
	}
	if f := d.read(t, 1); len(f.Destinations) != 0 {
		t.Errorf("%s", f.Destinations)
	}
}

func TestSlackOfAFeed(t *testing.T) {
	d := newDesk(t)
	f := d.create(t, with(slackTo(`"C1"`)))
	d.create(t, with(emailTo(`"a@b.co"`, "")))
	if d.team.asked != 1 {
		t.Errorf("Slack was asked %d times", d.team.asked)
	}
	d.team.err = fmt.Errorf("slack: %w", feed.ErrSlackNotConnected)
	d.Post(t, "/api/v2/feeds", with(slackTo(`"C1"`))).Is(t, 400, "SLACK_NOT_CONNECTED")
	d.Post(t, "/api/v2/feeds", with(slackTo(""))).Is(t, 400, "SLACK_CHANNEL_REQUIRED")
	// The channel that the feed has stays, beside what is new.
	d.Patch(t, feedPath(f.ID), with(string(f.Destinations[0]), emailTo(`"a@b.co"`, ""))).OK(t, nil)
	d.Patch(t, feedPath(f.ID), with(strings.Replace(string(f.Destinations[0]), "instant", "daily", 1))).OK(t, nil)
	d.Patch(t, feedPath(f.ID), `{"destinations":[`+slackTo(`"C1","C2"`)+`]}`).Is(t, 400, "SLACK_NOT_CONNECTED")
	d.team.err = errors.New("slack: xoxb-secret")
	if answer := d.Patch(t, feedPath(f.ID), with(slackTo(`"C2"`))); answer.Status != 500 ||
		strings.Contains(string(answer.Body), "xoxb") {
		t.Errorf("%d %s", answer.Status, answer.Body)
	}
}

// A name that leads inside is refused, even among others that do not; one that leads nowhere now is taken.
func TestWebhookNamesAreResolved(t *testing.T) {
	d := newDesk(t)
	d.dns["good.example.com"] = []string{"93.184.215.14", "2606:4700::1111"}
	d.dns["metadata.example.com"] = []string{"169.254.169.254"}
	d.dns["mixed.example.com"] = []string{"93.184.215.14", "::ffff:10.0.0.1"}
	for host, taken := range map[string]bool{"good.example.com": true, "GOOD.example.com.": true, "nowhere.example.com": true,
		"metadata.example.com": false, "METADATA.example.com.": false, "mixed.example.com": false} {
		answer := d.Post(t, "/api/v2/feeds", with(webhookTo("https://"+host+":8443/x")))
		if taken {
			answer.OK(t, nil)
		} else {
			answer.Is(t, 400, "WEBHOOK_URL_INVALID")
		}
	}
	f := d.create(t, with(webhookTo("https://good.example.com/x")))
	d.dns["good.example.com"] = []string{"10.0.0.1"}
	d.Patch(t, feedPath(f.ID), with(string(f.Destinations[0]))).OK(t, nil)
	d.Patch(t, feedPath(f.ID), with(webhookTo("https://good.example.com/y"))).Is(t, 400, "WEBHOOK_URL_INVALID")
}
