package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"
)

// deployments holds what each stage synthesizes to. They are made once, since each costs most of a second, and one after
// the other, since the CDK has one process for all.
var deployments = map[string]deployment{}

// A deployment is one stage's templates: those of its two stacks, and that of the stack within the second.
type deployment struct {
	folder        string
	data, service template
	watch         template
	groups        map[string]template // by the names of their constructs
}

func TestMain(m *testing.M) {
	code, err := testAll(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "infra:", err)
		code = 1
	}
	jsii.Close()
	os.Exit(code)
}

func testAll(m *testing.M) (int, error) {
	// The CDK's own rules take five seconds a synthesis; `make synth` runs them.
	if err := os.Setenv("CDK_VALIDATION", "false"); err != nil {
		return 1, err
	}
	folder, err := os.MkdirTemp("", "earshot-infra")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(folder)
	binaries = filepath.Join(folder, "dist")
	for _, function := range everyOption().Functions() {
		if err := writeBinary(function.folder()); err != nil {
			return 1, err
		}
	}
	if err := writeStatic(filepath.Join(binaries, "static", "docs")); err != nil {
		return 1, err
	}
	templates := folder
	if kept := os.Getenv("TEMPLATES"); kept != "" { // for cfn-lint, in peers/run.sh
		templates = kept
	}
	for _, stage := range append(Stages(), everyOption()) {
		made, err := synthesize(stage, filepath.Join(templates, nameOf(stage)), servedDocument, holdToSolutions)
		if err != nil {
			return 1, err
		}
		deployments[nameOf(stage)] = made
	}
	return m.Run(), nil
}

// withEveryOption names the deployment in which whatever a stage may have is turned on.
const withEveryOption = "every option"

// everyOption is prod with all of that.
func everyOption() Stage {
	stage := Stages()[len(Stages())-1]
	stage.CustomerKey, stage.ReservedConcurrency = true, 7
	stage.Contact, stage.MailFrom = "operator@earshot.example", "Earshot <hello@mail.earshot.example>"
	stage.Model, stage.ModelTokens = "eu.amazon.nova-micro-v1:0", 5000
	stage.ReturnTo = []string{"https://app.earshot.example/signed-in?from=pages", "http://localhost:3000/"}
	stage.Domain = Domain{Name: "api.earshot.example", Only: true,
		Certificate: "arn:aws:acm:us-east-1:111122223333:certificate/3f1c0f0e-8d1b-4d3b-9d52-0b8d4b6c1a2e"}
	stage.FirewallRate, stage.FirewallRules = 2000, true
	stage.AnalyticsFiles = true
	stage.StaticFirewall = "arn:aws:wafv2:us-east-1:111122223333:global/webacl/static/3f1c0f0e-8d1b-4d3b-9d52-0b8d4b6c1a2e"
	return stage
}

// nameOf names a stage's deployment among those of the tests.
func nameOf(stage Stage) string {
	if stage.Domain.Name != "" {
		return withEveryOption
	}
	return stage.Name
}

// servedDocument is the committed OpenAPI document: the tests look at the deployment of what is served.
const servedDocument = "../functions/discovery/openapi.json"

// binaries is a folder like dist/, with a file of no meaning for each function.
var binaries string

func writeBinary(function string) error {
	folder := filepath.Join(binaries, function)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "bootstrap"), []byte("#!/bin/sh\n"), 0o755)
}

// writeStatic makes a folder like one of dist/static, with a file of no meaning.
func writeStatic(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "page.0000000000000000.js"), nil, 0o644)
}

// synthesize does what main does, with the feature flags of cdk.json, which otherwise the command line would hand over.
func synthesize(stage Stage, folder, document string, before ...func(awscdk.App)) (deployment, error) {
	content, err := os.ReadFile("../cdk.json")
	if err != nil {
		return deployment{}, err
	}
	var config struct{ Context map[string]any }
	if err := json.Unmarshal(content, &config); err != nil {
		return deployment{}, err
	}
	// With this, as with the command line, each resource says where it stands in the tree of constructs.
	config.Context["aws:cdk:enable-path-metadata"] = true
	app := awscdk.NewApp(&awscdk.AppProps{
		Outdir: jsii.String(folder), Context: &config.Context, AnalyticsReporting: jsii.Bool(false),
	})
	if err := deploy(app, stage,
		sources{binaries: binaries, document: document, static: filepath.Join(binaries, "static")}); err != nil {
		return deployment{}, err
	}
	for _, do := range before {
		do(app)
	}
	app.Synth(nil)
	made := deployment{folder: folder}
	if made.data, err = readTemplate(filepath.Join(folder, "Data.template.json")); err != nil {
		return deployment{}, err
	}
	made.service, err = readTemplate(filepath.Join(folder, "Service.template.json"))
	made.service.imports = &made.data
	if err != nil {
		return deployment{}, err
	}
	made.service.nested, made.groups = map[string]*template{}, map[string]template{}
	for _, within := range made.service.of("AWS::CloudFormation::Stack") {
		path := strings.Split(within.path(), "/") // Service/Analytics.NestedStack/Analytics.NestedStackResource
		name := strings.TrimSuffix(path[1], ".NestedStack")
		files, err := filepath.Glob(filepath.Join(folder, "Service"+name+"????????.nested.template.json"))
		if err != nil || len(files) != 1 {
			return deployment{}, fmt.Errorf("templates of %s: %q, %v", within.path(), files, err)
		}
		nested, err := readTemplate(files[0])
		if err != nil {
			return deployment{}, err
		}
		nested.id, nested.parent, nested.imports = within.id, &made.service, &made.data
		nested.parameters, _ = within.Properties["Parameters"].(map[string]any)
		made.service.nested[within.id] = &nested
		if name == "Watch" {
			made.watch = nested
		} else {
			made.groups[name] = nested
		}
	}
	return made, err
}

// in is the template of the stack that a function is in.
func (d deployment) in(function Function) template {
	switch {
	case function.hearsOfAccounts():
		return d.data
	case function.Group != "":
		return d.groups[title(function.Group)]
	}
	return d.service
}

// stacks are the templates of the stacks of data, of the service and of its groups, in this order.
func (d deployment) stacks() []template {
	found := []template{d.data, d.service}
	for _, name := range slices.Sorted(maps.Keys(d.groups)) {
		found = append(found, d.groups[name])
	}
	return found
}

// all lists the resources of a type in these stacks.
func (d deployment) all(kind string) (found []resource) {
	for _, in := range d.stacks() {
		found = append(found, in.of(kind)...)
	}
	return found
}

// templates are all of a deployment's.
func (d deployment) templates() []template { return append(d.stacks(), d.watch) }
