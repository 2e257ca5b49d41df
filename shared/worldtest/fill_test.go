package worldtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// notOfAWorkspace are the operations of the store that write and are not of worldtest.Fill, each with its reason.
var notOfAWorkspace = map[string]string{
	"CreateAgency": "an agency's own",
	"ChangeAgency": "an agency's own",
	"PutClient":    "clients of OAuth are shared by all workspaces",
	"KeepClient":   "clients of OAuth are shared by all workspaces",

	"Cache":       "what sources answered is shared by all workspaces",
	"PauseSource": "shared by all workspaces",

	"DayVersions": "when a release was first seen is of the deployment",

	"PutArchiveManifest": "posts of the archive are shared by all workspaces",
	"PutDocument":        "posts of the archive are shared by all workspaces",
	"BuryDocument":       "posts of the archive are shared by all workspaces",
	"PutBatch":           "posts of the archive are shared by all workspaces",
	"DropBatches":        "posts of the archive are shared by all workspaces",

	"CreateWorkspace": "the workspace itself, which is there before it is filled",

	"ReserveWorkspace": "a workspace that is being made: TestPurge_MeetsCreation",
	"OpenWorkspace":    "a workspace that is being made: TestPurge_MeetsCreation",
	"AbandonWorkspace": "a workspace that is being made, which it ends",
	"ForgetWorkspace":  "a workspace that is being made, which it ends",

	"DeleteWorkspace":       "the end",
	"DeleteAgencyWorkspace": "the end, which it notes for the agency",
	"Purge":                 "the end",
}

// Every operation of the store that writes is called by worldtest.Fill, or by one that is, or is not of a workspace: a
// new kind of row cannot be left out of the tests of the purge by forgetting it.
func TestFillLeavesNothingOut(t *testing.T) {
	calls, byItself, exported := map[string][]string{}, map[string]bool{}, []string{}
	stores, err := filepath.Glob("../store/*store")
	if err != nil || len(stores) != 13 {
		t.Fatalf("the stores are %q, %v", stores, err)
	}
	var files []*ast.File
	for _, folder := range append(stores, "../store", "../store/rows") {
		files = append(files, parsedFiles(t, folder)...)
	}
	for _, file := range files {
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			name := function.Name.Name
			if function.Recv != nil {
				name = "." + name
				if function.Name.IsExported() {
					exported = append(exported, name)
				}
			}
			called, writing := callsOf(file, function)
			calls[name] = append(calls[name], called...)
			byItself[name] = byItself[name] || writing
		}
	}
	// Whoever calls what writes, writes.
	writes := maps.Clone(byItself)
	for again := true; again; {
		again = false
		for name, called := range calls {
			if !writes[name] && slices.ContainsFunc(called, func(c string) bool { return writes[c] }) {
				writes[name], again = true, true
			}
		}
	}
	filled := map[string]bool{}
	var fill func(names []string)
	fill = func(names []string) {
		for _, name := range names {
			if !filled[name] {
				filled[name] = true
				fill(calls[name])
			}
		}
	}
	for _, file := range parsedFiles(t, ".") {
		ast.Inspect(file, func(node ast.Node) bool {
			if function, ok := node.(*ast.FuncDecl); ok && function.Recv != nil {
				called, _ := callsOf(file, function)
				fill(called)
			}
			return true
		})
	}
	var seen int
	for _, name := range exported {
		if !writes[name] {
			continue
		}
		seen++
		// What does no more than to call others that are filled is filled too.
		covered := filled[name] ||
			!byItself[name] && !slices.ContainsFunc(calls[name], func(c string) bool { return writes[c] && !filled[c] })
		if !covered && notOfAWorkspace[name[1:]] == "" {
			t.Errorf("%s writes, and worldtest.Fill does not call it: what it writes may be left when a workspace is purged", name[1:])
		}
	}
	if seen < 60 || !writes[".Ingest"] || writes[".Mention"] {
		t.Errorf("only %d operations are taken for writing", seen)
	}
	for name := range notOfAWorkspace {
		if !writes["."+name] {
			t.Errorf("%s does not write", name)
		}
	}
}

// parsedFiles are the files of a folder that are not of tests.
func parsedFiles(t *testing.T, folder string) (files []*ast.File) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			file, err := parser.ParseFile(set, folder+"/"+name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
	}
	return files
}

// callsOf are the functions, and behind a dot the methods, that a function calls by their names; writes says whether it
// writes to a table by itself.
func callsOf(file *ast.File, function *ast.FuncDecl) (called []string, writes bool) {
	packages := map[string]bool{}
	for _, imported := range file.Imports {
		packages[path.Base(strings.Trim(imported.Path.Value, `"`))] = true
	}
	ast.Inspect(function, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch of := call.Fun.(type) {
		case *ast.Ident:
			called = append(called, of.Name)
		case *ast.SelectorExpr:
			if on, ok := of.X.(*ast.SelectorExpr); ok && on.Sel.Name == "Table" &&
				slices.Contains([]string{"Put", "Update", "Delete", "Transact"}, of.Sel.Name) {
				writes = true
			}
			switch on, ok := of.X.(*ast.Ident); {
			case !ok || !packages[on.Name]:
				called = append(called, "."+of.Sel.Name)
			case strings.HasSuffix(on.Name, "store"):
				called = append(called, of.Sel.Name)
			}
		}
		return true
	})
	return called, writes
}
