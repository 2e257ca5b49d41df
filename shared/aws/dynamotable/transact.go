package dynamotable

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"earshot/shared/port/table"
)

// Transact does all writes or none.
func (t *Table) Transact(ctx context.Context, tx table.Transaction) error {
	if err := t.catalog.CheckTransaction(tx); err != nil {
		return failed(ctx, "transact", "", err)
	}
	request := tx.Frozen(func() any { return t.transactRequest(tx) }).(*transactRequest)
	output, err := t.client.TransactWriteItems(ctx, &request.input, request.options)
	if err != nil {
		return notTransacted(ctx, tx, err)
	}
	charge(ctx, table.Usage{Writes: 1}, output.ConsumedCapacity...)
	return nil
}

// A transactRequest is one transaction as DynamoDB is sent it. DynamoDB refuses a token that comes with another request
// than before (IdempotentParameterMismatchException). So the clock is read once, for all conditions, and the body is
// serialized once: the SDK serializes maps in an order that changes.
type transactRequest struct {
	input dynamodb.TransactWriteItemsInput
	body  frozenBody
}

func (t *Table) transactRequest(tx table.Transaction) *transactRequest {
	r := &transactRequest{input: dynamodb.TransactWriteItemsInput{
		TransactItems: make([]types.TransactWriteItem, len(tx.Writes)), ReturnConsumedCapacity: total,
	}}
	if token := tx.Token(); token != "" {
		r.input.ClientRequestToken = &token
	}
	now := t.clock.Now()
	for i, write := range tx.Writes {
		r.input.TransactItems[i] = t.transactItem(write, now)
	}
	return r
}

func (r *transactRequest) options(o *dynamodb.Options) {
	if r.input.ClientRequestToken != nil {
		o.APIOptions = append(o.APIOptions, r.body.freeze)
	}
}

func (t *Table) transactItem(write table.Write, now time.Time) (item types.TransactWriteItem) {
	e := &expression{}
	switch write := write.(type) {
	case table.Put:
		item.Put = &types.Put{
			TableName: aws.String(t.names[write.Table]), Item: fromItem(write.Item),
			ConditionExpression: e.condition(write.If, now), ReturnValuesOnConditionCheckFailure: oldOnFailure,
		}
		item.Put.ExpressionAttributeNames, item.Put.ExpressionAttributeValues = e.names, e.values
	case table.Update:
		item.Update = &types.Update{
			TableName: aws.String(t.names[write.Table]), Key: keyOf(write.Key), UpdateExpression: e.changes(write),
			ConditionExpression: e.condition(write.If, now), ReturnValuesOnConditionCheckFailure: oldOnFailure,
		}
		item.Update.ExpressionAttributeNames, item.Update.ExpressionAttributeValues = e.names, e.values
	case table.Delete:
		item.Delete = &types.Delete{
			TableName: aws.String(t.names[write.Table]), Key: keyOf(write.Key),
			ConditionExpression: e.condition(write.If, now), ReturnValuesOnConditionCheckFailure: oldOnFailure,
		}
		item.Delete.ExpressionAttributeNames, item.Delete.ExpressionAttributeValues = e.names, e.values
	case table.Check:
		item.ConditionCheck = &types.ConditionCheck{
			TableName: aws.String(t.names[write.Table]), Key: keyOf(write.Key),
			ConditionExpression: e.condition(write.If, now), ReturnValuesOnConditionCheckFailure: oldOnFailure,
		}
		item.ConditionCheck.ExpressionAttributeNames, item.ConditionCheck.ExpressionAttributeValues = e.names, e.values
	}
	return item
}

// notTransacted charges for a transaction that did not happen and returns its error.
func notTransacted(ctx context.Context, tx table.Transaction, err error) error {
	usage := table.Usage{Writes: 1}
	defer func() { charge(ctx, usage) }()
	var cancellation *types.TransactionCanceledException
	if errors.As(err, &cancellation) {
		canceled, invalid := toCanceled(cancellation)
		if invalid != nil {
			return fmt.Errorf("dynamotable: transact: %w: %w", invalid, err)
		}
		for _, reason := range canceled.Reasons { // the prepared part is billed but not reported
			usage.WriteUnits += 2 * table.WriteUnits(table.Size(reason.Item))
		}
		return canceled
	}
	err = failed(ctx, "transact", "", err)
	if errors.Is(err, table.ErrTooLarge) {
		// DynamoDB may refuse the whole request for the size of an item, before it looks at any other.
		if reasons, found := oversize(tx.Writes); found {
			return &table.Canceled{Reasons: reasons}
		}
	}
	return err
}

func oversize(writes []table.Write) (reasons []table.Reason, found bool) {
	reasons = make([]table.Reason, len(writes))
	for i, write := range writes {
		reasons[i].Code = table.ReasonNone
		if put, ok := write.(table.Put); ok && table.Size(put.Item) > table.MaxItemBytes {
			reasons[i].Code = table.ReasonTooLarge
			found = true
		}
	}
	return reasons, found
}

func toCanceled(cancellation *types.TransactionCanceledException) (*table.Canceled, error) {
	reasons := make([]table.Reason, len(cancellation.CancellationReasons))
	for i, reason := range cancellation.CancellationReasons {
		switch code := aws.ToString(reason.Code); code {
		case "", "None":
			reasons[i].Code = table.ReasonNone
		case "ConditionalCheckFailed":
			item, err := toItem(reason.Item)
			if err != nil {
				return nil, fmt.Errorf("read the item of a failed condition: %w", err)
			}
			reasons[i] = table.Reason{Code: table.ReasonCondition, Item: item}
		case "TransactionConflict":
			reasons[i].Code = table.ReasonConflict
		case "ProvisionedThroughputExceeded", "ThrottlingError":
			reasons[i].Code = table.ReasonThrottled
		case "ValidationError":
			if !tooLarge(aws.ToString(reason.Message)) {
				return nil, table.ErrInvalid
			}
			reasons[i].Code = table.ReasonTooLarge
		default:
			return nil, fmt.Errorf("write %d: %s", i, code)
		}
	}
	return &table.Canceled{Reasons: reasons}, nil
}
