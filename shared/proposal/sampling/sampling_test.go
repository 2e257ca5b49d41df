package sampling_test

import (
	"testing"

	"earshot/shared/judge"
)

func newJudge(t testing.TB) *judge.Judge {
	t.Helper()
	j, err := judge.New()
	if err != nil {
		t.Fatal(err)
	}
	return j
}
