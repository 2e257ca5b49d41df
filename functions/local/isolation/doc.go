// Package isolation is the proof that agencies are walls: with two agencies of three workspaces each, nothing of one is reachable or
// countable from the other, by any id in any place. It is driven by the served OpenAPI document, so that a new operation, and a new place
// in an old one, fails it until somebody says what ids stand there. It has nothing but tests.
package isolation
