package stage

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// top is the top of the repository, from this package's folder, where its tests run.
const top = "../.."

// What the deployment is told beside what dev is: by a line each of infra/stages.go, as infra/README.md has the
// operator write them.
const (
	mailFrom  = "mail@earshot.example"
	signUpURL = "https://sign-up.earshot.example/"
)

// artefacts are what a deployment consists of.
type artefacts struct {
	dist          string // <function>/bootstrap
	assets        string // asset.<hash>/bootstrap: the copies that the template names
	data, service template
	synthesizer   string // the CDK app's program
}

// deploy makes the whole deployment below a folder.
func deploy(folder string) (artefacts, error) {
	root, err := filepath.Abs(top)
	if err != nil {
		return artefacts{}, err
	}
	names, err := lambdas(root)
	if err != nil {
		return artefacts{}, err
	}
	dist := filepath.Join(folder, "dist")
	var synthesizer string
	var unmade error
	making := make(chan struct{})
	go func() {
		defer close(making)
		synthesizer, unmade = buildInfra(root, folder)
	}()
	err = build(root, dist, names)
	<-making
	if err = errors.Join(err, unmade); err != nil {
		return artefacts{}, err
	}
	return synthesize(synthesizer, root, filepath.Join(folder, "synthesized"), dist)
}

// lambdas lists the functions of a tree by their folders, as the Makefile does: one with a lambda/ is one Lambda.
func lambdas(root string) (names []string, err error) {
	for _, pattern := range []string{"functions/*/lambda/main.go", "functions/*/*/lambda/main.go"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			name, err := filepath.Rel(filepath.Join(root, "functions"), filepath.Dir(filepath.Dir(file)))
			if err != nil {
				return nil, err
			}
			names = append(names, filepath.ToSlash(name))
		}
	}
	return names, nil
}

// build makes functions of a tree by its own `make build`, for this machine's processor, as many at once as there are
// of these. The documentation page's renderer, which make would install first, is there already.
func build(root, dist string, names []string) error {
	shares := make([][]string, runtime.NumCPU())
	for i, name := range names {
		shares[i%len(shares)] = append(shares[i%len(shares)], name)
	}
	var running sync.WaitGroup
	failed := make([]error, len(shares))
	for i, share := range shares {
		if len(share) == 0 {
			continue
		}
		running.Go(func() {
			made := exec.Command("make", "--silent", "--old-file=functions/discovery/docs/swagger-ui-bundle.js", "build",
				"ARCH="+runtime.GOARCH, "DIST="+dist, "LAMBDAS="+strings.Join(share, " "))
			made.Dir = root
			made.Env = besideMake()
			if out, err := made.CombinedOutput(); err != nil {
				failed[i] = fmt.Errorf("make build in %s: %w\n%s", root, err, out)
			}
		})
	}
	running.Wait()
	return errors.Join(failed...)
}

// besideMake is this process's environment without what a make that runs it has told it, such as `make peers STAGE=…`.
func besideMake() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains([]string{"MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", "LAMBDAS", "DIST", "ARCH",
			"STAGE"}, name)
	})
}

// buildInfra builds the CDK app of a stage dev that sends mail.
func buildInfra(root, folder string) (program string, err error) {
	stages := filepath.Join(root, "infra", "stages.go")
	content, err := os.ReadFile(stages)
	if err != nil {
		return "", err
	}
	name := `"dev",`
	if strings.Count(string(content), name) != 1 {
		return "", fmt.Errorf("%s has not one line with %s, to which an operator adds settings", stages, name)
	}
	changed := filepath.Join(folder, "stages.go.txt")
	settings := fmt.Sprintf("%s MailFrom: %q, SignUpURL: %q,", name, mailFrom, signUpURL)
	if err := os.WriteFile(changed, []byte(strings.Replace(string(content), name, settings, 1)), 0o600); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{stages: changed}})
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		return "", err
	}
	program = filepath.Join(folder, "infra")
	made := exec.Command("go", "build", "-overlay", file, "-o", program, "./infra")
	made.Dir = root
	if out, err := made.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build infra with settings of an operator: %w\n%s", err, out)
	}
	return program, nil
}

// synthesize makes the templates of the stage dev as `make synth` does, but for the CDK's own rules, which take long
// and change nothing.
func synthesize(program, root, folder, dist string) (artefacts, error) {
	// The app runs from the top of a repository, of which it reads these two.
	document := filepath.Join("functions", "discovery", "openapi.json")
	if err := os.MkdirAll(filepath.Join(folder, filepath.Dir(document)), 0o700); err != nil {
		return artefacts{}, err
	}
	for from, to := range map[string]string{dist: "dist", filepath.Join(root, document): document} {
		if err := os.Symlink(from, filepath.Join(folder, to)); err != nil {
			return artefacts{}, err
		}
	}
	content, err := os.ReadFile(filepath.Join(root, "cdk.json"))
	if err != nil {
		return artefacts{}, err
	}
	var config struct{ Context map[string]any }
	if err := json.Unmarshal(content, &config); err != nil {
		return artefacts{}, err
	}
	config.Context["aws:cdk:enable-path-metadata"] = true
	flags, err := json.Marshal(config.Context)
	if err != nil {
		return artefacts{}, err
	}
	made := artefacts{dist: dist, assets: filepath.Join(folder, "out"), synthesizer: program}
	run := exec.Command(program)
	run.Dir = folder
	run.Env = append(besideMake(), "STAGE=dev", "CDK_OUTDIR="+made.assets, "CDK_CONTEXT_JSON="+string(flags), "CDK_VALIDATION=false")
	if out, err := run.CombinedOutput(); err != nil {
		return artefacts{}, fmt.Errorf("synthesize: %w\n%s", err, out)
	}
	if made.data, err = readTemplate(filepath.Join(made.assets, "Data.template.json")); err != nil {
		return artefacts{}, err
	}
	made.service, err = readWithGroups(made.assets)
	return made, err
}

// of lists the resources of a type in both stacks.
func (a artefacts) of(kind string) []resource { return append(a.service.of(kind), a.data.of(kind)...) }

// hashes are the functions' artefacts as the template names them, by the functions' ids.
func (a artefacts) hashes() map[string]string {
	hashes := map[string]string{}
	for _, made := range a.of("AWS::Lambda::Function") {
		key, _ := made.property("Code", "S3Key").(string)
		if id, ours := made.function(); ours {
			hashes[id] = strings.TrimSuffix(key, ".zip")
		}
	}
	return hashes
}

// versions are the logical ids of what is published, by the functions' ids: another one is published anew.
func (a artefacts) versions() map[string]string {
	functions := map[string]string{}
	for _, made := range a.of("AWS::Lambda::Function") {
		if id, ours := made.function(); ours {
			functions[made.id] = id
		}
	}
	versions := map[string]string{}
	for _, version := range a.of("AWS::Lambda::Version") {
		versions[functions[fmt.Sprint(version.property("FunctionName", "Ref"))]] = version.id
	}
	return versions
}

// functions are the ids of the deployment's functions.
func (a artefacts) functions() []string { return slices.Sorted(maps.Keys(a.hashes())) }
