// Package worldtest is the laboratory of the tests. A World is a store with workspaces, a clock that stands still, the
// other ports and a key of every kind. A Client calls a function's handler as API Gateway does, and holds every
// response against the OpenAPI document. The store is on the embedded adapter or, if TABLE_ENDPOINT names a server that
// speaks DynamoDB, on the AWS adapter. Only tests and test kits import this package.
package worldtest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/oklog/ulid/v2"

	"earshot/shared/aws/dynamotable"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/mention"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/story"
	"earshot/shared/workspace"
)

// Now is the first time of a World's clock.
var Now = time.Date(2026, 11, 20, 10, 15, 0, 0, time.UTC)

// Place names where a store's tables are, as text that can be passed to another process.
type Place string

// NewPlace makes an empty place for a test.
func NewPlace(t testing.TB) Place {
	t.Helper()
	endpoint := os.Getenv("TABLE_ENDPOINT")
	if endpoint == "" {
		return Place(NewFile(t))
	}
	place := Place(endpoint + " t" + strings.ToLower(ulid.Make().String()))
	client, names, err := place.peer()
	Must(t, err)
	Must(t, dynamotable.Create(t.Context(), client, names, rows.Schemas()))
	return place
}

// NewFile makes a file of the embedded adapter for a test, with the store's tables and no rows.
func NewFile(t testing.TB) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "earshot.db")
	content, err := emptyTables()
	Must(t, err)
	Must(t, os.WriteFile(file, content, 0o600))
	return file
}

// emptyTables returns the file of tables without rows. The first call makes it and NewFile copies it, because to
// make one takes eight waits for the disk.
var emptyTables = sync.OnceValues(func() (content []byte, err error) {
	folder, err := os.MkdirTemp("", "worldtest")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	file := filepath.Join(folder, "earshot.db")
	tables, err := sqlitetable.Open(file, rows.Schemas(), sqlitetable.Options{})
	if err != nil {
		return nil, err
	}
	if err := tables.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

// Open opens the tables of the place, by the clock.
func (p Place) Open(c clock.Clock) (tables table.Table, closed func() error, err error) {
	if !strings.Contains(string(p), "://") {
		tables, err := sqlitetable.Open(string(p), rows.Schemas(), sqlitetable.Options{Clock: c})
		if err != nil {
			return nil, nil, err
		}
		return tables, tables.Close, nil
	}
	client, names, err := p.peer()
	if err != nil {
		return nil, nil, err
	}
	tables, err = dynamotable.New(client, names, rows.Schemas(), c)
	return tables, func() error { return nil }, err
}

// Variables returns the environment of a Lambda whose tables are at this place, which has an endpoint.
func (p Place) Variables() []string {
	endpoint, _, _ := strings.Cut(string(p), " ")
	_, names, err := p.peer()
	if err != nil {
		panic(err) // the place has been opened before
	}
	variables := []string{"TABLE_ENDPOINT=" + endpoint}
	for name, physical := range names {
		variables = append(variables, "TABLE_"+strings.ToUpper(name)+"="+physical)
	}
	return variables
}

// peer returns the server of a place that has an endpoint, and its physical tables there.
func (p Place) peer() (*dynamodb.Client, map[string]string, error) {
	endpoint, prefix, _ := strings.Cut(string(p), " ")
	account, err := dynamotable.AccountFrom(func(string) string { return "" }, endpoint)
	if err != nil {
		return nil, nil, err
	}
	names := map[string]string{}
	for _, schema := range rows.Schemas() {
		names[schema.Name] = prefix + "." + schema.Name
	}
	return dynamotable.NewClient(account), names, nil
}

// World is a small set of workspaces with their keys, and the ports that functions reach.
type World struct {
	Store  *allstores.Store // over Mortal(Table)
	Clock  *clock.Adjustable
	Table  table.Table // past all faults
	Sent   Sent        // what Queue was sent
	Faults *fault.Set  // of Store and the other ports
	Life   *fault.Life // of the process that has Store and the other ports; it counts their writes
	place  Place       // of Table
	ports  ports
	t      testing.TB

	Main   workspace.Workspace // a pro workspace
	Other  workspace.Workspace // another, of nobody's agency
	Agents workspace.Workspace // on the Agents plan
	Agency workspace.Agency    // of Anchor and Member
	Anchor workspace.Workspace
	Member workspace.Workspace

	// Keys as a client sends them.
	Read, Write, Admin string // of Main
	OtherKey           string // admin, of Other
	AgentsKey          string // admin, of Agents
	Master             string // admin, of Agency
}

// NewWorld makes a World at a place of its own. Its clock stands still at Now.
func NewWorld(t testing.TB) *World {
	t.Helper()
	return NewWorldAt(t, NewPlace(t))
}

// NewWorldAt makes a World at an empty place.
func NewWorldAt(t testing.TB, place Place) *World {
	t.Helper()
	w := &World{
		t:      t,
		place:  place,
		Clock:  &clock.Adjustable{},
		Faults: newFaults(),
		Life:   &fault.Life{Counts: fault.IsWrite},
	}
	w.openPorts()
	w.Clock.Freeze(Now)
	tables, closed, err := place.Open(w.Clock)
	Must(t, err)
	t.Cleanup(func() { closed() })
	w.Table = tables
	w.Store = allstores.New(table.Retrying(w.Mortal(tables)), w.Clock)
	w.Agency = workspace.Agency{ID: w.id(workspace.PrefixAgency), Name: "Harbour Agency", Active: true,
		WorkspaceLimit: workspace.DefaultWorkspaceLimit, CreatedAt: Now, AnchorID: w.id(workspace.PrefixWorkspace)}
	Must(t, w.Store.CreateAgency(t.Context(), w.Agency))
	w.Main = w.workspace(t, workspace.Workspace{Name: "Northwind", Plan: workspace.Pro})
	w.Other = w.workspace(t, workspace.Workspace{Name: "Southwind", Plan: workspace.Pro})
	w.Agents = w.workspace(t, workspace.Workspace{Name: "Robots", Plan: workspace.Agents})
	w.Anchor = w.workspace(
		t, workspace.Workspace{ID: w.Agency.AnchorID, Name: "Harbour", Plan: workspace.Scale, AgencyID: w.Agency.ID},
	)
	w.Member = w.workspace(t, workspace.Workspace{Name: "Harbour client", Plan: workspace.Pro, AgencyID: w.Agency.ID})
	w.Read = w.Key(t, workspace.Key{Scope: workspace.Read, Workspace: &w.Main})
	w.Write = w.Key(t, workspace.Key{Scope: workspace.Write, Workspace: &w.Main})
	w.Admin = w.Key(t, workspace.Key{Scope: workspace.Admin, Workspace: &w.Main})
	w.OtherKey = w.Key(t, workspace.Key{Scope: workspace.Admin, Workspace: &w.Other})
	w.AgentsKey = w.Key(t, workspace.Key{Scope: workspace.Admin, Workspace: &w.Agents})
	w.Master = w.Key(t, workspace.Key{Scope: workspace.Admin, Agency: &w.Agency})
	return w
}

// At returns a World of what there is at a place, for Rows and Left. It makes nothing.
func At(place Place, tables table.Table) *World { return &World{Table: tables, place: place} }

func (w *World) id(prefix string) string { return workspace.NewID(prefix, w.Clock.Now()) }

func (w *World) workspace(t testing.TB, org workspace.Workspace) workspace.Workspace {
	t.Helper()
	if org.ID == "" {
		org.ID = w.id(workspace.PrefixWorkspace)
	}
	org.CreatedAt = Now
	Must(t, w.Store.CreateWorkspace(t.Context(), org))
	org, err := w.Store.Workspace(t.Context(), org.ID)
	Must(t, err)
	return org
}

// Key stores a key and returns it as a client sends it.
func (w *World) Key(t testing.TB, key workspace.Key) string {
	t.Helper()
	token := workspace.NewToken(w.Clock.Now())
	key.ID, key.Digest, key.CreatedAt = token.KeyID, token.Digest(), w.Clock.Now()
	Must(t, w.Store.CreateKey(t.Context(), key))
	return token.Reveal()
}

// Mention returns a mention with every field that the description requires, and a few of the others.
func Mention(id int64, sourceID string, posted time.Time) mention.Mention {
	score, title, body, author := mention.High, "A title", "A body that names northwind.", "someone"
	return mention.Mention{
		ID:                   id,
		SourceID:             sourceID,
		URL:                  "https://posts.example/" + sourceID,
		Title:                &title,
		Body:                 &body,
		Source:               "hackernews",
		PostedAt:             posted,
		Author:               &author,
		Relevant:             true,
		RelevanceScore:       &score,
		RelevanceComment:     "Names the product.",
		Sentiment:            mention.Positive,
		Language:             "english",
		Tags:                 []mention.Tag{"own_brand_mention"},
		Keywords:             []mention.Keyword{{ID: 7, Text: "northwind"}},
		Engagement:           map[string]int64{"points": 12},
		EngagementObservedAt: posted.Add(time.Hour),
	}
}

// Put stores mentions in a workspace.
func (w *World) Put(t testing.TB, orgID string, mentions ...mention.Mention) {
	t.Helper()
	for _, m := range mentions {
		m.StoryID = story.OfMention(&m).String()
		Must(t, w.Store.PutMention(context.Background(), orgID, m))
	}
}

// Must fails the test at once if there is an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
