package stagetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fakes are programs by their names. Each notes how it was called in $LOG. A file in $STATE stands for a stack that is
// there.
var fakes = map[string]string{
	"make": ``,
	"node": ``,
	"git":  ``,
	// The script writes a config to it. If nobody read that, the script would fail now and then, by a broken pipe.
	"curl": `
case "$*" in *"--config -"*) cat >/dev/null ;; esac`,
	"go": `
[ "$1" = build ] || exit 0
name=$(basename "$3")
cp "$FAKES/$name" "$3"`,
	"story": `
case "$*" in *"$STORY_FAILS"*) [ -z "$STORY_FAILS" ] || exit 1 ;; esac
[ "$1" != posts ] || echo '{"posts":[]}'`,
	"earshot": `
case "$*" in
*restore*) echo '{"back":3}' ;;
*) echo '{"workspace":"org_1","token":"secret"}' ;;
esac`,
	"cdk": `
if [ -e "$STATE/earshot-$STAGE-service" ]; then
  grep -q 'exit 1' dist/discovery/bootstrap || exit 0
  [ -z "$BROKEN_IS_DEPLOYED" ] || exit 0
  echo UPDATE_ROLLBACK_COMPLETE >"$STATE/earshot-$STAGE-service"
  exit 1
fi
echo CREATE_COMPLETE >"$STATE/earshot-$STAGE-data"
[ -z "$DEPLOY_FAILS" ] || exit 1
echo CREATE_COMPLETE >"$STATE/earshot-$STAGE-service"`,
	"aws": `
stack=$(sed -nE 's/.*--stack-name ([^ ]+).*/\1/p' <<<"$*")
case "$*" in
"cloudformation describe-stacks --output"*) cat "$STATE/../old.json" ;;
"cloudformation describe-stacks"*)
  if [ ! -e "$STATE/$stack" ]; then echo "Stack with id $stack does not exist" >&2; exit 254; fi
  case "$*" in
  *StackStatus*) cat "$STATE/$stack" ;;
  *) echo '{"Stacks":[{"Outputs":[{"OutputKey":"ApiUrl","OutputValue":"http://127.0.0.1:1/x"},
     {"OutputKey":"TableMentions","OutputValue":"mentions"},{"OutputKey":"QueuePosts","OutputValue":"queue"},
     {"OutputKey":"ExportsBucket","OutputValue":"bucket"},{"OutputKey":"ArchiveBucket","OutputValue":"shards"},
     {"OutputKey":"sweepEndedMissedCalls0A1B2C3D","OutputValue":"it'\''s"},
     {"OutputKey":"ExportsOutputRef1","OutputValue":"x","ExportName":"y"}]}]}' ;;
  esac ;;
"cloudformation delete-stack"*) [ -n "$DELETE_FAILS" ] || rm -f "$STATE/$stack" ;;
*describe-continuous-backups*) echo '{"ContinuousBackupsDescription":{"PointInTimeRecoveryDescription":{"LatestRestorableDateTime":"2999-01-01T00:00:00+00:00"}}}' ;;
"dynamodb query"*) echo '{"Items":[{"pk":{"S":"org_1"},"sk":{"S":"a"}},{"pk":{"S":"org_1"},"sk":{"S":"b"}},{"pk":{"S":"org_1"},"sk":{"S":"c"}}]}' ;;
esac`,
}

// A run is one of the script, in a tree of its own.
type run struct {
	out    string
	failed bool
	log    []string // calls, in order
	left   []string // stacks that are still there
	stage  string
	root   string
}

// script runs it with words and settings. Only programs of fakes and of the system are found.
func script(t *testing.T, words []string, settings ...string) run {
	t.Helper()
	for _, tool := range []string{"bash", "jq", "timeout"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("there is no %s on this machine, and CI is to have it", tool)
			}
			t.Skipf("there is no %s on this machine", tool)
		}
	}
	root := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, body := range fakes {
		write("fakes/"+name, "#!/usr/bin/env bash\necho \""+name+" $*\" >>\"$LOG\"\n"+body+"\n")
	}
	for from, to := range map[string]string{"run.sh": "infra/stage-test/run.sh", "../outputs.sh": "infra/outputs.sh"} {
		content, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		write(to, string(content))
	}
	write("infra/node_modules/.bin/cdk", "#!/usr/bin/env bash\nexec \"$FAKES/cdk\" \"$@\"\n")
	write("dist/discovery/bootstrap", "whole")
	write("old.json", `{"Stacks":[{"StackName":"earshot-test1-data","CreationTime":"2020-01-01T00:00:00.000000+00:00"},
		{"StackName":"earshot-test2-data","CreationTime":"2999-01-01T00:00:00.000000+00:00"},
		{"StackName":"earshot-prod-data","CreationTime":"2020-01-01T00:00:00.000000+00:00"}]}`)
	write("state/earshot-test1-data", "CREATE_COMPLETE")
	write("state/earshot-prod-data", "CREATE_COMPLETE")
	command := exec.CommandContext(
		t.Context(),
		"bash",
		append([]string{filepath.Join(root, "infra/stage-test/run.sh")}, words...)...)
	fakesFolder := filepath.Join(root, "fakes")
	command.Env = append(
		[]string{
			"PATH=" + fakesFolder + ":" + os.Getenv("PATH"),
			"FAKES=" + fakesFolder,
			"STATE=" + filepath.Join(root, "state"),
			"LOG=" + filepath.Join(
				root,
				"log",
			),
			"TMPDIR=" + root,
			"STORY_FAILS=",
			"BROKEN_IS_DEPLOYED=",
			"DEPLOY_FAILS=",
			"DELETE_FAILS=",
		},
		settings...)
	out, err := command.CombinedOutput()
	r := run{out: string(out), failed: err != nil, root: root}
	if content, err := os.ReadFile(filepath.Join(root, "log")); err == nil {
		r.log = strings.Split(strings.TrimSpace(string(content)), "\n")
	}
	entries, err := os.ReadDir(filepath.Join(root, "state"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		r.left = append(r.left, entry.Name())
	}
	if found := regexp.MustCompile(`== deploy (\S+)`).FindStringSubmatch(r.out); found != nil {
		r.stage = found[1]
	}
	return r
}

// at is the place of the first call with a text, or -1.
func (r run) at(text string) int {
	for i, call := range r.log {
		if strings.Contains(call, text) {
			return i
		}
	}
	return -1
}

// gone fails unless the run's stage is destroyed, every other one is left alone, and the build is whole.
func (r run) gone(t *testing.T) {
	t.Helper()
	if got := strings.Join(r.left, " "); got != "earshot-prod-data earshot-test1-data" {
		t.Errorf("these stacks are left: %s\n%s", got, r.out)
	}
	if content, err := os.ReadFile(filepath.Join(r.root, "dist/discovery/bootstrap")); err != nil ||
		string(content) != "whole" {
		t.Errorf("the build is left as %q, %v", content, err)
	}
}

// CloudFormation refuses to delete a bucket that is not empty.
func TestRun_EmptiesBuckets(t *testing.T) {
	r := script(t, nil)
	service, data := r.at("delete-stack --stack-name earshot-"+r.stage+"-service"),
		r.at("delete-stack --stack-name earshot-"+r.stage+"-data")
	for _, bucket := range []string{"s3://bucket", "s3://shards"} {
		calls := 0
		for _, call := range r.log[service:data] {
			if strings.HasPrefix(call, "aws s3 rm --recursive") && strings.HasSuffix(call, bucket) {
				calls++
			}
		}
		if calls != 1 {
			t.Errorf("%s is emptied %d times between the deletion of both stacks, want once", bucket, calls)
		}
	}
}

func TestRun_EverythingWell(t *testing.T) {
	r := script(t, nil)
	if r.failed {
		t.Fatalf("it failed:\n%s", r.out)
	}
	r.gone(t)
	last := -1
	for _, call := range []string{"cdk deploy --all --require-approval never",
		"operate --stage " + r.stage + " --json agency create", "story play",
		"aws sqs send-message --queue-url queue", "story found quillmark --within 10m",
		"aws cloudformation wait stack-rollback-complete",
		"aws dynamodb describe-continuous-backups", "aws dynamodb delete-item --table-name mentions --key",
		"aws dynamodb restore-table-to-point-in-time",
		"workspace restore org_1 --mentions earshot-" + r.stage + "-restored --yes", "story found quillmark --within 1m",
		"aws s3 rm --recursive",
		"aws cloudformation delete-stack --stack-name earshot-" + r.stage + "-data"} {
		i := r.at(call)
		if i <= last {
			t.Errorf("%q is call %d, after call %d:\n%s", call, i, last, strings.Join(r.log, "\n"))
		}
		last = i
	}
	if service := r.at("delete-stack --stack-name earshot-" + r.stage + "-service"); service > last {
		t.Errorf("the stack of data is deleted before that of the service, which imports from it")
	}
	if plays := strings.Count(strings.Join(r.log, "\n"), "story play"); plays != 2 {
		t.Errorf("the stories are played %d times, want before and after the roll-back", plays)
	}
	if strings.Contains(strings.Join(r.log, "\n"), "secret") {
		t.Errorf("a key is an argument of a program:\n%s", strings.Join(r.log, "\n"))
	}
}

func TestRun_DestroysAfterAFailure(t *testing.T) {
	for name, test := range map[string]struct{ setting, says string }{
		"deploy":              {"DEPLOY_FAILS=1", ""},
		"stories":             {"STORY_FAILS=play", ""},
		"posts":               {"STORY_FAILS=found", ""},
		"no roll-back":        {"BROKEN_IS_DEPLOYED=1", "a version that cannot start was deployed"},
		"restore":             {"STORY_FAILS=--within 1m", ""},
		"the story of a post": {"STORY_FAILS=posts", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := script(t, nil, test.setting)
			if !r.failed || strings.Contains(r.out, "all is well") || !strings.Contains(r.out, test.says) {
				t.Errorf("failed is %v:\n%s", r.failed, r.out)
			}
			r.gone(t)
		})
	}
}

func TestRun_StacksThatStay(t *testing.T) {
	r := script(t, nil, "DELETE_FAILS=1")
	if !r.failed || !strings.Contains(r.out, "is not destroyed") {
		t.Errorf("failed is %v:\n%s", r.failed, r.out)
	}
}

func TestRun_NameOfItsOwn(t *testing.T) {
	r := script(t, nil)
	if !regexp.MustCompile(`^test[a-z0-9]{1,12}$`).MatchString(r.stage) {
		t.Errorf("the stage is called %q", r.stage)
	}
}

func TestRun_NoThrowawayStage(t *testing.T) {
	for _, stage := range []string{"prod", "dev", "testing-prod", "test", "test1234567890123", "TEST1"} {
		for name, r := range map[string]run{"run": script(t, nil, "STAGE="+stage), "destroy": script(t, []string{"destroy", stage})} {
			if !r.failed || !strings.Contains(r.out, stage+" is no throwaway stage") || len(r.log) > 0 {
				t.Errorf("%s %s: failed is %v, calls %q:\n%s", name, stage, r.failed, r.log, r.out)
			}
		}
	}
}

func TestSweep_OldStagesAlone(t *testing.T) {
	r := script(t, []string{"sweep"})
	if got := strings.Join(r.left, " "); r.failed || got != "earshot-prod-data" {
		t.Errorf("failed is %v, left are %s:\n%s", r.failed, got, r.out)
	}
	if r.at("earshot-test2") >= 0 || r.at("delete-stack --stack-name earshot-prod") >= 0 {
		t.Errorf("a stage is destroyed that is none, or is young: %q", r.log)
	}
}

// Outputs are variables of a shell, whatever is in them.
func TestOutputs(t *testing.T) {
	root := t.TempDir()
	aws := "#!/usr/bin/env bash\nLOG=/dev/null\nSTATE=" + root + "\n" + fakes["aws"] + "\n"
	if err := os.WriteFile(filepath.Join(root, "aws"), []byte(aws), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, stack := range []string{"data", "service"} {
		if err := os.WriteFile(filepath.Join(root, "earshot-dev-"+stack), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(
		"bash",
		"-c",
		`eval "$(../outputs.sh dev)"; echo "$API_URL|$TABLE_MENTIONS|$EXPORTS_BUCKET|$SWEEP_ENDED_MISSED_CALLS|${EXPORTS_OUTPUT_REF1:-}"`,
	)
	command.Env = append(os.Environ(), "PATH="+root+":"+os.Getenv("PATH"))
	out, err := command.CombinedOutput()
	if want := "http://127.0.0.1:1/x|mentions|bucket|it's|\n"; err != nil || string(out) != want {
		t.Errorf("%v %s, want %s", err, out, want)
	}
}
