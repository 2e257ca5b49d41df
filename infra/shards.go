package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"earshot/shared/archive/shards"
)

// allShards matches the keys of all shards.
const allShards = "/" + shards.Folder + "*"

// newShards makes the bucket of the archive of posts. Where data is kept, a deleted shard is kept for as long as tables
// can be restored to a time before: their manifest would list it.
func newShards(stack awscdk.Stack, stage Stage) awss3.Bucket {
	scope := constructs.NewConstruct(stack, jsii.String("Shards"))
	rule := awss3.LifecycleRule{AbortIncompleteMultipartUploadAfter: awscdk.Duration_Days(jsii.Number(1))}
	if stage.Keep {
		rule.NoncurrentVersionExpiration = awscdk.Duration_Days(jsii.Number(stage.RecoveryDays))
		rule.ExpiredObjectDeleteMarker = jsii.Bool(true)
	}
	return awss3.NewBucket(scope, jsii.String("Bucket"), &awss3.BucketProps{
		Encryption:        awss3.BucketEncryption_S3_MANAGED,
		EnforceSSL:        jsii.Bool(true),
		MinimumTLSVersion: jsii.Number(1.2),
		BlockPublicAccess: awss3.BlockPublicAccess_BLOCK_ALL(),
		ObjectOwnership:   awss3.ObjectOwnership_BUCKET_OWNER_ENFORCED,
		Versioned:         jsii.Bool(stage.Keep),
		LifecycleRules:    &[]*awss3.LifecycleRule{&rule},
		RemovalPolicy:     stage.removal(),
	})
}
