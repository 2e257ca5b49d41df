package main

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/post"
	"earshot/shared/proposal"
)

// A company is one of ../companies.json.
type company struct {
	Common  bool             `json:"common"`
	Domain  string           `json:"domain"`
	Profile proposal.Profile `json:"profile"`
}

// A labelled post is known to mean the company or not.
type labelled struct {
	post.Post
	relevant bool
}

// A made case is a company that is called by a common word, with posts that have the word.
type made struct {
	name    string
	test    bool // it is in the part that nothing is tuned on
	domain  string
	profile proposal.Profile
	posts   []labelled
}

func digest(text string) [sha256.Size]byte { return sha256.Sum256([]byte(text)) }

// isTest divides companies by their domains.
func isTest(domain string) bool { return digest(domain)[0]%2 == 1 }

// commonest are words that many posts of the archive have.
var commonest = []string{
	"wish", "game", "front", "watch", "deal", "house", "play", "space", "story", "point", "mind", "home", "kids",
	"cool",
}

const (
	leastMeant = 40  // posts of a company that is renamed
	mostPosts  = 400 // of a case
)

// renamed returns companies whose posts are known by a name that means nothing else. Each is called by two common words
// instead, in its profile and in its posts, amid posts of others that have the words. In every second case the sources
// tell nothing.
func renamed(
	archive []post.Post, companies []company, labels map[string]map[string]bool, share float64,
) (cases []made) {
	for at, c := range companies {
		var meant []labelled
		named := keyword.Keyword{ID: 1, Text: c.Profile.Company, ExactMatch: true}
		for _, p := range found(archive, named) {
			if labels[c.Domain][p.SourceID] {
				meant = append(meant, labelled{p, true})
			}
		}
		if len(meant) < leastMeant || c.Common && float64(len(meant)) < 0.9*float64(len(labels[c.Domain])) {
			continue
		}
		for turn := range 2 {
			word := commonest[(2*at+turn)%len(commonest)]
			m := called(c, word)
			swap := swapper(c.Profile.Company, m.profile.Company)
			var own, noise []labelled
			for _, p := range meant {
				p.Title, p.Body = swapped(p.Title, swap), swapped(p.Body, swap)
				own = append(own, p)
			}
			theirs := compiled([]keyword.Keyword{named})
			for _, p := range found(archive, keyword.Keyword{ID: 1, Text: word, ExactMatch: true}) {
				if len(matched(theirs, &p)) == 0 {
					noise = append(noise, labelled{p, false})
				}
			}
			m.posts = mixed(own, noise, share)
			if (at+turn)%2 == 0 {
				for i := range m.posts {
					p := &m.posts[i]
					p.IsReply, p.Source = false, sources[digest("source" + p.SourceID)[0]%2]
				}
			}
			dated(m.posts)
			cases = append(cases, m)
		}
	}
	return cases
}

// called returns a company under another name.
func called(c company, word string) made {
	name := strings.ToUpper(word[:1]) + word[1:]
	swap := swapper(c.Profile.Company, name)
	m := made{
		name:    fmt.Sprintf("renamed:%s as %s", c.Profile.Company, name),
		test:    isTest(c.Domain),
		domain:  word + ".com",
		profile: c.Profile,
	}
	m.profile.Company = name
	m.profile.Description, m.profile.Audience = swap(c.Profile.Description), swap(c.Profile.Audience)
	for _, list := range []*[]string{&m.profile.Products, &m.profile.OtherNames, &m.profile.IndustryTerms} {
		*list = slices.Clone(*list)
		for i := range *list {
			(*list)[i] = swap((*list)[i])
		}
	}
	m.profile.Handles = slices.Clone(c.Profile.Handles)
	for i := range m.profile.Handles {
		m.profile.Handles[i].Handle = swap(m.profile.Handles[i].Handle)
	}
	return m
}

// swapper replaces a name by another, in lowercase where it is.
func swapper(from, to string) func(string) string {
	exp := regexp.MustCompile(`(?i)` + regexp.QuoteMeta(from))
	return func(text string) string {
		return exp.ReplaceAllStringFunc(text, func(found string) string {
			if found == strings.ToLower(found) {
				return strings.ToLower(to)
			}
			return to
		})
	}
}

func swapped(text *string, swap func(string) string) *string {
	if text == nil {
		return nil
	}
	out := swap(*text)
	return &out
}

// mixed takes as many posts as there are for the share of them that is relevant, at most mostPosts.
func mixed(own, noise []labelled, share float64) []labelled {
	for _, list := range [][]labelled{own, noise} {
		slices.SortFunc(list, byDigest(""))
	}
	n := min(mostPosts*share, float64(len(own)), float64(len(noise))*share/(1-share))
	return slices.Concat(own[:int(n)], noise[:int(n*(1-share)/share)])
}

func byDigest(salt string) func(a, b labelled) int {
	return func(a, b labelled) int {
		x, y := digest(salt+a.SourceID), digest(salt+b.SourceID)
		return slices.Compare(x[:], y[:])
	}
}

// dated spreads posts over a month. The order does not depend on their meaning.
func dated(posts []labelled) {
	slices.SortFunc(posts, byDigest("t"))
	for i := range posts {
		age := time.Duration(i) * 29 * 24 * time.Hour / time.Duration(len(posts))
		posts[i].PostedAt = now.Add(-age).Truncate(time.Second)
	}
}

// sentences returns companies that mean one sense of a word, with sentences of all its senses.
func sentences(folder string, share float64) (cases []made, err error) {
	for _, s := range sensesOf() {
		var own, noise []labelled
		for _, part := range []string{"train", "test"} {
			data, err := os.ReadFile(filepath.Join(folder, "relevance", s.word, part+".data.txt"))
			if err != nil {
				return nil, err
			}
			gold, err := os.ReadFile(filepath.Join(folder, "relevance", s.word, part+".gold.txt"))
			if err != nil {
				return nil, err
			}
			classes := strings.Fields(string(gold))
			for i, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
				_, body, _ := strings.Cut(line, "\t")
				id := digest(body)
				p := post.Post{Source: sources[id[7]%2], SourceID: "s_" + hex.EncodeToString(id[:6]), Body: &body}
				if classes[i] == s.class {
					own = append(own, labelled{p, true})
				} else {
					noise = append(noise, labelled{p, false})
				}
			}
		}
		m := made{
			name:    "sentence:" + s.word + " " + s.class,
			test:    s.test,
			domain:  s.word + ".com",
			profile: s.profile,
			posts:   mixed(own, noise, share),
		}
		dated(m.posts)
		cases = append(cases, m)
	}
	return cases, nil
}

// A senseCase is a company that is called by a word, of which posts in one sense mean the company.
type senseCase struct {
	word, class string
	test        bool
	profile     proposal.Profile
}

// sensesOf returns the companies of the sentences. Each word and sense is in one part of the split.
func sensesOf() []senseCase {
	p := func(
		name, description, audience string, products, competitors, terms []string,
	) proposal.Profile {
		return proposal.Profile{
			Company:       name,
			Description:   description,
			Audience:      audience,
			Products:      products,
			Competitors:   competitors,
			IndustryTerms: terms,
			Language:      "english",
		}
	}
	l := func(s string) []string { return strings.Split(s, ",") }
	return []senseCase{
		{"apple", "0", false, p(
			"Apple",
			"Apple designs smartphones, personal computers, tablets and watches, with their operating "+
				"systems, and sells music, apps and services online.",
			"Consumers, students and creative professionals",
			l("iPhone,iPad,MacBook,iTunes,Apple Watch"),
			l("Samsung,Microsoft,Google"),
			l("consumer electronics,personal computers,smartphone"),
		)},
		{"apple", "1", true, p(
			"Apple",
			"A family orchard that grows fruit and presses cider, juice and cider vinegar.",
			"Families, bakers and restaurants",
			l("Cider Vinegar,Fruit Boxes"), nil, l("fruit orchard,hard cider,baking"),
		)},
		{"java", "1", true, p(
			"Java",
			"A programming language and a platform to develop and run software on servers, desktops "+
				"and phones, with a virtual machine and class libraries.",
			"Software developers",
			l("JDK,JVM,JavaFX"), l("Python,C#"), l("programming language,virtual machine,software development"),
		)},
		{"java", "0", false, p(
			"Java",
			"Tours and hotels on the Indonesian island: volcanoes, temples, beaches, and journeys "+
				"from Jakarta to Surabaya.",
			"Travellers",
			l("Volcano Tour,Temple Tour"), l("Bali"), l("island tours,Indonesia travel"),
		)},
		{"seal", "1", false, p(
			"Seal",
			"The official site of the British soul singer and songwriter: albums, songs, tour dates "+
				"and concert tickets.",
			"Music fans",
			l("Kiss from a Rose,Crazy"), nil, l("soul music,live concerts,singer"),
		)},
		{"seal", "0", true, p(
			"Seal",
			"A sanctuary and aquarium that rescues marine mammals from beaches and returns them to the sea.",
			"Families and schools",
			l("Pup Rescue,Adoption"), nil, l("marine mammals,wildlife rescue"),
		)},
		{"seal", "3", false, p(
			"Seal",
			"Manufacturer of mechanical gaskets, o-rings and bearings for pumps, engines and shafts.",
			"Engineers",
			l("Shaft Rings,O-Rings"), nil, l("mechanical gaskets,pump parts"),
		)},
		{"seal", "2", true, p(
			"Seal",
			"Designs coats of arms, emblems and crests for cities, universities and government offices.",
			"Cities and universities",
			l("City Emblems,Crest Design"), nil, l("heraldry,official emblems"),
		)},
	}
}

// readCompanies reads the companies and the labels of the benchmark quality, by domain and by a post's sourceId.
func readCompanies(folder string) (all []company, labels map[string]map[string]bool, err error) {
	content, err := os.ReadFile(filepath.Join(folder, "companies.json"))
	if err == nil {
		err = json.Unmarshal(content, &all)
	}
	if err != nil {
		return nil, nil, err
	}
	if content, err = os.ReadFile(filepath.Join(folder, "labels.tsv")); err != nil {
		return nil, nil, err
	}
	labels = map[string]map[string]bool{}
	for line := range strings.Lines(string(content)) {
		fields := strings.Split(strings.TrimSpace(line), "\t") // domain, source, post, verdict
		if len(fields) != 4 {
			continue
		}
		if labels[fields[0]] == nil {
			labels[fields[0]] = map[string]bool{}
		}
		id := "reddit_comment_" + fields[2]
		if fields[1] == "hackernews" {
			id = "hackernews_story_" + fields[2]
		}
		labels[fields[0]][id] = fields[3] == "1"
	}
	return all, labels, nil
}

// readArchive reads titles of Hacker News and comments of Reddit.
func readArchive(folder string) (posts []post.Post, err error) {
	file, err := os.Open(filepath.Join(folder, "language", "hn_posts_2016_dev.csv"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, err
	}
	for _, row := range rows[1:] { // id, title, url, points, comments, author, time
		posts = append(
			posts,
			post.Post{Source: sources[0], SourceID: "hackernews_story_" + row[0], Title: &row[1], Author: &row[5]},
		)
	}
	seen := map[string]bool{}
	for _, part := range []string{"train", "dev"} {
		content, err := os.ReadFile(filepath.Join(folder, "sentiment", "goemotions_3class_"+part+".tsv"))
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(content)) {
			_, text, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
			sum := digest(text)
			if id := hex.EncodeToString(sum[:6]); ok && !seen[id] {
				seen[id] = true
				posts = append(
					posts,
					post.Post{Source: sources[1], SourceID: "reddit_comment_" + id, Body: &text, IsReply: true},
				)
			}
		}
	}
	return posts, nil
}
