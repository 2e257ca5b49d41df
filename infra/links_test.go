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
	for _, function := range Manifest() {
		granted := []string{}
		for service, is := range map[string]bool{"dynamodb": len(function.Tables) > 0, "sqs": len(function.Sends) > 0,
			"s3": len(function.Files) > 0, "ssm": function.Sources || function.Slack, "sesv2": function.Mail, "cognitoidentityprovider": len(function.People) > 0,
			"bedrockruntime": function.Model, "sfn": function.Starts} {
			if is {
				granted = append(granted, service)
			}
		}
		slices.Sort(granted)
		out, err := exec.Command("go", "list", "-deps", "earshot/functions/"+function.Name+"/lambda").Output()
		if err != nil {
			t.Fatalf("%s: %v", function.Name, err)
		}
		linked := []string{}
		for dep := range strings.Lines(string(out)) {
			// A client is the package right under service/; what is below it are its parts.
			if dir, name := path.Split(strings.TrimSpace(dep)); dir == "github.com/aws/aws-sdk-go-v2/service/" {
				linked = append(linked, name)
			}
		}
		slices.Sort(linked)
		if !slices.Equal(linked, granted) {
			t.Errorf("%s links %v and is granted %v", function.Name, linked, granted)
		}
	}
}
