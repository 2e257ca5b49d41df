package mailtest

import (
	"fmt"
	"strings"
	"sync"

	"earshot/shared/port/mail"
)

var plain = mail.Message{To: "quietharbor@northwind.example", Subject: "You are invited", Text: "Come and see.\n"}

func testOne(e *env) {
	e.send(plain)
	e.wants(plain)
}

// testMany sends to several people, and the same message again to one of them. That is another mail.
func testMany(e *env) {
	var want []mail.Message
	for i := range 12 {
		message := plain
		message.To = fmt.Sprintf("person-%d@northwind.example", i)
		if i%2 == 1 {
			message.HTML = fmt.Sprintf("<p>No. %d</p>", i)
		}
		e.send(message)
		want = append(want, message)
	}
	e.send(want[0])
	e.wants(append(want, want[0])...)
}

func testAtOnce(e *env) {
	var want []mail.Message
	var group sync.WaitGroup
	for i := range 16 {
		message := plain
		message.Subject = fmt.Sprintf("No. %d", i)
		want = append(want, message)
		group.Go(func() {
			if err := e.Mailer.Send(e.Context(), message); err != nil {
				e.Error(err)
			}
		})
	}
	group.Wait()
	e.wants(want...)
}

func testTexts(e *env) {
	var want []mail.Message
	for i, text := range []string{
		"x", "line\nline\n\n.\n.\nline", "carriage\r\nreturns\r\n", "\ttabs\tand  spaces  ",
		strings.Repeat("a line without an end ", 100),
		"ÄÖÜ ß é e\u0301 ﷺ", "日本語 한국어 العربية עברית", "👩‍👩‍👧‍👦 🏳️‍🌈 \U0001f9ff", "\u2028\u2029\ufeff\u200d\u00a0\u00ad\ufffd",
		"=3D =\n=20 =?UTF-8?B?w6Q=?=", "From here on\n>From there", "100% {{name}} ${x} $(x) %s \\n",
		`"quotes" 'and' \backslashes\`,
	} {
		message := mail.Message{To: plain.To, Subject: fmt.Sprintf("No. %d", i), Text: text}
		want = append(want, message)
		message.Subject += ", with HTML"
		message.HTML = "<!doctype html>\n<p title=\"&quot;&amp;\">" + text + "</p>"
		want = append(want, message)
	}
	for _, subject := range []string{
		"x", " space around ", "=?UTF-8?B?w6Q=?=", "Grüße an 日本 👍", "To: someone@else.example",
		`"quoted", <bracketed>; {{name}}`,
		strings.Repeat("é", mail.MaxSubject), strings.Repeat("👍", mail.MaxSubject),
	} {
		want = append(want, mail.Message{To: plain.To, Subject: subject, Text: "x"})
	}
	for _, message := range want {
		e.send(message)
	}
	e.wants(want...)
}

// testAddresses sends to addresses of every common form. Their case must not change.
func testAddresses(e *env) {
	var want []mail.Message
	for _, address := range []string{
		"a@b.co", "First.Last@Sub.Domain.Example", "o'brien@x.example", "under_score@x.example", "plus+tag@x.example",
		"dash-ed@x-y.example",
		"1@2.example", "a@xn--bcher-kva.example",
		strings.Repeat("l", 64) + "@" + strings.Repeat("d", 63) + "." + strings.Repeat("e", 63) + ".example",
	} {
		message := plain
		message.To = address
		e.send(message)
		want = append(want, message)
	}
	e.wants(want...)
}

func testLarge(e *env) {
	long := plain
	long.Text = strings.Repeat("é\n", mail.MaxBody/3)
	both := plain
	both.Text, both.HTML = strings.Repeat("t", mail.MaxBody/2), "<"+strings.Repeat("h", mail.MaxBody/2-1)
	e.send(long)
	e.send(both)
	e.wants(long, both)
}

// testHeaders sends what is not in the texts: an address to unsubscribe, and the workspace.
func testHeaders(e *env) {
	var want []mail.Message
	for _, unsubscribe := range []string{
		"", "https://api.earshot.example/api/v2/unsubscribe?token=a-b_c.d", "http://127.0.0.1:8080/x?a=%C3%A9&b=1",
		"https://earshot.example/" + strings.Repeat("x", mail.MaxUnsubscribe-len("https://earshot.example/")),
	} {
		for _, workspace := range []string{"", "org_01KAG7Z8M03F5T9QW2X4Y6B8CD"} {
			message := plain
			message.Unsubscribe, message.Workspace = unsubscribe, workspace
			e.send(message)
			want = append(want, message)
		}
	}
	e.wants(want...)
}
