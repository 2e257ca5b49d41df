package main

import (
	"errors"
	"strings"

	"github.com/alecthomas/kong"
)

// several holds the values of a flag that can be repeated, or has values with commas between: \, is a comma of a value.
// An empty value is a mistake, such as a variable of the shell without a value: without it the flag would say nothing.
type several []string

// Decode adds the values of one flag. The parser calls it. Returns an error if one is empty.
func (s *several) Decode(ctx *kong.DecodeContext) error {
	var given string
	if err := ctx.Scan.PopValueInto("value", &given); err != nil {
		return err
	}
	values := kong.SplitEscaped(given, ',')
	if len(values) == 0 {
		values = []string{""}
	}
	for _, value := range values {
		if strings.TrimSpace(value) == "" {
			return errors.New("a value is empty. Give one, or leave the flag out")
		}
		*s = append(*s, value)
	}
	return nil
}
