// Package athenawarehouse implements the port warehouse on Amazon Athena, in a workgroup of the deployment.
//
// The workgroup sets the cut-off in bytes and where results lie. Results are reused for as long as Athena keeps them:
// a statement names the files that it reads, and a file never changes under its name. The adapter needs
// athena:StartQueryExecution, GetQueryExecution, GetQueryResults and StopQueryExecution on the workgroup, and for the
// statement itself the catalog's table, the files and the place of results.
//
// Only mains and tests import it.
package athenawarehouse

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/athena"
	"github.com/aws/aws-sdk-go-v2/service/athena/types"
	"github.com/aws/smithy-go"

	"earshot/shared/aws/account"
	"earshot/shared/port/warehouse"
)

// An Athena runs statements in one workgroup, on one database.
type Athena struct {
	client              *athena.Client
	workgroup, database string
	pause               func(context.Context, time.Duration) error
}

var _ warehouse.Warehouse = (*Athena)(nil)

// Pauses between looks at a statement. Most end within a second or two. An API request lasts at most 29 seconds, so
// that a statement that is not done after the longest wait is stopped.
const (
	firstPause  = 100 * time.Millisecond
	longPause   = time.Second
	longestWait = 20 * time.Second
)

// reuseMinutes is the longest time that Athena can reuse results for: 7 days.
const reuseMinutes = 7 * 24 * 60

// pageRows is how many rows a page of results has, the first one's header included. Athena allows no more.
const pageRows = 1_000

// stopTime bounds the request that stops a statement of a caller who has gone.
const stopTime = 2 * time.Second

// New makes the adapter. pause waits between looks at a statement; Pause is the usual one.
func New(
	client *athena.Client, workgroup, database string, pause func(context.Context, time.Duration) error,
) *Athena {
	return &Athena{client, workgroup, database, pause}
}

// FromEnvironment returns the adapter for the deployment's variables ATHENA_WORKGROUP and ATHENA_DATABASE.
// WAREHOUSE_ENDPOINT, for tests, names another server than AWS's. env is os.Getenv or a stand-in.
func FromEnvironment(env func(string) string) (*Athena, error) {
	asker, err := account.From(env, env("WAREHOUSE_ENDPOINT"))
	if err != nil {
		return nil, fmt.Errorf("athenawarehouse: %w", err)
	}
	workgroup, database := env("ATHENA_WORKGROUP"), env("ATHENA_DATABASE")
	if workgroup == "" || database == "" {
		return nil, errors.New("athenawarehouse: ATHENA_WORKGROUP or ATHENA_DATABASE is not set")
	}
	return New(NewClient(asker), workgroup, database, Pause), nil
}

// timeouts of one attempt. A page of results takes some hundreds of milliseconds.
var timeouts = account.Timeouts{Connect: time.Second, Response: 5 * time.Second, Attempt: 10 * time.Second}

// NewClient makes a client with up to three attempts at a request. It sends nothing before the first operation.
func NewClient(asker account.Account) *athena.Client {
	return athena.New(athena.Options{
		Region:       asker.Region,
		BaseEndpoint: asker.BaseEndpoint(),
		Credentials:  asker.Credentials(),
		HTTPClient:   account.NewHTTPClient(timeouts),
		Retryer:      account.NewRetryer(),
	})
}

// Pause waits, or returns the context's error if it ends first.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Query starts a statement, waits for its end, and reads its results. A statement that goes on after 20 seconds, or
// after its caller has gone, is stopped: its bytes would be paid for in vain.
func (a *Athena) Query(ctx context.Context, s warehouse.Statement) (warehouse.Result, error) {
	if err := s.Check(); err != nil {
		return warehouse.Result{}, err
	}
	if err := ctx.Err(); err != nil {
		return warehouse.Result{}, err
	}
	catalog, reuse, minutes := "AwsDataCatalog", true, int32(reuseMinutes)
	started, err := a.client.StartQueryExecution(ctx, &athena.StartQueryExecutionInput{
		QueryString:           &s.SQL,
		ExecutionParameters:   literals(s.Parameters),
		WorkGroup:             &a.workgroup,
		QueryExecutionContext: &types.QueryExecutionContext{Catalog: &catalog, Database: &a.database},
		ResultReuseConfiguration: &types.ResultReuseConfiguration{
			ResultReuseByAgeConfiguration: &types.ResultReuseByAgeConfiguration{Enabled: reuse, MaxAgeInMinutes: &minutes},
		},
	})
	if err != nil {
		return warehouse.Result{}, fmt.Errorf("athenawarehouse: start a statement: %w", failed(ctx, err))
	}
	id := started.QueryExecutionId
	if id == nil {
		return warehouse.Result{}, fmt.Errorf("athenawarehouse: start a statement: no id: %w", warehouse.ErrUnavailable)
	}
	result, err := a.await(ctx, id)
	if err != nil {
		return warehouse.Result{}, fmt.Errorf("athenawarehouse: await the statement %s: %w", *id, err)
	}
	if result.Rows, err = a.rows(ctx, id); err != nil {
		return warehouse.Result{}, fmt.Errorf("athenawarehouse: read the results of %s: %w", *id, err)
	}
	return result, nil
}

// literals writes parameters as Athena reads them: as expressions of SQL. A text's only special character is the
// apostrophe, which is doubled.
func literals(parameters []any) []string {
	written := make([]string, len(parameters))
	for i, p := range parameters {
		switch value := p.(type) {
		case string:
			written[i] = "'" + strings.ReplaceAll(value, "'", "''") + "'"
		case int64:
			written[i] = strconv.FormatInt(value, 10)
		case bool:
			written[i] = strconv.FormatBool(value)
		}
	}
	return written
}

// await looks at a statement until it ends. It stops a statement that it no longer awaits.
func (a *Athena) await(ctx context.Context, id *string) (warehouse.Result, error) {
	waited, pause := time.Duration(0), firstPause
	for {
		found, err := a.client.GetQueryExecution(ctx, &athena.GetQueryExecutionInput{QueryExecutionId: id})
		if err != nil {
			a.stop(ctx, id)
			return warehouse.Result{}, failed(ctx, err)
		}
		if found.QueryExecution != nil && found.QueryExecution.Status != nil {
			switch found.QueryExecution.Status.State {
			case types.QueryExecutionStateSucceeded:
				return statistics(found.QueryExecution), nil
			case types.QueryExecutionStateFailed, types.QueryExecutionStateCancelled:
				return warehouse.Result{}, ended(found.QueryExecution.Status)
			}
		}
		if waited >= longestWait {
			a.stop(ctx, id)
			return warehouse.Result{}, warehouse.ErrTooMuch
		}
		if err := a.pause(ctx, pause); err != nil {
			a.stop(ctx, id)
			return warehouse.Result{}, err
		}
		waited += pause
		pause = min(pause*3/2, longPause)
	}
}

// stop stops a statement, also if the caller has gone. A statement that cannot be stopped ends by itself.
func (a *Athena) stop(ctx context.Context, id *string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	_, _ = a.client.StopQueryExecution(ctx, &athena.StopQueryExecutionInput{QueryExecutionId: id})
}

func statistics(e *types.QueryExecution) (result warehouse.Result) {
	if e.Statistics == nil {
		return result
	}
	if e.Statistics.DataScannedInBytes != nil {
		result.Scanned = *e.Statistics.DataScannedInBytes
	}
	if reuse := e.Statistics.ResultReuseInformation; reuse != nil {
		result.Reused = reuse.ReusedPreviousResult
	}
	return result
}

// ended returns the port's error for a statement that failed or was cancelled. Athena cancels what passes the cut-off
// of the workgroup. Its reasons may quote the statement, so that only codes go into errors.
func ended(status *types.QueryExecutionStatus) error {
	reason := ""
	if status.StateChangeReason != nil {
		reason = *status.StateChangeReason
	}
	for _, limit := range []string{
		"Bytes scanned limit was exceeded",
		"Query timeout",
		"EXCEEDED_TIME_LIMIT",
		"Query exhausted resources",
		"EXCEEDED_MEMORY_LIMIT",
		"EXCEEDED_LOCAL_MEMORY_LIMIT",
	} {
		if strings.Contains(reason, limit) {
			return fmt.Errorf("%s: %w", limit, warehouse.ErrTooMuch)
		}
	}
	if cause := status.AthenaError; cause != nil && cause.Retryable {
		return fmt.Errorf("error %s: %w", code(cause), warehouse.ErrUnavailable)
	} else if cause != nil {
		return fmt.Errorf("%s: error %s", status.State, code(cause))
	}
	return errors.New(string(status.State))
}

// code returns Athena's category and type of an error.
func code(cause *types.AthenaError) string {
	category, kind := int32(0), int32(0)
	if cause.ErrorCategory != nil {
		category = *cause.ErrorCategory
	}
	if cause.ErrorType != nil {
		kind = *cause.ErrorType
	}
	return fmt.Sprintf("%d/%d", category, kind)
}

// rows reads all pages of a statement's results. The first row of the first page has the columns' names.
func (a *Athena) rows(ctx context.Context, id *string) (rows [][]*string, err error) {
	rows = [][]*string{}
	header, size := true, int32(pageRows)
	var next *string
	for {
		page, err := a.client.GetQueryResults(ctx, &athena.GetQueryResultsInput{
			QueryExecutionId: id, MaxResults: &size, NextToken: next,
		})
		if err != nil {
			return nil, failed(ctx, err)
		}
		if page.ResultSet != nil {
			for _, row := range page.ResultSet.Rows {
				if header {
					header = false
					continue
				}
				values := make([]*string, len(row.Data))
				for i, datum := range row.Data {
					values[i] = datum.VarCharValue
				}
				rows = append(rows, values)
			}
		}
		if next = page.NextToken; next == nil {
			return rows, nil
		}
	}
}

// failed returns the port's error for an error of the SDK. It carries Athena's code for the logs, and no part of a
// statement.
func failed(ctx context.Context, err error) error {
	var api smithy.APIError
	code := "no answer"
	if errors.As(err, &api) {
		code = api.ErrorCode()
	}
	switch account.FailureOf(ctx, err) {
	case account.Throttled:
		return fmt.Errorf("%s: %w", code, warehouse.ErrThrottled)
	case account.Unavailable:
		return fmt.Errorf("%s: %w", code, warehouse.ErrUnavailable)
	case account.Ended:
		return ctx.Err()
	}
	return fmt.Errorf("refused: %s", code)
}
