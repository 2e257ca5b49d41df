package sqlitetable

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"earshot/shared/port/table"
)

// A codec writes items as CBOR (RFC 8949), which distinguishes integers, floats, texts and bytes as an Item does.
type codec struct {
	encoder cbor.EncMode
	decoder cbor.DecMode
}

func newCodec() (codec, error) {
	encoder, err := cbor.EncOptions{NilContainers: cbor.NilContainerAsEmpty}.EncMode()
	if err != nil {
		return codec{}, fmt.Errorf("encoder: %w", err)
	}
	decoder, err := cbor.DecOptions{
		IntDec:           cbor.IntDecConvertSignedOrFail,
		DefaultMapType:   reflect.TypeFor[map[string]any](),
		UTF8:             cbor.UTF8DecodeInvalid, // checked when it was written
		MaxNestedLevels:  64,                     // above the port's own bound
		MaxArrayElements: 1 << 20,                // an item of the largest size has fewer
		MaxMapPairs:      1 << 20,
	}.DecMode()
	if err != nil {
		return codec{}, fmt.Errorf("decoder: %w", err)
	}
	return codec{encoder, decoder}, nil
}

// encode writes an item without the attributes that columns hold.
func (c codec) encode(item table.Item, columns ...string) ([]byte, error) {
	rest := make(map[string]any, len(item))
	for name, value := range item {
		if !slices.Contains(columns, name) {
			rest[name] = table.Canonical(value)
		}
	}
	return c.encoder.Marshal(rest)
}

func (c codec) decode(data []byte) (table.Item, error) {
	var item table.Item
	if err := c.decoder.Unmarshal(data, &item); err != nil {
		return nil, fmt.Errorf("decode item: %w", err)
	}
	return item, nil
}
