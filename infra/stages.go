package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/jsii-runtime-go"
)

// A Stage holds the settings in which two deployments differ.
type Stage struct {
	Name string

	// Keep says that people's data is here. Tables and logs outlive their stack. Tables and stacks cannot be deleted
	// until their protection is taken off.
	Keep bool
	// Unprotected lists the stacks of this deployment that were never deployed with success. They are not protected
	// against deletion yet: CloudFormation must be able to take back a creation that fails. main reads the list from
	// the environment.
	Unprotected []string
	// RecoveryDays is how many days back tables can be restored to any second. DynamoDB's price is the same for 1 and
	// for 35.
	RecoveryDays float64
	// CustomerKey encrypts the tables with a key of this deployment instead of the account's AWS-managed one. It
	// allows a key policy of its own, for a monthly price. A later change encrypts again in place.
	CustomerKey bool
	LogDays     awslogs.RetentionDays
	// Restored lists, by a table's name in the schemas, the physical names of tables that were restored from its
	// backups, the newest last. The last is in use. All stay in the list, because another stack still imports them.
	Restored map[string][]string

	// Contact is the operator's address, of the web or of mail, that platforms see. Some ask for one in each request,
	// and block anonymous clients sooner. Empty: none is given.
	Contact string
	// MailFrom is the sender of mail: an address, or "Name <address>", that SES has verified, or whose domain it has.
	// Empty: the stage sends no mail, and people without an account cannot be invited. SignUpURL is where invitations
	// say to sign up.
	MailFrom  string
	SignUpURL string
	// MailIdentity is the identity that SES has verified for MailFrom: the address itself, its domain, or a domain
	// above. Empty: its domain.
	MailIdentity string
	// MailSandbox says that the account is in SES's sandbox. SES then sends to verified addresses only, and checks the
	// sender's rights on the recipient's identity too. The pool still sends its codes by Cognito's own mail, because
	// people who sign up are not verified.
	MailSandbox bool
	// Model is the Bedrock model, or the inference profile of a geography, that is asked where the judge is unsure
	// about a post. Empty: none. MODELS.md says how an account gets access. ModelTokens is what each workspace may
	// spend on it in a day; 0: the adapter's default.
	Model       string
	ModelTokens int

	// AnalyticsFiles writes each workspace's mentions as Parquet, a file a day, and lets analytics ask Athena about them
	// where the tables are too large. COSTS.md says what that costs, and when it pays.
	AnalyticsFiles bool

	// RequestsPerSecond is what the API takes in all, and Burst how many may come at once. API Gateway answers the
	// rest 429 before any function runs. This caps what a flood can cost, besides the hourly limit of each workspace.
	RequestsPerSecond, Burst float64
	// PublicPerSecond and PublicBurst are the same for each path that needs no key. Each path has its own limit.
	PublicPerSecond, PublicBurst float64
	// ReservedConcurrency is both the cap of each function and what is set aside for it, out of the account's quota. 0
	// sets nothing aside. A new account has 10 in all, and an account must keep 100 for the rest.
	ReservedConcurrency float64
	// Reserves sets aside what a function's row caps it at (AtOnce), because Lambda has no other way to cap it. The
	// quota must leave the account 100 for the rest: a new account, with 10 in all, refuses the whole deployment.
	Reserves bool

	// FunctionLogs is the least level of a function's own lines, which it reads from AWS_LAMBDA_LOG_LEVEL.
	// PlatformLogs is the least level of Lambda's lines about it (the report of each invocation is INFO).
	FunctionLogs awslambda.ApplicationLogLevel
	PlatformLogs awslambda.SystemLogLevel

	// ReturnTo lists where the hosted pages may send people back to: addresses of https, or of http on localhost.
	// SignInUrl and SignUpUrl lead to the first. Empty: the deployment's own documentation page.
	ReturnTo []string
	// Domain is the API's own name, if it has one.
	Domain Domain
	// FirewallRate puts AWS WAF before the API, for a monthly price. It is how many requests an address may send
	// within five minutes, and a tenth of it without a credential; 0: no firewall. FirewallRules adds AWS's own rules.
	FirewallRate  float64
	FirewallRules bool
	// StaticFirewall is the ARN of a CloudFront web ACL for the static files, which AWS has in us-east-1 alone. Empty:
	// none.
	StaticFirewall string

	// Canary makes a deployment move each function's calls by CodeDeploy: a tenth to the new version, after five
	// minutes all, and back when an alarm goes off. Without it they move at once. SkipCanary moves them at once for
	// one deployment; main reads it from the environment.
	Canary, SkipCanary bool

	// Rotated is when credentials in Parameter Store were changed. Another value makes a new version of the functions
	// that read them. main reads it from the environment.
	Rotated string

	// MonthlyBudget is the account's budget for a month, in US dollars. The topic of alarms is told at 80 % of it, and
	// when the forecast exceeds it. A budget counts an account, not a stage. 0: none.
	MonthlyBudget float64

	// Watched says that somebody looks after the stage. It has a dashboard, and alarms on what is slow, waits or is
	// turned away. Without it there are only the alarms on what failed, was given up or stopped. The others are most
	// of an unused stage's cost.
	Watched bool

	// Limits at which the alarms go off.
	ErrorsIn5Min float64       // failed invocations of one function
	FailedShare  float64       // of the API's answers, 0 to 1, that are 5xx
	SlowestOf100 time.Duration // the API's latency at the 99th percentile
}

// Stages lists the possible deployments.
func Stages() []Stage {
	return []Stage{
		{
			Name:         "dev",
			RecoveryDays: 1, LogDays: awslogs.RetentionDays_ONE_WEEK,
			RequestsPerSecond: 20, Burst: 40, PublicPerSecond: 5, PublicBurst: 20,
			FunctionLogs: awslambda.ApplicationLogLevel_DEBUG, PlatformLogs: awslambda.SystemLogLevel_INFO,
			ErrorsIn5Min: 1, FailedShare: 0.05, SlowestOf100: 10 * time.Second,
		},
		{
			Name: "staging", Reserves: true, Watched: true,
			RecoveryDays: 7, LogDays: awslogs.RetentionDays_ONE_MONTH,
			RequestsPerSecond: 100, Burst: 200, PublicPerSecond: 5, PublicBurst: 20,
			FunctionLogs: awslambda.ApplicationLogLevel_INFO, PlatformLogs: awslambda.SystemLogLevel_INFO,
			ErrorsIn5Min: 1, FailedShare: 0.01, SlowestOf100: 5 * time.Second,
		},
		{
			Name: "prod", Keep: true, Reserves: true, Canary: true, Watched: true,
			RecoveryDays: 35, LogDays: awslogs.RetentionDays_THREE_MONTHS,
			RequestsPerSecond: 500, Burst: 1000, PublicPerSecond: 10, PublicBurst: 40, FirewallRate: 5000,
			FunctionLogs: awslambda.ApplicationLogLevel_INFO, PlatformLogs: awslambda.SystemLogLevel_WARN,
			ErrorsIn5Min: 1, FailedShare: 0.01, SlowestOf100: 5 * time.Second,
		},
	}
}

// versionRemoval says what happens to a function's version when another takes its place. With canaries it stays, for
// going back by hand. A version whose own deployment failed does not stay: Lambda would refuse to publish the same
// again.
func (s Stage) versionRemoval() awscdk.RemovalPolicy {
	if s.Canary {
		return awscdk.RemovalPolicy_RETAIN_ON_UPDATE_OR_DELETE
	}
	return awscdk.RemovalPolicy_DESTROY
}

// throwaways are the stages of infra/stage-test: each is deployed once, tried and destroyed.
var throwaways = regexp.MustCompile(`^test[a-z0-9]{1,12}$`)

// throwaway returns dev under another name, with canaries, so that a rollback can be tried.
func throwaway(name string) Stage {
	stage := Stages()[0]
	stage.Name, stage.Canary = name, true
	return stage
}

// stageNamed finds a stage. Its error lists the existing ones.
func stageNamed(name string) (Stage, error) {
	if throwaways.MatchString(name) {
		return throwaway(name), nil
	}
	var known []string
	for _, stage := range Stages() {
		if stage.Name == name {
			return stage, nil
		}
		known = append(known, stage.Name)
	}
	return Stage{}, fmt.Errorf(
		"STAGE is %q; it must be one of %s, or test and up to 12 letters and digits", name, strings.Join(known, ", "),
	)
}

// rotation is a day or another word for when credentials were changed.
var rotation = regexp.MustCompile(`^[A-Za-z0-9.-]{1,40}$`)

// readOptions reads from the environment how one deployment differs from the others of its stage: CANARY=off, ROTATED,
// and UNPROTECTED.
func (s *Stage) readOptions(env func(string) string) error {
	switch canary := env("CANARY"); canary {
	case "", "on":
	case "off":
		s.SkipCanary = true
	default:
		return fmt.Errorf("CANARY is %q; it must be on or off", canary)
	}
	for _, id := range strings.FieldsFunc(env(unprotectedVariable), func(r rune) bool { return r == ',' }) {
		if !slices.Contains(stackIDs(), id) {
			return fmt.Errorf("%s names the stack %q; the stacks are %s", unprotectedVariable, id,
				strings.Join(stackIDs(), ", "))
		}
		s.Unprotected = append(s.Unprotected, id)
	}
	s.Rotated = env("ROTATED")
	if s.Rotated != "" && !rotation.MatchString(s.Rotated) {
		return fmt.Errorf(
			"ROTATED is %q; give the day on which credentials were changed, such as 2026-11-22", s.Rotated,
		)
	}
	return nil
}

// describe returns a function's description. For a function that reads credentials at its start the description has
// Rotated. So a deployment with another Rotated makes a new version, whose processes read them anew.
func (s Stage) describe(function Function) *string {
	says := "Earshot " + s.Name + ": functions/" + function.Name
	if s.Rotated != "" && (function.Sources || len(function.Slack) > 0) {
		says += ", credentials of " + s.Rotated
	}
	return jsii.String(says)
}

// reserved returns the concurrency that is set aside for a function; nil: none.
func (s Stage) reserved(function Function) *float64 {
	switch {
	case s.Reserves && function.AtOnce > 0:
		return jsii.Number(function.AtOnce)
	case s.ReservedConcurrency > 0:
		return jsii.Number(s.ReservedConcurrency)
	}
	return nil
}

// sourcesPath is where Parameter Store has the stage's credentials of platforms.
func (s Stage) sourcesPath() string { return "/" + project + "/" + s.Name + "/sources" }

// workspacesPath is where Parameter Store has the workspaces' own credentials: the tokens of their Slack.
func (s Stage) workspacesPath() string { return "/" + project + "/" + s.Name + "/workspaces" }

// appsPath is where Parameter Store has the stage's own apps at other products: their ids and secrets.
func (s Stage) appsPath() string { return "/" + project + "/" + s.Name + "/apps" }

// removal says what happens to a resource with state when it leaves its stack. A kept one is deleted all the same if
// the deployment that makes it fails: it is empty then, and each try would leave another one behind.
func (s Stage) removal() awscdk.RemovalPolicy {
	if s.Keep {
		return awscdk.RemovalPolicy_RETAIN_ON_UPDATE_OR_DELETE
	}
	return awscdk.RemovalPolicy_DESTROY
}

// protects reports whether a stack of the stage, and each resource in it that can be, is protected against deletion.
func (s Stage) protects(stackID string) bool {
	return s.Keep && !slices.Contains(s.Unprotected, stackID)
}
