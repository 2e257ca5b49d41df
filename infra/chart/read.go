package chart

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"earshot/infra/exit"
)

// A shown holds the figures that are drawn.
type shown struct {
	granularity              string
	buckets                  []bucket
	sentiment, sources, tags []counted
	voices                   []counted
	voiceBuckets             []string
	voiceGranularity         string
	total, voiced            int64
	notExact                 []string // why figures are not exact
	zone                     string
}

// A bucket is a time with its count.
type bucket struct {
	name  string
	count int64
}

// A counted is a name with its count. A voice also has its counts by bucket.
type counted struct {
	name    string
	count   int64
	buckets map[string]int64
}

// bounded returns a count that can be summed, whatever an answer has.
func bounded(n int64) int64 { return min(max(0, n), 1<<48) }

// granularityOf returns the name of a bucket's length.
func granularityOf(name string) string {
	if slices.Contains([]string{"hour", "day", "week", "month"}, name) {
		return name
	}
	return "bucket"
}

// errShape means that an answer is not of the documented form.
var errShape = errors.New(
	"the API answers in a form that this program does not know. Use the program of the deployment's version",
)

// read takes the drawn figures from the answers.
func (f figures) read() (s shown, err error) {
	var volume struct {
		Granularity string
		Exact       *bool
		Why         string
		Data        []struct {
			Bucket string
			Count  int64
		}
	}
	if json.Unmarshal(f.Volume, &volume) != nil || volume.Exact == nil {
		return s, &exit.Failure{Status: exit.Failed, Cause: errShape}
	}
	s.granularity = granularityOf(volume.Granularity)
	s.exactness(*volume.Exact, volume.Why)
	for _, row := range volume.Data {
		s.buckets = append(s.buckets, bucket{row.Bucket, bounded(row.Count)})
		s.total += bounded(row.Count)
	}
	for _, part := range []struct {
		raw  json.RawMessage
		into *[]counted
	}{{f.Sentiment, &s.sentiment}, {f.Sources, &s.sources}, {f.Tags, &s.tags}} {
		if err := s.counts(part.raw, part.into); err != nil {
			return s, err
		}
	}
	return s, s.voicesOf(f.ShareOfVoice)
}

func (s *shown) exactness(exact bool, why string) {
	if !exact && !slices.Contains(s.notExact, why) {
		s.notExact = append(s.notExact, why)
	}
}

// counts reads the rows of sentiment, sources or topics.
func (s *shown) counts(raw json.RawMessage, into *[]counted) error {
	var answer struct {
		Exact *bool
		Why   string
		Data  []struct {
			Sentiment, Source, Tag string
			Count                  int64
		}
	}
	if json.Unmarshal(raw, &answer) != nil || answer.Exact == nil {
		return &exit.Failure{Status: exit.Failed, Cause: errShape}
	}
	s.exactness(*answer.Exact, answer.Why)
	for _, row := range answer.Data {
		*into = append(*into, counted{name: cmp.Or(row.Sentiment, row.Source, row.Tag), count: bounded(row.Count)})
	}
	return nil
}

// voicesOf reads share of voice, and sums the buckets of each name.
func (s *shown) voicesOf(raw json.RawMessage) error {
	var answer struct {
		Granularity string
		Exact       *bool
		Why         string
		Data        []struct {
			Bucket, Name string
			KeywordIDs   []int64
			Count        int64
		}
	}
	if json.Unmarshal(raw, &answer) != nil || answer.Exact == nil {
		return &exit.Failure{Status: exit.Failed, Cause: errShape}
	}
	s.exactness(*answer.Exact, answer.Why)
	s.voiceGranularity = granularityOf(answer.Granularity)
	at := map[string]int{}
	for _, row := range answer.Data {
		if n := len(s.voiceBuckets); n == 0 || s.voiceBuckets[n-1] != row.Bucket {
			s.voiceBuckets = append(s.voiceBuckets, row.Bucket)
		}
		key := fmt.Sprint(row.KeywordIDs, row.Name)
		n, known := at[key]
		if !known {
			n, at[key] = len(s.voices), len(s.voices)
			s.voices = append(s.voices, counted{name: row.Name, buckets: map[string]int64{}})
		}
		count := bounded(row.Count)
		s.voices[n].count += count
		s.voices[n].buckets[row.Bucket] += count
		s.voiced += count
	}
	return nil
}
