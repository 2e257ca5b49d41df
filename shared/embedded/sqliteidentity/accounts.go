package sqliteidentity

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"

	"github.com/oklog/ulid/v2"

	"earshot/shared/port/identity"
)

// ErrInvalid means that nobody can sign up with this address.
var ErrInvalid = errors.New("no address of mail")

// SignUp makes an account. If the address already has an account, it returns that account unchanged, and created is
// false. name may be empty.
func (d *Directory) SignUp(
	ctx context.Context, email, name string,
) (account identity.Account, created bool, err error) {
	if !identity.CanBeEmail(email) {
		return identity.Account{}, false, failed(ctx, "sign up", ErrInvalid)
	}
	err = d.change(ctx, "sign up", func(tx *sql.Tx) error {
		account, err = find(ctx, tx, email)
		if !errors.Is(err, identity.ErrNoAccount) {
			return err
		}
		created = true
		account = identity.Account{
			ID:    ulid.MustNew(ulid.Timestamp(d.clock.Now()), rand.Reader).String(),
			Email: email,
			Name:  name,
		}
		_, err = tx.ExecContext(ctx, "INSERT INTO accounts (id, folded, email, name) VALUES (?, ?, ?, ?)",
			account.ID, identity.Fold(email), email, name)
		return err
	})
	if err != nil {
		return identity.Account{}, false, err
	}
	return account, created, nil
}

// A Person is an account with the groups that it is in.
type Person struct {
	identity.Account
	Groups []string // in order
}

// List returns the accounts with their groups, newest first, at most limit.
func (d *Directory) List(ctx context.Context, limit int) ([]Person, error) {
	rows, err := d.db.QueryContext(ctx, `SELECT id, email, name, coalesce(member_group, '') FROM
		(SELECT * FROM accounts ORDER BY number DESC LIMIT ?) LEFT JOIN members ON account = id
		ORDER BY number DESC, member_group`, limit)
	if err != nil {
		return nil, failed(ctx, "list", err)
	}
	defer rows.Close()
	var people []Person
	for rows.Next() {
		var account identity.Account
		var group string
		if err := rows.Scan(&account.ID, &account.Email, &account.Name, &group); err != nil {
			return nil, failed(ctx, "list", err)
		}
		if len(people) == 0 || people[len(people)-1].ID != account.ID {
			people = append(people, Person{Account: account})
		}
		if group != "" {
			last := &people[len(people)-1]
			last.Groups = append(last.Groups, group)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, failed(ctx, "list", err)
	}
	return people, nil
}

// querier is a database or one of its transactions.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// find returns the account of an address, or identity.ErrNoAccount.
func find(ctx context.Context, in querier, email string) (account identity.Account, err error) {
	err = in.QueryRowContext(ctx, "SELECT id, email, name FROM accounts WHERE folded = ?", identity.Fold(email)).
		Scan(&account.ID, &account.Email, &account.Name)
	if errors.Is(err, sql.ErrNoRows) {
		return identity.Account{}, identity.ErrNoAccount
	}
	return account, err
}
