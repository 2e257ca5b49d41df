package main

import (
	"crypto/rand"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// stories lists what is played, in order.
func stories() []story {
	return []story{
		{"document", document},
		{"page", page},
		{"refusals", refusals},
		{"keywords", keywords},
		{"feeds", feeds},
		{"filters", filters},
		{"workspace", ownWorkspace},
		{"exports", exports},
		{"agency", agency},
	}
}

// fresh is a word of letters that no run before has used.
func fresh() string { return "story" + strings.ToLower(strings.Trim(rand.Text(), "234567")) }

// document reads the API's own document.
func document(s *scene) {
	var openAPI struct {
		OpenAPI string
		Servers []struct{ URL string }
		Paths   map[string]any
	}
	first := s.ok(&openAPI, "GET", "/api/v2/openapi.json", "", "")
	s.want(
		openAPI.OpenAPI == "3.1.0" && len(openAPI.Paths) > 40,
		"the document has the version %q and %d paths",
		openAPI.OpenAPI,
		len(openAPI.Paths),
	)
	s.want(
		len(openAPI.Servers) == 1 && openAPI.Servers[0].URL == strings.TrimSuffix(s.url, "/"),
		"the document's servers are %v, want %s",
		openAPI.Servers,
		s.url,
	)
	if s.err != nil {
		return
	}
	again := s.ask("GET", "/api/v2/openapi.json", "", "", "If-None-Match", first.header.Get("ETag"))
	s.want(
		again.status == 304 && len(again.body) == 0,
		"the document that the client has already is answered %s",
		again.shown(),
	)
	short := s.ok(nil, "GET", "/llms.txt", "", "")
	s.want(strings.Contains(string(short.body), s.url), "llms.txt does not name %s", s.url)
	var resource struct{ Resource string }
	s.ok(&resource, "GET", "/.well-known/oauth-protected-resource/api/v2", "", "")
	s.want(
		resource.Resource == strings.TrimSuffix(s.url, "/")+"/api/v2",
		"the metadata's resource is %s",
		resource.Resource,
	)
}

// named matches the files that the page names, with the digests that it states.
var named = regexp.MustCompile(`(?:src|href)="([^"]+)"(?: integrity="(sha384-[^"]+)")?`)

// page opens the documentation with all its files, and compares each with the digest that the page states.
func page(s *scene) {
	const at = "/api/v2/docs"
	html := s.ok(nil, "GET", at, "", "")
	digested := 0
	for _, found := range named.FindAllStringSubmatch(string(html.body), -1) {
		address, err := s.below(at, found[1])
		s.check(err)
		file := s.ask("GET", address, "", "", "Origin", strings.TrimSuffix(s.url, "/"))
		s.want(
			file.status == 200 && len(file.body) > 0,
			"the page names %s, which is answered %s",
			address,
			file.shown(),
		)
		if found[2] == "" || s.err != nil {
			continue
		}
		digested++
		sum := sha512.Sum384(file.body)
		s.want(
			"sha384-"+base64.StdEncoding.EncodeToString(sum[:]) == found[2],
			"%s has another digest than the page states",
			address,
		)
		s.want(
			file.header.Get("Access-Control-Allow-Origin") == "*",
			"%s may not be checked by a page of another origin",
			address,
		)
		s.want(
			strings.Contains(file.header.Get("Cache-Control"), "immutable"),
			"%s may not be kept: %s",
			address,
			file.header.Get("Cache-Control"),
		)
	}
	s.want(digested == 4, "the page states the digest of %d files, want 4", digested)
}

// refusals provokes the gateway's and the functions' errors.
func refusals(s *scene) {
	s.refused(401, "UNAUTHORIZED", "GET", "/api/v2/org", "", "")
	s.refused(401, "UNAUTHORIZED", "GET", "/api/v2/org", s.read+"x", "")
	s.refused(404, "NOT_FOUND", "GET", "/api/v2/nothing", s.read, "")
	s.refused(404, "not_found", "GET", "/api/v1/mentions", s.read, "")
	wrong := s.refused(404, "NOT_FOUND", "DELETE", "/api/v2/mentions", s.read, "")
	if s.err == nil {
		s.want(wrong.header.Get("Allow") != "", "a wrong method is not told which are right")
	}
	s.refused(400, "VALIDATION_ERROR", "POST", "/api/v2/mentions", s.read, `{"limit":0}`)
	s.refused(400, "VALIDATION_ERROR", "POST", "/api/v2/mentions", s.read, `{`)
	s.refused(400, "VALIDATION_ERROR", "POST", "/api/v2/mentions", s.read, strings.Repeat(" ", 1<<20+1))
	s.refused(404, "MENTION_NOT_FOUND", "GET", "/api/v2/mentions/news_article_none", s.read, "")
	s.refused(403, "FORBIDDEN", "POST", "/api/v2/keywords", s.read, `{"keyword":"nothing"}`)
}

// keywords makes one, sends the request twice, and deletes it.
func keywords(s *scene) {
	word := fresh()
	body := fmt.Sprintf(`{"keyword":%q}`, word)
	var made, again struct{ ID json.Number }
	s.ok(&made, "POST", "/api/v2/keywords", s.admin, body, "Idempotency-Key", word)
	repeated := s.ok(&again, "POST", "/api/v2/keywords", s.admin, body, "Idempotency-Key", word)
	s.want(made.ID != "" && made.ID == again.ID, "a request that was sent twice made %s and %s", made.ID, again.ID)
	if s.err != nil {
		return
	}
	s.want(repeated.header.Get("Idempotent-Replayed") == "true", "a repeated request is not said to be one")
	at := "/api/v2/keywords/" + made.ID.String()
	var one struct {
		Keyword string
		Paused  bool
	}
	s.ok(nil, "POST", at+"/pause", s.admin, `{"paused":true}`)
	s.ok(&one, "GET", at, s.read, "")
	s.want(one.Keyword == word && one.Paused, "the keyword is %+v, want %s, paused", one, word)
	s.ok(nil, "DELETE", at, s.admin, "")
	s.refused(404, "KEYWORD_NOT_FOUND", "GET", at, s.read, "")
}

// feeds changes a feed on condition of its version.
func feeds(s *scene) {
	var made struct{ ID json.Number }
	s.ok(&made, "POST", "/api/v2/feeds", s.admin, fmt.Sprintf(`{"name":%q}`, fresh()))
	at := "/api/v2/feeds/" + made.ID.String()
	first := s.ok(nil, "GET", at, s.read, "")
	if s.err != nil {
		return
	}
	s.ok(nil, "PATCH", at, s.admin, fmt.Sprintf(`{"name":%q}`, fresh()), "If-Match", first.header.Get("ETag"))
	stale := s.ask("PATCH", at, s.admin, fmt.Sprintf(`{"name":%q}`, fresh()), "If-Match", first.header.Get("ETag"))
	s.want(stale.status == 409 || stale.status == 412, "a change of an earlier version is answered %s", stale.shown())
	s.ok(nil, "DELETE", at, s.admin, "")
	s.refused(404, "FEED_NOT_FOUND", "GET", at, s.read, "")
}

// filters adds a word and removes it.
func filters(s *scene) {
	word := fresh()
	body := fmt.Sprintf(`{"list":"negativeKeywords","values":[%q]}`, word)
	s.ok(nil, "POST", "/api/v2/filters/global/add", s.admin, body)
	held := s.ok(nil, "GET", "/api/v2/filters/global", s.read, "")
	s.want(strings.Contains(string(held.body), word), "the word that was added is not among %s", held.shown())
	s.ok(nil, "POST", "/api/v2/filters/global/remove", s.admin, body)
}

// ownWorkspace reads the key's workspace and the rest of its hourly limit.
func ownWorkspace(s *scene) {
	var org struct{ ID string }
	answer := s.ok(&org, "GET", "/api/v2/org", s.read, "")
	s.want(strings.HasPrefix(org.ID, "org_"), "the workspace is %q", org.ID)
	if s.err == nil {
		s.want(
			answer.header.Get("X-RateLimit-Limit") == "500" && answer.header.Get("X-RateLimit-Remaining") != "",
			"no limit is told: %v",
			answer.header,
		)
	}
	s.ok(nil, "GET", "/api/v2/org/usage", s.read, "")
	s.ok(nil, "GET", "/api/v2/attention", s.read, "")
	s.refused(403, "FORBIDDEN", "PATCH", "/api/v2/org", s.read, `{"name":"Story"}`)
}

// exports reads the list and exports it in both forms.
func exports(s *scene) {
	var list struct{ Data []json.RawMessage }
	s.ok(&list, "POST", "/api/v2/mentions", s.read, `{"limit":3}`)
	s.want(len(list.Data) <= 3, "a page of 3 has %d mentions", len(list.Data))
	csv := s.ok(nil, "POST", "/api/v2/mentions/export", s.admin, `{"format":"csv"}`)
	s.want(
		strings.HasPrefix(csv.header.Get("Content-Type"), "text/csv"),
		"an export of CSV is %s",
		csv.header.Get("Content-Type"),
	)
	s.ok(nil, "POST", "/api/v2/mentions/export", s.admin, `{"format":"json"}`)
}

// agency makes a workspace, finds it in the list, and deletes it.
func agency(s *scene) {
	const at = "/api/v2/agency/workspaces"
	var made struct{ ID string }
	name := fresh()
	s.ok(&made, "POST", at, s.master, fmt.Sprintf(`{"name":%q,"plan":"pro"}`, name), "Idempotency-Key", name)
	listed := s.ok(nil, "GET", at, s.master, "")
	s.want(
		strings.Contains(string(listed.body), made.ID),
		"the new workspace %s is not among %s",
		made.ID,
		listed.shown(),
	)
	s.ok(nil, "DELETE", at+"/"+made.ID, s.master, "")
	s.refused(403, "MASTER_KEY_REQUIRED", "GET", at, s.admin, "")
}
