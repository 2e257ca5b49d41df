package openaimodel_test

import (
	"os"
	"testing"

	"earshot/shared/embedded/openaimodel"
	"earshot/shared/port/model/modeltest"
)

// TestSuite_Peer runs the suite against a server that nobody here wrote. infra/peers/chat.json scripts its replies by the
// name of the model.
func TestSuite_Peer(t *testing.T) {
	endpoint := os.Getenv("MODEL_ENDPOINT")
	if endpoint == "" {
		t.Skip("MODEL_ENDPOINT names no server: make peers starts one")
	}
	modeltest.RunAdapter(t, func(t *testing.T, b modeltest.Behaviour) modeltest.Served {
		if b == modeltest.Empties {
			t.Skip("aimock cannot be made to respond with an empty object")
		}
		m, err := openaimodel.New(openaimodel.Options{URL: endpoint, Model: string(b), Key: key})
		if err != nil {
			t.Fatal(err)
		}
		// What was sent is counted in TestSuite.
		return modeltest.Served{Adapter: m, Requests: func() int { return 0 }}
	})
}
