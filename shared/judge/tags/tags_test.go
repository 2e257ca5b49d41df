package tags_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"earshot/shared/judge/tags"
	"earshot/shared/judge/words"
	"earshot/shared/mention"
)

// A sample is a post with the tags that a reader would give it.
type sample struct {
	tags []mention.Tag
	text string
}

func samples(t testing.TB, name string) (out []sample) {
	t.Helper()
	content, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(content)) {
		tags, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			t.Fatalf("%s: %q has no tab", name, line)
		}
		s := sample{text: text}
		for tag := range strings.SplitSeq(tags, ",") {
			if tag != "" {
				s.tags = append(s.tags, mention.Tag(tag))
			}
		}
		out = append(out, s)
	}
	return out
}

// counts counts tags: rightly given, wrongly given, missed.
type counts struct{ right, wrong, missed int }

func count(t *testing.T, name string) (c counts) {
	tagger := tags.New()
	for _, s := range samples(t, name) {
		found := tagger.Tags(words.Cut(s.text))
		for _, tag := range found {
			if slices.Contains(s.tags, tag) {
				c.right++
			} else {
				c.wrong++
				t.Logf("wrongly %s: %s", tag, s.text)
			}
		}
		for _, tag := range s.tags {
			if !slices.Contains(found, tag) {
				c.missed++
				t.Logf("not %s: %s", tag, s.text)
			}
		}
	}
	t.Logf("%s: %+v, precision %.2f, recall %.2f", name, c, float64(c.right)/float64(c.right+c.wrong),
		float64(c.right)/float64(c.right+c.missed))
	return c
}

// Posts for and against each topic. The rules were written with them.
func TestPosts(t *testing.T) {
	if c := count(t, "posts.tsv"); c.wrong > 0 || c.missed > 0 {
		t.Errorf("%+v", c)
	}
}

// Posts that the rules were not written with. A given tag should be right.
func TestTags_UnseenPosts(t *testing.T) {
	c := count(t, "apart.tsv")
	if precision := float64(c.right) / float64(c.right+c.wrong); precision < 0.85 {
		t.Errorf("precision %.2f", precision)
	}
	if recall := float64(c.right) / float64(c.right+c.missed); recall < 0.7 {
		t.Errorf("recall %.2f", recall)
	}
}
