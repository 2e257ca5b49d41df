package stage

import (
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"

	"earshot/shared/static"
)

// makeStatic stands in for the bucket of static files and its distribution: it serves what the template has put there,
// compressed as it is stored, by HTTPS. Its certificate is in the file s.authority.
func (s *stage) makeStatic() {
	s.t.Helper()
	stored := deployed.service.of("Custom::CDKBucketDeployment")
	if len(stored) != 1 {
		s.t.Fatalf("the template fills %d buckets", len(stored))
	}
	keys, _ := stored[0].Properties["SourceObjectKeys"].([]any)
	if len(keys) != 1 {
		s.t.Fatalf("the bucket is filled from %v", keys)
	}
	files := filepath.Join(deployed.assets, "asset."+strings.TrimSuffix(fmt.Sprint(keys[0]), ".zip"))
	types := map[string]string{".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, err := os.ReadFile(filepath.Join(files, path.Clean("/"+r.URL.Path)))
		if err != nil {
			w.WriteHeader(http.StatusForbidden) // as S3 answers who may not list the bucket
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Cache-Control", static.CacheControl)
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", types[path.Ext(r.URL.Path)])
		w.Write(content)
	}))
	s.t.Cleanup(server.Close)
	s.authority = filepath.Join(s.t.TempDir(), "authority.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	s.must(os.WriteFile(s.authority, certificate, 0o600))
	distributions := deployed.service.of("AWS::CloudFront::Distribution")
	if len(distributions) != 1 {
		s.t.Fatalf("the template has %d distributions", len(distributions))
	}
	s.domains = map[string]string{distributions[0].id: strings.TrimPrefix(server.URL, "https://")}
}
