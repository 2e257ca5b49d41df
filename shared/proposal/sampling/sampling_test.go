package sampling_test

import (
	"testing"

	"earshot/shared/score"
)

func newJudge(t testing.TB) *score.Judge {
	t.Helper()
	judge, err := score.New()
	if err != nil {
		t.Fatal(err)
	}
	return judge
}
