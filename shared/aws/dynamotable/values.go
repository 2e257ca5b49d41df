package dynamotable

import (
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"earshot/shared/port/table"
)

// fromItem cannot fail on an item that the catalog has passed.
func fromItem(item map[string]any) map[string]types.AttributeValue {
	attributes := make(map[string]types.AttributeValue, len(item))
	for name, value := range item {
		attributes[name] = fromValue(value)
	}
	return attributes
}

func fromValue(value any) types.AttributeValue {
	switch value := value.(type) {
	case bool:
		return &types.AttributeValueMemberBOOL{Value: value}
	case string:
		return &types.AttributeValueMemberS{Value: value}
	case int64:
		return &types.AttributeValueMemberN{Value: strconv.FormatInt(value, 10)}
	case float64:
		if whole, ok := table.Float(value).(int64); ok {
			return fromValue(whole)
		}
		// The shortest decimal that reads back as the same float64: at most 17 digits of the 38 that DynamoDB keeps.
		return &types.AttributeValueMemberN{Value: strconv.FormatFloat(value, 'g', -1, 64)}
	case []byte:
		if value == nil {
			value = []byte{} // else it would be sent as null
		}
		return &types.AttributeValueMemberB{Value: value}
	case []any:
		list := make([]types.AttributeValue, len(value))
		for i, element := range value {
			list[i] = fromValue(element)
		}
		return &types.AttributeValueMemberL{Value: list}
	case map[string]any:
		return &types.AttributeValueMemberM{Value: fromItem(value)}
	}
	return &types.AttributeValueMemberNULL{Value: true}
}

// typeOf returns DynamoDB's type name for a value.
func typeOf(value any) string {
	switch value.(type) {
	case bool:
		return "BOOL"
	case string:
		return "S"
	case int64, float64:
		return "N"
	case []byte:
		return "B"
	case []any:
		return "L"
	case map[string]any:
		return "M"
	}
	return "NULL"
}

// toItem decodes attributes. It fails on types that this package never writes: sets, and numbers beyond a float64.
// Without attributes it returns nil.
func toItem(attributes map[string]types.AttributeValue) (table.Item, error) {
	if len(attributes) == 0 {
		return nil, nil
	}
	return toMap(attributes)
}

func toMap(attributes map[string]types.AttributeValue) (map[string]any, error) {
	item := make(map[string]any, len(attributes))
	for name, attribute := range attributes {
		value, err := toValue(attribute)
		if err != nil {
			return nil, fmt.Errorf("attribute %.40q: %w", name, err)
		}
		item[name] = value
	}
	return item, nil
}

func toValue(attribute types.AttributeValue) (any, error) {
	switch attribute := attribute.(type) {
	case *types.AttributeValueMemberNULL:
		return nil, nil
	case *types.AttributeValueMemberBOOL:
		return attribute.Value, nil
	case *types.AttributeValueMemberS:
		return attribute.Value, nil
	case *types.AttributeValueMemberN:
		return toNumber(attribute.Value)
	case *types.AttributeValueMemberB:
		if attribute.Value == nil {
			return []byte{}, nil // nil is NULL
		}
		return attribute.Value, nil
	case *types.AttributeValueMemberL:
		list := make([]any, len(attribute.Value))
		for i, element := range attribute.Value {
			value, err := toValue(element)
			if err != nil {
				return nil, err
			}
			list[i] = value
		}
		return list, nil
	case *types.AttributeValueMemberM:
		return toMap(attribute.Value)
	}
	return nil, fmt.Errorf("a value of type %T", attribute)
}

func toNumber(text string) (any, error) {
	if whole, err := strconv.ParseInt(text, 10, 64); err == nil {
		return whole, nil
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("a number: %w", err)
	}
	return table.Float(value), nil
}
