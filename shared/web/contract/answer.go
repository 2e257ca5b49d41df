package contract

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"earshot/shared/web/problem"
)

// An Answer is a response of the API.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// always are the headers of every response ("On every response" in the contract).
var always = [...]string{
	"Server-Timing", "X-Request-Id", "Cache-Control", "Strict-Transport-Security", "X-Content-Type-Options",
	"Access-Control-Allow-Origin", "Access-Control-Expose-Headers",
}

// Faults returns what is wrong with the response whatever the request was: a missing header, or a refusal without the
// envelope. A refusal may be a page for people instead; Document's Faults says whether the operation has one.
func (a Answer) Faults() (faults []error) {
	for _, name := range always {
		if a.Header.Get(name) == "" {
			faults = append(faults, fmt.Errorf("%d without %s", a.Status, name))
		}
	}
	contentType := a.Header.Get("Content-Type")
	if a.Status < http.StatusBadRequest || a.otherForm(contentType) {
		return faults
	}
	if contentType != "application/json" {
		faults = append(faults, fmt.Errorf("%d as %s", a.Status, contentType))
	}
	if _, err := a.Problem(); err != nil {
		faults = append(faults, err)
	}
	return faults
}

// otherForm reports whether a refusal is a page, or has the form of OAuth (RFC 6749, section 5.2) or of JSON-RPC 2.0
// (section 5). The document says which operations respond so.
func (a Answer) otherForm(contentType string) bool {
	var oauth struct{ Error string }
	var rpc struct {
		JSONRPC string
		Error   struct {
			Code    int
			Message string
		}
	}
	switch contentType {
	case "text/html; charset=utf-8":
		return a.Status < http.StatusInternalServerError
	case "application/json":
		return json.Unmarshal(a.Body, &oauth) == nil && oauth.Error != "" ||
			json.Unmarshal(a.Body, &rpc) == nil && rpc.JSONRPC == "2.0" && rpc.Error.Code != 0 && rpc.Error.Message != ""
	}
	return false
}

// A Problem is the error envelope as a client reads it.
type Problem struct {
	Code           string
	Message        string
	Status         int
	UpgradeURL     string `json:"upgradeUrl"`
	UpgradeCommand string
	Details        []Detail
}

// A Detail is a fault of a request. Position and Length are nil unless the fault is at a place of a text.
type Detail struct {
	Path, Code, Message string
	Position, Length    *int
}

// legacyCode is the code in responses to paths of version 1, in that version's spelling.
const legacyCode = "not_found"

// Problem reads the envelope. It returns an error unless "error" is the only key, the status is the response's, and the
// catalogue has the code with that status.
func (a Answer) Problem() (Problem, error) {
	var envelope map[string]json.RawMessage
	var read Problem
	if json.Unmarshal(a.Body, &envelope) != nil || len(envelope) != 1 ||
		json.Unmarshal(envelope["error"], &read) != nil {
		return Problem{}, fmt.Errorf("%d %s: not the envelope", a.Status, a.Body)
	}
	if read.Status != a.Status || read.Message == "" {
		return read, fmt.Errorf("%d %s: status or message is off", a.Status, a.Body)
	}
	known := slices.ContainsFunc(
		problem.Catalogue(), func(e problem.Entry) bool { return string(e.Code) == read.Code && e.Status == a.Status },
	)
	if !known && read.Code != legacyCode {
		return read, fmt.Errorf("%d %s: the catalogue has no such code with this status", a.Status, a.Body)
	}
	return read, nil
}
