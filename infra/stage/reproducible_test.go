package stage

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// copied is a copy of the tree in another place: what git has of it, as it stands, and the documentation page's
// renderer, which npm brings at a version and a digest of its own.
func copied(t *testing.T, root string) string {
	t.Helper()
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatalf("git cannot list the tree: %v", err)
	}
	renderer, err := filepath.Glob(filepath.Join(root, "functions/discovery/docs/*swagger-ui*"))
	if err != nil || len(renderer) == 0 {
		t.Fatalf("%q %v", renderer, err)
	}
	files := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	for _, file := range renderer {
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, name)
	}
	folder := filepath.Join(t.TempDir(), "elsewhere")
	for _, name := range files {
		content, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // deleted, or a link to installed tools
		}
		to := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// rebuild builds functions of a tree into a folder of its own.
func rebuild(t *testing.T, root string, functions []string) (dist string) {
	t.Helper()
	dist = t.TempDir()
	if err := build(root, dist, functions); err != nil {
		t.Fatal(err)
	}
	return dist
}

// differs lists the functions whose binaries are others in one folder than in another.
func differs(t *testing.T, functions []string, one, other string) (names []string) {
	t.Helper()
	for _, name := range functions {
		var contents [2][]byte
		for i, dist := range []string{one, other} {
			content, err := os.ReadFile(filepath.Join(dist, name, "bootstrap"))
			if err != nil {
				t.Fatal(err)
			}
			contents[i] = content
		}
		if !bytes.Equal(contents[0], contents[1]) {
			names = append(names, name)
		}
	}
	return names
}

// linking are the functions whose binaries link one of some packages.
func linking(t *testing.T, root string, functions, packages []string) (names []string) {
	t.Helper()
	for _, name := range functions {
		list := exec.Command("go", "list", "-deps", "./functions/"+name+"/lambda")
		list.Dir = root
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(strings.Fields(string(out)), func(dep string) bool { return slices.Contains(packages, dep) }) {
			names = append(names, name)
		}
	}
	return names
}

// The same sources give the same bytes, wherever they are built; a change reaches the functions that link what was
// changed, and of the deployment nothing else than their artefacts' names.
func TestReproducibleArtefacts(t *testing.T) {
	needServers(t)
	root, err := filepath.Abs(top)
	if err != nil {
		t.Fatal(err)
	}
	// One that embeds files, one of the API, one with the judge's tables, and one of a schedule.
	functions := []string{"discovery", "filters", "ingest", "archive"}
	elsewhere := copied(t, root)
	again := rebuild(t, elsewhere, functions)
	if other := differs(t, functions, deployed.dist, again); len(other) > 0 {
		t.Errorf("built elsewhere, other bytes have %q", other)
	}
	same, err := synthesize(deployed.synthesizer, root, filepath.Join(t.TempDir(), "same"), mixed(t, functions, again))
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(same.hashes(), deployed.hashes()) || !sameButArtefacts(t, same) {
		t.Error("synthesized from them, the deployment is another")
	}

	// A package of one function, and one that some functions link.
	changes := map[string]string{"functions/filters": "filters", "shared/judge": "judge"}
	var changed []string
	for folder, name := range changes {
		changed = append(changed, "earshot/"+folder)
		text := "package " + name +
			"\n\n// Changed is never that.\nvar Changed = 1\n\nfunc init() {\n\tif Changed == 7 {\n\t\tpanic(\"changed\")\n\t}\n}\n"
		if err := os.WriteFile(filepath.Join(elsewhere, folder, "changed.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := linking(t, elsewhere, functions, changed)
	if len(want) != 2 {
		t.Fatalf("what was changed is linked by %q, which shows nothing", want)
	}
	dist := rebuild(t, elsewhere, functions)
	if got := differs(t, functions, again, dist); !slices.Equal(got, want) {
		t.Errorf("after a change of what %q link, %q are others", want, got)
	}
	after, err := synthesize(deployed.synthesizer, root, filepath.Join(t.TempDir(), "after"), mixed(t, functions, dist))
	if err != nil {
		t.Fatal(err)
	}
	before, versions, published := deployed.hashes(), deployed.versions(), after.versions()
	for id, hash := range after.hashes() {
		changed := slices.Contains(want, id)
		if (hash != before[id]) != changed {
			t.Errorf("%s is deployed as %s, and was as %s", id, hash, before[id])
		}
		if (published[id] != versions[id]) != changed || published[id] == "" {
			t.Errorf("%s is published as %s, and was as %s", id, published[id], versions[id])
		}
	}
	if !sameButArtefacts(t, after) {
		t.Error("more changes in the templates than the artefacts of functions")
	}
}

// mixed is a folder like dist/ with some functions from another.
func mixed(t *testing.T, functions []string, dist string) (folder string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "dist")
	all, err := lambdas(top)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		from := deployed.dist
		if slices.Contains(functions, name) {
			from = dist
		}
		content, err := os.ReadFile(filepath.Join(from, name, "bootstrap"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name, "bootstrap"), content, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(deployed.dist, "static"), filepath.Join(folder, "static")); err != nil {
		t.Fatal(err)
	}
	return folder
}

// nestedTemplate is the name of a nested stack's template, which is a hash of it. It is compared itself.
var nestedTemplate = regexp.MustCompile(`[0-9a-f]{64}\.json`)

// sameButArtefacts reports whether the templates equal the deployed ones, apart from the names of artefacts and of their
// versions.
func sameButArtefacts(t *testing.T, made artefacts) bool {
	t.Helper()
	names := []string{"Data.template.json", "Service.template.json"}
	nested, err := filepath.Glob(filepath.Join(made.assets, "*.nested.template.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range nested {
		names = append(names, filepath.Base(file))
	}
	for _, name := range names {
		var contents [2]string
		for i, of := range []artefacts{deployed, made} {
			content, err := os.ReadFile(filepath.Join(of.assets, name))
			if err != nil {
				t.Fatal(err)
			}
			contents[i] = string(content)
			for _, hash := range of.hashes() {
				contents[i] = strings.ReplaceAll(contents[i], hash, "artefact")
			}
			contents[i] = nestedTemplate.ReplaceAllString(contents[i], "nested.json")
			for id, version := range of.versions() {
				contents[i] = strings.ReplaceAll(contents[i], version, "version of "+id)
			}
		}
		if contents[0] != contents[1] {
			return false
		}
	}
	return true
}
