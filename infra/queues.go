package main

import (
	"fmt"
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/port/queue"
)

// A MessageQueue is one of the deployment's queues, with its settings. Its function decides how long a message in
// work is hidden from others.
type MessageQueue struct {
	Name string
	// Receives is how often a message comes before it becomes a dead letter.
	Receives float64
	// Oldest is the age of a waiting message that raises the alarm. It is more than six times the function's timeout,
	// for which a message that failed once is hidden.
	Oldest time.Duration
}

// MessageQueues lists the queues of a deployment: those of the port. One function of the manifest takes the messages
// of each.
func MessageQueues() []MessageQueue {
	return []MessageQueue{
		{Name: queue.Posts, Receives: 5, Oldest: 15 * time.Minute},
		{Name: queue.Exports, Receives: 3, Oldest: time.Hour},
		// A person waits for a search. Its third failure ends it, and costs nothing.
		{Name: queue.Searches, Receives: 3, Oldest: 15 * time.Minute},
		// A person waits for a summary. Its third failure ends it.
		{Name: queue.Summaries, Receives: 3, Oldest: 15 * time.Minute},
		// A person waits for a scan. The sweep ends one that fails three times.
		{Name: queue.Scans, Receives: 3, Oldest: 15 * time.Minute},
		// A dead letter loses nothing: the invitations are rows, and a schedule sends again what waits.
		{Name: queue.Invitations, Receives: 5, Oldest: time.Hour},
		// A dead letter loses nothing: the backfills are rows, and collect sends again what is due.
		{Name: queue.Backfills, Receives: 3, Oldest: time.Hour},
		// A dead letter loses nothing: the deliveries are rows, and a schedule sends again what is due.
		{Name: queue.Deliveries, Receives: 3, Oldest: 15 * time.Minute},
	}
}

// How long messages are kept. A dead letter keeps its age, so its queue must keep it longer than the queue that it
// comes from. SQS offers at most 14 days.
const (
	messagesKept    = 4 * 24 * time.Hour
	deadLettersKept = 14 * 24 * time.Hour
)

// hiddenFor returns how long a received message is hidden: six times the function's timeout and the batch's window.
// Lambda's guide wants this, so that a batch that was turned away for a while does not come twice.
func hiddenFor(taker Function) time.Duration {
	return 6*taker.Timeout + taker.Trigger.(Queue).Window
}

// queues are a queue and its dead letters' queue.
type queues struct{ live, dead awssqs.Queue }

// newQueues makes both, and their alarms. They go with their stack on every stage, because the tables hold what is
// kept.
//
// Unlike everything else the queue has a physical name. The dead letters' queue names the queue by its ARN and the
// queue names the dead letters' queue by its ARN. CloudFormation resolves this only if one name is known beforehand.
// The name has the stage in it. Only a change of the name or of being FIFO would replace a queue, and neither ever
// changes.
func newQueues(stack awscdk.Stack, stage Stage, of MessageQueue, taker Function, topic *alarmTopic) queues {
	name := project + "-" + stage.Name + "-" + of.Name
	itself := awssqs.Queue_FromQueueArn(
		stack,
		jsii.String(title(of.Name)+"Itself"),
		stack.FormatArn(&awscdk.ArnComponents{
			Service: jsii.String("sqs"), Resource: jsii.String(name)}),
	)
	dead := newDeadLetters(
		stack, title(of.Name)+"Dead", &awssqs.RedriveAllowPolicy{SourceQueues: &[]awssqs.IQueue{itself}},
	)
	live := awssqs.NewQueue(stack, jsii.String(title(of.Name)+"Queue"), &awssqs.QueueProps{
		QueueName:         jsii.String(name),
		Encryption:        awssqs.QueueEncryption_SQS_MANAGED,
		EnforceSSL:        jsii.Bool(true),
		VisibilityTimeout: seconds(hiddenFor(taker)),
		RetentionPeriod:   seconds(messagesKept),
		DeadLetterQueue:   &awssqs.DeadLetterQueue{Queue: dead, MaxReceiveCount: jsii.Number(of.Receives)},
		// No other queue may send its dead letters here.
		RedriveAllowPolicy: &awssqs.RedriveAllowPolicy{RedrivePermission: awssqs.RedrivePermission_DENY_ALL},
		RemovalPolicy:      awscdk.RemovalPolicy_DESTROY,
	})
	alarmOnDeadLetters(dead, "Letters", dead, "Messages of the queue "+of.Name+" were given up.", topic)
	alarm{
		"Waiting",
		fmt.Sprintf("A message of the queue %s has waited for %s and more.", of.Name, of.Oldest),
		metric(
			"AWS/SQS", "ApproximateAgeOfOldestMessage", "Maximum", map[string]*string{"QueueName": live.QueueName()},
		),
		of.Oldest.Seconds(),
		2,
		3,
	}.warn(live, topic)
	return queues{live, dead}
}

// newDeadLetters makes a queue for messages and calls that were given up.
func newDeadLetters(scope constructs.Construct, id string, from *awssqs.RedriveAllowPolicy) awssqs.Queue {
	return awssqs.NewQueue(scope, jsii.String(id), &awssqs.QueueProps{
		Encryption:         awssqs.QueueEncryption_SQS_MANAGED,
		EnforceSSL:         jsii.Bool(true),
		RetentionPeriod:    seconds(deadLettersKept),
		RedriveAllowPolicy: from,
		RemovalPolicy:      awscdk.RemovalPolicy_DESTROY,
	})
}

func alarmOnDeadLetters(scope constructs.Construct, id string, of awssqs.Queue, says string, topic *alarmTopic) {
	alarm{
		id,
		says,
		metric(
			"AWS/SQS", "ApproximateNumberOfMessagesVisible", "Maximum", map[string]*string{"QueueName": of.QueueName()},
		),
		1,
		1,
		1,
	}.add(scope, topic)
}

func seconds(d time.Duration) awscdk.Duration {
	return awscdk.Duration_Seconds(jsii.Number(d.Seconds()))
}

// takerOf returns the function that a queue calls. It panics if there is none: the manifest has a mistake.
func takerOf(name string, functions []Function) Function {
	for _, function := range functions {
		if trigger, ok := function.Trigger.(Queue); ok && trigger.Name == name {
			return function
		}
	}
	panic(fmt.Sprintf("infra: no function takes the messages of the queue %q", name))
}
