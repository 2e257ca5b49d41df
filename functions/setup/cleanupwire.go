package setup

import (
	"fmt"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/proposal"
	"earshot/shared/proposal/cleanup"
	"earshot/shared/store/setupstore"
	"earshot/shared/web"
)

// SetupCleanup is what waits for the clean-up.
type SetupCleanup struct {
	Status string             `json:"status" enum:"none,waiting,ready" doc:"none: no setting waits. waiting: no keyword is ready. ready: settings can be written."`
	Items  []SetupCleanupItem `json:"items" doc:"The waiting settings, ordered by the age of their keywords."`
}

// SetupCleanupItem is a setting of a keyword that waits.
type SetupCleanupItem struct {
	KeywordID   int64            `json:"keywordId" minimum:"1" maximum:"9007199254740991"`
	Keyword     string           `json:"keyword" doc:"The keyword's text."`
	Setting     proposal.Setting `json:"setting"`
	Terms       []string         `json:"terms" minItems:"1" doc:"The new values: terms, words, prefixes or handles, the remaining platforms, the tag, the context, true or false."`
	Ready       bool             `json:"ready" doc:"Whether the keyword's first collection has taken place."`
	Evidence    CleanupEvidence  `json:"evidence"`
	Explanation string           `json:"explanation" doc:"What the setting does and what it would have removed, for people to read."`
	Recommended bool             `json:"recommended" doc:"Whether the setting is recommended. Always false until it is ready."`
}

// CleanupEvidence is what was counted over the recent mentions that the keyword matches as it is.
type CleanupEvidence struct {
	Mentions            int `json:"mentions" minimum:"0"`
	Relevant            int `json:"relevant" minimum:"0" doc:"Relevant mentions, by users' judgements or else by the judge's."`
	NotRelevant         int `json:"notRelevant" minimum:"0" doc:"Mentions that are not relevant. Mentions that nobody has judged count as neither."`
	WouldRemove         int `json:"wouldRemove" minimum:"0" doc:"Mentions that the changed keyword would not match."`
	WouldRemoveRelevant int `json:"wouldRemoveRelevant" minimum:"0" doc:"Relevant mentions that the changed keyword would not match."`
}

// RunSetupCleanup is the body that asks for the clean-up.
type RunSetupCleanup struct {
	KeywordIDs []int64 `json:"keywordIds,omitempty" maxItems:"100" doc:"Write all waiting settings of these keywords. Default: the recommended settings of all keywords."`
}

// Resolve reports to huma what the schema cannot say.
func (r *RunSetupCleanup) Resolve(_ huma.Context, at *huma.PathBuffer) (faults []error) {
	for i, id := range r.KeywordIDs {
		switch path := fmt.Sprintf("keywordIds[%d]", i); {
		case id < 1 || id > 1<<53-1:
			faults = append(faults, faultAt(at, path, "range", "expected a keyword's id"))
		case slices.Index(r.KeywordIDs, id) < i:
			faults = append(faults, faultAt(at, path, "duplicate", "it is named before"))
		}
	}
	return faults
}

// RunSetupCleanupInput asks for the clean-up.
type RunSetupCleanupInput struct{ Body RunSetupCleanup }

// SetupCleaned is what the clean-up did.
type SetupCleaned struct {
	Written []SetupCleanedSetting `json:"written"`
	Skipped []SetupCleanupSkipped `json:"skipped" doc:"Settings that were not written, and why."`
}

// SetupCleanedSetting is a setting that was written.
type SetupCleanedSetting struct {
	KeywordID int64            `json:"keywordId" minimum:"1" maximum:"9007199254740991"`
	Keyword   string           `json:"keyword" doc:"The keyword's text."`
	Setting   proposal.Setting `json:"setting"`
	Terms     []string         `json:"terms" doc:"The values that were written."`
}

// SetupCleanupSkipped is a keyword, or one setting of it, that was left.
type SetupCleanupSkipped struct {
	KeywordID int64                      `json:"keywordId" minimum:"1" maximum:"9007199254740991"`
	Setting   web.Null[proposal.Setting] `json:"setting" doc:"The setting. null: all settings of the keyword."`
	Code      string                     `json:"code" enum:"not_collected,not_recommended,nothing_waits,too_large"`
	Message   string                     `json:"message"`
}

// Codes of what was left.
const (
	skipNotCollected   = "not_collected"
	skipNotRecommended = "not_recommended"
	skipNothing        = "nothing_waits"
	skipTooLarge       = "too_large"
)

func whySkipped(code string) string {
	switch code {
	case skipNotCollected:
		return "The keyword's first collection has not taken place yet. The setting keeps waiting."
	case skipNotRecommended:
		return "The setting would remove more relevant mentions than others, or one that a user marked as relevant. Name the keyword in keywordIds to write it anyway."
	case skipTooLarge:
		return "The workspace's keywords would be too large together. Shorten their lists of terms and exclusions."
	}
	return "No setting of a keyword with this id waits. GET /api/v2/setup/cleanup lists the waiting settings."
}

func skippedItem(item cleanup.Item, code string) SetupCleanupSkipped {
	return SetupCleanupSkipped{
		KeywordID: item.KeywordID,
		Setting:   web.Some(item.Setting),
		Code:      code,
		Message:   whySkipped(code),
	}
}

func skippedKeyword(id int64, code string) SetupCleanupSkipped {
	return SetupCleanupSkipped{KeywordID: id, Code: code, Message: whySkipped(code)}
}

func fromItems(items []cleanup.Item) SetupCleanup {
	wire := SetupCleanup{Status: "none", Items: each(items, fromItem)}
	switch {
	case slices.ContainsFunc(items, func(i cleanup.Item) bool { return i.Ready }):
		wire.Status = "ready"
	case len(items) > 0:
		wire.Status = "waiting"
	}
	return wire
}

func fromItem(i cleanup.Item) SetupCleanupItem {
	return SetupCleanupItem{
		KeywordID:   i.KeywordID,
		Keyword:     i.Keyword,
		Setting:     i.Setting,
		Terms:       i.Terms,
		Ready:       i.Ready,
		Evidence:    CleanupEvidence(i.Evidence),
		Explanation: i.Explanation,
		Recommended: i.Recommended,
	}
}

func fromCleaned(s setupstore.CleanedSetting) SetupCleanedSetting {
	return SetupCleanedSetting{KeywordID: s.KeywordID, Keyword: s.Keyword, Setting: s.Setting, Terms: s.Terms}
}

func exampleCleanup() SetupCleanup {
	return fromItems(
		[]cleanup.Item{
			{
				KeywordID:   7,
				Keyword:     "northwind",
				Setting:     proposal.SettingExcludeWords,
				Terms:       []string{"snow", "gusts"},
				Ready:       true,
				Evidence:    cleanup.Evidence{Mentions: 138, Relevant: 90, NotRelevant: 48, WouldRemove: 31},
				Explanation: `You leave out posts with "snow" or "gusts". Of the 138 posts that came in for "northwind" it would have taken 31 from you, 0 of them relevant.`,
				Recommended: true,
			},
		},
	)
}

func exampleCleaned() SetupCleaned {
	return SetupCleaned{
		Written: []SetupCleanedSetting{{KeywordID: 7, Keyword: "northwind", Setting: proposal.SettingExcludeWords,
			Terms: []string{"snow", "gusts"}}},
		Skipped: []SetupCleanupSkipped{},
	}
}
