package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A policy is one of the documents that people give to IAM.
type policy struct {
	Version   string
	Statement []struct {
		Sid, Effect      string
		Action, Resource any
		Principal        map[string]string
		Condition        map[string]map[string]string
	}
}

func readPolicy(t *testing.T, file string) policy {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	var read policy
	if err := decoder.Decode(&read); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if len(content) > 6144 {
		t.Errorf("%s has %d bytes; IAM takes 6,144", file, len(content))
	}
	return read
}

// texts are a member's strings, of which there may be one or several.
func texts(value any) (all []string) {
	for _, each := range list(value) {
		text, _ := each.(string)
		all = append(all, text)
	}
	return all
}

var (
	anAction = regexp.MustCompile(`^[a-z0-9-]+:[A-Za-z]+$`)
	anARN    = regexp.MustCompile(`^arn:aws:(iam::ACCOUNT|s3::|[a-z0-9]+:REGION:ACCOUNT):[A-Za-z0-9*/_-]+$`)
)

// Documents for IAM are ones that it takes, name each action, and reach what is Earshot's alone.
func TestPolicies_Scoped(t *testing.T) {
	for file, prefix := range map[string]string{"deployer-policy.json": "earshot-", "stage-test/policy.json": "earshot-test"} {
		document := readPolicy(t, file)
		if document.Version != "2012-10-17" || len(document.Statement) == 0 {
			t.Errorf("%s: version %q, %d statements", file, document.Version, len(document.Statement))
		}
		sids := map[string]bool{}
		for _, statement := range document.Statement {
			if statement.Effect != "Allow" || sids[statement.Sid] ||
				!regexp.MustCompile(`^[A-Za-z0-9]+$`).MatchString(statement.Sid) {
				t.Errorf("%s: %s %s", file, statement.Effect, statement.Sid)
			}
			sids[statement.Sid] = true
			for _, action := range texts(statement.Action) {
				if !anAction.MatchString(action) {
					t.Errorf("%s: %s allows %q", file, statement.Sid, action)
				}
			}
			for _, resource := range texts(statement.Resource) {
				if resource == "*" {
					if actions := texts(statement.Action); !slices.Equal(
						actions,
						[]string{"cloudformation:DescribeStacks"},
					) {
						t.Errorf("%s: %s allows %q on everything", file, statement.Sid, actions)
					}
					continue
				}
				if !anARN.MatchString(resource) {
					t.Errorf("%s: %s is on %q, which is no ARN", file, statement.Sid, resource)
				}
				if name := resource[strings.LastIndexAny(strings.SplitN(resource, "/", 2)[0], ":")+1:]; !strings.Contains(
					name,
					prefix,
				) &&
					!strings.HasPrefix(name, "role/cdk-hnb659fds-") {
					t.Errorf("%s: %s is on %q, want names with %s", file, statement.Sid, resource, prefix)
				}
			}
		}
	}
}

// A deployer may take the roles that the CDK's command line takes, as a synthesized deployment names them, and no
// others.
func TestPolicies_DeployerHasTheRolesOfADeployment(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(deployments["prod"].folder, "*.assets.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%q, %v", files, err)
	}
	named := map[string]bool{}
	for _, file := range append(files, filepath.Join(deployments["prod"].folder, "manifest.json")) {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(
			`"(?:assumeRoleArn|arn)": "arn:\$\{AWS::Partition\}:([^"]+)"`).FindAllStringSubmatch(string(content), -1) {
			named[strings.NewReplacer("${AWS::AccountId}", "ACCOUNT", "${AWS::Region}",
				"REGION").Replace("arn:aws:"+found[1])] = true
		}
	}
	granted := map[string]bool{}
	for _, statement := range readPolicy(t, "deployer-policy.json").Statement {
		if slices.Contains(texts(statement.Action), "sts:AssumeRole") {
			for _, role := range texts(statement.Resource) {
				granted[role] = true
			}
		}
	}
	if !maps.Equal(named, granted) {
		t.Errorf(
			"a deployment names %q, the deployer may take %q",
			slices.Sorted(maps.Keys(named)),
			slices.Sorted(maps.Keys(granted)),
		)
	}
}

// The role of the stage test is for one branch of one repository.
func TestPolicies_TrustIsExact(t *testing.T) {
	document := readPolicy(t, "stage-test/trust.json")
	if len(document.Statement) != 1 || document.Statement[0].Action != "sts:AssumeRoleWithWebIdentity" {
		t.Fatalf("%+v", document)
	}
	equal := document.Statement[0].Condition["StringEquals"]
	const issuer = "token.actions.githubusercontent.com:"
	if equal[issuer+"aud"] != "sts.amazonaws.com" || equal[issuer+"sub"] != "repo:REPOSITORY:ref:refs/heads/main" ||
		len(document.Statement[0].Condition) != 1 {
		t.Errorf("whoever %v may take the role", document.Statement[0].Condition)
	}
}

// Each command of AWS's that the script gives is allowed.
func TestPolicies_StageTestMayDoItsSteps(t *testing.T) {
	script, err := os.ReadFile("stage-test/run.sh")
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string]bool{}
	for _, statement := range readPolicy(t, "stage-test/policy.json").Statement {
		for _, action := range texts(statement.Action) {
			allowed[action] = true
		}
	}
	needed := map[string]bool{}
	for _, found := range regexp.MustCompile(
		`\baws (cloudformation|dynamodb|s3|sqs) (wait )?([a-z-]+)`).FindAllStringSubmatch(string(script), -1) {
		switch service, command := found[1], found[3]; {
		case service == "s3":
			needed["s3:ListBucket"], needed["s3:DeleteObject"] = true, true
		case found[2] != "" && service == "cloudformation":
			needed["cloudformation:DescribeStacks"] = true
		case found[2] != "":
			needed["dynamodb:DescribeTable"] = true
		default:
			name := ""
			for part := range strings.SplitSeq(command, "-") {
				name += title(part)
			}
			needed[service+":"+name] = true
		}
	}
	for action := range needed {
		if !allowed[action] {
			t.Errorf("the script needs %s, which its policy does not allow", action)
		}
	}
	if len(needed) < 8 {
		t.Errorf("the script asks for %q alone: was it read?", slices.Sorted(maps.Keys(needed)))
	}
}

// A throwaway stage has canaries to go back by, and leaves nothing.
func TestStageNamed_Throwaway(t *testing.T) {
	stage, err := stageNamed("test6b040eb69c")
	if err != nil {
		t.Fatal(err)
	}
	if stage.Name != "test6b040eb69c" || !stage.Canary || stage.Keep {
		t.Errorf("%+v", stage)
	}
	if err := stage.check(); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"test", "Test1", "test-1", "test1234567890123", "contest1"} {
		if _, err := stageNamed(name); err == nil {
			t.Errorf("%q is a stage", name)
		}
	}
}
