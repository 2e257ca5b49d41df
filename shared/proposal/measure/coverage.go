package measure

// A coverage is what is known of a platform's search.
type coverage struct {
	factor     float64
	searchable bool
	why        string
}

// coverages says of every platform that a keyword can name how many of its posts there are for each that a search of it
// shows once all pages are read: 1 where the search is of everything. Where the adapters' documents and the platforms'
// own say that a search shows a part, the factor is a judgement, kept small: a factor that is too high has a keyword
// refused that would have fitted.
var coverages = map[string]coverage{
	"dev": {1, false, "its API answers the newest articles of all, and searches none"},
	"github": {
		1, true,
		"the search of issues and pull requests is of all that are public; code and discussions are not collected either",
	},
	"hackernews":     {1, true, "the search has every story and comment within minutes"},
	"linkedin":       {1, false, "no search of everyone's posts is open"},
	"producthunt":    {1, false, "its API answers launches by their date, and searches none"},
	"reddit":         {1, true, "the search is of all posts of the window; comments are a platform of their own"},
	"reddit_comment": {1, false, "the search leaves comments out; where an archive has them, all are there"},
	"stackoverflow":  {1, true, "the search is of all questions"},
	"twitter":        {1, true, "recent search is of all public posts of a week"},
	"youtube": {
		1.25, true, "results are ranked, and known to leave out a part of what a second search of the same words shows",
	},
	"tiktok": {1, false, "its search is open to researchers only"},
	"medium": {
		2, true,
		"a tag's feed holds the newest ten articles only, and those that were tagged so: what is newer pushes out the rest",
	},
	"bluesky": {
		1.1, true, "posts of accounts that ask not to be shown to strangers are left out, and come by the firehose",
	},
	"newsletter": {1, false, "feeds hold their newest entries, and are not searched"},
	"podcasts":   {1.25, true, "the directory answers the 200 episodes of all times that it ranks first"},
	"news":       {1.1, true, "articles that are found by their body alone cannot be matched by their title"},
	"firehose":   {1, false, "it is the present: there is no past to search"},
	"instagram":  {1, false, "no search by text is open"},
}

// Coverage is how many posts a source has for each that a search of it shows, and whether it can be searched at all.
// Counts of a source that cannot be searched by its platform's interface may still exist, of an archive: the factor
// holds for those. A source that is no platform has the factor 1 and is searched when somebody does.
func Coverage(source string) (factor float64, searchable bool) {
	known, ok := coverages[source]
	if !ok {
		return 1, true
	}
	return known.factor, known.searchable
}

// twins are sources whose posts another one's search counts: keyword.Admits takes them for one.
var twins = map[string]string{"firehose": "bluesky"}
