package proposal_test

import (
	"reflect"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

func TestInitially(t *testing.T) {
	type approvals = map[proposal.Setting]proposal.Approves
	full := proposal.Keyword{
		Keyword:              "acme",
		Tag:                  keyword.Competitor,
		CaseSensitive:        true,
		Context:              "Posts about Acme.",
		AdditionalTerms:      []string{"api", "sdk"},
		AdditionalTermsLogic: keyword.Any,
		ExcludeWords:         []string{"anvil"},
		WildcardExcludeWords: []string{"coyot*"},
		ExcludeAuthors:       []string{"roadrunner"},
		Platforms:            []string{"reddit", "dev"},
	}
	for what, c := range map[string]struct {
		do   func(*proposal.Keyword)
		want func(*keyword.Keyword)
	}{
		"the defaults": {func(*proposal.Keyword) {}, func(*keyword.Keyword) {}},
		"of the brand": {
			func(k *proposal.Keyword) { k.Tag = keyword.OwnBrand },
			func(k *keyword.Keyword) { k.Tag, k.AdditionalTerms = keyword.OwnBrand, []string{} }},
		"of the brand, quietly": {
			func(k *proposal.Keyword) {
				k.Tag, k.Approval = keyword.OwnBrand, approvals{proposal.SettingAdditionalTerms: proposal.Quietly}
			},
			func(k *keyword.Keyword) { k.Tag = keyword.OwnBrand }},
		"some of the values": {
			func(k *proposal.Keyword) {
				k.Approvals = []proposal.Approval{{
					Setting:  proposal.SettingAdditionalTerms,
					Terms:    []string{"SDK"},
					Approval: proposal.InCleanup,
				}}
			},
			func(k *keyword.Keyword) { k.AdditionalTerms = []string{"api"} }},
		"with and without signs": {
			func(k *proposal.Keyword) {
				k.Approvals = []proposal.Approval{
					{Setting: proposal.SettingWildcardExcludeWords, Terms: []string{"coyot"}, Approval: proposal.InCleanup},
					{Setting: proposal.SettingExcludeAuthors, Terms: []string{"@RoadRunner"}, Approval: proposal.InCleanup}}
			},
			func(k *keyword.Keyword) { k.WildcardExcludeWords, k.ExcludeAuthors = []string{}, []string{} }},
		"two words for one value": {
			func(k *proposal.Keyword) {
				k.Approvals = []proposal.Approval{
					{Setting: proposal.SettingExcludeWords, Terms: []string{}, Approval: proposal.InCleanup},
					{Setting: proposal.SettingExcludeWords, Terms: []string{"anvil"}, Approval: proposal.Quietly}}
			},
			func(k *keyword.Keyword) { k.ExcludeWords = []string{} }},
		"a part of the platforms": {
			func(k *proposal.Keyword) {
				k.Approvals = []proposal.Approval{{
					Setting:  proposal.SettingPlatforms,
					Terms:    []string{"dev"},
					Approval: proposal.InCleanup,
				}}
			},
			func(k *keyword.Keyword) { k.Platforms = nil }},
		"everything": {
			func(k *proposal.Keyword) {
				k.Approval = approvals{}
				for _, s := range proposal.Settings() {
					k.Approval[s] = proposal.InCleanup
				}
			},
			func(k *keyword.Keyword) {
				*k = keyword.Keyword{
					Text:                 "acme",
					CaseSensitive:        true,
					ExactMatch:           true,
					AdditionalTermsLogic: keyword.Any,
					AdditionalTerms:      []string{},
					ExcludeWords:         []string{},
					WildcardExcludeWords: []string{},
					ExcludeAuthors:       []string{},
				}
			}},
	} {
		k := full
		c.do(&k)
		want := full.Tracked()
		c.want(&want)
		if got := k.Initially(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
}
