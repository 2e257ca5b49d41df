package agent

import (
	"testing"

	"earshot/shared/proposal"
	"earshot/shared/proposal/agent"
)

// A text that the model asks about is as common as the languages of the site and of the samples make it.
func TestAbout_Languages(t *testing.T) {
	sampled := func(languages map[string]int) proposal.Sampled {
		return proposal.Sampled{Sightings: map[string]proposal.Sighting{
			"brand": {Languages: map[string]int{"english": 2}}, "product": {Languages: languages},
		}}
	}
	for name, c := range map[string]struct {
		evidence proposal.Evidence
		want     proposal.Class
	}{
		"English":    {proposal.Evidence{Profile: proposal.Profile{Language: "english"}}, proposal.ClassDistinctive},
		"the site":   {proposal.Evidence{Profile: proposal.Profile{Language: "german"}}, proposal.ClassCommon},
		"the sample": {proposal.Evidence{Sampled: sampled(map[string]int{"german": 5})}, proposal.ClassCommon},
		"few posts":  {proposal.Evidence{Sampled: sampled(map[string]int{"german": 2})}, proposal.ClassDistinctive},
	} {
		got, err := tools{e: c.evidence}.about(agent.Query{Text: "Schraubenzieher"})
		if err != nil || got.Class != c.want {
			t.Errorf("%s: about = %s, %v, want %s", name, got.Class, err, c.want)
		}
	}
}
