package sampling_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/sampling"
)

// A company that has a name with other meanings, described as its site would.
type ambiguous struct {
	name    string
	class   string // of the sentences that mean it
	domain  string
	profile proposal.Profile
	anchors []string
	context string
}

var ambiguousNames = []ambiguous{
	{
		name: "apple", class: "0", domain: "apple.com",
		profile: proposal.Profile{
			Company:     "Apple",
			Description: "Apple designs and sells consumer electronics, software and online services: smartphones, personal computers, tablets and watches.",
			Products:    []string{"iPhone", "iPad", "Mac", "iOS", "iTunes"},
			Audience:    "Consumers and software developers",
			Language:    "english",
		},
		anchors: []string{"iPhone", "iPad", "Mac", "iOS", "iTunes", "smartphones"},
		context: "Apple the technology company, its devices, software and stores.",
	},
	{
		name: "java", class: "1", domain: "java.com",
		profile: proposal.Profile{
			Company:     "Java",
			Description: "Java is a programming language and platform: compiler, virtual machine and libraries for servers and web applications.",
			Products:    []string{"JDK", "JVM", "OpenJDK"}, Audience: "Software developers", Language: "english",
		},
		anchors: []string{"JDK", "JVM", "OpenJDK", "programming language", "compiler"},
		context: "The programming language Java and what is built with it.",
	},
	{
		name: "seal", class: "0", domain: "sealrescue.example",
		profile: proposal.Profile{
			Company:     "Seal Rescue",
			Description: "A conservation charity that rescues and releases injured seals and protects marine mammals, their pups, beaches and ocean.",
			Audience:    "Wildlife volunteers, divers and donors", Language: "english",
		},
		anchors: []string{"marine mammals", "pups", "wildlife", "conservation"},
		context: "Seals, the animals, in the wild or in a rescue centre.",
	},
}

func (a ambiguous) candidate() proposal.Candidate {
	return proposal.Candidate{
		Ref:     "brand",
		Text:    a.name,
		Tag:     keyword.OwnBrand,
		Route:   proposal.Anchored,
		Common:  true,
		Class:   proposal.ClassCommon,
		Exact:   true,
		Anchors: a.anchors,
		Context: a.context,
	}
}

// A labelled sentence holds a name in one of its senses.
type labelled struct {
	post  post.Post
	means bool
}

// sentences reads what DATA_DIR, or shared/data beside the repository, has of a name. It is measured with and never committed.
func sentences(t testing.TB, a ambiguous, part string) []labelled {
	t.Helper()
	folder := filepath.Join(cmp.Or(os.Getenv("DATA_DIR"), filepath.Join("..", "..", "..", "..", "shared", "data")),
		"relevance", a.name)
	data, err := os.ReadFile(filepath.Join(folder, part+".data.txt"))
	if err != nil {
		t.Skipf("measures on data that is not there: %v", err)
	}
	gold, err := os.ReadFile(filepath.Join(folder, part+".gold.txt"))
	if err != nil {
		t.Fatal(err)
	}
	senses := strings.Fields(string(gold))
	var all []labelled
	for i, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		_, text, _ := strings.Cut(strings.TrimRight(line, "\r"), "\t")
		all = append(all, labelled{
			means: senses[i] == a.class,
			post: post.Post{
				Source:   []string{"reddit", "hackernews"}[i%2],
				Body:     &text,
				SourceID: fmt.Sprintf("reddit_comment_%s%s%05d", a.name, part, i),
				PostedAt: time.Unix(1_700_000_000+int64(i)*3600, 0).UTC(),
			},
		})
	}
	return all
}

// joined are posts of three sentences of one meaning each: as long as a comment.
func joined(all []labelled) (posts []labelled) {
	held := map[bool][]string{}
	for _, s := range all {
		if held[s.means] = append(held[s.means], *s.post.Body); len(held[s.means]) == 3 {
			text := strings.Join(held[s.means], "\n")
			s.post.Body, held[s.means] = &text, nil
			posts = append(posts, s)
		}
	}
	return posts
}

// A separation is how much of what is meant a keyword finds, and how much of what it finds is meant.
type separation struct{ found, meant, both int }

func (s separation) String() string {
	return fmt.Sprintf("precision %.3f, recall %.3f", s.precision(), s.recall())
}
func (s separation) precision() float64 { return float64(s.both) / float64(max(s.found, 1)) }
func (s separation) recall() float64    { return float64(s.both) / float64(max(s.meant, 1)) }

func separate(k keyword.Keyword, all []labelled) (s separation) {
	matcher, _ := match.Compile([]match.Workspace{{Keywords: []keyword.Keyword{k}}})
	var hits match.Hits
	for i := range all {
		matcher.Match(&all[i].post, &hits)
		if all[i].means {
			s.meant++
		}
		if len(hits.List) > 0 {
			s.found++
			if all[i].means {
				s.both++
			}
		}
	}
	return s
}

func terms(figures []proposal.TermFigure, most int) (list []string) {
	for _, f := range figures[:min(most, len(figures))] {
		if f.Relevant > f.Noise || f.Noise > f.Relevant {
			list = append(list, f.Term)
		}
	}
	return list
}

// What a sample of 60 of the training sentences tells, of the 300 that are read for it, held against the others, which
// it has not seen.
func TestSeparation(t *testing.T) {
	j := newJudge(t)
	for _, a := range ambiguousNames {
		t.Run(a.name+"/sentences", func(t *testing.T) {
			separating(t, j, a, sentences(t, a, "train"), sentences(t, a, "test"), 0.5)
		})
		t.Run(a.name+"/comments", func(t *testing.T) {
			separating(t, j, a, joined(sentences(t, a, "train")), joined(sentences(t, a, "test")), 0.85)
		})
	}
}

func separating(t *testing.T, j *judge.Judge, a ambiguous, train, test []labelled, recall float64) {
	t.Helper()
	sums := map[string]*separation{}
	add := func(name string, s separation) {
		if sums[name] == nil {
			sums[name] = &separation{}
		}
		sums[name].found += s.found
		sums[name].meant += s.meant
		sums[name].both += s.both
	}
	right, judged := 0, 0
	for draw := range 10 {
		random := rand.New(rand.NewPCG(uint64(draw), 7))
		var posts []post.Post
		means := map[string]bool{}
		for _, at := range random.Perm(len(train))[:min(len(train), sampling.Reading)] {
			posts = append(posts, train[at].post)
			means[train[at].post.SourceID] = train[at].means
		}
		sampler := sampling.New(j, a.profile, a.domain)
		seen := sampler.Look(a.candidate(), posts, 60)
		if again := sampler.Look(a.candidate(), shuffled(posts, 11), 60); !reflect.DeepEqual(seen, again) {
			t.Fatalf("%+v\nin another order\n%+v", seen, again)
		}
		for _, p := range seen.Posts {
			judged++
			if p.Relevant == means[p.ID] {
				right++
			}
		}
		bare := sampling.Bare(a.candidate())
		add("bare", separate(bare, test))
		profile := bare
		profile.AdditionalTerms = a.anchors
		add("profile's anchors", separate(profile, test))
		anchored := bare
		anchored.AdditionalTerms = terms(seen.Anchors, proposal.MaxAnchors)
		add("anchored", separate(anchored, test))
		excluded := bare
		excluded.ExcludeWords = terms(seen.Excludes, 30)
		add("excluded", separate(excluded, test))
		anchored.ExcludeWords = excluded.ExcludeWords
		add("both", separate(anchored, test))
		if draw < 2 && testing.Verbose() {
			t.Logf("%s: rate %.2f\nanchors %v\nexcludes %v\nclusters %v", a.name, seen.Rate(), seen.Anchors, seen.Excludes, seen.Clusters)
		}
	}
	bare, anchored, excluded := sums["bare"], sums["anchored"], sums["excluded"]
	if anchored.precision() < 0.87 || anchored.recall() < recall || excluded.recall() < 0.92 ||
		excluded.precision() < bare.precision()+0.04 {
		t.Errorf("%s: bare %v; anchored %v; excluded %v", a.name, bare, anchored, excluded)
	}
	t.Logf("%s: judge right %.3f", a.name, float64(right)/float64(judged))
	var names []string
	for name := range sums {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.Logf("%s %-18s %v", a.name, name, sums[name])
	}
}

// Posts that all speak of the company speak of more than one thing: no cluster has so much of them that a feed would be
// taken for one story (rule F3).
func TestOneMeaningIsManyThings(t *testing.T) {
	j := newJudge(t)
	for _, a := range ambiguousNames {
		for _, long := range []bool{false, true} {
			all := sentences(t, a, "train")
			if long {
				all = joined(all)
			}
			var posts []post.Post
			for _, s := range all {
				if s.means {
					posts = append(posts, s.post)
				}
			}
			seen := sampling.New(j, a.profile, a.domain).Look(a.candidate(), posts, 60)
			if t.Logf("%s: %v", a.name, seen.Clusters); seen.Clusters[0].Share > 0.7 {
				t.Errorf("%s: %v", a.name, seen.Clusters)
			}
		}
	}
}
