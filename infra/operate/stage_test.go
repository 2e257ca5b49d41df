package operate

import (
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"

	"earshot/functions/local/deployment"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// On a deployed stage the tables are found by the stack's outputs, with what AWS's own tools find in the environment.
// CloudFormation is played by the server that STACK_ENDPOINT names, the tables by the one that TABLE_ENDPOINT does.
func TestDeployedStage(t *testing.T) {
	stacks, rows := os.Getenv("STACK_ENDPOINT"), os.Getenv("TABLE_ENDPOINT")
	if stacks == "" || rows == "" {
		t.Skip("STACK_ENDPOINT and TABLE_ENDPOINT name no servers: make peers runs it")
	}
	for name, value := range map[string]string{"AWS_REGION": "eu-north-1", "AWS_ACCESS_KEY_ID": "local",
		"AWS_SECRET_ACCESS_KEY": "local",
		"AWS_CONFIG_FILE":       os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull, "AWS_ENDPOINT_URL": rows,
		"AWS_ENDPOINT_URL_CLOUDFORMATION": stacks} {
		t.Setenv(name, value)
	}
	o := op{t, t.TempDir()}
	o.fails("there is no stack earshot-staging-data: deploy the stage first", "--stage", "staging", "workspace", "list")

	place := worldtest.NewPlace(t)
	made := map[string]string{}
	for _, variable := range place.Variables() {
		if name, physical, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "TABLE_") && name != "TABLE_ENDPOINT" {
			made["Table"+name[len("TABLE_"):][:1]+strings.ToLower(name[len("TABLE_")+1:])] = physical
		}
	}
	stack(t, "earshot-dev-data", made)
	delete(made, "TableCounters")
	stack(t, "earshot-prod-data", made)
	o.fails("has no output TableCounters: it is from another version", "--stage", "prod", "workspace", "list")

	var acme struct{ Workspace, Token, Key string }
	o.ok(&acme, "--stage", "dev", "workspace", "create", "--name", "Acme", "--owner", "owner@acme.example")
	if out, err := o.run("--stage", "dev", "workspace", "list"); err != nil || !strings.Contains(out, acme.Workspace) {
		t.Errorf("%s %v", out, err)
	}
	rowsOfStage, closed, err := place.Open(clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	defer closed()
	restores(t, o, acme.Workspace, rowsOfStage)
	functions := deployment.Functions(deployment.Parts{
		Store: allstores.New(rowsOfStage, clock.System{}),
		Clock: clock.System{},
		Log:   discard,
	})
	client := worldtest.Client{Handler: web.LambdaHandler(functions["organization"]), Token: acme.Token}
	client.Get(t, "/api/v2/auth").OK(t, nil)
	o.ok(&map[string]string{}, "--stage", "dev", "key", "revoke", acme.Key)
	client.Get(t, "/api/v2/auth").Is(t, http.StatusUnauthorized, "UNAUTHORIZED")
}

// restores loses a mention of which a backup was restored beside the stage's own tables, and has it put back.
func restores(t *testing.T, o op, workspaceID string, own table.Table) {
	t.Helper()
	backup := worldtest.NewPlace(t)
	rows, closed, err := backup.Open(clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	defer closed()
	if err := allstores.New(rows, clock.System{}).PutMention(t.Context(), workspaceID,
		worldtest.Mention(1, "reddit_post_1", worldtest.Now)); err != nil {
		t.Fatal(err)
	}
	name := ""
	for _, variable := range backup.Variables() {
		if its, found := strings.CutPrefix(variable, "TABLE_MENTIONS="); found {
			name = its
		}
	}
	restore := []string{"--stage", "dev", "workspace", "restore", workspaceID, "--mentions", name}
	var done struct{ Rows, Lost, Back int }
	for _, step := range []struct {
		args []string
		want [3]int
	}{{restore, [3]int{1, 1, 0}}, {append(restore, "--yes"), [3]int{1, 1, 1}}, {append(restore, "--yes"), [3]int{1, 0, 0}}} {
		o.ok(&done, step.args...)
		if got := [3]int{done.Rows, done.Lost, done.Back}; got != step.want {
			t.Errorf("%q: %v, want %v", step.args, got, step.want)
		}
	}
	if m, err := allstores.New(own, clock.System{}).Mention(t.Context(), workspaceID, "reddit_post_1"); err != nil ||
		m.ID != 1 {
		t.Errorf("%+v %v", m, err)
	}
}

// stack makes a stack that has these outputs and nothing of worth.
func stack(t *testing.T, name string, outputs map[string]string) {
	t.Helper()
	account, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var template strings.Builder
	template.WriteString("Resources:\n  Topic: {Type: 'AWS::SNS::Topic'}\nOutputs:\n")
	for output, value := range outputs {
		template.WriteString("  " + output + ": {Value: '" + value + "'}\n")
	}
	client := cloudformation.NewFromConfig(account)
	_, err = client.CreateStack(t.Context(),
		&cloudformation.CreateStackInput{StackName: aws.String(name), TemplateBody: aws.String(template.String()),
			OnFailure: types.OnFailureDelete})
	// A request whose answer was lost is sent again by the SDK. The server is this run's own: a stack that is there, is this one.
	if _, there := errors.AsType[*types.AlreadyExistsException](err); err != nil && !there {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.DeleteStack(t.Context(), &cloudformation.DeleteStackInput{StackName: aws.String(name)})
	})
}
