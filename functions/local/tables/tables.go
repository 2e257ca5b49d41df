// Package tables opens the workbench's tables: a file in the data folder, or a server that speaks DynamoDB if the
// settings name one. Its errors are sentences for the person who started the program.
//
// Only the programs under functions/local and the tools import it.
package tables

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"earshot/functions/local/settings"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/embedded/sqlitefile"
	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// Opened holds open tables.
type Opened struct {
	table.Table
	Where string // for people
	close func() error
}

// Close closes the tables. Operations must have returned.
func (o Opened) Close() error { return o.close() }

// Open opens the tables, and makes missing ones. env has the AWS account, for a server that wants one.
func Open(ctx context.Context, s settings.Settings, env func(string) string, c clock.Clock) (Opened, error) {
	if s.TableEndpoint != "" {
		return server(ctx, s.TableEndpoint, env, c)
	}
	path := filepath.Join(s.Data, "earshot.db")
	tables, err := sqlitetable.Open(path, rows.Schemas(), sqlitetable.Options{Clock: c})
	var other *sqlitetable.ErrOtherVersion
	if errors.As(err, &other) {
		return Opened{}, fmt.Errorf(
			"%s is of another version: found %s, wanted %s. Nothing in it was changed. Move the folder %s away "+
				"to begin anew, or choose another one with DATA=<folder>",
			path,
			other.Found,
			other.Wanted,
			s.Data,
		)
	}
	var damaged *sqlitefile.ErrDamaged
	if errors.As(err, &damaged) {
		return Opened{}, damaged // which names the file and says what to do
	}
	if err != nil {
		return Opened{}, fmt.Errorf("the data in %s cannot be used: %w", path, err)
	}
	return Opened{Table: tables, Where: path, close: tables.Close}, nil
}

// Patience with a server. On AWS a new table takes some seconds. A server that does not answer at all is not there.
const (
	answerPatience = 5 * time.Second
	createPatience = 2 * time.Minute
)

func server(ctx context.Context, endpoint string, env func(string) string, c clock.Clock) (Opened, error) {
	account, err := dynamotable.AccountFrom(env, endpoint)
	if err != nil {
		return Opened{}, err
	}
	client := dynamotable.NewClient(account)
	if err := answers(ctx, client); err != nil {
		return Opened{}, fmt.Errorf(
			"TABLE_ENDPOINT=%s does not answer as DynamoDB does: %w. Start that server, or unset TABLE_ENDPOINT "+
				"to keep the data in a file",
			endpoint,
			err,
		)
	}
	names := map[string]string{}
	for _, schema := range rows.Schemas() {
		names[schema.Name] = "earshot-local-" + schema.Name
	}
	creating, cancel := context.WithTimeout(ctx, createPatience)
	defer cancel()
	if err := dynamotable.Create(creating, client, names, rows.Schemas()); err != nil {
		return Opened{}, fmt.Errorf("the tables on TABLE_ENDPOINT=%s cannot be used: %w", endpoint, err)
	}
	tables, err := dynamotable.New(client, names, rows.Schemas(), c)
	if err != nil {
		return Opened{}, err
	}
	return Opened{
		Table: tables,
		Where: "the tables earshot-local-… on " + endpoint,
		close: func() error { return nil },
	}, nil
}

// answers asks until there is an answer, because the server may have been started a moment ago.
func answers(ctx context.Context, client *dynamodb.Client) error {
	patient, cancel := context.WithTimeout(ctx, answerPatience)
	defer cancel()
	for {
		_, err := client.ListTables(patient, &dynamodb.ListTablesInput{Limit: aws.Int32(1)})
		if err == nil {
			return nil
		}
		select {
		case <-patient.Done():
			return err
		case <-time.After(200 * time.Millisecond):
		}
	}
}
