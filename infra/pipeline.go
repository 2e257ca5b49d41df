package main

import (
	"fmt"
	"slices"

	"earshot/shared/proposal"
	"earshot/shared/store/rows"
)

// The functions of the setup pipeline's stages, and the rights that they share.

// step returns the function of a stage of the setup pipeline. It is stopped at the stage's limit.
func step(name proposal.Stage, memoryMiB float64, tables []Grant) Function {
	stage, ok := proposal.FindStage(name)
	if !ok {
		panic(fmt.Sprintf("infra: the pipeline has no stage %q", name))
	}
	return Function{
		Name:      "setupstages/" + string(name),
		Trigger:   Step{name},
		MemoryMiB: memoryMiB,
		Timeout:   stage.Limit,
		Tables:    tables,
	}
}

// keeping adds what a stage needs that keeps its result for later stages.
func keeping(f Function) Function { return onCounters(f, "PutItem") }

// onCounters adds operations on the table counters.
func onCounters(f Function, actions ...string) Function { return on(rows.CountersTable, f, actions...) }

// on adds operations on a table.
func on(table string, f Function, actions ...string) Function {
	for i := range f.Tables {
		if f.Tables[i].Table == table {
			f.Tables[i].Actions = append(f.Tables[i].Actions, actions...)
		}
	}
	return f
}

// asking adds what a stage needs that asks the platforms. It looks for their answers of the last hour first, and
// counts requests against the run's budget.
func asking(f Function) Function {
	f.Sources = true
	return onCounters(f, "GetItem", "UpdateItem")
}

// searching adds what a stage needs that searches the archive of posts.
func searching(f Function) Function {
	f.Tables = append(f.Tables, Grant{rows.ArchiveTable, []string{"BatchGetItem"}, nil})
	f.Shards = []string{"GetObject"}
	for _, grant := range f.Tables {
		if grant.Table == rows.CountersTable && slices.Contains(grant.Actions, "Query") {
			return f
		}
	}
	return onCounters(f, "Query")
}

// inParts adds what a stage needs that is done in parts, which it keeps and reads again.
func inParts(f Function) Function { return onCounters(f, "Query") }

// withModel adds the right to ask the stage's model.
func withModel(f Function) Function {
	f.Model = true
	return f
}

// written returns the grants for recording a stage: rows in core, contents in counters, and the draft that moves on,
// with the indexes of core that it queries.
func written(indexes ...string) []Grant {
	return []Grant{
		{rows.CoreTable, []string{"BatchGetItem", "Query", "PutItem", "UpdateItem", "ConditionCheckItem"}, indexes},
		{rows.CountersTable, []string{"PutItem"}, nil},
	}
}

// stored returns the grants of a stage that reads others' rows and writes rows of core alone, with the indexes of
// core that it queries.
func stored(indexes ...string) []Grant {
	return []Grant{
		{
			rows.CoreTable,
			[]string{"BatchGetItem", "Query", "PutItem", "UpdateItem", "ConditionCheckItem"},
			indexes,
		},
		{rows.CountersTable, []string{"BatchGetItem"}, nil},
	}
}
