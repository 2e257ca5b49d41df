package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"earshot/shared/store/mentionstore"
)

// Nobody but the account's roles reaches a bucket, and nobody without TLS 1.2. CloudFront reads the files of pages.
func TestBuckets_ArePrivate(t *testing.T) {
	onEachDeployment(t, func(t *testing.T, _ Stage, made deployment) {
		for _, in := range made.templates() {
			for _, bucket := range in.of("AWS::S3::Bucket") {
				for what, check := range map[string]struct{ got, want any }{
					"encryption": {bucket.property("BucketEncryption", "ServerSideEncryptionConfiguration"),
						[]any{map[string]any{"ServerSideEncryptionByDefault": map[string]any{"SSEAlgorithm": "AES256"}}}},
					"public access": {bucket.Properties["PublicAccessBlockConfiguration"], map[string]any{
						"BlockPublicAcls": true, "BlockPublicPolicy": true, "IgnorePublicAcls": true, "RestrictPublicBuckets": true}},
					"ownership": {bucket.property("OwnershipControls", "Rules"),
						[]any{map[string]any{"ObjectOwnership": "BucketOwnerEnforced"}}},
					"website": {bucket.Properties["WebsiteConfiguration"], nil},
				} {
					if fmt.Sprint(check.got) != fmt.Sprint(check.want) {
						t.Errorf("%s of %s is %v, want %v", what, bucket.path(), check.got, check.want)
					}
				}
				policy := in.text(in.at(t, bucket.path()+"/Policy").Properties["PolicyDocument"])
				for _, part := range []string{`"aws:SecureTransport":"false"`, `"s3:TlsVersion":1.2`, `"Effect":"Deny"`} {
					if !strings.Contains(policy, part) {
						t.Errorf("the policy of %s lacks %s: %s", bucket.path(), part, policy)
					}
				}
				allowed := 0
				if bucket.path() == "Service/Static/Bucket" {
					allowed = 1 // whom, checkResourcePolicies knows
				}
				if got := strings.Count(policy, `"Effect":"Allow"`); got != allowed {
					t.Errorf("%d statements let somebody into %s, want %d", got, bucket.path(), allowed)
				}
			}
		}
	})
}

func TestExports_FilesExpire(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		got := made.data.at(t, "Data/Bucket").property("LifecycleConfiguration", "Rules")
		want := []any{map[string]any{"Status": "Enabled", "ExpirationInDays": 7,
			"AbortIncompleteMultipartUpload": map[string]any{"DaysAfterInitiation": 1}}}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the rules are %v, want %v", got, want)
		}
	})
}

// What says that there is a file, and the file, are gone at the same time; S3 rounds up to midnight.
func TestFilesAreKeptAsLongAsTheirExports(t *testing.T) {
	if files := filesKept * 24 * time.Hour; files != mentionstore.ExportKept {
		t.Errorf("files are kept for %s and exports for %s", files, mentionstore.ExportKept)
	}
}
