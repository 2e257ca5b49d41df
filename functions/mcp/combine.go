package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"earshot/shared/feed"
	"earshot/shared/web"
	"earshot/shared/web/problem"
)

// with returns the arguments without some, and with others in their place.
func (a arguments) with(changes map[string]any) (arguments, error) {
	named := map[string]json.RawMessage{}
	for name, value := range a.named {
		named[name] = value
	}
	for name, value := range changes {
		delete(named, name)
		if value == nil {
			continue
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			return arguments{}, fmt.Errorf("mcp: write the argument %s: %w", name, err)
		}
		named[name] = encoded
	}
	text, err := json.Marshal(named)
	return arguments{named, text}, err
}

// text returns an argument that is a text.
func (a arguments) textOf(name string) (text string, err error) {
	value, given := a.named[name]
	switch {
	case !given:
		return "", fault(name, "required", "The argument is missing.")
	case json.Unmarshal(value, &text) != nil:
		return "", fault(name, "type", "Expected a string.")
	case text == "":
		return "", fault(name, "required", "The argument is empty.")
	}
	return text, nil
}

// only refuses all arguments but one, for a tool whose call with that one takes no other.
func (a arguments) only(name, message string) error {
	var faults []problem.Detail
	for _, other := range slices.Sorted(maps.Keys(a.named)) {
		if other != name {
			faults = append(faults, problem.Detail{Path: other, Code: "unknown", Message: message})
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return problem.Invalid(faults...)
}

// findKeyword lists the keywords and keeps those whose text has a text in it.
func findKeyword(_ context.Context, turn *turn, t tool, given arguments) (web.Performed, error) {
	wanted, err := given.textOf("text")
	if err != nil {
		return web.Performed{}, err
	}
	rest, err := given.with(map[string]any{"text": nil})
	if err != nil {
		return web.Performed{}, err
	}
	found, err := turn.perform(t.Operations[0], rest, true, nil)
	if err != nil || found.Failed() {
		return found, err
	}
	var list struct {
		Data       []json.RawMessage `json:"data"`
		Pagination json.RawMessage   `json:"pagination"`
	}
	if err := json.Unmarshal(found.Body, &list); err != nil {
		return web.Performed{}, fmt.Errorf("mcp: read the keywords: %w", err)
	}
	kept := []json.RawMessage{}
	for _, one := range list.Data {
		var keyword struct {
			Keyword string `json:"keyword"`
		}
		if err := json.Unmarshal(one, &keyword); err != nil {
			return web.Performed{}, fmt.Errorf("mcp: read a keyword: %w", err)
		}
		if strings.Contains(strings.ToLower(keyword.Keyword), strings.ToLower(wanted)) {
			kept = append(kept, one)
		}
	}
	found.Body, err = json.Marshal(map[string]any{"data": kept, "pagination": list.Pagination})
	return found, err
}

// readMention reads a mention. Two ids are names of routes beside that of getMention, so getMentionById takes them.
func readMention(_ context.Context, turn *turn, t tool, given arguments) (web.Performed, error) {
	id, err := given.textOf("sourceId")
	if err != nil || id != "by-author" && id != "by-id" {
		return turn.perform("getMention", given, true, nil)
	}
	verbatim, err := given.with(map[string]any{"sourceId": nil, "id": id})
	if err != nil {
		return web.Performed{}, err
	}
	return turn.perform("getMentionById", verbatim, true, nil)
}

// searchOrRead begins a search, or reads the one that the arguments name.
func searchOrRead(_ context.Context, turn *turn, _ tool, given arguments) (web.Performed, error) {
	if _, named := given.named["searchId"]; named {
		if err := given.only("searchId", "To read a search, give searchId alone. To search, leave it out."); err != nil {
			return web.Performed{}, err
		}
		return turn.perform("getSearch", given, true, nil)
	}
	return turn.perform("createSearch", given, true, nil)
}

// draftOrPropose begins a draft of a domain, or the proposal of a draft.
func draftOrPropose(_ context.Context, turn *turn, _ tool, given arguments) (web.Performed, error) {
	if _, named := given.named["domain"]; named {
		if err := given.only("domain", "To begin a draft, give domain alone. To propose, leave it out."); err != nil {
			return web.Performed{}, err
		}
		return turn.perform("createSetupDraft", given, true, nil)
	}
	return turn.perform("proposeSetup", given, true, nil)
}

// addDestination puts a destination in the place of the feed's of that type, or after the others.
func addDestination(_ context.Context, turn *turn, _ tool, given arguments) (web.Performed, error) {
	added, isGiven := given.named["destination"]
	if !isGiven {
		return web.Performed{}, fault("destination", "required", "The argument is missing.")
	}
	kind, ok := typeOf(added)
	if !ok {
		return web.Performed{}, fault("destination", "type", "Expected an object with a type.")
	}
	return changeDestinations(turn, given, "destination", kind, added)
}

// removeDestination takes the feed's destination of a type away.
func removeDestination(_ context.Context, turn *turn, _ tool, given arguments) (web.Performed, error) {
	kind, err := given.textOf("type")
	if err != nil {
		return web.Performed{}, err
	}
	switch feed.DestinationType(kind) {
	case feed.Email, feed.Slack, feed.Webhook:
	default:
		return web.Performed{}, fault("type", "enum", "Expected one of EMAIL, SLACK, WEBHOOK.")
	}
	return changeDestinations(turn, given, "type", kind, nil)
}

// changeDestinations replaces the feed's destination of a type by one or by none. The write names the version that was
// read, so a change in between is a FEED_FILTER_WRITE_CONFLICT and never lost. An Idempotency-Key is not passed on: the
// version differs at a repeat, which changes nothing more by itself.
func changeDestinations(turn *turn, given arguments, own, kind string, added json.RawMessage) (web.Performed, error) {
	read, err := given.with(map[string]any{own: nil})
	if err != nil {
		return web.Performed{}, err
	}
	if !turn.caller.Allows(generatedOperations()["updateFeed"].Scope) {
		return turn.perform("updateFeed", read, false, nil) // the operation itself says why it refuses
	}
	found, err := turn.perform("getFeed", read, false, nil)
	if err != nil || found.Failed() {
		return found, err
	}
	var feed struct {
		Destinations []json.RawMessage `json:"destinations"`
	}
	if err := json.Unmarshal(found.Body, &feed); err != nil {
		return web.Performed{}, fmt.Errorf("mcp: read a feed: %w", err)
	}
	kept := []json.RawMessage{}
	for _, one := range feed.Destinations {
		if of, _ := typeOf(one); of != kind {
			kept = append(kept, one)
		}
	}
	if added != nil {
		kept = append(kept, added)
	}
	changed, err := read.with(map[string]any{"destinations": kept})
	if err != nil {
		return web.Performed{}, err
	}
	found, err = turn.perform("updateFeed", changed, false, http.Header{"If-Match": {found.Header.Get("ETag")}})
	if added != nil && found.Failed() { // whose faults name the argument's place in the feed
		at := fmt.Sprintf("destinations[%d]", len(kept)-1)
		found.Body = bytes.ReplaceAll(found.Body, []byte(at), []byte(own))
	}
	return found, err
}

// typeOf returns the type of a destination.
func typeOf(destination json.RawMessage) (string, bool) {
	var read struct {
		Type string `json:"type"`
	}
	return read.Type, json.Unmarshal(destination, &read) == nil && read.Type != ""
}
