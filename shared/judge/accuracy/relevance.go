package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"earshot/shared/judge"
	"earshot/shared/mention"
	"earshot/shared/post"
)

// A sentence contains an ambiguous name in one sense.
type sentence struct {
	post     post.Post
	reading  judge.Reading
	relevant bool
}

// setups list what a customer has set up, from little to much.
var setups = []struct {
	name    string
	exclude bool
	labels  int
	floor   float64 // of the mean over all names
	each    float64 // of each name, strictly; 0: none
}{
	{"profile", false, 0, 0.866, 0},
	{"profile, exclude terms", true, 0, 0.945, 0.90},
	{"profile, exclude terms, 20 labels", true, 20, 0.949, 0},
	{"profile, exclude terms, 50 labels", true, 50, 0.966, 0},
}

// draws is the number of samples of labels that are averaged.
const draws = 5

func measureRelevance(j *judge.Judge, folder string) (figures []figure, err error) {
	sums, variances := make([]float64, len(setups)), make([]float64, len(setups))
	var band unsure
	for _, a := range names {
		train, err := sentences(j, folder, a, "train")
		if err != nil {
			return nil, err
		}
		test, err := sentences(j, folder, a, "test")
		if err != nil {
			return nil, err
		}
		for i, setup := range setups {
			company := a.company
			if !setup.exclude {
				company.ExcludeTerms = nil
			}
			mean, variance, times := 0.0, 0.0, 1
			if setup.labels > 0 {
				times = draws
			}
			for draw := range times {
				subject := j.Subject(company, a.keyword(), labels(train, setup.labels, draw))
				count := &unsure{}
				if i == 1 {
					count = &band
				}
				share, spread := balanced(j, subject, test, count)
				mean += share / float64(times)
				variance += spread * spread / float64(times) // the draws share the test sentences
			}
			sums[i] += mean / float64(len(names))
			variances[i] += variance
			figures = append(
				figures,
				figure{
					name:   fmt.Sprintf("relevance of %q: %s", a.name, setup.name),
					value:  mean,
					floor:  setup.each,
					format: accuracy,
				},
			)
		}
	}
	for i, setup := range setups {
		figures = append(
			figures,
			figure{name: "relevance, mean balanced accuracy: " + setup.name, value: sums[i], floor: setup.floor,
				spread: math.Sqrt(variances[i]) / float64(len(names)), format: accuracy},
		)
	}
	return append(
		figures,
		figure{
			name:   "relevance: share in the unsure band",
			value:  float64(band.in) / float64(band.in+band.out),
			format: accuracy,
		},
		figure{
			name:   "relevance: right in the unsure band",
			value:  float64(band.rightIn) / float64(band.in),
			format: accuracy,
		},
		figure{
			name:   "relevance: right outside of it",
			value:  float64(band.rightOut) / float64(band.out),
			format: accuracy,
		},
		figure{
			name:   "relevance: right where it says high",
			value:  float64(band.rightHigh) / float64(band.high),
			format: accuracy,
		},
	), nil
}

// sentences reads a part of an ambiguous name's data.
func sentences(j *judge.Judge, folder string, a ambiguous, part string) ([]sentence, error) {
	data, err := columns(folder, "relevance", a.name, part+".data.txt")
	if err != nil {
		return nil, err
	}
	gold, err := lines(folder, "relevance", a.name, part+".gold.txt")
	if err != nil {
		return nil, err
	}
	if len(data) != len(gold) {
		return nil, fmt.Errorf("%s %s: %d sentences, %d senses", a.name, part, len(data), len(gold))
	}
	out := make([]sentence, len(data))
	for i, d := range data {
		s := &out[i]
		s.post = post.Post{Body: &d.text}
		s.reading = j.Read(&s.post)
		s.relevant = slices.Contains(a.classes, strings.TrimSpace(gold[i]))
	}
	return out, nil
}

// labels draws a sample of users' judgements.
func labels(from []sentence, n, draw int) (out []judge.Feedback) {
	random := rand.New(rand.NewPCG(uint64(draw), 1))
	for _, at := range random.Perm(len(from))[:n] {
		out = append(out, judge.Feedback{Relevant: from[at].relevant, Vector: from[at].reading.Vector()})
	}
	return out
}

// unsure counts judgements of which the judge is unsure.
type unsure struct{ in, out, rightIn, rightOut, high, rightHigh int }

// balanced returns the mean of two shares: of the relevant sentences judged right, and of the others judged right.
func balanced(j *judge.Judge, subject *judge.Subject, test []sentence, count *unsure) (share, spread float64) {
	right, all := map[string]int{}, map[string]int{}
	for i := range test {
		s := &test[i]
		verdict := j.Judge(s.reading, &s.post, []*judge.Subject{subject})
		class := fmt.Sprint(s.relevant)
		all[class]++
		correct := verdict.Score.Relevant() == s.relevant
		if correct {
			right[class]++
		}
		tally(verdict.Unsure, correct, &count.in, &count.rightIn)
		tally(!verdict.Unsure, correct, &count.out, &count.rightOut)
		tally(verdict.Score == mention.High, correct, &count.high, &count.rightHigh)
	}
	return recall(right, all)
}

func tally(counts, correct bool, all, right *int) {
	if counts {
		*all++
		if correct {
			*right++
		}
	}
}
