package isolation_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"earshot/functions/discovery/asks"
)

// No line of any function's log has anything of a person, a secret, or a text that somebody wrote: whatever is done, in
// whatever place such a text is, and however it goes wrong. It is driven by the served document and by all that is not
// HTTP.
func TestLogs(t *testing.T) {
	w := newWorld(t)
	t.Run("every operation, as its workspace means it", w.operationsAreSilent)
	t.Run("every place of every operation", w.placesAreSilent)
	t.Run("every fault of every operation", w.faultsAreSilent)
	t.Run("what no operation is", w.strangersAreSilent)
	t.Run("every worker", w.workersAreSilent)
}

func (w world) operationsAreSilent(t *testing.T) {
	all, asked := operations(t), asks.All()
	b, heard, _ := overheard(t, w)
	heard.now("what succeeds")
	requests, done := w.a.everything(t, all, asked), 0
	for _, r := range requests {
		w.anHour(t, b)
		if b.send(t, r).status < 300 {
			done++
		}
	}
	if heard.lines < len(requests) || done < len(requests)*9/10 {
		t.Errorf("of %d requests %d were done, and %d lines heard", len(requests), done, heard.lines)
	}
	for id := range all {
		if heard.records["request "+id] == 0 {
			t.Errorf("nothing was heard of %s", id)
		}
	}
}

// anHour gives the workspaces back what they may do in an hour.
func (w world) anHour(t *testing.T, b *bench) {
	t.Helper()
	b.clock.Freeze(b.clock.Now().Add(8 * time.Second)) // 450 requests an hour
	w.more(t, b)
}

// written are texts as people write them where they should, and, the nth time another, where they should not.
func written(n int) []any {
	odd := []any{"https://private.example/" + mark + "?token=" + mark, `"},{"` + mark + `":"` + "\n\u2028",
		map[string]any{mark: []any{mark}}}
	return []any{mark, mark + "@private.example", odd[n%len(odd)]}
}

func (w world) placesAreSilent(t *testing.T) {
	all, asked := operations(t), asks.All()
	b, heard, _ := overheard(t, w)
	done, sent, taken := map[string]bool{}, 0, 0
	for _, a := range asked {
		o := all[a.Operation]
		if done[o.ID] {
			continue
		}
		done[o.ID] = true
		of := w.a.tenants[2]
		for _, place := range append(o.Places, "query."+mark, "body."+mark, "body", "header.Authorization",
			"header.Content-Type", "header.Origin",
			"header.User-Agent", "header.X-Forwarded-For", "header.Cookie", "header.X-Amzn-Trace-Id") {
			for _, value := range written(sent) {
				w.anHour(t, b)
				r := to(o, of.own(t, a))
				r.token, r.org = of.keys["admin"], of.ID
				if o.Agency {
					r.token, r.org = w.a.master, ""
				}
				heard.now(fmt.Sprintf("%s of %s", place, o.ID))
				sent++
				if b.send(t, r.with(t, o, place, value)).status < 300 {
					taken++
				}
			}
		}
	}
	if heard.lines < sent || taken < sent/10 || taken > sent*9/10 {
		t.Errorf("%d requests were sent, %d of them taken, and %d lines heard", sent, taken, heard.lines)
	}
}

// with is the request with a value in a place.
func (r request) with(t *testing.T, o asks.Operation, place string, value any) request {
	t.Helper()
	in, name, _ := strings.Cut(place, ".")
	text := fmt.Sprint(value)
	r.header = http.Header{}
	switch in {
	case "path":
		templates, parts := strings.Split(o.Path, "/"), strings.Split(r.target, "/")
		for i, template := range templates {
			if template == "{"+name+"}" {
				parts[i] = url.PathEscape(text)
			}
		}
		r.target = strings.Join(parts, "/")
	case "query":
		path, query, _ := strings.Cut(r.target, "?")
		args, err := url.ParseQuery(query)
		must(t, err)
		args.Set(name, text)
		r.target = path + "?" + args.Encode()
	case "header":
		r.header.Set(name, strings.Join(strings.Fields(text), " "))
		if name == "Authorization" {
			r.header.Set(name, "Bearer es_key_01JQZX3Y8N4T6V2W9K5M7P0R1S_"+text)
		}
	case "body":
		if name == "" {
			r.body = text
			return r
		}
		var body any
		if r.body != "" {
			must(t, json.Unmarshal([]byte(r.body), &body))
		}
		content, err := json.Marshal(put(body, strings.Split(name, "."), value))
		must(t, err)
		r.body = string(content)
	}
	return r
}

// put is a body with a value at a place, as the document names places.
func put(body any, place []string, value any) any {
	if len(place) == 0 {
		return value
	}
	name, list := strings.CutSuffix(place[0], "[]")
	object, is := body.(map[string]any)
	if !is {
		object = map[string]any{}
	}
	if name == "*" {
		name = mark
	}
	if !list {
		object[name] = put(object[name], place[1:], value)
		return object
	}
	var first any
	if items, _ := object[name].([]any); len(items) > 0 {
		first = items[0]
	}
	object[name] = []any{put(first, place[1:], value)}
	return object
}

func (w world) faultsAreSilent(t *testing.T) {
	all, asked := operations(t), asks.All()
	b, heard, set := overheard(t, w)
	failures := 0
	for n, a := range asked {
		if strings.Contains(a.Body, "dvancedFilters") || strings.Contains(a.Body, "impleFilters") {
			continue // the same operations with other filters: no other port is asked
		}
		o := all[a.Operation]
		of := w.a.tenants[1]
		token := of.keys[o.Scope]
		if o.Agency {
			of, token = w.a.tenants[2], w.a.master
		}
		heard.failing(t, set, func(what string) {
			heard.now(fmt.Sprintf("%s at %s", what, o.ID))
			faults := set.List()
			set.Clear()
			w.anHour(t, b)
			r := to(o, of.own(t, a))
			r.token = token
			if o.Mutates() && n%2 == 0 {
				r.once = mark + fmt.Sprint(b.clock.Now().UnixMilli())
			}
			for _, f := range faults {
				must(t, set.Add(f))
			}
			if b.send(t, r).status >= 500 {
				failures++
			}
		})
	}
	if failures < 500 {
		t.Errorf("only %d requests failed", failures)
	}
	for port := range everyFault() {
		if heard.failed[port] < 2 {
			t.Errorf("the %s failed %d times", port, heard.failed[port])
		}
	}
}

func (w world) strangersAreSilent(t *testing.T) {
	b, heard, _ := overheard(t, w)
	of := w.a.tenants[1]
	for _, r := range []request{
		{method: "GET", target: "/api/v2/" + mark, token: of.keys["read"]},
		{method: "GET", target: "/api/v1/" + mark + "?email=" + mark, token: of.keys["read"]},
		{method: "GET", target: "/" + mark + "@private.example"},
		{method: strings.ToUpper(mark), target: "/api/v2/org", token: of.keys["read"]},
		{
			method: "OPTIONS",
			target: "/api/v2/org",
			header: http.Header{"Origin": {"https://" + mark}, "Access-Control-Request-Method": {mark}},
		},
		{method: "GET", target: "/api/v2/org", token: mark},
		{method: "GET", target: "/api/v2/org", token: of.keys["read"][:len(of.keys["read"])-4] + mark},
		{method: "POST", target: "/api/v2/mentions", token: of.keys["read"], body: strings.Repeat(mark, 1<<20)},
	} {
		heard.now(r.method + " " + r.target)
		b.send(t, r)
	}
	if heard.lines < 5 { // of the others the gateway answers two, and net/http's reader one
		t.Errorf("%d lines", heard.lines)
	}
}
