package table

import (
	"crypto/rand"
	"sync"
)

// A Write is one part of a transaction: Put, Update, Delete or Check.
type Write interface{ isWrite() }

func (Put) isWrite()    {}
func (Update) isWrite() {}
func (Delete) isWrite() {}
func (Check) isWrite()  {}

// A Transaction is up to MaxTransaction writes, of at most 4 MB together.
type Transaction struct {
	Writes []Write
	once   *once
}

// once is the identity that all copies of a transaction share.
type once struct {
	token  string
	writes []Write
	freeze sync.Once
	frozen any
}

// Once returns the transaction with a token of its own. It then happens once, however often it is sent within ten
// minutes. The writes belong to the token: with others in their place the transaction is ErrInvalid.
//
// A store compares everything that it is sent under one token. So an adapter builds its request once, by Frozen, and
// sends that again.
func (tx Transaction) Once() Transaction {
	tx.once = &once{token: rand.Text(), writes: tx.Writes}
	return tx
}

// Token returns the token that Once set, of at most 36 characters. It is empty without one; a repeat then counts as a
// second transaction.
func (tx Transaction) Token() string {
	if tx.once == nil {
		return ""
	}
	return tx.once.token
}

// Frozen returns what build makes of the transaction. build runs once for all copies of a transaction with a token. Its
// other inputs, such as the clock, are therefore the same in every attempt.
func (tx Transaction) Frozen(build func() any) any {
	if tx.once == nil {
		return build()
	}
	tx.once.freeze.Do(func() { tx.once.frozen = build() })
	return tx.once.frozen
}

// owned reports whether the writes are those that the token was given for.
func (tx Transaction) owned() bool {
	return tx.once == nil || len(tx.Writes) == len(tx.once.writes) &&
		(len(tx.Writes) == 0 || &tx.Writes[0] == &tx.once.writes[0])
}
