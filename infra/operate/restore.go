package operate

import (
	"errors"
	"fmt"

	"earshot/infra/exit"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

type restoreWorkspace struct {
	Workspace string `arg:"" help:"Its id." placeholder:"org_…"`
	Mentions  string `xor:"from" required:"" help:"The table that a backup of the mentions was restored to." placeholder:"TABLE"`
	Archive   string `xor:"from" required:"" help:"The table that a backup of the archive was restored to." placeholder:"TABLE"`
	Yes       bool   `help:"Put back what is lost. Without it, only count."`
}

// Run compares, and puts back what is lost. A second run finds nothing to do.
func (c restoreWorkspace) Run(o *operator) error {
	if o.restored == nil {
		return exit.Misused("only a deployed stage has backups: name it with --stage")
	}
	of, name := rows.MentionsTable, c.Mentions
	if c.Archive != "" {
		of, name = rows.ArchiveTable, c.Archive
	}
	from, err := o.restored(of, name)
	if err != nil {
		return err
	}
	done, err := o.store.RestoreMentions(o, table.Retrying(from), of, c.Workspace, c.Yes)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return noWorkspace(c.Workspace)
	case err != nil:
		return fmt.Errorf("%w (%d put back so far: the same command goes on)", err, done.Back)
	}
	said := fmt.Sprintf("%s has %d mentions of %s, of which %d are lost", name, done.Rows, c.Workspace, done.Lost)
	next := "Nothing is to be put back."
	switch {
	case c.Yes:
		next = fmt.Sprintf("%d were put back.", done.Back)
	case done.Lost > 0:
		next = "Send --yes to put them back."
	}
	return o.print.said(
		map[string]any{"workspace": c.Workspace, "rows": done.Rows, "lost": done.Lost, "back": done.Back}, said+".",
		next,
	)
}
