package stage

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	cognito "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	cognitotypes "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"earshot/shared/aws/account"
	"earshot/shared/aws/cognitoidentity"
	"earshot/shared/aws/s3blob"
	"earshot/shared/aws/sesmail"
	"earshot/shared/aws/sfnflow/sfntest"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/port/clock"
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

// A stage is one deployment: tables, queues, files, people and a machine of its own, and processes over them.
type stage struct {
	t         *testing.T
	names     names
	place     worldtest.Place
	rows      *worldtest.World // for reading what there is, beside the functions
	store     *allstores.Store
	queues    *sqs.Client
	people    *cognito.Client
	pool      string
	machine   *sfntest.Machine
	functions map[string]*function // by id
	gateway   http.Handler
	domains   map[string]string // where distributions are, by their logical ids
	authority string            // the file of the certificate by which they are trusted
}

// newStage deploys what was built, and ends it with the test. Processes start when they are called.
func newStage(t *testing.T) *stage {
	t.Helper()
	needServers(t)
	s := &stage{t: t, names: names{}, place: worldtest.NewPlace(t), functions: map[string]*function{}}
	tables, closed, err := s.place.Open(clock.System{})
	s.must(err)
	t.Cleanup(func() { s.must(closed()) })
	s.rows, s.store = worldtest.At(s.place, tables), allstores.New(tables, clock.System{})
	s.makeTables()
	s.nameAPI()
	s.makeQueues()
	s.makeFiles()
	s.makePeople()
	s.makeStatic()
	s.makeFunctions()
	s.makeMachine()
	s.gateway = s.newGateway()
	return s
}

func (s *stage) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// asker is who asks the server that a variable names.
func (s *stage) asker(endpoint string) account.Account {
	s.t.Helper()
	asker, err := account.From(func(string) string { return "" }, os.Getenv(endpoint))
	s.must(err)
	return asker
}

// nameAPI tells what the address of the API is made of, and the clients of the directory by which people sign in.
func (s *stage) nameAPI() {
	for _, api := range deployed.service.of("AWS::ApiGateway::RestApi") {
		s.names[api.id] = struct{ ref, arn string }{"api", "arn of api"}
	}
	for _, client := range deployed.service.of("AWS::Cognito::UserPoolClient") {
		s.names[client.id] = struct{ ref, arn string }{client.id, "arn of " + client.id}
	}
	s.names["AWS::Region"] = struct{ ref, arn string }{ref: "us-east-1"}
	s.names["AWS::URLSuffix"] = struct{ ref, arn string }{ref: "amazonaws.com"}
	s.names["AWS::AccountId"] = struct{ ref, arn string }{ref: "123456789012"}
}

// makeTables tells which table is which by the outputs by which the operator's command finds them.
func (s *stage) makeTables() {
	s.t.Helper()
	for _, variable := range s.place.Variables() {
		name, physical, _ := strings.Cut(variable, "=")
		name = strings.TrimPrefix(name, "TABLE_")
		output, known := deployed.data.Outputs["Table"+name[:1]+strings.ToLower(name[1:])]
		if !known {
			continue // the endpoint
		}
		id, _ := output.Value.(map[string]any)["Ref"].(string)
		s.names[id] = struct{ ref, arn string }{physical, "arn of " + physical}
	}
	if len(s.names) != len(rows.Schemas()) {
		s.t.Fatalf("the template has the tables %v", s.names)
	}
}

// makeQueues makes the queues with the template's times and their dead letters.
func (s *stage) makeQueues() {
	s.t.Helper()
	s.queues = sqsqueue.NewClient(s.asker("QUEUE_ENDPOINT"))
	made := deployed.data.of("AWS::SQS::Queue")
	// The queues of dead letters first.
	slices.SortStableFunc(made, func(a, b resource) int {
		return cmp.Compare(len(fmt.Sprint(a.Properties["QueueName"])), len(fmt.Sprint(b.Properties["QueueName"])))
	})
	slices.SortStableFunc(made, func(a, b resource) int {
		return cmp.Compare(strconv.FormatBool(a.Properties["RedrivePolicy"] != nil),
			strconv.FormatBool(b.Properties["RedrivePolicy"] != nil))
	})
	for _, each := range made {
		attributes := map[string]string{}
		if hidden := each.Properties["VisibilityTimeout"]; hidden != nil {
			attributes["VisibilityTimeout"] = fmt.Sprint(hidden)
		}
		if receives := each.property("RedrivePolicy", "maxReceiveCount"); receives != nil {
			dead, err := s.text(deployed.data, each.property("RedrivePolicy", "deadLetterTargetArn"))
			s.must(err)
			attributes["RedrivePolicy"] = fmt.Sprintf(`{"deadLetterTargetArn":%q,"maxReceiveCount":"%v"}`, dead, receives)
		}
		name := "stage-" + rand.Text()
		queue, err := s.queues.CreateQueue(s.t.Context(), &sqs.CreateQueueInput{QueueName: &name, Attributes: attributes})
		s.must(err)
		s.t.Cleanup(func() {
			_, err := s.queues.DeleteQueue(context.Background(), &sqs.DeleteQueueInput{QueueUrl: queue.QueueUrl})
			s.must(err)
		})
		about, err := s.queues.GetQueueAttributes(s.t.Context(), &sqs.GetQueueAttributesInput{QueueUrl: queue.QueueUrl,
			AttributeNames: []sqstypes.QueueAttributeName{sqstypes.QueueAttributeNameQueueArn}})
		s.must(err)
		s.names[each.id] = struct{ ref, arn string }{*queue.QueueUrl, about.Attributes["QueueArn"]}
	}
}

func (s *stage) makeFiles() {
	s.t.Helper()
	client := s3blob.NewClient(s.asker("BLOB_ENDPOINT"))
	for _, each := range deployed.data.of("AWS::S3::Bucket") {
		bucket := "stage-" + strings.ToLower(rand.Text())
		_, err := client.CreateBucket(s.t.Context(), &s3.CreateBucketInput{Bucket: &bucket})
		s.must(err)
		s.names[each.id] = struct{ ref, arn string }{bucket, "arn:aws:s3:::" + bucket}
	}
}

// makePeople makes a pool where people sign in by their address, and lets mail be sent from the deployment's address.
func (s *stage) makePeople() {
	s.t.Helper()
	s.people = cognitoidentity.NewClient(s.asker("IDENTITY_ENDPOINT"))
	name, sensitive := "stage-"+rand.Text(), false
	pool, err := s.people.CreateUserPool(s.t.Context(), &cognito.CreateUserPoolInput{PoolName: &name,
		UsernameAttributes:    []cognitotypes.UsernameAttributeType{cognitotypes.UsernameAttributeTypeEmail},
		UsernameConfiguration: &cognitotypes.UsernameConfigurationType{CaseSensitive: &sensitive}})
	s.must(err)
	s.t.Cleanup(func() {
		_, err := s.people.DeleteUserPool(context.Background(), &cognito.DeleteUserPoolInput{UserPoolId: pool.UserPool.Id})
		s.must(err)
	})
	s.pool = *pool.UserPool.Id
	s.names[s.only("AWS::Cognito::UserPool")] = struct{ ref, arn string }{s.pool, "arn of " + s.pool}
	from := mailFrom
	// Another test's stage may have made it.
	_, _ = sesmail.NewClient(s.asker("MAIL_ENDPOINT")).CreateEmailIdentity(s.t.Context(),
		&sesv2.CreateEmailIdentityInput{EmailIdentity: &from})
}

// only is the logical id of the only resource of its type in the stack of data.
func (s *stage) only(kind string) string {
	s.t.Helper()
	found := deployed.data.of(kind)
	if len(found) != 1 {
		s.t.Fatalf("the template has %d of %s", len(found), kind)
	}
	return found[0].id
}

// makeFunctions reads the functions off the template.
func (s *stage) makeFunctions() {
	s.t.Helper()
	for _, in := range []template{deployed.service, deployed.data} {
		for _, each := range in.of("AWS::Lambda::Function") {
			if id, ours := each.function(); ours {
				s.makeFunction(id, each, in)
			}
		}
	}
	s.makeAliases()
}

func (s *stage) makeFunction(id string, each resource, in template) {
	s.t.Helper()
	seconds, _ := each.property("Timeout").(float64)
	key, _ := each.property("Code", "S3Key").(string)
	if each.Properties["Runtime"] != "provided.al2023" || each.Properties["Handler"] != "bootstrap" || seconds == 0 {
		s.t.Fatalf("%s is deployed as %v", id, each.Properties)
	}
	made := &function{
		stage:    s,
		id:       id,
		timeout:  time.Duration(seconds * float64(time.Second)),
		resource: each,
		in:       in,
		binary:   filepath.Join(deployed.assets, "asset."+strings.TrimSuffix(key, ".zip"), "bootstrap"),
	}
	s.functions[id] = made
	s.names[each.id] = struct{ ref, arn string }{id, functionARN + id}
	s.t.Cleanup(made.end)
}

const functionARN = "arn:aws:lambda:us-east-1:123456789012:function:"

// makeAliases finds what each function is called by: the alias of a version of it, and of no other's.
func (s *stage) makeAliases() {
	s.t.Helper()
	versions := map[string]string{} // the function's logical id, by the version's
	for _, version := range deployed.of("AWS::Lambda::Version") {
		versions[version.id] = fmt.Sprint(version.property("FunctionName", "Ref"))
	}
	for _, alias := range deployed.of("AWS::Lambda::Alias") {
		of := fmt.Sprint(alias.property("FunctionName", "Ref"))
		version, _ := alias.property("FunctionVersion", "Fn::GetAtt").([]any)
		if len(version) != 2 || version[1] != "Version" || versions[fmt.Sprint(version[0])] != of || s.names[of].arn == "" {
			s.t.Fatalf("the alias %s is %v", alias.id, alias.Properties)
		}
		arn := s.names[of].arn + ":" + fmt.Sprint(alias.Properties["Name"])
		s.names[alias.id] = struct{ ref, arn string }{arn, arn}
	}
}

// byARN is the id of the function whose alias an ARN names, or its last two parts.
func (s *stage) byARN(arn string) string {
	s.t.Helper()
	id, alias, qualified := strings.Cut(strings.TrimPrefix(arn, functionARN), ":")
	if !qualified || alias == "" || s.functions[id] == nil {
		s.t.Fatalf("%s is no alias of a function", arn)
	}
	return id
}

// makeMachine makes the state machine of the template, whose tasks call the functions that the template says.
func (s *stage) makeMachine() {
	s.t.Helper()
	found := deployed.service.of("AWS::StepFunctions::StateMachine")
	if len(found) != 1 {
		s.t.Fatalf("the template has %d state machines", len(found))
	}
	definition, _ := found[0].property("DefinitionString").(string)
	tasks := map[string]string{}
	for task, arn := range found[0].property("DefinitionSubstitutions").(map[string]any) {
		called, err := s.text(deployed.service, arn)
		s.must(err)
		tasks[strings.ToLower(task)] = s.byARN(called)
	}
	s.machine = sfntest.New(s.t, os.Getenv("FLOW_ENDPOINT"), definition,
		func(ctx context.Context, task string, payload []byte) ([]byte, error) {
			return s.functions[tasks[task]].invoke(ctx, payload)
		})
	s.names[found[0].id] = struct{ ref, arn string }{s.machine.ARN(), s.machine.ARN()}
}

// called calls a function with JSON and wants it to be done.
func (s *stage) called(id string, payload any) []byte {
	s.t.Helper()
	content, err := json.Marshal(payload)
	s.must(err)
	answer, err := s.functions[id].invoke(s.t.Context(), content)
	if err != nil {
		s.t.Fatalf("%s: %v", id, err)
	}
	return answer
}

// tick calls a function as its schedule does, now.
func (s *stage) tick(id string) {
	s.t.Helper()
	for _, schedule := range deployed.service.of("AWS::Scheduler::Schedule") {
		if of, _ := schedule.function(); of != id {
			continue
		}
		target, err := s.text(deployed.service, schedule.property("Target", "Arn"))
		s.must(err)
		if called := s.byARN(target); called != id {
			s.t.Errorf("the schedule of %s calls %s", id, called)
		}
		input, _ := schedule.property("Target", "Input").(string)
		input = strings.ReplaceAll(input, "<aws.scheduler.scheduled-time>", time.Now().UTC().Format(time.RFC3339))
		if answer := s.called(id, json.RawMessage(input)); string(answer) != "null" {
			s.t.Errorf("%s answers its schedule %s", id, answer)
		}
		return
	}
	s.t.Fatalf("the template has no schedule of %s", id)
}
