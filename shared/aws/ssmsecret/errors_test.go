package ssmsecret_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"earshot/shared/aws/ssmsecret"
)

func against(t *testing.T, status int, answer string) *ssmsecret.Store {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-amz-json-1.1")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	env := map[string]string{"SECRET_ENDPOINT": server.URL, "SECRET_PATH": "/earshot/dev/sources/"}
	store, err := ssmsecret.FromEnvironment(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// No error tells a secret, and all but the context's own tell what went wrong.
func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		answer string
		says   string
	}{
		"refused":       {400, `{"__type":"AccessDeniedException","message":"not allowed"}`, "AccessDeniedException"},
		"cut off":       {200, `{"Parameters":[{"Name":"/earshot/dev/sources/x","Value":"hunter2"`, "cannot be read"},
		"no JSON":       {200, `hunter2`, "cannot be read"},
		"another shape": {200, `{"Parameters":[{"Name":"/earshot/dev/sources/x","Value":{"hunter2":1}}]}`, "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := against(t, c.status, c.answer).Get(t.Context(), "x")
			if err == nil || got != nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "hunter2") {
				t.Fatalf("%v, %v", got, err)
			}
			for cause := err; cause != nil; cause = errors.Unwrap(cause) {
				if strings.Contains(cause.Error(), "hunter2") {
					t.Fatal("a cause tells the secret")
				}
			}
			if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
				t.Fatal("the caller's context is well:", err)
			}
		})
	}
}

// No error of a write tells the secret, even if SSM quotes it.
func TestPut_Refused(t *testing.T) {
	err := against(t, 400, `{"__type":"ValidationException","message":"hunter2 is too short"}`).
		Put(t.Context(), "x", "hunter2")
	if err == nil || !strings.Contains(err.Error(), "ValidationException") || strings.Contains(err.Error(), "hunter2") ||
		errors.Unwrap(err) != nil {
		t.Errorf("Put(x) = %v, want the code alone", err)
	}
}

func TestDelete_Missing(t *testing.T) {
	if err := against(t, 400, `{"__type":"ParameterNotFound"}`).Delete(t.Context(), "x"); err != nil {
		t.Errorf("Delete(x) = %v, want nil", err)
	}
}

// What SSM answers besides what was asked for is not handed on.
func TestGet_OnlyBelowPath(t *testing.T) {
	store := against(t, 200, `{"Parameters":[{"Name":"/earshot/dev/sources/x","Value":"a"},
		{"Name":"/earshot/prod/sources/x","Value":"b"},{"Name":"y"}]}`)
	got, err := store.Get(t.Context(), "x")
	if err != nil || len(got) != 1 || got["x"] != "a" {
		t.Fatalf("Get(x) = %v, %v, want x alone", got, err)
	}
}

func TestFromEnvironment(t *testing.T) {
	env := map[string]string{"SECRET_ENDPOINT": "http://127.0.0.1:1"}
	get := func(name string) string { return env[name] }
	for _, path := range []string{"", "/", "//", "earshot/dev"} {
		env["SECRET_PATH"] = path
		if _, err := ssmsecret.FromEnvironment(get); err == nil {
			t.Errorf("%q is taken for a path", path)
		}
	}
	env["SECRET_PATH"], env["SECRET_ENDPOINT"] = "/earshot/dev", ""
	if _, err := ssmsecret.FromEnvironment(get); err == nil {
		t.Error("no account, no error")
	}
}
