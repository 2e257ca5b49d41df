package operate

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/smithy-go"

	"earshot/functions/local/folder"
	"earshot/functions/local/settings"
	"earshot/functions/local/tables"
	"earshot/infra/exit"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// answerTime is how long AWS may take to return where a stage's tables are.
const answerTime = 30 * time.Second

// place holds the rows that a command works on.
type place struct {
	rows  table.Table
	where string // for people
	close func() error
	// restored opens a table that was restored from a backup of one of them: by the store's name of that, and its own.
	// nil: there are no backups.
	restored func(of, name string) (table.Table, error)
}

// open opens a deployed stage's tables or, without a stage, those of the workbench.
func open(ctx context.Context, stage string, env func(string) string, now clock.Clock) (place, error) {
	if stage != "" {
		return deployed(ctx, stage, now)
	}
	chosen, err := settings.From(env)
	if err != nil {
		return place{}, err
	}
	if err := folder.Make(chosen.Data); err != nil {
		return place{}, err
	}
	opened, err := tables.Open(ctx, chosen, env, now)
	if err != nil {
		return place{}, err
	}
	return place{rows: opened, where: opened.Where, close: opened.Close}, nil
}

var stageName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`)

// deployed finds the tables of a stage by the outputs of its stack of data. It uses the credentials and the region
// that AWS's own tools find: of the environment, of a profile, of single sign-on.
func deployed(ctx context.Context, stage string, now clock.Clock) (place, error) {
	if !stageName.MatchString(stage) {
		return place{}, exit.Misused("there is no stage %q: a stage is called dev, staging or prod", stage)
	}
	asking, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	account, err := config.LoadDefaultConfig(asking)
	if err != nil {
		return place{}, fmt.Errorf("the AWS settings cannot be read: %w", err)
	}
	if account.Region == "" {
		return place{}, exit.Failing(exit.Nowhere, "no region: set AWS_REGION, or a profile that has one")
	}
	asker, err := askerOf(asking, account)
	if err != nil {
		return place{}, err
	}
	stack := "earshot-" + stage + "-data"
	names, err := tablesOf(asking, cloudformation.NewFromConfig(account), stack)
	if err != nil {
		return place{}, fmt.Errorf("in %s: %w", account.Region, err)
	}
	client := dynamotable.NewClient(asker)
	tables, err := dynamotable.New(client, names, rows.Schemas(), now)
	if err != nil {
		return place{}, err
	}
	restored := func(of, name string) (table.Table, error) {
		if name == names[of] {
			return nil, exit.Misused("%s is the table itself; restore a backup of it under another name first", name)
		}
		alone := slices.DeleteFunc(rows.Schemas(), func(schema table.Schema) bool { return schema.Name != of })
		return dynamotable.New(client, map[string]string{of: name}, alone, now)
	}
	return place{tables, "the stage " + stage + " in " + account.Region, func() error { return nil }, restored}, nil
}

// tablesOf returns the physical names of the tables, by the store's names, from the stack's outputs.
func tablesOf(ctx context.Context, client *cloudformation.Client, stack string) (map[string]string, error) {
	described, err := client.DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: aws.String(stack)})
	var refused smithy.APIError
	switch {
	case errors.As(err, &refused) && refused.ErrorCode() == "ValidationError":
		return nil, exit.Failing(
			exit.Nowhere, "there is no stack %s: deploy the stage first (make deploy), or choose another region", stack,
		)
	case err != nil:
		return nil, exit.Failing(exit.Failed, "the stack %s cannot be looked up: %w", stack, err)
	case len(described.Stacks) == 0:
		return nil, exit.Failing(exit.Nowhere, "there is no stack %s", stack)
	}
	names := map[string]string{}
	for _, schema := range rows.Schemas() {
		output := "Table" + strings.ToUpper(schema.Name[:1]) + schema.Name[1:]
		if names[schema.Name] = outputOf(described.Stacks[0], output); names[schema.Name] == "" {
			return nil, exit.Failing(
				exit.Nowhere, "the stack %s has no output %s: it is from another version: deploy it again", stack, output,
			)
		}
	}
	return names, nil
}

func outputOf(stack types.Stack, name string) string {
	for _, output := range stack.Outputs {
		if aws.ToString(output.OutputKey) == name {
			return aws.ToString(output.OutputValue)
		}
	}
	return ""
}

// askerOf gives the credentials to the table's adapter, for as long as a command takes.
func askerOf(ctx context.Context, account aws.Config) (dynamotable.Account, error) {
	found, err := account.Credentials.Retrieve(ctx)
	if err != nil {
		return dynamotable.Account{}, exit.Failing(exit.Key, "no AWS credentials: %w", err)
	}
	return dynamotable.Account{
		Region:          account.Region,
		Endpoint:        aws.ToString(account.BaseEndpoint),
		AccessKeyID:     found.AccessKeyID,
		SecretAccessKey: found.SecretAccessKey,
		SessionToken:    found.SessionToken,
	}, nil
}
