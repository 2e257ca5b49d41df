// Package isolation is the proof that agencies are walls: with two agencies of three workspaces each, nothing of one is reachable or
// countable from the other, by any id in any place. It is driven by the served OpenAPI document, so that a new operation, and a new place
// in an old one, fails it until somebody says what ids stand there (functions/discovery/asks). It has nothing but tests.
//
// What runs of the setup engine share on purpose is none of it: what sources answered (shared/proposal/survey), and what a text brings that is
// tracked bare elsewhere, which is told without by whom ("analog" in "Volume object" of the description).
//
// The same ground has the proof that no line of any function's log has anything of a person, a secret, or a text that somebody wrote
// (logs_test.go; what a line may have is with listener, in heard_test.go).
package isolation
