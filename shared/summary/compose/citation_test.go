package compose_test

import (
	"errors"
	"testing"

	"earshot/shared/summary"
	"earshot/shared/summary/compose"
)

// False citations that a model plants, each beside the true one that it was made of.
func TestCheck_PlantedCitations(t *testing.T) {
	m := known()
	m.Themes[0].Posts = append(m.Themes[0].Posts, post(5, 3, "The export does not work on Android since Monday."))
	other := m.Themes[0]
	other.Posts = []compose.Post{post(70, 1, "The battery of the headphones drains within 45 minutes.")}
	m.Themes = append(m.Themes, other)
	for _, c := range []struct {
		what, text string
		ids        []int64
		want       error
	}{
		{"true", "One post says that the login error took 45 minutes.", []int64{1}, nil},
		{"another theme's mention", "The battery of the headphones drains within 45 minutes.", []int64{70},
			compose.ErrCitation},
		{"another theme's mention beside a true one", "One post says that the login error took 45 minutes.", []int64{1, 70},
			compose.ErrCitation},
		{"another mention of the theme", "One post says that the login error took 45 minutes.", []int64{3},
			compose.ErrQuantity},
		{"an id that is no mention's", "One post says that the login error took 45 minutes.", []int64{999_999},
			compose.ErrCitation},
		{"zero", "One post says that the login error took 45 minutes.", []int64{0}, compose.ErrCitation},
		{"a negative id", "One post says that the login error took 45 minutes.", []int64{-1}, compose.ErrCitation},
		{"the largest id", "One post says that the login error took 45 minutes.", []int64{1<<63 - 1}, compose.ErrCitation},
		{"none", "One post says that the login error took 45 minutes.", nil, compose.ErrCitation},
		{"the same twice", "One post says that the login error took 45 minutes.", []int64{1, 1}, compose.ErrCitation},
		{"five", "Users report the login error.", []int64{1, 2, 3, 5, 70}, compose.ErrCitation},
		{"a mention of another period", "The login error of next week took 99 minutes.", []int64{4}, compose.ErrCitation},
		{"a number that no post has", "One post says that the login error took 46 minutes.", []int64{1}, compose.ErrQuantity},
		{"a number as a word", "One post says that the login error took ninety minutes.", []int64{1}, compose.ErrQuantity},
		{"a number with another unit", "One post says that the login error took 45 days.", []int64{1}, compose.ErrQuantity},
		{"true negation", "The export does not work on Android.", []int64{5}, nil},
		{"negation dropped", "The export does work on Android.", []int64{5}, compose.ErrClaim},
		{"negation dropped, inflected", "The export works on Android since Monday.", []int64{5}, compose.ErrClaim},
		{"negation added", "The login error is not back since the update.", []int64{1}, compose.ErrClaim},
		{"negation added, never", "The login error is never back since the update.", []int64{1}, compose.ErrQuantity},
		{"negation added, short", "The login error isn't back since the update.", []int64{1}, compose.ErrClaim},
		{"negation added, no", "There is no login error since the update.", []int64{1}, compose.ErrClaim},
		{"negation of another citation", "The login error is not back on Android.", []int64{1, 5}, compose.ErrClaim},
	} {
		err := compose.Check(m, m.Themes[0], summary.Sentence{Text: c.text, MentionIDs: c.ids})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: Check(%q, %v) = %v, want %v", c.what, c.text, c.ids, err, c.want)
		}
	}
}
