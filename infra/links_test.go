package main

import (
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// A Lambda links the clients of the AWS services that its row grants it, and of no others: what it cannot call, it does
// not carry.
func TestLambdasLinkWhatTheyAreGranted(t *testing.T) {
	linked := clientsLinked(t)
	for _, function := range everyOption().Functions() {
		granted := []string{}
		for service, is := range map[string]bool{"dynamodb": len(function.Tables) > 0, "sqs": len(function.Sends) > 0,
			// Athena reads day files for who runs statements.
			"athena": function.Statements, "s3": len(function.Files) > 0 || len(function.DayFiles) > 0 && !function.Statements ||
				len(function.Shards) > 0,
			"ssm": function.Sources || len(function.Slack) > 0, "sesv2": function.Mail,
			"cognitoidentityprovider": len(function.People) > 0,
			"bedrockruntime":          function.Model, "sfn": function.Starts} {
			if is {
				granted = append(granted, service)
			}
		}
		slices.Sort(granted)
		if its := linked[function.folder()]; !slices.Equal(its, granted) {
			t.Errorf("%s links %v and is granted %v", function.Name, its, granted)
		}
	}
}

// clientsLinked are the clients of AWS services that each function's binary has, by the functions' folders. A client is
// the package right under service/; what is below it are its parts.
func clientsLinked(t *testing.T) map[string][]string {
	t.Helper()
	const folder, main = "earshot/functions/", "/lambda"
	command := []string{"list", "-f", `{{.ImportPath}}{{range .Deps}} {{.}}{{end}}`}
	for _, function := range everyOption().Functions() {
		command = append(command, folder+function.folder()+main)
	}
	out, err := exec.Command("go", command...).Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		packages := strings.Fields(line)
		name := strings.TrimSuffix(strings.TrimPrefix(packages[0], folder), main)
		linked[name] = []string{}
		for _, dep := range packages[1:] {
			if dir, client := path.Split(dep); dir == "github.com/aws/aws-sdk-go-v2/service/" {
				linked[name] = append(linked[name], client)
			}
		}
		slices.Sort(linked[name])
	}
	return linked
}
