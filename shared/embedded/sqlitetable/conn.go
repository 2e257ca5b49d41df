package sqlitetable

import (
	"errors"
	"fmt"

	"zombiezen.com/go/sqlite"
)

// A conn is a connection with its statements by their texts. It uses SQLite without database/sql, whose driver takes
// locks and memory for each statement and each column of a row. It keeps the statements itself, because the connection
// clears the bindings of those that it keeps. SQLite takes that for a reason to prepare them anew.
type conn struct {
	*sqlite.Conn
	statements map[string]*sqlite.Stmt
}

// openConn opens a connection to a file that exists. Its statements wait for other processes.
func openConn(path string, pragmas ...string) (*conn, error) {
	opened, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		return nil, err
	}
	opened.SetBusyTimeout(busyPatience)
	c := &conn{opened, map[string]*sqlite.Stmt{}}
	for _, pragma := range append([]string{"synchronous = NORMAL"}, pragmas...) {
		if err := c.exec("PRAGMA " + pragma); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	return c, nil
}

// exec runs a statement with values, as query does, and passes over its rows.
func (c *conn) exec(text string, values ...any) error {
	return c.query(text, func(*sqlite.Stmt) (bool, error) { return true, nil }, values...)
}

// query runs a statement, and calls each with every row until that returns false. A value is a string, an int, an
// int64, a []byte or nil.
func (c *conn) query(text string, each func(row *sqlite.Stmt) (more bool, err error), values ...any) (err error) {
	statement := c.statements[text]
	if statement == nil {
		if statement, err = c.Prepare(text); err != nil {
			return err
		}
		c.statements[text] = statement
	}
	defer func() {
		if reset := statement.Reset(); err == nil { // ends the reading, and repeats the error of a row
			err = reset
		}
	}()
	for i, value := range values {
		if err := bind(statement, i+1, value); err != nil {
			return err
		}
	}
	for more := true; more; {
		if more, err = statement.Step(); err != nil || !more {
			return err
		}
		if more, err = each(statement); err != nil {
			return err
		}
	}
	return nil
}

func bind(statement *sqlite.Stmt, place int, value any) error {
	switch value := value.(type) {
	case string:
		statement.BindText(place, value)
	case int:
		statement.BindInt64(place, int64(value))
	case int64:
		statement.BindInt64(place, value)
	case []byte:
		statement.BindBytes(place, value)
	case nil:
		statement.BindNull(place)
	default:
		return fmt.Errorf("a parameter of type %T", value)
	}
	return nil
}
