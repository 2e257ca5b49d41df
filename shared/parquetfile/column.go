package parquetfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// A column reads a leaf of a file as codes, one a row. Equal values have equal codes in all groups of rows and in all
// files of a scan. Code 0 is a null, and an empty list. The values of a code are in values: one, or those of a list.
type column struct {
	path   []string
	codes  map[string]uint32
	values [][]parquet.Value // by code
	single map[string]uint32 // of elements of lists
	each   []parquet.Value   // by the code of an element

	pages    parquet.Pages
	rows     []uint32 // codes of rows that are read
	next     int      // the first of them that is not used
	list     bool
	most     byte // the definition level of a value that is there
	remapped []uint32
	of       parquet.Dictionary // that remapped is for
	buffer   []parquet.Value
	elements []uint32
	key      []byte
}

func newColumn(path ...string) *column {
	return &column{
		path: path, codes: map[string]uint32{}, values: make([][]parquet.Value, 1),
		single: map[string]uint32{}, each: make([]parquet.Value, 1),
	}
}

// open begins a group of rows.
func (c *column) open(file *parquet.File, group parquet.RowGroup) error {
	leaf, ok := file.Schema().Lookup(c.path...)
	if !ok {
		return fmt.Errorf("parquetfile: the file has no column %q", c.path)
	}
	c.list, c.most = leaf.MaxRepetitionLevel > 0, byte(leaf.MaxDefinitionLevel)
	c.pages, c.rows, c.next, c.of = group.ColumnChunks()[leaf.ColumnIndex].Pages(), c.rows[:0], 0, nil
	return nil
}

// left returns how many rows are read and not used. It reads a page if there are none. Returns io.EOF at the end.
func (c *column) left() (int, error) {
	for c.next == len(c.rows) {
		page, err := c.pages.ReadPage()
		if err != nil {
			return 0, err
		}
		c.rows, c.next = c.rows[:0], 0
		err = c.read(page)
		parquet.Release(page)
		if err != nil {
			return 0, err
		}
	}
	return len(c.rows) - c.next, nil
}

// read appends the codes of a page's rows.
func (c *column) read(page parquet.Page) error {
	dictionary := page.Dictionary()
	if dictionary == nil {
		return c.readValues(page)
	}
	if c.of != dictionary {
		c.remapped, c.of = c.remapped[:0], dictionary
		for i := range dictionary.Len() {
			value := dictionary.Index(int32(i))
			if c.list {
				c.remapped = append(c.remapped, c.element(value))
			} else {
				c.remapped = append(c.remapped, c.code(value))
			}
		}
	}
	data := page.Data()
	indexes := data.Int32()
	levels := page.DefinitionLevels()
	switch {
	case c.list:
		starts := page.RepetitionLevels()
		if len(starts) != len(levels) {
			return errors.New("parquetfile: a page of lists has no levels")
		}
		for i, level := range levels {
			if starts[i] == 0 && i > 0 {
				c.endList()
			}
			if level == c.most {
				c.elements, indexes = append(c.elements, c.remapped[indexes[0]]), indexes[1:]
			}
		}
		if len(levels) > 0 {
			c.endList()
		}
	case len(levels) == 0:
		for _, index := range indexes {
			c.rows = append(c.rows, c.remapped[index])
		}
	default:
		for _, level := range levels {
			if level != c.most {
				c.rows = append(c.rows, 0)
				continue
			}
			c.rows, indexes = append(c.rows, c.remapped[indexes[0]]), indexes[1:]
		}
	}
	return nil
}

// readValues appends the codes of a page without a dictionary.
func (c *column) readValues(page parquet.Page) error {
	if c.buffer == nil {
		c.buffer = make([]parquet.Value, 1024)
	}
	values, begun := page.Values(), false
	for {
		n, err := values.ReadValues(c.buffer)
		for _, value := range c.buffer[:n] {
			switch {
			case c.list:
				if value.RepetitionLevel() == 0 && begun {
					c.endList()
				}
				begun = true
				if !value.IsNull() {
					c.elements = append(c.elements, c.element(value))
				}
			case value.IsNull():
				c.rows = append(c.rows, 0)
			default:
				c.rows = append(c.rows, c.code(value))
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("parquetfile: read a page: %w", err)
		}
	}
	if begun {
		c.endList()
	}
	return nil
}

// code returns the code of a value.
func (c *column) code(value parquet.Value) uint32 {
	c.key = value.AppendBytes(c.key[:0])
	code, known := c.codes[string(c.key)]
	if !known {
		code = uint32(len(c.values))
		c.codes[string(c.key)] = code
		c.values = append(c.values, []parquet.Value{value.Clone()})
	}
	return code
}

// element returns the code of an element of a list.
func (c *column) element(value parquet.Value) uint32 {
	c.key = value.AppendBytes(c.key[:0])
	code, known := c.single[string(c.key)]
	if !known {
		code = uint32(len(c.each))
		c.single[string(c.key)] = code
		c.each = append(c.each, value.Clone())
	}
	return code
}

// endList appends the code of the list whose elements were read.
func (c *column) endList() {
	if len(c.elements) == 0 {
		c.rows = append(c.rows, 0)
		return
	}
	c.key = c.key[:0]
	for _, element := range c.elements {
		c.key = binary.LittleEndian.AppendUint32(c.key, element)
	}
	code, known := c.codes[string(c.key)]
	if !known {
		code = uint32(len(c.values))
		c.codes[string(c.key)] = code
		list := make([]parquet.Value, len(c.elements))
		for i, element := range c.elements {
			list[i] = c.each[element]
		}
		c.values = append(c.values, list)
	}
	c.rows, c.elements = append(c.rows, code), c.elements[:0]
}

// A raw column reads numbers as they are, one a row.
type raw struct {
	path  string
	pages parquet.Pages
	rows  []int64
	next  int
}

func (c *raw) open(file *parquet.File, group parquet.RowGroup) error {
	leaf, ok := file.Schema().Lookup(c.path)
	if !ok {
		return fmt.Errorf("parquetfile: the file has no column %q", c.path)
	}
	c.pages, c.rows, c.next = group.ColumnChunks()[leaf.ColumnIndex].Pages(), c.rows[:0], 0
	return nil
}

func (c *raw) left() (int, error) {
	for c.next == len(c.rows) {
		page, err := c.pages.ReadPage()
		if err != nil {
			return 0, err
		}
		data := page.Data()
		c.rows, c.next = append(c.rows[:0], data.Int64()...), 0
		parquet.Release(page)
	}
	return len(c.rows) - c.next, nil
}

// A texts column reads texts as they are, one a row. A null is an empty text.
type texts struct {
	path  string
	pages parquet.Pages
	rows  []string
	next  int
}

func (c *texts) open(file *parquet.File, group parquet.RowGroup) error {
	leaf, ok := file.Schema().Lookup(c.path)
	if !ok {
		return fmt.Errorf("parquetfile: the file has no column %q", c.path)
	}
	c.pages, c.rows, c.next = group.ColumnChunks()[leaf.ColumnIndex].Pages(), c.rows[:0], 0
	return nil
}

func (c *texts) left() (int, error) {
	for c.next == len(c.rows) {
		page, err := c.pages.ReadPage()
		if err != nil {
			return 0, err
		}
		c.rows, c.next = c.rows[:0], 0
		values, buffer := page.Values(), make([]parquet.Value, 256)
		for {
			n, err := values.ReadValues(buffer)
			for _, value := range buffer[:n] {
				c.rows = append(c.rows, string(value.ByteArray()))
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return 0, fmt.Errorf("parquetfile: read a page: %w", err)
			}
		}
		parquet.Release(page)
	}
	return len(c.rows) - c.next, nil
}
