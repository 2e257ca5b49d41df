package environmentsecret_test

import (
	"testing"

	"earshot/shared/embedded/environmentsecret"
	"earshot/shared/port/secret"
	"earshot/shared/port/secret/secrettest"
)

func TestSuite(t *testing.T) {
	secrettest.Run(t, func(_ *testing.T, secrets map[string]string) secret.Store {
		env := map[string]string{}
		for name, value := range secrets {
			env[environmentsecret.Variable(name)] = value
		}
		return environmentsecret.New(func(name string) string { return env[name] })
	})
}

func TestVariable(t *testing.T) {
	for name, want := range map[string]string{"reddit/client-id": "SOURCE_REDDIT_CLIENT_ID", "x": "SOURCE_X",
		"model/key": "MODEL_KEY", "a1/b2-c/d": "SOURCE_A1_B2_C_D"} {
		if got := environmentsecret.Variable(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
