package ssmsecret_test

import (
	"context"
	"crypto/rand"
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/ssm"
	"github.com/aws/aws-sdk-go-v2/service/ssm/types"

	"earshot/shared/aws/account"
	"earshot/shared/aws/ssmsecret"
	"earshot/shared/port/secret"
	"earshot/shared/port/secret/secrettest"
)

func TestSuite(t *testing.T) {
	endpoint := os.Getenv("SECRET_ENDPOINT")
	if endpoint == "" {
		t.Skip("SECRET_ENDPOINT is not set: no SSM-compatible server to test against (see make peers)")
	}
	asker, err := account.From(os.Getenv, endpoint)
	if err != nil {
		t.Fatal(err)
	}
	client := ssmsecret.NewClient(asker)
	secrettest.Run(t, func(t *testing.T, secrets map[string]string) secret.Store {
		path := "/test-" + rand.Text() + "/sources"
		for name, value := range secrets {
			full := path + "/" + name
			overwrite := true // a first attempt that nobody waited for may have been taken
			if _, err := client.PutParameter(t.Context(), &ssm.PutParameterInput{
				Name: &full, Value: &value, Type: types.ParameterTypeSecureString, Overwrite: &overwrite}); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if _, err := client.DeleteParameter(context.Background(), &ssm.DeleteParameterInput{Name: &full}); err != nil {
					t.Error(err)
				}
			})
		}
		store, err := ssmsecret.New(client, path)
		if err != nil {
			t.Fatal(err)
		}
		return store
	})
	secrettest.RunWriter(t, func(t *testing.T) secrettest.Keeper {
		store, err := ssmsecret.New(client, "/test-"+rand.Text()+"/workspaces")
		if err != nil {
			t.Fatal(err)
		}
		return store
	})
}
