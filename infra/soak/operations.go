package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// An operation is something that a client does: a request or some that belong together.
type operation struct {
	weight int // its share among all
	run    func(context.Context, *client)
}

// operations are what a client draws from: every group of the API, more often what clients do more often.
func operations(setup, large, hears bool) []operation {
	all := []operation{
		{10, listMentions},
		{8, readMention},
		{7, engage},
		{3, setSentiment},
		{2, setRelevance},
		{2, exportAtOnce},
		{1, exportLater},
		{1, pollExport},
		{12, post},
		{2, importMentions},
		{5, createKeyword},
		{4, updateKeyword},
		{2, pauseKeyword},
		{2, deleteKeyword},
		{2, readKeyword},
		{3, createFeed},
		{3, updateFeed},
		{2, deleteFeed},
		{1, readFeed},
		{2, createNotification},
		{1, updateNotification},
		{1, deleteNotification},
		{1, readNotification},
		{1, testNotification},
		{4, addFilter},
		{2, removeFilter},
		{2, replaceFilters},
		{4, giveFeedback},
		{1, withdrawFeedback},
		{3, inviteMember},
		{2, signUp},
		{1, removeMember},
		{1, revokeInvitation},
		{1, resendInvitation},
		{2, renameOrganization},
		{2, describeCompany},
		{2, createKey},
		{1, revokeKey},
		{2, tryKeys},
		{1, upgrade},
		{2, createWorkspace},
		{1, deleteWorkspace},
		{2, inviteAgency},
		{3, unknownPath},
		{2, nothingThere},
		{3, invalidBody},
		{1, wrongKey},
		{7, readAnything},
		{4, readFigures},
		{3, queryFigures},
		{2, countFigures},
		{4, search},
		{2, tryKeyword},
		{4, together},
		{2, createAlert},
		{2, updateAlert},
		{1, deleteAlert},
		{1, readAlert},
		{1, previewAlert},
		{1, askWizard},
		{1, summarize},
		{1, readSummary},
		{2, connect},
		{2, useGrant},
		{1, endGrant},
		{2, callTool},
	}
	if setup {
		all = append(all, operation{14, setupStep})
	}
	if large {
		all = append(all, operation{8, exportLater}, operation{4, pollExport})
	}
	if hears {
		all = append(all, operation{6, disturb}, operation{3, resendSomething}, operation{5, burst},
			operation{4, runDeliveries}, operation{3, listen}, operation{3, attend}, operation{2, unsubscribe})
	}
	return all
}

// body writes a body; what stands in it marshals.
func body(value any) string {
	content, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("soak: %v", err))
	}
	return string(content)
}

type object map[string]any

// state writes a thing's fields as the ledger has them.
func state(fields ...any) string {
	texts := make([]string, len(fields))
	for n, field := range fields {
		texts[n] = fmt.Sprint(field)
	}
	return strings.Join(texts, "|")
}
