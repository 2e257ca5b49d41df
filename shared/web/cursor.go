package web

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"earshot/shared/web/problem"
)

// Cursors are sealed with the workspace's secret (AES-256-GCM), so that they are opaque and cannot be made or changed
// by a client, and bound to what they belong to: the workspace, the list and everything that selects its rows.

// Pagination tells a client how a list continues.
type Pagination struct {
	NextCursor Null[string] `json:"nextCursor" doc:"Send it as cursor for the next page; null at the end."`
}

// SealCursor returns the cursor that continues a list at a position. selection names the list and its filters: a value
// that marshals to the same JSON for the same rows.
func SealCursor(caller Caller, selection, position any) (string, error) {
	seal, bound, err := cursorSeal(caller, selection)
	if err != nil {
		return "", err
	}
	plain, err := json.Marshal(position)
	if err != nil {
		return "", fmt.Errorf("seal a cursor: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(seal.Seal(nil, nil, plain, bound)), nil
}

// OpenCursor reads a cursor into position. Returns INVALID_INPUT if the cursor was not sealed for this caller's
// workspace and this selection.
func OpenCursor(caller Caller, selection any, cursor string, position any) error {
	seal, bound, err := cursorSeal(caller, selection)
	if err != nil {
		return err
	}
	refused := problem.New(
		problem.InvalidInput,
		"The cursor does not belong to this list. Send the query and filters that it came with, or start again without it.",
	)
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || strings.ContainsAny(cursor, "\r\n") { // which base64 reads over
		return refused
	}
	plain, err := seal.Open(nil, nil, sealed, bound)
	if err != nil {
		return refused
	}
	if err := json.Unmarshal(plain, position); err != nil {
		return fmt.Errorf("open a cursor: %w", err)
	}
	return nil
}

func cursorSeal(caller Caller, selection any) (cipher.AEAD, []byte, error) {
	block, err := aes.NewCipher(caller.Workspace.Secret)
	if err != nil {
		return nil, nil, fmt.Errorf("cursors of %s: %w", caller.Workspace.ID, err)
	}
	seal, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, nil, fmt.Errorf("cursors of %s: %w", caller.Workspace.ID, err)
	}
	selected, err := json.Marshal(selection)
	if err != nil {
		return nil, nil, fmt.Errorf("cursors of %s: %w", caller.Workspace.ID, err)
	}
	return seal, append([]byte(caller.Workspace.ID+"\x00"), selected...), nil
}
