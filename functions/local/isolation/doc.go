// Package isolation proves that agencies are walls. Two agencies have three workspaces each, and nothing of one can be
// reached or counted from the other, by any id in any place. The served OpenAPI document drives it: a new operation, or
// a new place in an old one, fails until somebody says which ids stand there (functions/discovery/asks). The package
// has only tests.
//
// Setup runs share two things on purpose, which are not tested here: what sources answered (shared/proposal/survey),
// and the volume of a text that another workspace tracks bare, without naming that workspace ("analog" in "Volume
// object" of the description).
//
// The same worlds also prove that no line of any function's log holds anything of a person, a secret, or a text that
// somebody wrote (logs_test.go; the listener in heard_test.go says what a line may have).
package isolation
