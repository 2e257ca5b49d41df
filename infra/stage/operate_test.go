package stage

import (
	"crypto/rand"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
)

// An operator gives the operator's command, as infra/README.md has it given, on the stage.
type operator struct {
	*stage
	program string
	name    string // of the stage, which has a stack by this name
}

// made is what a creation made.
type made struct{ Workspace, Agency, Key, Token string }

// newOperator makes a stack with the outputs by which the command finds the tables.
func (s *stage) newOperator() operator {
	s.t.Helper()
	o := operator{s, filepath.Join(s.t.TempDir(), "earshot"), "s" + strings.ToLower(rand.Text())}
	build := exec.Command("go", "build", "-o", o.program, "earshot/functions/local")
	if out, err := build.CombinedOutput(); err != nil {
		s.t.Fatalf("%v\n%s", err, out)
	}
	var template strings.Builder
	template.WriteString("Resources:\n  Topic: {Type: 'AWS::SNS::Topic'}\nOutputs:\n")
	for name, output := range deployed.data.Outputs {
		if value, err := s.text(deployed.data, output.Value); err == nil && strings.HasPrefix(name, "Table") {
			template.WriteString("  " + name + ": {Value: '" + value + "'}\n")
		}
	}
	client := cloudformation.New(cloudformation.Options{
		Region:       "us-east-1",
		BaseEndpoint: aws.String(os.Getenv("STACK_ENDPOINT")),
		Credentials:  credentials.NewStaticCredentialsProvider("local", "local", ""),
	})
	_, err := client.CreateStack(s.t.Context(),
		&cloudformation.CreateStackInput{StackName: aws.String("earshot-" + o.name + "-data"),
			TemplateBody: aws.String(template.String())})
	s.must(err)
	return o
}

// run gives a command and reads what it has made.
func (o operator) run(args ...string) (answer made) {
	o.t.Helper()
	command := exec.Command(o.program, append([]string{"operate", "--stage", o.name, "--json"}, args...)...)
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=local",
		"AWS_SECRET_ACCESS_KEY=local",
		"AWS_CONFIG_FILE=" + os.DevNull, "AWS_SHARED_CREDENTIALS_FILE=" + os.DevNull,
		"AWS_ENDPOINT_URL=" + os.Getenv("TABLE_ENDPOINT"),
		"AWS_ENDPOINT_URL_CLOUDFORMATION=" + os.Getenv("STACK_ENDPOINT"), "NO_PROXY=127.0.0.1"}
	out, err := command.Output()
	if err != nil {
		o.t.Fatalf("operate %s: %v %s", strings.Join(args, " "), err, out)
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		o.t.Fatalf("operate %s: %s", strings.Join(args, " "), out)
	}
	return answer
}
