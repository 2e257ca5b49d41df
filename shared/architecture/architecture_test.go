package architecture_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// A rule forbids packages to depend on others, tests aside. Patterns are path prefixes by whole elements; "*" in of stands
// for one element.
type rule struct {
	of      string
	except  []string // packages of the pattern that the rule does not mean, as patterns
	mayNot  []string // nor by way of others
	because string
}

var (
	adapters = []string{"earshot/shared/aws", "earshot/shared/embedded", "earshot/shared/outbound"}
	outside  = []string{"net/http", "github.com/aws", "modernc.org/sqlite", "zombiezen.com/go/sqlite",
		"github.com/parquet-go"}
	layers = []string{"earshot/shared/port", "earshot/shared/aws", "earshot/shared/embedded", "earshot/shared/store",
		"earshot/shared/web",
		"earshot/shared/worker", "earshot/shared/lambdalog", "earshot/shared/source/*", "earshot/shared/outbound",
		"earshot/shared/parquetfile", "earshot/shared/archive/shards", "earshot/shared/dayfilecount",
		"earshot/shared/worldtest", "earshot/shared/architecture"}
)

var rules = []rule{
	{"earshot/shared/*", layers, slices.Concat(outside, adapters,
		[]string{"earshot/shared/store", "earshot/shared/web", "earshot/functions", "earshot/infra"}),
		"the domain is rules and values: it must be readable and testable without a store, a server or an account"},
	{"earshot/shared/port", nil, slices.Concat(outside, adapters, []string{"earshot/shared/store", "earshot/shared/web"}),
		"a port is what a consumer needs; it knows none of its adapters"},
	{"earshot/shared/store/rows", nil,
		[]string{"earshot/shared/store", "earshot/shared/member", "earshot/shared/proposal", "earshot/shared/match"},
		"the layout is for every store, so it links none of their domains"},
	{"earshot/shared/store", []string{"earshot/shared/worldtest"},
		slices.Concat(outside, adapters, []string{"earshot/shared/web"}),
		"the repositories are written once, over the port"},
	{"earshot/shared/web", []string{"earshot/shared/worldtest"},
		slices.Concat(adapters, []string{"earshot/shared/store", "modernc.org/sqlite", "github.com/aws/aws-sdk-go-v2"}),
		"the kit says what it needs of a store and does not choose one"},
	{"earshot/shared/worker", nil,
		slices.Concat(adapters, []string{"earshot/shared/store", "earshot/functions", "modernc.org/sqlite",
			"github.com/aws/aws-sdk-go-v2"}),
		"the kit turns events into calls; what the calls reach is the function's"},
	{"earshot/shared/source/*", []string{"earshot/shared/source/sourcetest"},
		slices.Concat(adapters, []string{"earshot/shared/store", "earshot/shared/web",
			"earshot/shared/match", "earshot/shared/judge", "earshot/functions", "github.com/aws", "modernc.org/sqlite"}),
		"an adapter knows its platform, and nothing of who listens, what matches or where it is kept"},
	{"earshot/shared/web/problem", nil, []string{"earshot", "net/http"},
		"anyone may name a code, so the vocabulary leans on nothing"},
	{"earshot/shared/text", nil, []string{"earshot", "net/http"},
		"everyone may shorten, split and compare texts, so it leans on nothing"},
	{"earshot/shared/aws", nil, []string{"earshot/shared/embedded", "earshot/shared/store", "earshot/functions",
		"github.com/aws/aws-sdk-go-v2/config"},
		"an adapter knows its port; aws-sdk-go-v2/config links SSO and STS and is slow to start"},
	{"earshot/shared/embedded", nil,
		[]string{"earshot/shared/aws", "earshot/shared/store", "earshot/functions", "github.com/aws"},
		"an embedded adapter needs no account"},
	{"earshot/shared/outbound", nil,
		[]string{"earshot/shared/aws", "earshot/shared/embedded", "earshot/shared/store", "earshot/shared/web",
			"earshot/functions",
			"github.com/aws", "modernc.org/sqlite"},
		"what sends to others knows what is sent, and nothing of where it is kept"},
	{"earshot/functions/*", []string{"earshot/functions/local"},
		slices.Concat(adapters, []string{"github.com/aws/aws-sdk-go-v2"}),
		"a function is wired in its main; only there does it meet an adapter"},
	{"earshot/functions/*/lambda", []string{"earshot/functions/local"},
		[]string{"earshot/shared/embedded", "earshot/functions/local", "earshot/infra"},
		"what serves a laptop has no place in a Lambda"},
	{"earshot/functions/*/lambda", []string{"earshot/functions/postshards/lambda"}, []string{"modernc.org/sqlite"},
		"SQLite builds the archive's shards, and costs others 5 MB and a slower start"},
	{"earshot/functions/*/*/lambda", nil, []string{"earshot/shared/embedded", "earshot/functions/local", "earshot/infra"},
		"what serves a laptop has no place in a Lambda"},
	{"earshot/functions/*/*/lambda", searching, []string{"modernc.org/sqlite"},
		"SQLite reads the archive's shards, and costs others 5 MB and a slower start"},
	{"earshot/shared/parquetfile", nil,
		slices.Concat(adapters, []string{"earshot/shared/store", "earshot/shared/web", "earshot/functions",
			"github.com/aws", "modernc.org/sqlite"}),
		"a file has a form, wherever it is kept"},
	{"earshot/shared/archive/shards", nil,
		slices.Concat(adapters, []string{"earshot/shared/store", "earshot/shared/web", "earshot/functions",
			"github.com/aws"}),
		"a shard has one form, on a disk and on S3; SQLite reads it in a Lambda too"},
	{"earshot/shared/proposal", nil, []string{"earshot/shared/proposal/survey", "earshot/shared/source/fetch"},
		"what makes a proposal of what was found asks nobody: the same evidence gives the same proposal"},
	{"earshot/functions/discovery/lambda", nil, []string{"github.com/aws/aws-sdk-go-v2", "earshot/shared/store"},
		"discovery is public: it can reach no data"},
}

// searching lists the Lambdas that search the archive of posts.
var searching = []string{
	"earshot/functions/keywords/backfills/lambda", "earshot/functions/keywords/preview/lambda",
	"earshot/functions/search/searches/lambda", "earshot/functions/setupstages/agent/lambda",
	"earshot/functions/setupstages/measure/lambda", "earshot/functions/setupstages/sample/lambda",
}

// testOnly packages stand in for something in tests.
var testOnly = []string{"tabletest", "worldtest", "faulttest", "queuetest", "blobtest", "secrettest", "warehousetest",
	"mailtest", "identitytest", "sourcetest", "flowtest", "sfntest", "modeltest", "websitetest", "setuptest",
	"switchingtest", "shardstest", "arrivaltest", "emftest", "tracetest", "testing"}

type pkg struct {
	ImportPath, Name, Doc string
	Imports, GoFiles      []string
}

func TestLayers(t *testing.T) {
	graph := list(t)
	for _, r := range rules {
		held := 0
		for _, p := range graph.ours {
			if !matches(r.of, p.ImportPath) ||
				slices.ContainsFunc(r.except, func(e string) bool { return matches(e, p.ImportPath) }) || forTests(p) ||
				r.of == "earshot/functions/*" && strings.Contains(p.ImportPath, "/lambda") {
				continue
			}
			held++
			for dep := range graph.reached(p) {
				for _, forbidden := range r.mayNot {
					if below(forbidden, dep) && dep != p.ImportPath && !below(p.ImportPath, dep) {
						t.Errorf("%s depends on %s: %s", p.ImportPath, dep, r.because)
					}
				}
			}
		}
		if held == 0 {
			t.Errorf("no package is %s: the rule is of no use", r.of)
		}
	}
}

// What serves tests is imported by tests alone.
func TestTestPackagesStayInTests(t *testing.T) {
	for _, p := range list(t).ours {
		if forTests(p) {
			continue
		}
		for _, imported := range p.Imports {
			if slices.Contains(testOnly, path.Base(imported)) {
				t.Errorf("%s imports %s outside its tests", p.ImportPath, imported)
			}
		}
	}
}

// Every package says what it is for, in more than its name.
func TestPackageComments(t *testing.T) {
	for _, p := range list(t).ours {
		switch {
		case len(p.GoFiles) == 0:
		case p.Doc == "":
			t.Errorf("%s has no package comment", p.ImportPath)
		case p.Name != "main" && !strings.HasPrefix(p.Doc, "Package "+p.Name+" "):
			t.Errorf("the comment of %s does not begin with \"Package %s\": %s", p.ImportPath, p.Name, p.Doc)
		case len(p.Doc) < 40:
			t.Errorf("the comment of %s says too little: %s", p.ImportPath, p.Doc)
		}
	}
}

// Names that say nothing of their subject.
func TestPackageNames(t *testing.T) {
	meaningless := []string{"util", "utils", "common", "helper", "helpers", "types", "models", "base", "manager", "shared",
		"misc"}
	for _, p := range list(t).ours {
		if slices.Contains(meaningless, p.Name) {
			t.Errorf("%s is called %s", p.ImportPath, p.Name)
		}
	}
}

func forTests(p pkg) bool { return slices.Contains(testOnly, path.Base(p.ImportPath)) }

// below says whether name is the prefix or a path under it.
func below(prefix, name string) bool {
	return name == prefix || strings.HasPrefix(name, prefix+"/")
}

func matches(pattern, name string) bool {
	wanted, given := strings.Split(pattern, "/"), strings.Split(name, "/")
	if len(given) < len(wanted) {
		return false
	}
	for i, element := range wanted {
		if element != "*" && element != given[i] {
			return false
		}
	}
	return true
}

// crossed packages reach others for no more than a type that a rule need not mind: golang.org/x/net/publicsuffix is a table of
// domains, and names a type of net/http/cookiejar for those who keep cookies.
var crossed = []string{"golang.org/x/net/publicsuffix"}

// dependencies is who imports whom.
type dependencies struct {
	ours    []pkg
	imports map[string][]string
}

// reached are the packages that one depends on, by whatever way.
func (d dependencies) reached(p pkg) map[string]bool {
	reached := map[string]bool{}
	var walk func(imports []string)
	walk = func(imports []string) {
		for _, path := range imports {
			if !reached[path] {
				reached[path] = true
				if !slices.Contains(crossed, path) {
					walk(d.imports[path])
				}
			}
		}
	}
	walk(p.Imports)
	return reached
}

func list(t *testing.T) (graph dependencies) {
	t.Helper()
	command := exec.Command("go", "list", "-deps", "-json=ImportPath,Name,Doc,Imports,GoFiles", "earshot/shared/...",
		"earshot/functions/...", "earshot/events/...")
	var failure bytes.Buffer
	command.Stderr = &failure
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &failure)
	}
	graph.imports = map[string][]string{}
	decoder := json.NewDecoder(bytes.NewReader(out))
	for {
		var p pkg
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return graph
		} else if err != nil {
			t.Fatal(err)
		}
		graph.imports[p.ImportPath] = p.Imports
		if below("earshot", p.ImportPath) {
			graph.ours = append(graph.ours, p)
		}
	}
}
