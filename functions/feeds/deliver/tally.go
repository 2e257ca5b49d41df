package deliver

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/store/deliverystore"
)

// readAtOnce is how many gathered mentions are read together, if their announcements have fewer.
const readAtOnce = 100

// A tally is what is counted of an interval up to an announcement. A call that has no time for the rest stores it, with
// the parts that are full.
type tally struct {
	After    string                            `json:"after,omitempty"` // the last announcement that is counted
	Figures  delivery.Figures                  `json:"figures"`         // without Keywords and Before
	Keywords map[int64]*delivery.KeywordFigure `json:"keywords,omitempty"`
	Batches  []string                          `json:"batches,omitempty"` // of parts that are stored, in their order
	Rest     deliverystore.Part                `json:"rest"`              // the part that is not full
	Top      []weighed                         `json:"top,omitempty"`     // the heaviest, and some more

	parts []deliverystore.Part // full ones that are not stored
}

// weighed is a mention by what it weighs to people.
type weighed struct {
	SourceID  string    `json:"id"`
	Sequence  int64     `json:"sequence"`
	Relevance int       `json:"relevance"`
	Heard     int64     `json:"heard"`
	PostedAt  time.Time `json:"postedAt"`
}

func weighedOf(m mention.Mention, sequence int64) weighed {
	return weighed{m.SourceID, sequence, relevance(m), heard(m), m.PostedAt}
}

func byWeighed(a, b weighed) int {
	return cmp.Or(cmp.Compare(b.Relevance, a.Relevance), cmp.Compare(b.Heard, a.Heard), b.PostedAt.Compare(a.PostedAt))
}

// tallyOf returns the tally that the last call stored, or a new one.
func tallyOf(of deliverystore.Sealed) (*tally, error) {
	t := &tally{Keywords: map[int64]*delivery.KeywordFigure{}}
	if len(of.Progress) > 0 {
		if err := json.Unmarshal(of.Progress, t); err != nil {
			return nil, fmt.Errorf("read the progress of a digest: %w", err)
		}
	}
	return t, nil
}

// errLate ends the reading of an interval for which there is no more time.
var errLate = errors.New("deliver: no time for the rest of the interval")

// count counts mentions from where the tally ends, without those that are deleted or no longer relevant. It returns false
// if the time is over before all are counted, and counts some in any case.
func (o Options) count(ctx context.Context, of deliverystore.Sealed, t *tally) (all bool, err error) {
	var ids []string
	var sequences []int64
	last := ""
	read := func() error {
		found, err := o.Store.ToldMentions(ctx, of.WorkspaceID, ids)
		if err != nil {
			return err
		}
		for _, m := range found {
			if m.Relevant {
				t.add(m, sequences[slices.Index(ids, m.SourceID)])
			}
		}
		t.After, ids, sequences = last, nil, nil
		return nil
	}
	err = o.Store.GatheredMentions(ctx, of, t.After, func(id string, sourceIDs []string, sequence int64) error {
		again := func(sourceID string) bool { return slices.Contains(ids, sourceID) }
		if len(ids) > 0 && (len(ids)+len(sourceIDs) > readAtOnce || slices.ContainsFunc(sourceIDs, again)) {
			if err := read(); err != nil {
				return err
			}
			if !enough(ctx) {
				return errLate
			}
		}
		last = id
		for i, sourceID := range sourceIDs {
			ids, sequences = append(ids, sourceID), append(sequences, sequence+int64(i))
		}
		return nil
	})
	if errors.Is(err, errLate) {
		return false, nil
	}
	if err == nil && len(ids) > 0 {
		err = read()
	}
	return err == nil, err
}

// leave stores the tally for the next call. It returns false if another call stored its own, so that this one is void.
func (o Options) leave(ctx context.Context, of deliverystore.Sealed, t *tally) (mine bool, err error) {
	batch := rand.Text()
	var parts []deliverystore.Part
	if of.Endpoint.Kind == string(feed.Webhook) && len(t.parts) > 0 {
		parts, t.Batches = t.parts, append(t.Batches, batch)
	}
	t.parts = nil
	t.Top = t.heaviest()
	text, err := json.Marshal(t)
	if err != nil {
		return false, fmt.Errorf("write the progress of a digest: %w", err)
	}
	return o.Store.SaveProgress(ctx, of, text, batch, parts)
}

// partsOf returns the parts of all events of a digest.
func (o Options) partsOf(
	ctx context.Context, of deliverystore.Sealed, t *tally,
) (all []deliverystore.Part, err error) {
	for _, batch := range t.Batches {
		parts, err := o.Store.DigestParts(ctx, of, batch)
		if err != nil {
			return nil, err
		}
		all = append(all, parts...)
	}
	if all = append(all, t.parts...); len(t.Rest.SourceIDs) > 0 {
		all = append(all, t.Rest)
	}
	return all, nil
}

// add counts a mention. One of several keywords counts for each.
func (t *tally) add(m mention.Mention, sequence int64) {
	f := &t.Figures
	f.Mentions++
	switch m.Sentiment {
	case mention.Positive:
		f.Positive++
	case mention.Negative:
		f.Negative++
	case mention.Neutral:
		f.Neutral++
	}
	for _, k := range m.Keywords {
		if t.Keywords[k.ID] == nil {
			t.Keywords[k.ID] = &delivery.KeywordFigure{ID: k.ID, Text: k.Text}
		}
		t.Keywords[k.ID].Mentions++
	}
	if len(t.Rest.SourceIDs) == 0 {
		t.Rest.Sequence = sequence
	}
	if t.Rest.SourceIDs = append(t.Rest.SourceIDs, m.SourceID); len(t.Rest.SourceIDs) == perEvent {
		t.parts, t.Rest = append(t.parts, t.Rest), deliverystore.Part{}
	}
	if t.Top = append(t.Top, weighedOf(m, sequence)); len(t.Top) >= 10*perLetter {
		t.Top = t.heaviest()
	}
}

// heaviest returns the mentions that a message to people quotes, the heaviest first.
func (t *tally) heaviest() []weighed {
	slices.SortStableFunc(t.Top, byWeighed)
	return t.Top[:min(len(t.Top), perLetter)]
}

// figures returns the figures of the interval. before is as Sealed's.
func (t *tally) figures(before *int) delivery.Figures {
	f := t.Figures
	f.Before = before
	for _, k := range t.Keywords {
		f.Keywords = append(f.Keywords, *k)
	}
	slices.SortFunc(f.Keywords, func(a, b delivery.KeywordFigure) int {
		return cmp.Or(cmp.Compare(b.Mentions, a.Mentions), cmp.Compare(a.ID, b.ID))
	})
	f.Keywords = f.Keywords[:min(len(f.Keywords), delivery.MaxKeywordFigures)]
	return f
}
