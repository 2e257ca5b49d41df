package dynamotable

import (
	"fmt"
	"strings"

	"earshot/shared/port/clock"
	"earshot/shared/port/table"
)

// FromEnvironment opens the tables that a deployment's variables name: TABLE_CORE for the table core, and so on. A
// function with grants for some tables has only their variables, and only those are opened. TABLE_ENDPOINT, for tests,
// names another server than AWS's. env is os.Getenv or a stand-in.
func FromEnvironment(env func(string) string, schemas []table.Schema, clock clock.Clock) (*Table, error) {
	account, err := AccountFrom(env, env("TABLE_ENDPOINT"))
	if err != nil {
		return nil, err
	}
	names, granted := map[string]string{}, []table.Schema{}
	for _, schema := range schemas {
		if name := env("TABLE_" + strings.ToUpper(schema.Name)); name != "" {
			names[schema.Name] = name
			granted = append(granted, schema)
		}
	}
	if len(granted) == 0 {
		return nil, fmt.Errorf("dynamotable: no TABLE_… variable names a table")
	}
	return New(NewClient(account), names, granted, clock)
}
