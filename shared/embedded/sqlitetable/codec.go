package sqlitetable

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"earshot/shared/port/table"
)

// A codec writes items as CBOR (RFC 8949), which distinguishes integers, floats, texts and bytes as an Item does.
type codec struct {
	encoder cbor.EncMode
	ordered cbor.EncMode // the same bytes for the same value
	decoder cbor.DecMode
}

func newCodec() (codec, error) {
	encoder, err := cbor.EncOptions{NilContainers: cbor.NilContainerAsEmpty}.EncMode()
	if err != nil {
		return codec{}, fmt.Errorf("encoder: %w", err)
	}
	ordered, err := cbor.EncOptions{Sort: cbor.SortBytewiseLexical}.EncMode()
	if err != nil {
		return codec{}, fmt.Errorf("ordered encoder: %w", err)
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
	return codec{encoder, ordered, decoder}, nil
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

// digest returns equal bytes for transactions with equal writes only.
func (c codec) digest(writes []table.Write) ([]byte, error) {
	type named struct {
		Kind  string
		Write table.Write
	}
	list := make([]named, len(writes))
	for i, write := range writes {
		list[i] = named{fmt.Sprintf("%T", write), write}
	}
	data, err := c.ordered.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("digest of a transaction: %w", err)
	}
	sum := sha256.Sum256(data)
	return sum[:], nil
}
