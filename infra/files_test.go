package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"earshot/shared/store/mentionstore"
)

func TestTheBucketOfExportsIsPrivateAndForgets(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		bucket := made.data.at(t, "Data/Bucket")
		for what, check := range map[string]struct{ got, want any }{
			"encryption": {bucket.property("BucketEncryption", "ServerSideEncryptionConfiguration"),
				[]any{map[string]any{"ServerSideEncryptionByDefault": map[string]any{"SSEAlgorithm": "AES256"}}}},
			"public access": {bucket.Properties["PublicAccessBlockConfiguration"], map[string]any{
				"BlockPublicAcls": true, "BlockPublicPolicy": true, "IgnorePublicAcls": true, "RestrictPublicBuckets": true}},
			"ownership": {bucket.property("OwnershipControls", "Rules"), []any{map[string]any{"ObjectOwnership": "BucketOwnerEnforced"}}},
			"life": {bucket.property("LifecycleConfiguration", "Rules"), []any{map[string]any{"Status": "Enabled", "ExpirationInDays": 7,
				"AbortIncompleteMultipartUpload": map[string]any{"DaysAfterInitiation": 1}}}},
		} {
			if fmt.Sprint(check.got) != fmt.Sprint(check.want) {
				t.Errorf("%s is %v, want %v", what, check.got, check.want)
			}
		}
		policy := made.data.text(made.data.of("AWS::S3::BucketPolicy")[0].Properties["PolicyDocument"])
		for _, part := range []string{`"aws:SecureTransport":"false"`, `"s3:TlsVersion":1.2`, `"Effect":"Deny"`} {
			if !strings.Contains(policy, part) {
				t.Errorf("no %s in %s", part, policy)
			}
		}
		if strings.Contains(policy, `"Effect":"Allow"`) {
			t.Errorf("somebody is let in: %s", policy)
		}
	})
}

// What says that there is a file, and the file, are gone at the same time; S3 rounds up to midnight.
func TestFilesAreKeptAsLongAsTheirExports(t *testing.T) {
	if files := filesKept * 24 * time.Hour; files != mentionstore.ExportKept {
		t.Errorf("files are kept for %s and exports for %s", files, mentionstore.ExportKept)
	}
}
