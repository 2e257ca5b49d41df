package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/smithy-go"
)

const (
	// rolloutCommand is the argument that makes this program deploy a stage instead of being the app of a deployment.
	rolloutCommand = "deploy"
	// unprotectedVariable tells the app which stacks were never deployed with success, separated by commas.
	unprotectedVariable = "UNPROTECTED"
	// lookupTime is how long AWS may take to return the states of the stacks.
	lookupTime = 30 * time.Second
)

// A rollout deploys a stage by the CDK's command line.
//
// The CDK turns a stack's protection against deletion on before CloudFormation makes anything, and a table or a user
// pool is protected as soon as it exists. So neither CloudFormation nor the CDK's next try could take back a first
// deployment that fails. A kept stage's stack is therefore deployed without protection until its first success. A
// second deployment follows at once and turns protection on. Without the variable UNPROTECTED protection is on: after
// a rollout that dies between the two, the next deployment of any kind turns it on.
type rollout struct {
	stage Stage
	// status returns the status of a stack; empty: there is no such stack.
	status func(ctx context.Context, name string) (types.StackStatus, error)
	// cdk runs the CDK's command line, with more variables in its environment.
	cdk func(ctx context.Context, environment ...string) error
	out io.Writer
}

// newRollout deploys the named stage into the account of the environment. The arguments go to cdk deploy.
func newRollout(name string, args []string) error {
	stage, err := stageNamed(name)
	if err != nil {
		return err
	}
	args = append([]string{"deploy", "--all"}, args...)
	cdk := func(ctx context.Context, environment ...string) error {
		command := exec.CommandContext(ctx, "infra/node_modules/.bin/cdk", args...)
		command.Env = append(append(os.Environ(), "STAGE="+name), environment...)
		command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := command.Run(); err != nil {
			return fmt.Errorf("cdk deploy: %w", err)
		}
		return nil
	}
	return rollout{stage: stage, status: stackStatus, cdk: cdk, out: os.Stderr}.run(context.Background())
}

func (r rollout) run(ctx context.Context) error {
	unprotected, err := r.neverDeployed(ctx)
	if err != nil {
		return err
	}
	if len(unprotected) == 0 {
		return r.cdk(ctx, unprotectedVariable+"=")
	}
	ids := strings.Join(unprotected, ",")
	fmt.Fprintf(r.out, "first deployment of %s: protection against deletion follows its success\n", ids)
	if err := r.cdk(ctx, unprotectedVariable+"="+ids); err != nil {
		return fmt.Errorf(
			"the first deployment of %s failed, and is not protected against deletion: mend the cause and run "+
				"make deploy again (infra/RECOVERY.md, A first deployment that failed): %w",
			ids,
			err,
		)
	}
	fmt.Fprintln(r.out, "the second deployment turns protection against deletion on")
	if err := r.cdk(ctx, unprotectedVariable+"="); err != nil {
		return fmt.Errorf(
			"%s is deployed and not protected against deletion: run make deploy again: %w", r.stage.Name, err,
		)
	}
	return nil
}

// neverDeployed lists the ids of the stage's stacks that were never deployed with success. Empty for a stage that is
// not kept, which has no protection.
func (r rollout) neverDeployed(ctx context.Context) (ids []string, err error) {
	if !r.stage.Keep {
		return nil, nil
	}
	for _, id := range stackIDs() {
		status, err := r.status(ctx, r.stage.stackName(id))
		if err != nil {
			return nil, fmt.Errorf("the stack %s cannot be looked up: %w", r.stage.stackName(id), err)
		}
		if !wasDeployed(status) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// wasDeployed reports whether a stack of this status was ever deployed with success. All other stacks are being made,
// were taken back, or are being deleted.
func wasDeployed(status types.StackStatus) bool {
	return status == types.StackStatusCreateComplete || strings.HasPrefix(string(status), "UPDATE_") ||
		strings.HasPrefix(string(status), "IMPORT_")
}

// stackStatus asks CloudFormation, with the credentials and the region that AWS's own tools find.
func stackStatus(ctx context.Context, name string) (types.StackStatus, error) {
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	account, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return "", fmt.Errorf("the AWS settings cannot be read: %w", err)
	}
	if account.Region == "" {
		return "", errors.New("no region: set AWS_REGION, or a profile that has one")
	}
	client := cloudformation.NewFromConfig(account)
	described, err := client.DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: aws.String(name)})
	var refused smithy.APIError
	switch {
	case errors.As(err, &refused) && refused.ErrorCode() == "ValidationError" &&
		strings.Contains(refused.ErrorMessage(), "does not exist"):
		return "", nil
	case err != nil:
		return "", err
	case len(described.Stacks) == 0:
		return "", nil
	}
	return described.Stacks[0].StackStatus, nil
}
