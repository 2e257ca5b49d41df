package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"earshot/shared/judge"
	"earshot/shared/judge/embedding"
	"earshot/shared/post"
	"earshot/shared/theme"
)

// A mixture is posts on known subjects.
type mixture struct {
	name    string
	keyword string // that all posts have; empty if there is none
	posts   []theme.Post
	subject []string // of each post; empty: not known
	words   map[string]*regexp.Regexp
	nmi     float64 // floors
	purity  float64
	named   float64
}

// subjects of Hacker News posts, by words of which each post has those of one subject. A subject has several words, so
// that posts are together by more than one.
var subjects = map[string]string{
	"bitcoin":    `bitcoin|blockchain|ethereum|cryptocurrenc\w+`,
	"driving":    `self.driving|driverless|autonomous (car|vehicle)s?|autopilot|tesla`,
	"encryption": `encryption|fbi|nsa|surveillance|privacy|snowden`,
	"space":      `nasa|spacex|mars|rocket|asteroid|planet|moon|comet|pluto`,
	"learning":   `deep learning|machine learning|neural|tensorflow|artificial intelligence`,
	"javascript": `javascript|node\.js|react|angular|npm|typescript`,
	"health":     `cancer|brain|drugs?|disease|medical|genes?|alzheimer.s`,
	"docker":     `docker|containers?|kubernetes`,
	"ride":       `uber|airbnb|lyft`,
	"music":      `music|spotify|songs?|audio`,
	"phone":      `android|ios|iphone|ipad`,
	"hiring":     `hiring|interviews?|jobs?|resume|salary|recruiters?`,
	"linux":      `linux|ubuntu|kernel|debian`,
	"housing":    `housing|rent|real estate|homeless`,
	"climate":    `climate|solar|carbon|energy|emissions|nuclear`,
	"vr":         `virtual reality|vr|oculus|hololens`,
}

// subjectLanguages are those of the sentences that are mixed: of scripts with and without blanks.
var subjectLanguages = []string{"de", "fr", "es", "ja", "zh", "ko", "ar", "ru", "th", "en", "fi", "tr"}

// eachSense is how many sentences of each sense of a name are mixed.
const eachSense = 200

// measureThemes measures how well themes find known subjects, beside other ways to cluster.
func measureThemes(j *judge.Judge, folder string) (figures []figure, err error) {
	all, err := mixtures(j, folder)
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		found := theme.Find(m.posts, []string{m.keyword})
		printThemes(m, found)
		r := m.agreement(assigned(len(m.posts), found))
		name, note := "themes of "+m.name, fmt.Sprintf(
			"%d themes of %d posts, %.0f %% in none",
			len(found.List),
			len(m.posts),
			100*(1-r.covered),
		)
		figures = append(figures,
			figure{name: name + ": purity", value: r.purity, floor: m.purity, format: accuracy, note: note})
		if m.nmi == 0 {
			continue
		}
		bare := slices.Clone(m.posts)
		for i := range bare {
			bare[i].Vector = nil
		}
		without := m.agreement(assigned(len(bare), theme.Find(bare, []string{m.keyword})))
		words := m.agreement(m.byWords())
		meanings := m.agreement(m.byMeaning())
		few := m.posts[:min(linkedPosts, len(m.posts))]
		same := m.agreement(assigned(len(few), theme.Find(few, []string{m.keyword})))
		figures = append(figures,
			figure{name: name + ": mutual information", value: r.nmi, floor: m.nmi, format: accuracy, note: fmt.Sprintf(
				"without what the judge stored %.3f, purity %.3f", without.nmi, without.purity)},
			figure{name: name + ": k-means over words, told their number", value: words.nmi, format: accuracy,
				note: fmt.Sprintf("purity %.3f", words.purity)},
			figure{name: name + ": linkage over meanings, as sampling", value: meanings.nmi, format: accuracy,
				note: fmt.Sprintf(
					"purity %.3f; themes of the same %d posts %.3f, purity %.3f",
					meanings.purity,
					len(few),
					same.nmi,
					same.purity,
				)},
		)
		if m.words != nil {
			figures = append(
				figures,
				figure{name: name + ": labels with a word of their subject", value: m.labelled(found), floor: m.named,
					format: accuracy, note: "of the themes that are on one subject"},
			)
		}
	}
	return figures, nil
}

// mixtures reads the posts. Their order is by chance, the same each time.
func mixtures(j *judge.Judge, folder string) ([]mixture, error) {
	titled, err := titles(folder)
	if err != nil {
		return nil, err
	}
	patterns := map[string]*regexp.Regexp{}
	for name, words := range subjects {
		patterns[name] = regexp.MustCompile(`(?i)(^|\W)(` + words + `)($|\W)`)
	}
	news := mixture{name: "Hacker News posts", words: patterns, nmi: 0.70, purity: 0.90, named: 0.90}
	noisy := mixture{name: "as many others beside", words: patterns, nmi: 0.58, purity: 0.60, named: 0.85}
	others := 0
	for _, title := range titled {
		var of []string
		for name, pattern := range patterns {
			if pattern.MatchString(title) {
				of = append(of, name)
			}
		}
		switch len(of) {
		case 1:
			news.add(title, of[0])
			noisy.add(title, of[0])
		case 0:
			if others < len(titled)/7 { // about as many as there are with a subject
				noisy.add(title, "")
				others++
			}
		}
	}
	senses := mixture{name: "eight senses of three names", nmi: 0.68, purity: 0.92}
	seal := mixture{name: "four senses of seal", keyword: "seal", nmi: 0.40, purity: 0.92}
	for _, name := range []string{"seal", "apple", "java"} {
		data, err := columns(folder, "relevance", name, "train.data.txt")
		if err != nil {
			return nil, err
		}
		gold, err := lines(folder, "relevance", name, "train.gold.txt")
		if err != nil {
			return nil, err
		}
		count := map[string]int{}
		for i := range min(len(data), len(gold)) {
			sense := name + strings.TrimSpace(gold[i])
			if count[sense]++; count[sense] > eachSense {
				continue
			}
			senses.add(data[i].text, sense)
			if name == seal.keyword {
				seal.add(data[i].text, sense)
			}
		}
	}
	tongues := mixture{name: "sentences in twelve languages", purity: 0.97}
	sentences, err := columns(folder, "language", "lingua_sentences_dev.tsv")
	if err != nil {
		return nil, err
	}
	for _, s := range sentences {
		if slices.Contains(subjectLanguages, s.class) {
			tongues.add(s.text, s.class)
		}
	}
	all := []mixture{news, noisy, senses, seal, tongues}
	for _, m := range all {
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(m.posts), func(a, b int) {
			m.posts[a], m.posts[b] = m.posts[b], m.posts[a]
			m.subject[a], m.subject[b] = m.subject[b], m.subject[a]
		})
		for i := range m.posts {
			read := j.Read(&post.Post{Body: &m.posts[i].Body})
			m.posts[i].Language, m.posts[i].Vector = read.Language, read.Vector()
		}
	}
	return all, nil
}

func (m *mixture) add(text, subject string) {
	m.posts, m.subject = append(m.posts, theme.Post{Body: text}), append(m.subject, subject)
}

// assigned returns the theme of each post, -1 for none.
func assigned(posts int, found *theme.Themes) []int {
	at := slices.Repeat([]int{-1}, posts)
	for number, one := range found.List {
		for _, i := range one.Posts {
			at[i] = number
		}
	}
	return at
}

// An agreement compares clusters to subjects.
type agreement struct {
	nmi     float64 // normalized mutual information of the posts with a subject; those in no cluster are one
	purity  float64 // posts in clusters that are on the subject of most there; a post without a subject is on none
	covered float64 // posts with a subject that are in a cluster
}

// agreement compares the clusters of the first posts to their subjects.
func (m *mixture) agreement(at []int) (out agreement) {
	type pair struct {
		subject string
		cluster int
	}
	joint, bySubject, byCluster := map[pair]float64{}, map[string]float64{}, map[int]float64{}
	most, inside, total := map[int]float64{}, 0.0, 0.0
	for i, cluster := range at {
		if cluster >= 0 {
			inside++
		}
		subject := m.subject[i]
		if subject == "" {
			continue
		}
		total++
		bySubject[subject]++
		byCluster[cluster]++
		joint[pair{subject, cluster}]++
		if cluster >= 0 {
			out.covered++
			most[cluster] = max(most[cluster], joint[pair{subject, cluster}])
		}
	}
	information, entropy := 0.0, 0.0
	for both, n := range joint {
		information += n / total * math.Log(n*total/bySubject[both.subject]/byCluster[both.cluster])
	}
	for _, n := range bySubject {
		entropy -= n / total * math.Log(n/total)
	}
	for _, n := range byCluster {
		entropy -= n / total * math.Log(n/total)
	}
	for _, n := range most {
		out.purity += n
	}
	out.nmi, out.purity, out.covered = 2*information/entropy, out.purity/max(1, inside), out.covered/total
	return out
}

// labelled returns the share of themes on one subject whose labels have a word of it.
func (m *mixture) labelled(found *theme.Themes) float64 {
	named, all := 0.0, 0.0
	for _, one := range found.List {
		subject, n := m.mostly(one)
		if subject == "" || 2*n < len(one.Posts) {
			continue
		}
		if all++; m.words[subject].MatchString(one.Label) {
			named++
		}
	}
	return named / max(1, all)
}

// mostly returns the subject that most of a theme's posts are on, and how many.
func (m *mixture) mostly(one theme.Theme) (subject string, most int) {
	counts := map[string]int{}
	for _, i := range one.Posts {
		counts[m.subject[i]]++
	}
	for name, n := range counts {
		if n > most || n == most && name < subject {
			subject, most = name, n
		}
	}
	return subject, most
}

// printThemes prints labels for people to read, with -themes.
func printThemes(m mixture, found *theme.Themes) {
	if !*showThemes {
		return
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(out, "themes of %s\n", m.name)
	for _, one := range found.List {
		subject, n := m.mostly(one)
		fmt.Fprintf(
			out,
			"%d\t%s\t%s\t%s %d\n",
			len(one.Posts),
			one.Label,
			strings.Join(one.Terms[min(3, len(one.Terms)):], ", "),
			subject,
			n,
		)
	}
	out.Flush()
}

// linkedPosts are as many as average linkage is tried on: its time grows with their cube.
const linkedPosts = 600

// byMeaning clusters as the setup engine's sampling does: by average linkage of the meanings that the judge stored.
func (m *mixture) byMeaning() []int {
	points := make([][]float64, min(linkedPosts, len(m.posts)))
	mean := make([]float64, embedding.Dimensions)
	for i := range points {
		points[i] = make([]float64, embedding.Dimensions)
		if kept := m.posts[i].Vector; len(kept) >= embedding.Dimensions {
			for k, b := range kept[len(kept)-embedding.Dimensions:] {
				points[i][k] = float64(int8(b))
			}
		}
		unit(points[i])
		for k, v := range points[i] {
			mean[k] += v / float64(len(points))
		}
	}
	for _, p := range points {
		for k := range p {
			p[k] -= mean[k]
		}
		unit(p)
	}
	const together = 0.3 // as in sampling
	at := slices.Repeat([]int{-1}, len(points))
	for number, members := range theme.Linked(len(points), together, func(a, b int) float64 { return inner(points[a], points[b]) }) {
		for _, i := range members {
			if len(members) >= theme.LeastSize {
				at[i] = number
			}
		}
	}
	return at
}

// byWords clusters by spherical k-means over words that are weighed by how rare they are, with as many clusters as
// there are subjects.
func (m *mixture) byWords() []int {
	const rounds = 15
	have, places := map[string]int{}, map[string]int{}
	words := make([][]string, len(m.posts))
	for i := range m.posts {
		words[i] = slices.Compact(slices.Sorted(theme.Words(m.posts[i].Body)))
		for _, word := range words[i] {
			if have[word]++; have[word] == 3 {
				places[word] = len(places)
			}
		}
	}
	points := make([]map[int]float64, len(m.posts))
	for i := range points {
		points[i] = map[int]float64{}
		length := 0.0
		for _, word := range words[i] {
			if at, known := places[word]; known {
				weight := math.Log(float64(len(points)) / float64(have[word]))
				points[i][at] = weight
				length += weight * weight
			}
		}
		for at := range points[i] {
			points[i][at] /= math.Sqrt(length)
		}
	}
	names := map[string]bool{}
	for _, subject := range m.subject {
		names[subject] = true
	}
	random := rand.New(rand.NewPCG(3, 4))
	at, middles := make([]int, len(points)), make([][]float64, len(names))
	for i := range at {
		at[i] = random.IntN(len(middles))
	}
	for range rounds {
		for c := range middles {
			middles[c] = make([]float64, len(places))
		}
		for i, p := range points {
			for k, v := range p {
				middles[at[i]][k] += v
			}
		}
		for c := range middles {
			unit(middles[c])
		}
		for i, p := range points {
			best := -1.0
			for c, middle := range middles {
				near := 0.0
				for k, v := range p {
					near += v * middle[k]
				}
				if near > best+1e-12 { // sums of a map's values differ in their last bits
					best, at[i] = near, c
				}
			}
		}
	}
	return at
}

func inner(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func unit(a []float64) {
	if length := math.Sqrt(inner(a, a)); length > 0 {
		for i := range a {
			a[i] /= length
		}
	}
}
