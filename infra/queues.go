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

// A MessageQueue is one of the deployment's queues, with its settings. How long a message is hidden from others while one
// works on it follows from its function.
type MessageQueue struct {
	Name string
	// Receives is how often a message comes before it is a dead letter.
	Receives float64
	// Oldest is the age of a waiting message at which somebody is told. One that failed once is hidden for six times the
	// function's timeout: that alone is not to raise the alarm.
	Oldest time.Duration
}

// MessageQueues lists the queues of a deployment: those of the port, each with one function of the manifest that takes its
// messages.
func MessageQueues() []MessageQueue {
	return []MessageQueue{
		{Name: queue.Posts, Receives: 5, Oldest: 15 * time.Minute},
		{Name: queue.Exports, Receives: 3, Oldest: time.Hour},
		// Somebody waits for it; a scan that fails three times the sweep ends.
		{Name: queue.Scans, Receives: 3, Oldest: 15 * time.Minute},
		// Nothing is lost with one: the invitations are rows, of which a schedule sends again what waits.
		{Name: queue.Invitations, Receives: 5, Oldest: time.Hour},
	}
}

// How long messages are kept. A dead letter keeps the age that it had, so that its queue must keep it longer than the one
// that it comes from does; 14 days are the most that SQS offers.
const (
	messagesKept    = 4 * 24 * time.Hour
	deadLettersKept = 14 * 24 * time.Hour
)

// hiddenFor is how long a message that has come is hidden: six times the function's timeout and the batch's window, as
// Lambda's guide wants it, so that a batch that was turned away for a while does not come twice.
func hiddenFor(taker Function) time.Duration {
	return 6*taker.Timeout + taker.Trigger.(Queue).Window
}

// queues are a queue and the one of its dead letters.
type queues struct{ live, dead awssqs.Queue }

// newQueues makes both, and their alarms. They go with their stack on every stage: what is in them is on its way, and the
// tables are what is kept.
//
// The queue has a physical name, against the rule of this deployment: the dead letters' queue says by its ARN whom it takes
// letters from, and the queue by an ARN where its letters go, which CloudFormation cannot resolve unless one of the names is
// known beforehand. The stage is in it, and nothing that would replace a queue is ever changed: only its name and being FIFO do.
func newQueues(stack awscdk.Stack, stage Stage, of MessageQueue, taker Function, topic *alarmTopic) queues {
	name := project + "-" + stage.Name + "-" + of.Name
	itself := awssqs.Queue_FromQueueArn(stack, jsii.String(title(of.Name)+"Itself"), stack.FormatArn(&awscdk.ArnComponents{
		Service: jsii.String("sqs"), Resource: jsii.String(name)}))
	dead := newDeadLetters(stack, title(of.Name)+"Dead", &awssqs.RedriveAllowPolicy{SourceQueues: &[]awssqs.IQueue{itself}})
	live := awssqs.NewQueue(stack, jsii.String(title(of.Name)+"Queue"), &awssqs.QueueProps{
		QueueName:         jsii.String(name),
		Encryption:        awssqs.QueueEncryption_SQS_MANAGED,
		EnforceSSL:        jsii.Bool(true),
		VisibilityTimeout: seconds(hiddenFor(taker)),
		RetentionPeriod:   seconds(messagesKept),
		DeadLetterQueue:   &awssqs.DeadLetterQueue{Queue: dead, MaxReceiveCount: jsii.Number(of.Receives)},
		// It takes nobody's dead letters.
		RedriveAllowPolicy: &awssqs.RedriveAllowPolicy{RedrivePermission: awssqs.RedrivePermission_DENY_ALL},
		RemovalPolicy:      awscdk.RemovalPolicy_DESTROY,
	})
	alarmOnDeadLetters(dead, "Letters", dead, "Messages of the queue "+of.Name+" were given up.", topic)
	alarm{"Waiting", fmt.Sprintf("A message of the queue %s has waited for %s and more.", of.Name, of.Oldest),
		metric("AWS/SQS", "ApproximateAgeOfOldestMessage", "Maximum", map[string]*string{"QueueName": live.QueueName()}),
		of.Oldest.Seconds(), 2, 3}.warn(live, topic)
	return queues{live, dead}
}

// newDeadLetters makes a queue for what could not be done.
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
	alarm{id, says,
		metric("AWS/SQS", "ApproximateNumberOfMessagesVisible", "Maximum", map[string]*string{"QueueName": of.QueueName()}),
		1, 1, 1}.add(scope, topic)
}

func seconds(d time.Duration) awscdk.Duration {
	return awscdk.Duration_Seconds(jsii.Number(d.Seconds()))
}

// takerOf is the function that a queue calls. It panics when there is none: a mistake in the manifest.
func takerOf(name string, functions []Function) Function {
	for _, function := range functions {
		if trigger, ok := function.Trigger.(Queue); ok && trigger.Name == name {
			return function
		}
	}
	panic(fmt.Sprintf("infra: no function takes the messages of the queue %q", name))
}
