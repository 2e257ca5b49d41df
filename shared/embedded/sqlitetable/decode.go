package sqlitetable

import (
	"encoding/binary"
	"math"
	"slices"

	"zombiezen.com/go/sqlite"

	"earshot/shared/port/table"
)

// A decoder reads the items of one page, in the form in which codec writes them. Items of a page have the same
// attributes, and neighbours often the same texts: each name, and a text that stays the same, is stored once. A decoder
// without names is for a single item.
//
// Anything that codec does not write is left to the library.
type decoder struct {
	codec codec
	keys  [4]attribute // of the key columns. A decoder is for rows with the same columns.
	item  []byte
	only  []string // attributes of an item that are kept; empty for all
	names map[string]*attribute
	data  []byte
	at    int
}

// An attribute is a name with the text that it had last.
type attribute struct {
	name string
	skip bool // at the top of an item
	text string
	last any // text, as an item holds it
}

func (c codec) page() *decoder { return &decoder{codec: c, names: map[string]*attribute{}} }

// row reads a row of key columns, size and item. names are the attributes that the columns hold. Whoever knows a key
// sets it in the item, which is faster than a column.
func (d *decoder) row(row *sqlite.Stmt, names []string) (size int, item table.Item, err error) {
	column := len(names)
	d.item = slices.Grow(d.item[:0], row.ColumnLen(column+1))[:row.ColumnLen(column+1)]
	row.ColumnBytes(column+1, d.item)
	if item, err = d.decode(d.item); err != nil {
		return 0, nil, err
	}
	for i, name := range names {
		item[name] = d.keys[i].keep(row.ColumnText(i))
	}
	return row.ColumnInt(column), item, nil
}

// keep returns the text that the attribute had last if text is the same, and text otherwise.
func (a *attribute) keep(text string) any {
	if a.last == nil || a.text != text {
		a.text, a.last = text, text
	}
	return a.last
}

// decode reads an item, and keeps nothing of data.
func (d *decoder) decode(data []byte) (table.Item, error) {
	d.data, d.at = data, 0
	if members, ok := d.members(1); ok && d.at == len(d.data) {
		return members, nil
	}
	return d.codec.decode(data)
}

// The major types of CBOR, as the first three bits of a byte.
const (
	unsigned = 0
	negative = 1
	octets   = 2
	letters  = 3
	array    = 4
	pairs    = 5
	simple   = 7
)

// deepest is the nesting at which the library's bounds decide.
const deepest = 32

// head reads a head with its argument. Heads of an indefinite length are left to the library.
func (d *decoder) head() (major byte, argument uint64, ok bool) {
	if d.at >= len(d.data) {
		return 0, 0, false
	}
	first := d.data[d.at]
	d.at++
	info := first & 0x1f
	if info < 24 {
		return first >> 5, uint64(info), true
	}
	size := 1 << (info - 24)
	if info > 27 || len(d.data)-d.at < size {
		return 0, 0, false
	}
	part := d.data[d.at : d.at+size]
	d.at += size
	switch size {
	case 1:
		argument = uint64(part[0])
	case 2:
		argument = uint64(binary.BigEndian.Uint16(part))
	case 4:
		argument = uint64(binary.BigEndian.Uint32(part))
	default:
		argument = binary.BigEndian.Uint64(part)
	}
	return first >> 5, argument, true
}

// take returns the next n bytes.
func (d *decoder) take(n uint64) ([]byte, bool) {
	if n > uint64(len(d.data)-d.at) {
		return nil, false
	}
	part := d.data[d.at : d.at+int(n)]
	d.at += int(n)
	return part, true
}

// members reads a map.
func (d *decoder) members(depth int) (map[string]any, bool) {
	major, n, ok := d.head()
	if !ok || major != pairs || n > uint64(len(d.data)-d.at)/2 || depth > deepest {
		return nil, false
	}
	kept, skipped := n, uint64(0)
	if depth == 1 && len(d.only) > 0 {
		kept = min(n, uint64(len(d.only)))
	}
	if depth == 1 {
		kept += uint64(len(d.keys)) // keys come from columns
	}
	members := make(map[string]any, kept)
	for range n {
		major, length, ok := d.head()
		if !ok || major != letters {
			return nil, false
		}
		name, ok := d.take(length)
		if !ok {
			return nil, false
		}
		text, known := d.named(name)
		if depth == 1 && known != nil && known.skip {
			if !d.pass() {
				return nil, false
			}
			skipped++
			continue
		}
		value, ok := d.value(known, depth)
		if !ok {
			return nil, false
		}
		members[text] = value
	}
	return members, uint64(len(members))+skipped == n // the library decides about a name that is there twice
}

// named returns a name as text, and its attribute: nil for a single item.
func (d *decoder) named(name []byte) (string, *attribute) {
	if d.names == nil {
		return string(name), nil
	}
	known := d.names[string(name)]
	if known == nil {
		known = &attribute{name: string(name)}
		known.skip = len(d.only) > 0 && !slices.Contains(d.only, known.name)
		d.names[known.name] = known
	}
	return known.name, known
}

// pass goes past a value of an item. It refuses what value refuses.
func (d *decoder) pass() bool {
	if d.at < len(d.data) && (d.data[d.at]>>5 == octets || d.data[d.at]>>5 == letters) {
		_, length, ok := d.head()
		if ok {
			_, ok = d.take(length)
		}
		return ok
	}
	_, ok := d.value(nil, 1)
	return ok
}

// value reads a value. of is the attribute that it belongs to, or nil.
func (d *decoder) value(of *attribute, depth int) (any, bool) {
	if d.at < len(d.data) && d.data[d.at]>>5 == pairs {
		return d.members(depth + 1)
	}
	if d.at < len(d.data) && d.data[d.at] == 0xfb { // a float64
		d.at++
		part, ok := d.take(8)
		if !ok {
			return nil, false
		}
		return math.Float64frombits(binary.BigEndian.Uint64(part)), true
	}
	major, n, ok := d.head()
	if !ok {
		return nil, false
	}
	switch {
	case major == unsigned && n <= math.MaxInt64:
		return int64(n), true
	case major == negative && n <= math.MaxInt64:
		return -1 - int64(n), true
	case major == octets:
		part, ok := d.take(n)
		return append([]byte{}, part...), ok
	case major == letters:
		part, ok := d.take(n)
		return d.text(of, part), ok
	case major == array:
		return d.list(n, depth+1)
	case major == simple && n == 20:
		return false, true
	case major == simple && n == 21:
		return true, true
	case major == simple && n == 22:
		return nil, true
	}
	return nil, false
}

// text returns a text. It is that of the attribute's last item if it is the same.
func (d *decoder) text(of *attribute, part []byte) any {
	if of == nil {
		return string(part)
	}
	if of.last == nil || of.text != string(part) {
		of.text = string(part)
		of.last = of.text
	}
	return of.last
}

func (d *decoder) list(n uint64, depth int) (any, bool) {
	if n > uint64(len(d.data)-d.at) || depth > deepest {
		return nil, false
	}
	list := make([]any, n)
	for i := range list {
		value, ok := d.value(nil, depth)
		if !ok {
			return nil, false
		}
		list[i] = value
	}
	return list, true
}
