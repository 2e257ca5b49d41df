package dynamotable

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"earshot/shared/port/table"
)

// Query reads a range of a partition. Expired rows are read and paid for before they are left out here. A filter
// expression would not make them cheaper.
func (t *Table) Query(ctx context.Context, query table.Query) (table.Page, error) {
	if err := t.catalog.CheckQuery(query); err != nil {
		return table.Page{}, failed(ctx, "query", query.Table, err)
	}
	query, empty := query.Clip()
	if empty {
		return table.Page{}, nil
	}
	output, err := t.client.Query(ctx, t.queryInput(query))
	if err != nil {
		charge(ctx, table.Usage{Reads: 1})
		return table.Page{}, failed(ctx, "query", query.Table, err)
	}
	charge(ctx, table.Usage{Reads: 1}, consumedBy(output.ConsumedCapacity)...)
	var page table.Page
	for _, attributes := range output.Items {
		item, err := t.fresh(attributes)
		if err != nil {
			return table.Page{}, failed(ctx, "query", query.Table, err)
		}
		if item != nil {
			page.Items = append(page.Items, item)
			page.Bytes += table.Size(item)
		}
	}
	if len(output.LastEvaluatedKey) > 0 {
		last, err := toItem(output.LastEvaluatedKey)
		if err != nil {
			return table.Page{}, failed(ctx, "query", query.Table, err)
		}
		next := table.PositionOf(t.catalog.Index(query.Table, query.Index), last)
		page.Next = &next
	}
	return page, nil
}

func (t *Table) queryInput(query table.Query) *dynamodb.QueryInput {
	partition, sort := table.PartitionAttribute, table.SortAttribute
	input := &dynamodb.QueryInput{
		TableName:              aws.String(t.names[query.Table]),
		ScanIndexForward:       aws.Bool(!query.Descending),
		ReturnConsumedCapacity: total,
	}
	index := t.catalog.Index(query.Table, query.Index)
	if index == nil {
		input.ConsistentRead = &query.Consistent
	} else {
		partition, sort = index.Partition, index.Sort
		input.IndexName = &index.Name
	}
	if query.Limit > 0 {
		input.Limit = aws.Int32(int32(min(query.Limit, 1<<30)))
	}
	if query.After != nil {
		input.ExclusiveStartKey = startKey(query, index)
	}
	e := &expression{}
	condition := e.name(partition) + " = " + e.value(query.Partition)
	switch {
	case query.Prefix != "":
		condition += " AND begins_with(" + e.name(sort) + ", " + e.value(query.Prefix) + ")"
	case query.From != "" && query.To != "":
		condition += " AND " + e.name(sort) + " BETWEEN " + e.value(query.From) + " AND " + e.value(query.To)
	case query.From != "":
		condition += " AND " + e.name(sort) + " >= " + e.value(query.From)
	case query.To != "":
		condition += " AND " + e.name(sort) + " <= " + e.value(query.To)
	}
	input.KeyConditionExpression = &condition
	input.ExpressionAttributeNames, input.ExpressionAttributeValues = e.names, e.values
	return input
}

func startKey(query table.Query, index *table.Index) map[string]types.AttributeValue {
	key := keyOf(query.After.Key)
	if index != nil {
		key[index.Partition] = fromValue(query.Partition)
		key[index.Sort] = fromValue(query.After.IndexSort)
	}
	return key
}
