package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"earshot/shared/port/queue"
	"earshot/shared/proposal"
	"earshot/shared/store/rows"
)

// A Function is one folder under functions/ that runs as a Lambda: what it needs, and what it may do. It may do nothing
// else but write its own logs, send traces and take the messages of the queue that calls it.
type Function struct {
	Name    string // in its deployed name, its alarms and its records
	Trigger Trigger
	// Folder is where it is below functions/, if that is not Name. A function that moves keeps its deployed name.
	Folder string
	// MemoryMiB buys processor time too: 1,769 MiB are one core.
	MemoryMiB float64
	Timeout   time.Duration
	// AtOnce is how many of it may run at the same time; 0: as many as are called for. See Stage.Reserves.
	AtOnce float64

	// Tables that it may reach; each is in its environment as TABLE_<NAME>.
	Tables []Grant
	// Sends names the queues that it may send to; the URL of each is in its environment as QUEUE_<NAME>.
	Sends []string
	// Files lists what it may do with the files of exports, by S3's names; their bucket is in its environment as BLOB_BUCKET.
	Files []string
	// Sources says that it asks the platforms. It may read their credentials, which are below the path in SECRET_PATH (the
	// environment has no secret ever), and says in its requests who is asking, by SOURCES_CONTACT.
	Sources bool
	// Slack says that it asks workspaces' Slack, by tokens that are in Parameter Store below the path in SECRET_PATH.
	Slack bool
	// Mail says that it sends mail, if the stage has an address to send from, in MAIL_FROM.
	Mail bool
	// People lists what it may do with the directory of people, by Cognito's names; the directory is in USER_POOL_ID,
	// and for the function that hears of accounts in its events.
	People []string
	// Model says that it asks the stage's model, if the stage has one, by MODEL_ID and MODEL_DAILY_TOKENS.
	Model bool
	// ModelName says that it tells people which model the stage has, by MODEL_ID, and may not ask it.
	ModelName bool
	// Starts says that it starts executions of the setup pipeline, whose state machine is in STATE_MACHINE_ARN.
	Starts bool
}

// ID names the function where a name has no slashes: in the tree of constructs.
func (f Function) ID() string { return strings.ReplaceAll(f.Name, "/", "-") }

// home is where the function is in the tree of constructs.
func (f Function) home() string {
	if f.hearsOfAccounts() {
		return dataStack + "/" + f.ID()
	}
	return serviceStack + "/" + f.ID()
}

// folder is where the function is, below functions/.
func (f Function) folder() string { return cmp.Or(f.Folder, f.Name) }

// invites says that the function tells people by mail where to sign up.
func (f Function) invites() bool { return f.Mail && len(f.People) > 0 }

// A Grant allows operations on one table, by DynamoDB's names, and queries of those of its indexes that it names. What a
// transaction does is allowed by what it is made of: there is no such operation of its own.
type Grant struct {
	Table   string
	Actions []string
	Indexes []string
}

// apiTimeout leaves a function the time to answer before API Gateway gives up on it, at 29 s.
const apiTimeout = 28 * time.Second

// Manifest lists the functions of a deployment. A new function is a new row here; what it may do
// then shows in testdata/grants.txt, and nothing else of this folder changes.
func Manifest() []Function {
	byTime, byAuthor, byID, byDue, byText := "byTime", "byAuthor", "byId", "byDue", "byText"
	return []Function{
		{
			Name: "discovery", Trigger: API{}, MemoryMiB: 512, Timeout: apiTimeout,
		},
		{
			Name: "mentions", Trigger: API{}, MemoryMiB: 1024, Timeout: apiTimeout,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "PutItem", "UpdateItem", "DeleteItem"}, nil},
				{rows.MentionsTable, []string{"GetItem", "BatchGetItem", "PutItem"}, []string{byTime, byAuthor, byID}},
				{rows.ArchiveTable, []string{"GetItem", "BatchGetItem", "PutItem"}, []string{byTime, byAuthor, byID}},
				{rows.CountersTable, []string{"GetItem", "BatchGetItem", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
			Sends: []string{queue.Exports},
			Files: []string{"GetObject"}, // by the links that it signs
		},
		{
			Name: "keywords", Trigger: API{}, MemoryMiB: 1024, Timeout: apiTimeout,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"}, nil},
				{rows.MentionsTable, []string{"BatchGetItem"}, []string{byTime}},
				{rows.CountersTable, []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
		},
		{
			Name: "feeds", Trigger: API{}, MemoryMiB: 512, Timeout: apiTimeout,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"}, nil},
				{rows.MentionsTable, []string{"BatchGetItem"}, []string{byTime}},
				{rows.ArchiveTable, []string{"BatchGetItem"}, []string{byTime}},
				{rows.CountersTable, []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
			Slack: true,
			Mail:  true,
		},
		{
			Name: "filters", Trigger: API{}, MemoryMiB: 512, Timeout: apiTimeout,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "PutItem", "UpdateItem"}, nil},
				{rows.CountersTable, []string{"PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
		},
		{
			Name: "feedback", Trigger: API{}, MemoryMiB: 512, Timeout: apiTimeout,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"}, nil},
				{rows.MentionsTable, []string{"GetItem", "PutItem"}, nil},
				{rows.ArchiveTable, []string{"GetItem", "PutItem"}, nil},
				{rows.CountersTable, []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
		},
		{
			Name: "organization", Trigger: API{}, MemoryMiB: 512, Timeout: apiTimeout,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"}, nil},
				{rows.CountersTable, []string{"GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
		},
		{
			Name: "members", Trigger: API{}, MemoryMiB: 512, Timeout: apiTimeout,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"}, nil},
				{rows.CountersTable, []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
			Mail:   true,
			People: []string{"AdminGetUser", "ListUsers", "AdminAddUserToGroup", "AdminRemoveUserFromGroup", "CreateGroup"},
		},
		{
			// 50 people are looked up, and up to 200 pairs of a person and a workspace settled, in one request.
			Name: "agency", Trigger: API{}, MemoryMiB: 1024, Timeout: apiTimeout,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"}, nil},
				{rows.CountersTable, []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
			Sends: []string{queue.Invitations},
			Mail:  true,
			People: []string{"AdminGetUser", "ListUsers", "AdminAddUserToGroup", "AdminRemoveUserFromGroup", "CreateGroup",
				"DeleteGroup"},
		},
		{
			Name: "invitations", Folder: "members/invitations", Trigger: Queue{Name: queue.Invitations, Batch: 10, AtOnce: 2}, MemoryMiB: 512, Timeout: time.Minute,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"}, nil},
			},
			People: []string{"AdminGetUser", "ListUsers", "AdminAddUserToGroup", "AdminRemoveUserFromGroup", "CreateGroup"},
		},
		{
			// The directory waits 5 s for it, and somebody for the directory: more time is of no use, and a small function starts slowly.
			Name: "accountcreated", Folder: "members/accountcreated", Trigger: Account{}, MemoryMiB: 512, Timeout: 5 * time.Second,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"}, nil},
			},
			Sends:  []string{queue.Invitations},
			People: []string{"AdminGetUser", "ListUsers", "AdminAddUserToGroup", "AdminRemoveUserFromGroup", "CreateGroup"},
		},
		{
			Name: "invitecleanup", Folder: "members/invitecleanup", Trigger: Schedule{Every: 15 * time.Minute, Retries: 3}, MemoryMiB: 512, Timeout: 5 * time.Minute,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "UpdateItem", "DeleteItem"}, []string{byDue}},
			},
			Sends:  []string{queue.Invitations},
			People: []string{"AdminAddUserToGroup", "AdminRemoveUserFromGroup", "CreateGroup"},
		},
		{
			// It is done before the next call, and before another may take over what it has begun (shared/store/purge.go).
			Name: "purge", Trigger: Schedule{Every: 10 * time.Minute, Retries: 3}, MemoryMiB: 512, Timeout: 8 * time.Minute,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "Query", "UpdateItem", "DeleteItem", "ConditionCheckItem"}, []string{byDue}},
				{rows.MentionsTable, []string{"Query", "DeleteItem"}, nil},
				{rows.ArchiveTable, []string{"Query", "DeleteItem"}, nil},
				{rows.CountersTable, []string{"Query", "DeleteItem"}, nil},
			},
			Files:  []string{"DeleteObject"},
			People: []string{"DeleteGroup"},
		},
		{
			// 50,000 rows take a minute, and 500 pages that a filter leaves almost nothing of three. A longer limit would hide the
			// message of a worker that died for so long that its repeat came too late: after two hours the API calls an export failed.
			Name: "exports", Trigger: Queue{Name: queue.Exports, Batch: 1, AtOnce: 5}, MemoryMiB: 1024, Timeout: 5 * time.Minute,
			Tables: []Grant{
				{rows.MentionsTable, []string{"BatchGetItem"}, []string{byTime}},
				{rows.ArchiveTable, []string{"BatchGetItem"}, []string{byTime}},
				{rows.CountersTable, []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem"}, nil},
			},
			Files: []string{"PutObject"},
		},
		{
			// The judge's tables are 10 MB of the binary, and every keyword of all workspaces is in one matcher.
			Name: "ingest", Trigger: Queue{Name: queue.Posts, Batch: 10, Window: 5 * time.Second, AtOnce: 5}, MemoryMiB: 1024, Timeout: time.Minute,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "Query"}, nil},
				{rows.MentionsTable, []string{"GetItem", "BatchGetItem", "PutItem"}, nil},
				{rows.ArchiveTable, []string{"GetItem", "BatchGetItem", "PutItem"}, nil},
				{rows.CountersTable, []string{"GetItem", "UpdateItem"}, nil},
			},
			Model: true,
		},
		{
			// What is old is moved within an hour of the next tick; ten minutes move some ten thousand mentions.
			Name: "archive", Trigger: Schedule{Every: time.Hour, Retries: 3}, MemoryMiB: 256, Timeout: 10 * time.Minute,
			Tables: []Grant{
				{rows.CoreTable, []string{"Query"}, nil},
				{rows.MentionsTable, []string{"BatchGetItem", "ConditionCheckItem", "DeleteItem"}, []string{byTime}},
				{rows.ArchiveTable, []string{"BatchGetItem", "ConditionCheckItem", "PutItem"}, nil},
			},
		},
		{
			// One at a time, for a platform is not to be asked twice at once, and done before the next minute's.
			Name: "collect", Trigger: Schedule{Every: time.Minute, Retries: 2}, MemoryMiB: 512, Timeout: 55 * time.Second, AtOnce: 1,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"}, []string{byDue}},
				{rows.MentionsTable, []string{"GetItem", "BatchGetItem", "PutItem"}, []string{byTime}},
				{rows.ArchiveTable, []string{"GetItem", "BatchGetItem", "PutItem"}, []string{byTime}},
				{rows.CountersTable, []string{"GetItem"}, nil},
			},
			Sends:   []string{queue.Posts},
			Sources: true,
		},
		{
			Name: "setup", Trigger: API{}, MemoryMiB: 1024, Timeout: apiTimeout,
			Tables: []Grant{
				{rows.CoreTable, []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"}, nil},
				{rows.CountersTable, []string{"GetItem", "PutItem", "UpdateItem", "DeleteItem"}, nil},
				{rows.MentionsTable, []string{"BatchGetItem"}, []string{byTime}},
			},
			Sends:     []string{queue.Scans},
			Starts:    true,
			ModelName: true,
		},
		{
			// A domain is given up after 20 s (website). More would only hide the message of a scan that died for longer: it comes again
			// after six times this, which is to be within the scan's own limit.
			Name: "scan", Folder: "setupstages/scan", Trigger: Queue{Name: queue.Scans, Batch: 1, AtOnce: 5}, MemoryMiB: 512, Timeout: 30 * time.Second,
			Tables: []Grant{{rows.CoreTable, []string{"GetItem", "UpdateItem"}, nil}},
		},
		step(proposal.StageCandidates, 512, written()),
		inParts(asking(keeping(step(proposal.StageMeasure, 512, stored(byText))))),
		// It has the judge's tables, as ingest.
		asking(keeping(step(proposal.StageSample, 1024, stored()))),
		withModel(inParts(asking(keeping(step(proposal.StageAgent, 1024, stored()))))),
		step(proposal.StageValidate, 512, stored()),
		{
			Name: "sweep", Folder: "setupstages/sweep", Trigger: Schedule{Every: 5 * time.Minute, Retries: 3, Ended: true}, MemoryMiB: 512, Timeout: 2 * time.Minute,
			Tables: stored(byDue),
		},
	}
}

// step is the function of a stage of the setup pipeline, which is stopped at the stage's limit.
func step(name proposal.Stage, memoryMiB float64, tables []Grant) Function {
	stage, ok := proposal.FindStage(name)
	if !ok {
		panic(fmt.Sprintf("infra: the pipeline has no stage %q", name))
	}
	return Function{Name: "setupstages/" + string(name), Trigger: Step{name}, MemoryMiB: memoryMiB, Timeout: stage.Limit, Tables: tables}
}

// keeping is a stage that keeps what it made, for those after it.
func keeping(f Function) Function { return onCounters(f, "PutItem") }

// onCounters is a function that may do more in the table counters.
func onCounters(f Function, actions ...string) Function {
	for i := range f.Tables {
		if f.Tables[i].Table == rows.CountersTable {
			f.Tables[i].Actions = append(f.Tables[i].Actions, actions...)
		}
	}
	return f
}

// asking is a stage that asks the platforms: it looks for their answers of the last hour first, and counts requests against the run's
// budget.
func asking(f Function) Function {
	f.Sources = true
	return onCounters(f, "GetItem", "UpdateItem")
}

// inParts is a stage that is done in parts, which it keeps and reads again.
func inParts(f Function) Function { return onCounters(f, "Query") }

// withModel is a function that asks the stage's model.
func withModel(f Function) Function {
	f.Model = true
	return f
}

// written is what writing down a stage takes: rows in core, contents in counters, and that the draft is moved on.
func written() []Grant {
	return []Grant{
		{rows.CoreTable, []string{"BatchGetItem", "Query", "PutItem", "UpdateItem", "ConditionCheckItem"}, nil},
		{rows.CountersTable, []string{"PutItem"}, nil},
	}
}

// stored is what a stage takes that reads what others wrote, and writes rows of core alone; and the indexes of core that it asks.
func stored(indexes ...string) []Grant {
	return []Grant{
		{rows.CoreTable, []string{"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "ConditionCheckItem"}, indexes},
		{rows.CountersTable, []string{"BatchGetItem"}, nil},
	}
}
